"""Train the model of what people want from the desk: part of `./tasks train`, after the classifier of text beside
orders.

The material consists of the lines of `tests/orders/corpus/intents.txt`, the wishes and the chat beside orders of those
hands in `tests/orders/corpus/hands` that are not kept for measuring (`python -m tools.wishes`), the sentences that are
themselves commands (`[sentences]` of `locale/<language>/words.toml`), and chat. To measure the model, the lines are
divided into fifths, and each fifth is given to a model that has not seen it.
"""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from math import log, sqrt
from typing import NamedTuple

from pbem.i18n import words
from pbem.i18n.words import fold
from pbem.orders import intents
from pbem.orders.ambiguity import is_courtesy
from pbem.orders.intents import NONE, SIGNS, STEP, ZERO, IntentModel
from pbem.resources import resource
from tools.beside import letters, standpoints
from tools.replies import HANDS, unseen
from tools.understanding import CORPUS, samples, standpoint
from tools.wishes import command_in

FILE = CORPUS / "intents.txt"
PEOPLE = ("Bob", "Боб")
LOTS = 5
_RARE = 4  # divisor of the logarithm of a feature's rarity
_STRENGTH = 1  # the inverse of the strength of regularisation
_LARGEST = 40  # the number of steps of the largest weight that is stored
_SPEAKS = 2  # the least steps of the largest weight of a feature that is kept
_NEGATED = 0.1  # the least share of an intent's lines with a "not" for the intent to allow one
_CHAT = 2  # the weight of a line of chat
_SHORT = 6  # the most words of a pass that is learnt
_PARTS = " · "


class LabelledLine(NamedTuple):
    """A plain line, its intent, and its lot; -1 for lines that are never measured."""

    text: str
    intent: str
    lot: int


def lines() -> list[LabelledLine]:
    """All lines to learn from."""
    at = standpoint("ozymandia")
    rows = [(*row, number % LOTS) for number, row in enumerate(labelled())]
    rows += [(name, text, -1) for name, text in (*_sentences(), *_commands(), *_passes(), *_remarks(), *_orders())]
    rows += [(name, text, -1) for name, text in (*_wishes(), *_only_similar())]
    return [LabelledLine(intents.plain(text, PEOPLE, at), name, lot) for name, text, lot in rows]


def labelled() -> Iterator[tuple[str, str]]:
    """Yield the intents and lines of the corpus."""
    name = ""
    for line in FILE.read_text(encoding="utf-8").splitlines():
        if line.startswith("== "):
            name = line[3:]
        elif line and not line.startswith("# "):
            yield from ((name, text) for text in line.split(_PARTS))


def _sentences() -> Iterator[tuple[str, str]]:
    for file in words.files().values():
        for command, said in file.get("sentences", {}).items():
            name = "language" if command.startswith("language") else command
            yield from ((name, text) for text in said if command not in ("yes", "decline"))


def _commands() -> Iterator[tuple[str, str]]:
    """Yield wordings of commands that have been known for long."""
    for line in (CORPUS / "commands.txt").read_text(encoding="utf-8").splitlines():
        name, _, text = line.partition(" | ")
        if not line.startswith("#"):
            yield "time" if name == "gm" else name, text


def _passes() -> Iterator[tuple[str, str]]:
    """Yield the ways in which people order nothing, because the games never guess a pass."""
    for path in sorted(CORPUS.glob("*.txt")):
        passes = (one.text for one in samples(path) if one.kind.startswith("clear") and one.meant == "Pass")
        yield from (("pass", text) for text in passes if len(text.split()) <= _SHORT)


def _remarks() -> Iterator[tuple[str, str]]:
    """Yield the chat that letters contain beside orders."""
    doubtful = False
    for line in (CORPUS / "remarks.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("== "):
            doubtful = line.startswith("== doubt")
        elif line and not line.startswith("# ") and not doubtful:
            yield NONE, line


def _orders() -> Iterator[tuple[str, str]]:
    """Yield letters with orders."""
    for name in ("everyday.txt", "known.txt"):
        letters = (one.text for one in samples(CORPUS / name) if one.kind in ("clear plain", "clear labels"))
        yield from ((NONE, text) for text in letters if "\n" not in text)


_MEANT = {"rules": "help rules", "challenge": "how challenge", **dict.fromkeys(("ask", "card", "cards", "point"), NONE)}
"""The intents of wishes whose labels do not begin with the intent."""
_FOR_MASTERS = {"deadline": "time", "more time": "time", "days more": "time", "new address": "address"}
"""The intents of words for the game master, by what their labels contain; others want a person."""


def _wishes() -> Iterator[tuple[str, str]]:
    """Yield the wishes, and the chat beside orders, of those hands that are not kept for measuring."""
    measured = unseen()
    for path in sorted(HANDS.glob("*.txt")):
        for one in letters(path, "wishes") if path not in measured else ():
            word = command_in(one.label)
            name = _MEANT.get(word, word)
            if name == "gm":
                name = next((intent for words_, intent in _FOR_MASTERS.items() if words_ in one.label), "person")
            yield name, " ".join(line for line in one.text.split("\n") if line.strip() and not is_courtesy(line))
        for one in letters(path) if path not in measured else ():
            at = standpoints(one.game, one.language)[0]
            if one.other == "nothing":
                yield from (
                    (NONE, line) for line in one.text.split("\n") if line.strip() and not at.is_in_notation(line)
                )


def _only_similar() -> Iterator[tuple[str, str]]:
    """Yield lines that only sound like an intent."""
    for line in (CORPUS / "intents-none.txt").read_text(encoding="utf-8").splitlines():
        yield from ((NONE, text) for text in line.split(_PARTS) if not line.startswith("#"))


def trained(some: Sequence[LabelledLine]) -> IntentModel:
    """Fit a model to lines."""
    from scipy.sparse import csr_matrix
    from sklearn.svm import LinearSVC

    found = [sorted(intents.features(line.text)) for line in some]
    counts = Counter(one for features in found for one in features)
    names = sorted(one for one, count in counts.items() if count > 1 or one.startswith("="))
    columns = {one: at for at, one in enumerate(names)}
    rare = [log(1 + len(some) / counts[one]) / _RARE for one in names]
    places = [[columns[one] for one in features if one in columns] for features in found]
    values = [rare[at] / sqrt(len(all_) or 1) for all_, here in zip(found, places, strict=True) for at in here]
    ends = [0]
    for here in places:
        ends.append(ends[-1] + len(here))
    matrix = csr_matrix((values, [at for here in places for at in here], ends), shape=(len(some), len(names)))
    model = LinearSVC(C=_STRENGTH, random_state=0, tol=1e-3)
    model.fit(matrix, [one.intent for one in some], [_CHAT if one.intent == NONE else 1 for one in some])
    weights = {
        names[at]: {
            number: clipped
            for number, weight in enumerate(model.coef_[:, at])
            if (clipped := round(max(-_LARGEST, min(_LARGEST, 100 * weight * rare[at] / STEP))))
        }
        for at in range(len(names))
    }
    bias = [round(100 * one) for one in model.intercept_]
    kept = {one: some for one, some in weights.items() if max(map(abs, some.values()), default=0) >= _SPEAKS}
    return IntentModel([*map(str, model.classes_)], bias, kept, _negated(some), {})


def _negated(some: Sequence[LabelledLine]) -> frozenset[str]:
    """The intents with enough lines that contain a "not"."""
    no = frozenset(map(fold, words.words("around", "negating")))
    total = Counter(line.intent for line in some)
    with_no = Counter(line.intent for line in some if not no.isdisjoint(fold(line.text.replace("'", "")).split()))
    return frozenset(name for name in total if with_no[name] >= _NEGATED * total[name])


def held_out(some: Sequence[LabelledLine]) -> Iterator[tuple[LabelledLine, str, float]]:
    """Yield each line with the intent that a model which has not seen its lot gives it, and the lead of that intent."""
    for lot in range(LOTS):
        model = trained([line for line in some if line.lot != lot])
        for line in (line for line in some if line.lot == lot):
            (first, name), (second, _), *_ = intents.scores(model, line.text)
            yield line, name, first - second


def figures(some: Sequence[LabelledLine]) -> dict[str, dict[str, int]]:
    """Count the lines with an intent, and those of chat, that get a right offer, a wrong one, or none."""
    found: dict[str, Counter[str]] = {"intents": Counter(), "chat": Counter()}
    for line, name, lead in held_out(some):
        name = NONE if lead < intents.LEAD else name  # noqa: PLW2901 - the offer
        fate = "rightly" if name == line.intent != NONE else "not" if name == NONE else "wrongly"
        found["chat" if line.intent == NONE else "intents"][fate] += 1
    return {kind: dict(counts) for kind, counts in found.items()}


def written(model: IntentModel) -> str:
    """The text of a model's data file."""
    signs = {
        one: "".join(f"{SIGNS[at]}{SIGNS[ZERO + weight]}" for at, weight in some.items())
        for one, some in model.weights.items()
    }
    data = {"names": model.names, "bias": model.bias, "negated": sorted(model.negated), "figures": model.figures}
    return json.dumps({**data, "weights": signs}, ensure_ascii=False, indent=0, separators=(",", ":")) + "\n"


def main() -> None:
    """Train, measure, and write the file."""
    some = lines()
    model = trained(some)._replace(figures=figures(some))
    resource(intents.FILE).write_text(written(model), encoding="utf-8")
    print(model.figures)


if __name__ == "__main__":
    main()
