"""Judge how sure it is that a letter means the orders that are heard in it (see `pbem/games/kit/hearing.py`).

The likelihood of a reading only tells how it compares with the other readings, and all of them may leave out a part of
the letter. How the letter and the reading go together tells more: how many of its names and numbers the reading uses,
how sure each of their roles is, and how much else the letter says. From such signs, decision trees (`surety.json` of
each game, `tools/train_surety.py`) judge the probability that the reading is what the writer means. They have learnt it
from how the letters of many hands are heard by models that have not seen the hand.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from math import exp, log
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from pbem.games.capabilities import Heard
from pbem.games.kit.hearing import NO, Hearing, Role
from pbem.games.kit.talk import share_of_talk

Signs: TypeAlias = Mapping[str, float]
Tree: TypeAlias = "float | list[Any]"
"""A decision tree: a value, or the name of a sign, its limit, and the trees for values up to it and beyond it."""

_TURNS = frozenset(("not", "no", "never", "nobody", "none", "without", "if", "unless", "or", "but", "only", "else"))
_LEAST = 1e-4  # smaller probabilities count as this
_UNSURE, _UNLIKELY = 0.9, 0.6
_LONG = 3  # the least letters of a word that may be unknown
_VERB = re.compile(r"([A-Z][a-z]+)\b")
_CODE = re.compile(r"[A-Z]\w*")


class Forest(NamedTuple):
    """Decision trees whose values, added to `base`, are the logarithm of the odds."""

    base: float
    trees: Sequence[Tree]

    def probability(self, signs: Signs) -> float:
        """Return the probability that signs with these values indicate. A sign that is missing counts as 0."""
        return 1 / (1 + exp(-self.base - sum(_value(tree, signs) for tree in self.trees)))


def _value(tree: Tree, signs: Signs) -> float:
    while isinstance(tree, list):
        name, limit, low, high = tree
        tree = low if signs.get(name, 0.0) <= limit else high
    return tree


@cache
def read_forest(path: Path) -> Forest:
    """Load the trees in a file."""
    data = json.loads(path.read_text(encoding="utf-8"))
    return Forest(data["base"], data["trees"])


def told(hearing: Hearing, lines_of: Callable[[Any], Sequence[str]], path: Path) -> Heard:
    """Return what is heard in the form in which a game tells it. `lines_of` returns the lines of orders in canonical
    form, and `path` is the file with the game's trees."""
    readings = tuple((str(orders), likelihood) for orders, likelihood in hearing.readings if orders)
    likeliest = next((orders for orders, _ in hearing.readings if orders), None)
    if likeliest is None:
        return Heard(readings)
    signs = signs_of(hearing, lines_of(likeliest))
    return Heard(readings, read_forest(path).probability(signs), not (signs["unused"] or hearing.made_up))


def signs_of(hearing: Hearing, lines: Sequence[str]) -> dict[str, float]:
    """Return the signs of how sure it is that a letter means `lines`, its likeliest orders."""
    passage, readings = hearing.passage, hearing.readings
    chosen = next(likelihood for orders, likelihood in readings if orders)
    heard = sum(likelihood for orders, likelihood in readings if orders)
    rivals = sorted((likelihood for _, likelihood in readings), reverse=True)
    rivals.remove(chosen)
    words = sum(token.text[:1].isalnum() for token in passage.tokens)
    best = [max(some, key=lambda role: role.score) for some in hearing.roles]
    named = [role for role in best if role.mention.start < role.mention.end]
    silent = [role for role in named if role.name == NO]
    shares = [min(exp(role.score), 1.0) for role in best]
    codes = [code for line in lines for code in _CODE.findall(line)]
    numbers = len(passage.numbers)
    unknown = sum(hearing.is_unknown(at) for at, token in enumerate(passage.tokens) if len(token.text) >= _LONG)
    signs = {
        "likelihood": _odds(chosen),
        "second": _odds(next(iter(rivals), 0.0)),
        "heard": _odds(heard),
        "talk": _odds(share_of_talk(passage.masked())),
        "turns": sum(not token.cues.isdisjoint(_TURNS) for token in passage.tokens),
        "words": words,
        "lines": len(lines),
        "words a line": words / (len(lines) + 0.5),
        "sentences": len({token.sentence for token in passage.tokens}),
        "least share": _odds(min(shares, default=0.0)),
        "mean share": sum(map(_odds, shares)) / len(shares) if shares else _odds(0),
        "unsure": sum(share < _UNSURE for share in shares),
        "unlikely": sum(share < _UNLIKELY for share in shares),
        "score": hearing.scores[0],
        "lead": hearing.scores[0] - hearing.scores[1] if len(hearing.scores) > 1 else 5.0,
        "silent": len(silent),
        "doubt of silent": sum(1 - min(exp(role.score), 1.0) for role in silent),
        "speaking a line": (len(named) - len(silent)) / (len(lines) + 0.5),
        "unused": sum(not _uses(lines, role) for role in named if role.meaning[0] not in ("number", "all", "deck")),
        "unused numbers": sum(not _uses(lines, role) for role in named if role.meaning[0] == "number"),
        "numbers": numbers,
        "spare numbers": numbers - sum(len(re.findall(r"\d+", line)) for line in lines),
        "names": len(named) - numbers,
        "made up": len({*codes}) - (len(named) - numbers),
        "unknown": unknown,
        "share unknown": unknown / (words + 1),
    }
    return signs | {f"line {verb[1]}": 1.0 for line in lines if (verb := _VERB.match(line))}


def _odds(share: float) -> float:
    """Return the logarithm of the odds for a probability."""
    share = min(max(share, _LEAST), 1 - _LEAST)
    return log(share / (1 - share))


def _uses(lines: Sequence[str], role: Role) -> bool:
    return any(re.search(rf"(?<!\w){re.escape(role.meaning[1])}(?!\w)", line) for line in lines)
