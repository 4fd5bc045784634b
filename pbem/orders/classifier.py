"""Classification of a line beside orders as chat or as something that may change them, with a linear model over words
and parts of words.

`tools/train.py` learns the weights from letters that people have labelled (`tests/orders/corpus`), and this module adds
them up. To teach the model a new phrase, add a labelled line there.
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
"""The effect of a line on the orders beside it: none ("chat"), a possible change ("perhaps"), or that nothing in the
letter may stand ("turned")."""

SIZES = range(3, 6)
"""The lengths, in characters, of the parts of words that are features."""

_MOST = 600  # the maximum number of characters of a line that are read
_NAME, _NUMBER = "@", "0"  # these replace each name of the game, and any digits
_SENTENCE = re.compile(r"[^.!?;\n]+(?:(?:\.(?=\S)|(?<=\d)\.)[^.!?;\n]*)*[.!?;]*|\?+")
_WORD = re.compile(r"[^\W\d_]+")
_TOKEN = re.compile(r"[^\W_]+(?:['-][^\W_]+)*|[?!@:,()*]|\.\.\.")
_LEAST_KNOWN = 0.3  # the smallest share of frequent words in a line whose language is known


_ASKS = 0.15  # the likelihood from which a sentence without a question mark is a question


class Thresholds(NamedTuple):
    """The likelihood from which a line may change orders, and that from which it overturns them. For a few words with a
    hard one among them, the second threshold is half-way between the two."""

    perhaps: float
    turned: float


class ClassifierModel(NamedTuple):
    """The weights of features and the bias, in hundredths, and the words that occur in many lines. `figures` counts the
    verdicts on the lines of each kind of letter; each verdict is that of a model trained without the part of the data
    to which the line belongs. `asking` are the weights and the bias for whether a sentence is a question."""

    weights: Mapping[str, int]
    bias: int
    asking: tuple[Mapping[str, int], int]
    thresholds: Thresholds
    frequent: frozenset[str]
    figures: Mapping[str, Mapping[Verdict, int]]


def features(text: str) -> frozenset[str]:
    """Return the features of a line: words, pairs of words, and parts of words in all `SIZES`."""
    words = _TOKEN.findall(re.sub(r"\d+", _NUMBER, fold(text[:_MOST].replace("’", "'"))))
    pairs = map(" ".join, zip(["^", *words], [*words, "$"], strict=True))
    return frozenset((*(f"={word}" for word in words), *(f"+{pair}" for pair in pairs), *_pieces(" ".join(words))))


def _pieces(line: str) -> Iterator[str]:
    text = f" {line} "
    for size in SIZES:
        yield from (text[at : at + size] for at in range(len(text) - size + 1))


def without_names(situation: AnySituation, text: str) -> str:
    """Replace every name of the game in a line with the same placeholder, because it does not matter which name it
    is."""
    names = sorted(set(situation.names_in(text)), key=len, reverse=True)
    return re.sub(rf"(?<!\w)(?:{'|'.join(map(re.escape, names))})(?!\w)", f" {_NAME} ", text) if names else text


@lru_cache(maxsize=256)
def likelihood(text: str) -> float:
    """Return the likelihood that a line changes the orders beside it, from 0 to 1."""
    model = read_model()
    return likelihood_by(model.weights, model.bias, text)


def likelihood_by(weights: Mapping[str, int], bias: int, text: str) -> float:
    """Return the likelihood according to given weights and a bias, in hundredths: that of the line or of its likeliest
    sentence, whichever is greater."""
    every = map(features, dict.fromkeys((text, *sentences(text))))
    total = max(
        sum(weights.get(feature, 0) for feature in sentence_features) / sqrt(len(sentence_features) or 1)
        for sentence_features in every
    )
    return 1 / (1 + exp(-(total + bias) / 100))


def sentences(text: str) -> Iterator[str]:
    """Split a text into sentences. A line break always ends a sentence."""
    return (sentence for match in _SENTENCE.finditer(text) if (sentence := match[0].strip(" \t,;-–*_\"'")))


def verdict(likelihood: float, *, hard: bool) -> Verdict:
    """Return the effect on orders of a line with this likelihood. A `hard` line is never chat."""
    return verdict_by(read_model().thresholds, likelihood, hard=hard)


def verdict_by(at: Thresholds, likelihood: float, *, hard: bool) -> Verdict:
    """Return the verdict according to given thresholds."""
    turned = (at.perhaps + at.turned) / 2 if hard else at.turned
    return "turned" if likelihood >= turned else "perhaps" if hard or likelihood >= at.perhaps else "chat"


def verdict_on_question(likelihood: float) -> Verdict:
    """Return the effect on orders of a question with this likelihood. It overturns nothing; it is answered instead."""
    at = read_model().thresholds
    return "perhaps" if likelihood >= (at.perhaps + at.turned) / 2 else "chat"


@lru_cache(maxsize=256)
def asks(text: str) -> bool:
    """Return whether a text asks something, with or without a question mark."""
    return "?" in text or any(likelihood_by(*read_model().asking, sentence) >= _ASKS for sentence in sentences(text))


def is_known_language(text: str) -> bool:
    """Return whether a line is in a language that the model knows, judging by the share of frequent words."""
    words = _WORD.findall(fold(text))
    return sum(word in read_model().frequent for word in words) >= _LEAST_KNOWN * len(words)


@cache
def read_model() -> ClassifierModel:
    """Return the trained model."""
    table = json.loads(resource(FILE).read_text(encoding="utf-8"))
    weights, asking = _weights(table["weights"]), (_weights(table["asking"]), table["asking_bias"])
    at, frequent = Thresholds(*table["thresholds"]), frozenset(table["frequent"].split())
    return ClassifierModel(weights, table["bias"], asking, at, frequent, table["figures"])


def _weights(grouped: Mapping[str, str]) -> dict[str, int]:
    """Return the weight of each feature; the file lists features by weight."""
    return {feature: int(weight) for weight, some in grouped.items() for feature in some.split("\t")}
