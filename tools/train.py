"""Trains the judge of what stands beside orders: `./tasks train`, which takes scikit-learn (`pip install .[train]`).

The material are the lines that the grammar leaves over of the letters in `tests/orders/corpus`: those beside the orders
of a clear letter are chat, those of a doubtful one may change them. `words.txt` there has words and phrases alone. What
the thresholds come to is measured by lots: each is judged by a model that has not seen it, nor any phrases, which were
collected from letters.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, chain
from math import log, sqrt
from pathlib import Path

from pbem.i18n.words import fold
from pbem.orders import judge, reader
from pbem.orders.lines import Lines
from pbem.orders.lookups import take_lookups
from pbem.resources import resource
from pbem.values import NamedTuple
from tools.understanding import CORPUS, place_of, samples_by_lot, share

WORDS = "words.txt"
REMARKS = "remarks.txt"
LETTERS = [
    path for path in sorted(CORPUS.glob("*.txt")) if path.name not in (WORDS, REMARKS, "commands.txt", "letters.txt")
]
_FEATURES = 29_500
_FREQUENT = 5  # lines that a frequent word stands in
_LEAST = 2  # lines that a feature stands in
_WEIGHT = 0.3  # of a phrase, where a line has 1
_RARE = 4  # by what the logarithm of how rare a feature is counts
_STRENGTH = 10  # the inverse of the strength of regularisation
_CAUGHT = 0.97  # share of doubtful lines that are at least asked about
_KINDS = (("doubtful", True), ("chat", False))
_STANDING = 0.95  # share of lines of chat that leave orders standing


class Line(NamedTuple):
    """A line of a letter, without names: its lot, the letter's number, and whether it may change orders."""

    lot: str
    letter: int
    text: str
    turns: bool
    weight: float = 1


def lines_of(paths: Sequence[Path]) -> Iterator[Line]:
    """What the grammar leaves over of the letters in some files."""
    for path in paths:
        for number, (lot, sample) in enumerate(samples_by_lot(path)):
            game, state, seat = place_of(sample)
            words = take_lookups(game, state, reader.read_words(sample.text, at=(game, state)))
            reading = Lines(game, state, words.rest).read(seat)
            is_chat = sample.kind.startswith(("clear chat", "clear attack"))
            if sample.kind.startswith("yes") or (not is_chat and sample.kind.startswith("clear")):
                continue
            if is_chat and str(reading.orders) != sample.meant:
                continue
            for remark in reading.remarks:
                yield Line(lot, number, judge.without_names(game, state, remark), not is_chat)


def remarks(name: str) -> Iterator[Line]:
    """The lines of a file that stand alone, or the phrases of one that has several to a line."""
    turns, phrases = False, name == WORDS
    for number, line in enumerate((CORPUS / name).read_text("utf-8").splitlines()):
        if line.startswith("== "):
            turns = line.startswith("== doubt")
        elif line and not line.startswith("# "):
            texts = line.split(" · ") if phrases else [line]
            yield from (Line(name, number, text, turns, _WEIGHT if phrases else 1) for text in texts)


def trained(lines: Sequence[Line]) -> tuple[dict[str, int], int]:
    """The weights that lines come to, and the bias, in hundredths."""
    from scipy.sparse import csr_matrix
    from sklearn.linear_model import LogisticRegression

    found = [sorted(judge.features(line.text)) for line in lines]
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


def held_out(lines: Sequence[Line]) -> dict[tuple[str, int, bool], float]:
    """For each letter, how likely its worst line is to change its orders, by a model that has not seen its lot."""
    found: dict[tuple[str, int, bool], float] = {}
    for lot in sorted({line.lot for line in lines}):
        weights, bias = trained([line for line in lines if line.lot != lot])
        for line in lines:
            if line.lot == lot:
                key = (lot, line.letter, line.turns)
                found[key] = max(found.get(key, 0), judge.likelihood_by(weights, bias, line.text))
    return found


def thresholds(scores: Mapping[tuple[str, int, bool], float]) -> tuple[float, float]:
    """From which likelihood on a letter is asked about, and from which its orders do not stand."""
    doubtful = sorted(score for key, score in scores.items() if key[-1])
    chat = sorted(score for key, score in scores.items() if not key[-1])
    perhaps, turned = doubtful[int((1 - _CAUGHT) * len(doubtful))], chat[int(_STANDING * len(chat))]
    return int(100 * perhaps) / 100, max(int(100 * turned) + 1, int(100 * perhaps)) / 100


def figures(scores: Mapping[tuple[str, int, bool], float], *at: float) -> list[dict[str, float]]:
    """What some thresholds come to: how many of the doubtful letters, and of those with chat, are above."""
    found = []
    for threshold in at:
        above = {
            kind: [score >= threshold for key, score in scores.items() if key[-1] is kind] for kind in (True, False)
        }
        shares = {name: round(100 * sum(above[kind]) / len(above[kind]), 1) for name, kind in _KINDS}
        found.append({"threshold": threshold, **shares, **{f"of {name}": len(above[kind]) for name, kind in _KINDS}})
    return found


def written(lines: Sequence[Line], perhaps: float, turned: float, told: Sequence[Mapping[str, float]]) -> str:
    """The data file of a model."""
    weights, bias = trained([*lines, *remarks(WORDS)])
    grouped: dict[str, list[str]] = {}
    for one, weight in weights.items():
        grouped.setdefault(str(weight), []).append(one)
    rows = {weight: "\t".join(grouped[weight]) for weight in sorted(grouped, key=int)}
    counts = Counter(word for line in lines for word in set(re.findall(r"[^\W\d_]+", fold(line.text))))
    frequent = " ".join(sorted(word for word, count in counts.items() if count >= _FREQUENT))
    data = {"bias": bias, "perhaps": perhaps, "turned": turned, "frequent": frequent, "figures": told, "weights": rows}
    return json.dumps(data, ensure_ascii=False, indent=0) + "\n"


def table(told: Sequence[Mapping[str, float]]) -> str:
    """What the thresholds come to, for docs."""
    lines = ["| Likelihood from | Outcome | Letters in doubt | Letters with chat |", "| --- | --- | --- | --- |"]
    for one, outcome in zip(told, ("asked about", "nothing stands"), strict=True):
        shares = (share(round(one[name] * one[f"of {name}"] / 100), int(one[f"of {name}"])) for name, _ in _KINDS)
        lines.append(f"| {one['threshold']} | {outcome} | {' | '.join(shares)} |")
    return "\n".join(lines)


def main() -> None:
    """Train, measure by lots, and write the file."""
    lines = [*lines_of(LETTERS), *remarks(REMARKS)]
    scores = held_out(lines)
    at = thresholds(scores)
    told = figures(scores, *at)
    resource(judge.FILE).write_text(written(lines, *at, told), encoding="utf-8")
    print(table(told))


if __name__ == "__main__":
    main()
