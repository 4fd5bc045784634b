"""Train the classifier of text beside orders: `./tasks train`. It needs scikit-learn (`pip install .[train]`).

The material consists of the lines that the grammar leaves over in the letters of `tests/orders/corpus`: lines beside
the orders of a clear letter are chat, those of a doubtful one may change its orders. `words.txt` there contains single
words and phrases. The effect of the thresholds is measured lot by lot: each lot is classified by a model that has seen
neither the lot nor any phrases, because those were collected from letters.
"""

import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import accumulate, chain
from math import log, sqrt
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

from pbem.i18n.words import fold
from pbem.orders import ambiguity, classifier, reader
from pbem.orders.classifier import Thresholds, Verdict
from pbem.orders.lines import Reading, SeatLines
from pbem.orders.lookups import take_lookups
from pbem.orders.situation import AnyStandpoint
from pbem.resources import resource
from tools.beside import letters, standpoints
from tools.replies import HANDS, unseen
from tools.understanding import CORPUS, FATES, fate, samples_by_lot, share, standpoint_of

WORDS = "words.txt"
REMARKS = "remarks.txt"
INTENTS = "intents.txt"
_QUIET = ("rule", "deadline", "missing", "score", "turns", "last turn", "press", "none")
LETTERS = [
    path
    for path in sorted(CORPUS.glob("*.txt"))
    if path.name not in (WORDS, REMARKS, "letters.txt") and not path.name.startswith(("commands", "intents"))
]
_HAND_LOTS = 4  # the number of lots into which the hands are divided
_FEATURES = 27_000
_ASKING = 2_500  # the most features of questions
_FOLDS = 6  # the number of models trained to measure the thresholds
_FREQUENT = 5  # the least number of lines with a frequent word
_LEAST = 2  # the least number of lines with a feature
_WEIGHT = 0.3  # the weight of a phrase; that of a line is 1
_ASIDE = 0.5  # the weight of a phrase for an intent
_HAND = 2  # the weight of a line of a hand
_RARE = 4  # divisor of the logarithm of a feature's rarity
_STRENGTH = 10  # the inverse of the strength of regularisation
_CAUGHT = 0.97  # the share of doubtful letters about which the writer is at least asked
_DOUBTFUL, _CHAT = "in doubt", "with chat"
_VERDICTS: tuple[Verdict, ...] = ("chat", "perhaps", "turned")
_STANDING = 0.984  # the share of letters with chat whose orders stand


class LabelledLine(NamedTuple):
    """A line of a letter without names: its lot, the number of the letter, and whether it may change orders."""

    lot: str
    letter: int
    text: str
    turns: bool
    weight: float = 1


def lines_of(paths: Sequence[Path]) -> Iterator[LabelledLine]:
    """Yield the lines that the grammar leaves over in the letters of some files."""
    for path in paths:
        for number, (lot, sample) in enumerate(samples_by_lot(path)):
            standpoint = standpoint_of(sample)
            words = take_lookups(standpoint, reader.read_words(sample.text, at=standpoint))
            reading = SeatLines(standpoint, words.rest).read()
            is_chat = sample.kind.startswith(("clear chat", "clear attack"))
            if sample.kind.startswith("yes") or (not is_chat and sample.kind.startswith("clear")):
                continue
            if is_chat and str(reading.orders) != sample.meant:
                continue
            said = [
                one for one in reading.remarks if not ambiguity.is_courtesy(one)
            ]  # greetings and names change no orders
            for remark in reading.remarks if is_chat else said or reading.remarks:
                yield LabelledLine(lot, number, classifier.without_names(standpoint, remark), not is_chat)


def lines_of_hands() -> Iterator[LabelledLine]:
    """Yield the lines beside orders in the letters of the hands that models learn from, which change none, and the
    lines of their doubtful orders that the grammar leaves over. Every few hands are a lot."""
    for at, path in enumerate(hands_to_learn_from()):
        for context, turns in (("beside", False), ("orders", True)):
            for number, one in enumerate(letters(path, context)):
                if turns == one.label.startswith("? "):
                    standpoint = standpoints(one.game, one.language)[0]
                    for line in left_over(standpoint, one.text):
                        text = classifier.without_names(standpoint, line)
                        yield LabelledLine(f"hands {at % _HAND_LOTS}", 100 * at + number, text, turns, _HAND)


def hands_to_learn_from(*, talk: bool = False) -> list[Path]:
    """The hands from which models learn. Those that wrote nothing but orders and talk about moves, from which only
    games learn to hear, are included if `talk` is true."""
    hands = (path for path in sorted(HANDS.glob("*.txt")) if path not in unseen())
    return [path for path in hands if talk or _writes_more(path)]


def _writes_more(hand: Path) -> bool:
    heads = (line for line in hand.read_text("utf-8").splitlines() if line.startswith("== "))
    return any(not head.endswith(" orders") for head in heads)


def left_over(standpoint: AnyStandpoint, text: str) -> Iterator[str]:
    """The lines of a letter that are not orders, apart from greetings."""
    for line in reader.read_words(text, at=standpoint).lines():
        reading = reader.read_text(standpoint, line)
        if reading == Reading(remarks=(line,)) and not ambiguity.is_courtesy(line):
            yield line


def remarks(name: str) -> Iterator[LabelledLine]:
    """Yield the lines of a file of single lines, or the phrases of one with several on a line."""
    turns, phrases = False, name == WORDS
    for number, line in enumerate((CORPUS / name).read_text("utf-8").splitlines()):
        if line.startswith("== "):
            turns = line.startswith("== doubt")
        elif line and not line.startswith("# "):
            texts = line.split(" · ") if phrases else [line]
            yield from (LabelledLine(name, number, text, turns, _WEIGHT if phrases else 1) for text in texts)


def trained(lines: Sequence[LabelledLine], most: int = _FEATURES) -> tuple[dict[str, int], int]:
    """Fit a model to lines; return its weights, `most` at the most, and its bias, in hundredths."""
    from scipy.sparse import csr_matrix
    from sklearn.linear_model import LogisticRegression

    found = [sorted(classifier.features(line.text)) for line in lines]
    counts = Counter(one for features in found for one in features)
    names = sorted(one for one, count in counts.items() if count >= _LEAST)
    columns = {one: at for at, one in enumerate(names)}
    places = [[columns[one] for one in features if one in columns] for features in found]
    ends = [0, *accumulate(map(len, places))]
    rare = [log(1 + len(lines) / counts[one]) / _RARE for one in names]
    values = [rare[at] / sqrt(len(all_) or 1) for all_, here in zip(found, places, strict=True) for at in here]
    matrix = csr_matrix((values, [*chain.from_iterable(places)], ends), shape=(len(lines), len(names)))
    model = LogisticRegression(C=_STRENGTH, solver="liblinear", dual=True, random_state=0, max_iter=1000, tol=1e-3)
    model.fit(matrix, [line.turns for line in lines], sample_weight=[line.weight for line in lines])
    weights = {one: round(100 * weight * many) for one, weight, many in zip(names, model.coef_[0], rare, strict=True)}
    kept = sorted(weights, key=lambda one: (-abs(weights[one]), one))[:most]
    return {one: weights[one] for one in sorted(kept) if weights[one]}, round(100 * model.intercept_[0])


def asking_of(lines: Sequence[LabelledLine]) -> Iterator[LabelledLine]:
    """Yield the sentences of lines without their question marks, labelled with whether they ask something."""
    intents = [line.text for line in phrases_of_intents(lambda _: True)]
    for text in (*(line.text for line in lines), *intents):
        for sentence in classifier.sentences(text):
            yield LabelledLine("", 0, sentence.replace("?", " "), "?" in sentence)
    for one in (one for path in hands_to_learn_from() for one in letters(path) if one.other == "ask"):
        standpoint = standpoints(one.game, one.language)[0]
        for line in left_over(standpoint, one.text):
            yield LabelledLine("", 0, classifier.without_names(standpoint, line.replace("?", " ")), True)


def phrases_of_intents(wanted: Callable[[str], bool]) -> Iterator[LabelledLine]:
    """Yield the phrases for intents that are wanted. They change no orders."""
    intent = ""
    for number, line in enumerate((CORPUS / INTENTS).read_text("utf-8").splitlines()):
        if line.startswith("== "):
            intent = line[3:]
        elif line and not line.startswith("# ") and wanted(intent):
            yield from (LabelledLine(INTENTS, number, text, False, _ASIDE) for text in line.split(" · "))


def is_quiet(intent: str) -> bool:
    """Whether an intent leaves orders as they are: a question, or words for somebody else."""
    return intent in _QUIET or intent.startswith(("how ", "help"))


Scores = dict[tuple[str, int, bool], list[tuple[float, bool]]]
"""By lot, letter, and whether it is doubtful: the likelihood that each line changes orders, and whether it has hard
words."""


Weights = tuple[Mapping[str, int], int]


def leave_out(lines: Sequence[LabelledLine]) -> dict[str, Weights]:
    """For each lot, a model that has not seen it. Lots are left out several at a time, with as many lines each time."""
    folds: list[list[str]] = [[] for _ in range(_FOLDS)]
    sizes = [0] * _FOLDS
    for lot, size in Counter(line.lot for line in lines).most_common():
        at = sizes.index(min(sizes))
        folds[at].append(lot)
        sizes[at] += size
    quiet = [*phrases_of_intents(is_quiet)]
    models = {}
    for lots in filter(None, folds):
        model = trained([*(line for line in lines if line.lot not in lots), *quiet])
        models |= dict.fromkeys(lots, model)
    return models


def held_out(lines: Sequence[LabelledLine], models: Mapping[str, Weights]) -> Scores:
    """Score the letters of each lot with the model that has not seen it."""
    found: Scores = {}
    for line in lines:
        score = classifier.likelihood_by(*models[line.lot], line.text), ambiguity.is_hard_above_all(line.text)
        found.setdefault((line.lot, line.letter, line.turns), []).append(score)
    return found


def print_letters(scores: Scores, models: Mapping[str, Weights]) -> None:
    """Print what happens to whole letters, each read with a model and thresholds that have not seen its lot."""
    found: dict[str, Counter[str]] = {}
    for lot, (weights, bias) in models.items():
        at = thresholds({key: score for key, score in scores.items() if key[0] != lot})
        model = classifier.read_model()._replace(weights=weights, bias=bias, thresholds=at)
        with patch.object(classifier, "read_model", lambda model=model: model):
            classifier.likelihood.cache_clear()
            for path in LETTERS:
                for one in (sample for name, sample in samples_by_lot(path) if name == lot):
                    kind = "clear chat" if one.kind.startswith(("clear chat", "clear attack")) else one.kind.split()[0]
                    found.setdefault(kind, Counter())[fate(one)] += 1
    classifier.likelihood.cache_clear()
    for kind, counts in found.items():
        print(kind, counts.total(), ", ".join(f"{one}: {share(counts[one], counts.total())}" for one in FATES))


def thresholds(scores: Scores) -> Thresholds:
    """Find the thresholds that catch the required share of doubtful letters and let the orders of enough letters with
    chat stand."""
    perhaps, turned = 1.0, 1.0
    while perhaps > 0 and verdicts(scores, Thresholds(perhaps, 1))[_DOUBTFUL]["chat"] > 1 - _CAUGHT:
        perhaps = round(perhaps - 0.01, 2)
    while turned > perhaps and verdicts(scores, Thresholds(perhaps, turned - 0.01))[_CHAT]["turned"] <= 1 - _STANDING:
        turned = round(turned - 0.01, 2)
    return Thresholds(perhaps, turned)


def verdicts(scores: Scores, at: Thresholds, *, count: bool = False) -> dict[str, dict[Verdict, float]]:
    """The share, or with `count` the number, of letters of each kind that get each verdict."""
    found: dict[str, Counter[Verdict]] = {_DOUBTFUL: Counter(), _CHAT: Counter()}
    for (_, _, turns), lines in scores.items():
        worst = max((classifier.verdict_by(at, one, hard=hard) for one, hard in lines), key=_VERDICTS.index)
        found[_DOUBTFUL if turns else _CHAT][worst] += 1
    return {
        kind: {one: counts[one] / (1 if count else counts.total()) for one in _VERDICTS}
        for kind, counts in found.items()
    }


def written(lines: Sequence[LabelledLine], at: Thresholds, figures: Mapping[str, Mapping[Verdict, float]]) -> str:
    """The text of a model's data file."""
    weights, bias = trained([*lines, *phrases_of_intents(is_quiet), *remarks(WORDS)])
    asking, asking_bias = trained([*asking_of(lines)], _ASKING)
    counts = Counter(word for line in lines for word in set(re.findall(r"[^\W\d_]+", fold(line.text))))
    frequent = " ".join(sorted(word for word, count in counts.items() if count >= _FREQUENT))
    data = {"bias": bias, "thresholds": at, "frequent": frequent, "figures": figures, "weights": _grouped(weights)}
    data |= {"asking_bias": asking_bias, "asking": _grouped(asking)}
    return json.dumps(data, ensure_ascii=False, indent=0) + "\n"


def _grouped(weights: Mapping[str, int]) -> dict[str, str]:
    """The features of each weight, in one string."""
    grouped: dict[str, list[str]] = {}
    for one, weight in weights.items():
        grouped.setdefault(str(weight), []).append(one)
    return {weight: "\t".join(grouped[weight]) for weight in sorted(grouped, key=int)}


def table() -> str:
    """A table of the effect of the thresholds, for the docs."""
    model = classifier.read_model()
    at = model.thresholds
    head = (
        f"A line is asked about from a likelihood of {at.perhaps} on, and changes orders from {at.turned} on. A few "
        f"words with a hard one are always asked about, and change orders from {(at.perhaps + at.turned) / 2:.2f} on. "
        "Of letters whose lot was not seen:"
    )
    lines = [head, "", "| Letters | taken for chat | orders stand, asked about | nothing stands |", f"|{' --- |' * 4}"]
    for kind, counts in model.figures.items():
        total = round(sum(counts.values()))
        shares = " | ".join(share(round(counts[one]), total) for one in _VERDICTS)
        lines.append(f"| {total} {kind} | {shares} |")
    return "\n".join(lines)


def main() -> None:
    """Train, measure lot by lot, and write the file; with `--letters`, only print what happens to whole letters."""
    lines = [*lines_of(LETTERS), *lines_of_hands(), *remarks(REMARKS)]
    models = leave_out(lines)
    scores = held_out(lines, models)
    if "--letters" in sys.argv:
        print_letters(scores, models)
        return
    at = thresholds(scores)
    resource(classifier.FILE).write_text(written(lines, at, verdicts(scores, at, count=True)), encoding="utf-8")
    classifier.read_model.cache_clear()
    print(table())


if __name__ == "__main__":
    main()
