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
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, chain
from math import log, sqrt
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

from pbem.i18n.words import fold
from pbem.orders import ambiguity, classifier, reader
from pbem.orders.classifier import Thresholds, Verdict
from pbem.orders.lines import SeatLines
from pbem.orders.lookups import take_lookups
from pbem.resources import resource
from tools.understanding import CORPUS, FATES, fate, samples_by_lot, share, standpoint_of

WORDS = "words.txt"
REMARKS = "remarks.txt"
LETTERS = [
    path
    for path in sorted(CORPUS.glob("*.txt"))
    if path.name not in (WORDS, REMARKS, "letters.txt") and not path.name.startswith(("commands", "intents"))
]
_FEATURES = 29_500
_FREQUENT = 5  # the least number of lines with a frequent word
_LEAST = 2  # the least number of lines with a feature
_WEIGHT = 0.3  # the weight of a phrase; that of a line is 1
_RARE = 4  # divisor of the logarithm of a feature's rarity
_STRENGTH = 10  # the inverse of the strength of regularisation
_CAUGHT = 0.97  # the share of doubtful letters about which the writer is at least asked
_DOUBTFUL, _CHAT = "in doubt", "with chat"
_VERDICTS: tuple[Verdict, ...] = ("chat", "perhaps", "turned")
_STANDING = 0.95  # the share of letters with chat whose orders stand


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


def remarks(name: str) -> Iterator[LabelledLine]:
    """Yield the lines of a file of single lines, or the phrases of one with several on a line."""
    turns, phrases = False, name == WORDS
    for number, line in enumerate((CORPUS / name).read_text("utf-8").splitlines()):
        if line.startswith("== "):
            turns = line.startswith("== doubt")
        elif line and not line.startswith("# "):
            texts = line.split(" · ") if phrases else [line]
            yield from (LabelledLine(name, number, text, turns, _WEIGHT if phrases else 1) for text in texts)


def trained(lines: Sequence[LabelledLine]) -> tuple[dict[str, int], int]:
    """Fit a model to lines; return its weights and its bias, in hundredths."""
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
    kept = sorted(weights, key=lambda one: (-abs(weights[one]), one))[:_FEATURES]
    return {one: weights[one] for one in sorted(kept) if weights[one]}, round(100 * model.intercept_[0])


Scores = dict[tuple[str, int, bool], list[tuple[float, bool]]]
"""By lot, letter, and whether it is doubtful: the likelihood that each line changes orders, and whether it has hard
words."""


Weights = tuple[Mapping[str, int], int]


def leave_one_out(lines: Sequence[LabelledLine]) -> dict[str, Weights]:
    """For each lot, a model that has not seen it."""
    return {lot: trained([line for line in lines if line.lot != lot]) for lot in sorted({line.lot for line in lines})}


def held_out(lines: Sequence[LabelledLine], models: Mapping[str, Weights]) -> Scores:
    """Score the letters of each lot with the model that has not seen it."""
    found: Scores = {}
    for line in lines:
        score = classifier.likelihood_by(*models[line.lot], line.text), ambiguity.is_hard(line.text)
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
    weights, bias = trained([*lines, *remarks(WORDS)])
    grouped: dict[str, list[str]] = {}
    for one, weight in weights.items():
        grouped.setdefault(str(weight), []).append(one)
    rows = {weight: "\t".join(grouped[weight]) for weight in sorted(grouped, key=int)}
    counts = Counter(word for line in lines for word in set(re.findall(r"[^\W\d_]+", fold(line.text))))
    frequent = " ".join(sorted(word for word, count in counts.items() if count >= _FREQUENT))
    data = {"bias": bias, "thresholds": at, "frequent": frequent, "figures": figures, "weights": rows}
    return json.dumps(data, ensure_ascii=False, indent=0) + "\n"


def table() -> str:
    """A table of the effect of the thresholds, for the docs."""
    model = classifier.read_model()
    at = model.thresholds
    head = (
        f"A line is asked about from a likelihood of {at.perhaps} on or with a hard word, and changes orders from "
        f"{at.turned}, or {(at.perhaps + at.turned) / 2:.2f} with a hard word. Of letters whose lot was not seen:"
    )
    lines = [head, "", "| Letters | taken for chat | orders stand, asked about | nothing stands |", f"|{' --- |' * 4}"]
    for kind, counts in model.figures.items():
        total = round(sum(counts.values()))
        shares = " | ".join(share(round(counts[one]), total) for one in _VERDICTS)
        lines.append(f"| {total} {kind} | {shares} |")
    return "\n".join(lines)


def main() -> None:
    """Train, measure lot by lot, and write the file; with `--letters`, only print what happens to whole letters."""
    lines = [*lines_of(LETTERS), *remarks(REMARKS)]
    models = leave_one_out(lines)
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
