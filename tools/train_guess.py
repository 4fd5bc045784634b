"""Train the models behind Ozymandia's guesses, and the one that judges whether a text of any game is mere talk, from
the labelled letters of `tests/orders/corpus`.

`python -m tools.train_guess` (part of `./tasks train`) writes them together with figures: how each letter is read by
models trained on all other lots. `--measure` prints only the figures. A lot is the letters of one file, or those of a
quarter of the hands.
"""

import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from pbem.games.kit import talk as kit
from pbem.games.ozymandia.areas import around, named_in, words_of
from pbem.games.ozymandia.guess import COUNTS, MODELS, ROLES, guess, models_of
from pbem.games.ozz import hearing as ozz
from pbem.games.ozz.naming import Side
from pbem.games.rocknroll import hearing as rocknroll
from pbem.orders.ambiguity import is_hard
from pbem.orders.lines import read_text, read_whole
from pbem.orders.situation import AnyStandpoint
from tools.beside import letters as hand_letters
from tools.beside import standpoints
from tools.train import hands_to_learn_from
from tools.understanding import CORPUS, samples, share, standpoint

_LEAST_WEIGHT = 0.05
_LEAST_OF_TEXTS = 0.06  # the least weight in the model of texts, which are many
_HAND_LOTS = 4  # the number of lots into which the hands are divided
_DIGITS = 2
_STRENGTH, _STRENGTH_OF_TEXTS = 2.0, 0.5  # the inverse of the strength of regularisation


class Example(NamedTuple):
    """The features of an item in a text, its label, and the lot that it is from."""

    features: list[str]
    label: str
    lot: str


class Letter(NamedTuple):
    """A letter: its lot, the standpoint from which it is written, its text, and the orders that are meant."""

    lot: str
    at: AnyStandpoint
    text: str
    meant: str


@cache
def everyday() -> tuple[Letter, ...]:
    """The letters for Ozymandia that contain only orders, in everyday words."""
    return (*_of_corpus("clear"), *_of_hands(clear=True))


@cache
def talk() -> tuple[Letter, ...]:
    """The letters that order nothing, or nothing certain, and have no line in notation."""
    letters = (*_of_corpus("doubt"), *_of_hands(clear=False))
    return tuple(one for one in letters if not any(read_whole(one.at, line) for line in one.text.splitlines()))


def _of_corpus(kind: str) -> Iterator[Letter]:
    at = standpoint("ozymandia")
    other = {"rocknroll", "ozz", *(("chat",) if kind == "clear" else ())}
    for path in sorted(CORPUS.glob("*.txt")):
        for sample in samples(path):
            if sample.kind.startswith(kind) and not other & set(sample.kind.split()):
                yield Letter(path.stem, at, sample.text, sample.meant)


def _of_hands(*, clear: bool) -> Iterator[Letter]:
    """Yield the letters of the hands that models learn from; every few hands are a lot."""
    for number, path in enumerate(hands_to_learn_from()):
        for one in hand_letters(path, "orders"):
            if one.game == "ozymandia" and clear != one.label.startswith("? "):
                at = standpoints(one.game, one.language)[0]
                meant = str(read_text(at, one.label).orders or "") if clear else ""
                if meant or not clear:
                    yield Letter(f"hands {number % _HAND_LOTS}", at, one.text, meant)


def mentions() -> dict[str, list[Example]]:
    """The role of each area and each count in the letters, as far as their meaning determines it, for the models."""
    found: dict[str, list[Example]] = {"roles": [], "counts": []}
    for lot, at, text, meant in everyday():
        roles, numbers = _meant(meant)
        named = named_in(at.state, text)
        for one in named.mentions:
            features = around(at.state, at.seat, named, one)
            if one.is_area and len(role := roles.get(str(one.value), {"none"})) == 1:
                found["roles"].append(Example(features, *role, lot))
            elif isinstance(one.value, int):
                found["counts"].append(Example(features, "moves" if one.value in numbers else "stays", lot))
            elif not one.is_area:
                found["counts"].append(Example(features, "moves" if numbers else "stays", lot))
    return found


@cache
def texts() -> tuple[Example, ...]:
    """The texts for Ozymandia in everyday words, labelled as orders or as mere talk."""
    letters = [("orders", one) for one in everyday() if one.meant != "Pass"]
    letters += [("talk", one) for one in talk()]
    return tuple(
        Example([*kit.features_of(named_in(one.at.state, one.text).tokens)], kind, one.lot) for kind, one in letters
    )


def texts_of_other_games() -> Iterator[Example]:
    """The texts for the other games, by hands that models learn from, labelled as orders in everyday words or as talk;
    doubtful letters and wishes count as talk."""
    for path in hands_to_learn_from(talk=True):
        for context in ("orders", "wishes"):
            for one in hand_letters(path, context):
                if one.game == "ozymandia" or one.label == "Pass":
                    continue
                is_orders = context == "orders" and one.label != "none" and not one.label.startswith("?")
                at = standpoints(one.game, one.language)[0]
                if one.game == "ozz":
                    passage = ozz.passage_of(ozz.Lexicon(Side(at.state, at.seat)), one.text)
                else:
                    passage = rocknroll.passage_of(at.state, one.text)
                yield Example([*kit.features_of(passage.masked())], kit.CLASSES[not is_orders], path.stem)


def _meant(orders: str) -> tuple[Mapping[str, set[str]], set[int]]:
    """The roles of areas in orders, and the numbers of pieces moved."""
    roles: defaultdict[str, set[str]] = defaultdict(set)
    for _, origin, target in (moves := re.findall(r"(\d+) (\w+) to (\w+)", orders)):
        roles[origin].add("origin")
        roles[target].add("target")
    for area in re.findall(r"Bomb (\w+)", orders):
        roles[area].add("bomb")
    return roles, {int(number) for number, _, _ in moves}


def trained(
    examples: Iterable[Example],
    classes: Sequence[str],
    least: float = _LEAST_WEIGHT,
    strength: float = _STRENGTH,
    *,
    balanced: bool = False,
) -> dict[str, Any]:
    """Fit a model in the format of `pbem.games.kit.linear`. If `balanced` is true, all classes weigh the same."""
    from sklearn.feature_extraction import DictVectorizer
    from sklearn.linear_model import LogisticRegression

    chosen = list(examples)
    vectors = DictVectorizer()
    matrix = vectors.fit_transform([dict.fromkeys(one.features, 1) for one in chosen])
    model = LogisticRegression(C=strength, max_iter=1_000, class_weight="balanced" if balanced else None).fit(
        matrix, [one.label for one in chosen]
    )
    rows = model.coef_.tolist()
    if len(rows) == 1:  # for two classes there is a single row, for the second
        rows = [[-weight / 2 for weight in rows[0]], [weight / 2 for weight in rows[0]]]
        bias = [-model.intercept_[0] / 2, model.intercept_[0] / 2]
    else:
        bias = model.intercept_.tolist()
    assert tuple(model.classes_) == tuple(classes), model.classes_
    names = vectors.get_feature_names_out()
    weights = {name: [round(row[at], _DIGITS) for row in rows] for at, name in enumerate(names)}
    kept = {name: of for name, of in sorted(weights.items()) if max(map(abs, of)) >= least}
    return {"classes": list(classes), "bias": [round(one, _DIGITS) for one in bias], "weights": kept}


def guess_models(without: str = "") -> dict[str, Any]:
    """The models behind Ozymandia's guesses, trained on all lots except one."""
    found = mentions()
    return {
        "roles": trained((one for one in found["roles"] if one.lot != without), ROLES),
        "counts": trained((one for one in found["counts"] if one.lot != without), COUNTS),
        "texts": talk_model(one for one in texts() if one.lot != without),
        "known": " ".join(sorted(_words(one for one in everyday() if one.lot != without and one.meant != "Pass"))),
    }


def talk_model(examples: Iterable[Example]) -> dict[str, Any]:
    """A model that judges whether a text is talk."""
    return trained(examples, kit.CLASSES, _LEAST_OF_TEXTS, _STRENGTH_OF_TEXTS, balanced=True)


def _words(letters: Iterable[Letter]) -> frozenset[str]:
    return frozenset().union(*(words_of(named_in(one.at.state, one.text)) for one in letters))


def measured() -> Counter[tuple[str, str]]:
    """Count how letters are read by models trained on all other lots: by kind ("orders" or "talk") and outcome.

    Orders to pass are left out, because they are never guessed.
    """
    letters = [("orders", one) for one in everyday() if one.meant != "Pass"] + [("talk", one) for one in talk()]
    found: Counter[tuple[str, str]] = Counter()
    for lot in sorted({one.lot for _, one in letters}):
        models = models_of(guess_models(lot))
        for kind, letter in (one for one in letters if one[1].lot == lot):
            at = letter.at
            meant = str(read_text(at, letter.meant).orders) if letter.meant else ""
            guessed = guess(at.state, at.seat, letter.text, models)
            taken = bool(guessed.orders) and not is_hard(letter.text)
            right = "" if guessed.orders == meant else " wrongly"
            found[kind, f"{'played' if guessed.sure else 'proposed'}{right}" if taken else "asked"] += 1
    return found


def table() -> str:
    """A table of how letters of unseen lots are read, for the docs."""
    figures = json.loads(MODELS.read_text(encoding="utf-8"))["figures"]
    heads = ("played", "proposed", "proposed wrongly", "played wrongly", "asked")
    lines = [f"| Letters | {' | '.join(heads)} |", f"|{' --- |' * (len(heads) + 1)}"]
    for kind, counts in figures.items():
        total = sum(counts.values())
        lines.append(f"| {total} {kind} | {' | '.join(share(counts.get(head, 0), total) for head in heads)} |")
    return "\n".join(lines)


def main(arguments: list[str]) -> None:
    """Write the models with their figures, or only measure."""
    figures: dict[str, dict[str, int]] = {}
    for (kind, how), number in sorted(measured().items()):
        figures.setdefault(kind, {})[how] = number
    if "--measure" in arguments:
        print(figures)
        return
    made = {**guess_models(), "figures": figures}
    MODELS.write_text(f"{written(made)}\n", encoding="utf-8")
    kit.MODEL.write_text(f"{written(talk_model((*texts(), *texts_of_other_games())))}\n", encoding="utf-8")
    print(table())


def written(made: Mapping[str, Any]) -> str:
    """The text of the file of models."""
    return json.dumps(made, ensure_ascii=False, separators=(",", ":"), sort_keys=True)


if __name__ == "__main__":
    main(sys.argv[1:])
