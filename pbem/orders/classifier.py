"""Whether a line beside orders is chat or may change them: a linear model over words and pieces of words.

`tools/train.py` learns the weights from letters that people have labelled (`tests/orders/corpus`); this module adds
them up. To teach it a new turn of speech, add a labelled line there.
"""

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from math import exp, sqrt
from typing import Literal, NamedTuple

from pbem.i18n.words import fold
from pbem.orders.situation import AnySituation
from pbem.resources import resource

FILE = "locale/classifier.json"

Verdict = Literal["chat", "perhaps", "turned"]
"""What a line does to orders beside it: nothing, perhaps change them, or keep all of the letter from standing."""

SIZES = range(3, 6)
"""Characters in a piece of words."""

_MOST = 600  # characters of a line; the rest is ignored
_NAME, _NUMBER = "@", "0"  # stand for any name of the game, and for any digits
_SENTENCE = re.compile(r"[^.!?;\n]+(?:(?:\.(?=\S)|(?<=\d)\.)[^.!?;\n]*)*[.!?;]*|\?+")
_WORD = re.compile(r"[^\W\d_]+")
_TOKEN = re.compile(r"[^\W_]+(?:['-][^\W_]+)*|[?!@:,()*]|\.\.\.")
_LEAST_KNOWN = 0.3  # share of frequent words in a line of a language that the model has seen


class Thresholds(NamedTuple):
    """The likelihoods from which a line may change orders, and from which it turns them. With a
    hard word, the second lies half-way between them."""

    perhaps: float
    turned: float


class ClassifierModel(NamedTuple):
    """Weights of features and the bias, in hundredths, and words that occur in many lines. `figures` count, for each
    kind of letter, the verdicts of models that had not seen its lot."""

    weights: Mapping[str, int]
    bias: int
    thresholds: Thresholds
    frequent: frozenset[str]
    figures: Mapping[str, Mapping[Verdict, int]]


def features(text: str) -> frozenset[str]:
    """The features of a line: words, pairs of words, and pieces of words in all `SIZES`."""
    words = _TOKEN.findall(re.sub(r"\d+", _NUMBER, fold(text[:_MOST].replace("’", "'"))))
    pairs = map(" ".join, zip(["^", *words], [*words, "$"], strict=True))
    return frozenset((*(f"={word}" for word in words), *(f"+{pair}" for pair in pairs), *_pieces(" ".join(words))))


def _pieces(line: str) -> Iterator[str]:
    text = f" {line} "
    for size in SIZES:
        yield from (text[at : at + size] for at in range(len(text) - size + 1))


def without_names(situation: AnySituation, text: str) -> str:
    """A line with one sign in place of each name of the game, because it does not matter which name it is."""
    names = sorted(set(situation.names_in(text)), key=len, reverse=True)
    return re.sub(rf"(?<!\w)(?:{'|'.join(map(re.escape, names))})(?!\w)", f" {_NAME} ", text) if names else text


@lru_cache(maxsize=256)
def likelihood(text: str) -> float:
    """How likely a line is to change the orders beside it, from 0 to 1."""
    model = read_model()
    return likelihood_by(model.weights, model.bias, text)


def likelihood_by(weights: Mapping[str, int], bias: int, text: str) -> float:
    """The likelihood by given weights and bias, in hundredths: that of the line, or of its likeliest sentence."""
    every = map(features, dict.fromkeys((text, *sentences(text))))
    total = max(
        sum(weights.get(feature, 0) for feature in sentence_features) / sqrt(len(sentence_features) or 1)
        for sentence_features in every
    )
    return 1 / (1 + exp(-(total + bias) / 100))


def sentences(text: str) -> Iterator[str]:
    """The sentences of a text. Each line is at least one."""
    return (sentence for match in _SENTENCE.finditer(text) if (sentence := match[0].strip(" \t,;-–*_\"'")))


def verdict(likelihood: float, *, hard: bool) -> Verdict:
    """What a line of this likelihood does to orders. A line with a `hard` word is never chat."""
    return verdict_by(read_model().thresholds, likelihood, hard=hard)


def verdict_by(at: Thresholds, likelihood: float, *, hard: bool) -> Verdict:
    """The verdict by given thresholds."""
    turned = (at.perhaps + at.turned) / 2 if hard else at.turned
    return "turned" if likelihood >= turned else "perhaps" if hard or likelihood >= at.perhaps else "chat"


def is_known_language(text: str) -> bool:
    """Whether a line is in a language that the model has learnt: enough of its words are frequent there."""
    words = _WORD.findall(fold(text))
    return sum(word in read_model().frequent for word in words) >= _LEAST_KNOWN * len(words)


@cache
def read_model() -> ClassifierModel:
    """The trained model."""
    table = json.loads(resource(FILE).read_text(encoding="utf-8"))
    weights: dict[str, int] = {}
    for weight, some in table["weights"].items():
        weights |= dict.fromkeys(some.split("\t"), int(weight))
    frequent = frozenset(table["frequent"].split())
    return ClassifierModel(weights, table["bias"], Thresholds(*table["thresholds"]), frequent, table["figures"])
