"""Classification of a line beside orders as chat or as something that may change the orders, with a linear model over
words and parts of words.

`tools/train.py` learns the weights from labelled letters in `tests/orders/corpus`; this module adds the weights up. To
teach the model a new phrase, add a labelled line to that corpus.
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
"""The effect of a line on the orders beside it. "chat": the line has no effect; "perhaps": the line may change the
orders; "turned": the line overturns the orders, so that nothing in the letter may stand."""

SIZES = range(3, 6)
"""The lengths, in characters, of the parts of words that are features."""

_MOST = 600  # the maximum number of characters of a line that count
_NAME, _NUMBER = "@", "0"  # these replace each name used in the game, and any digits
_SENTENCE = re.compile(r"[^.!?;\n]+(?:(?:\.(?=\S)|(?<=\d)\.)[^.!?;\n]*)*[.!?;]*|\?+")
_WORD = re.compile(r"[^\W\d_]+")
_TOKEN = re.compile(r"[^\W_]+(?:['-][^\W_]+)*|[?!@:,()*]|\.\.\.")
_LEAST_KNOWN = 0.3  # the smallest share of frequent words in a line whose language is known


_ASKS = 0.15  # the minimum likelihood at which a sentence without a question mark counts as a question


class Thresholds(NamedTuple):
    """The minimum likelihoods at which a line counts as possibly changing the orders (`perhaps`) or as overturning them
    (`turned`). For a line with a hard word, the minimum for overturning them is the mean of the two."""

    perhaps: float
    turned: float


class ClassifierModel(NamedTuple):
    """The trained model.

    `weights` are the weights of the features, and `bias` is added to their sum; both are in hundredths. `asking` are
    the weights and the bias that decide whether a sentence is a question. `frequent` contains the words that occur in
    many lines. `figures` counts the verdicts on the lines of each kind of letter; each verdict comes from a model that
    was trained without the part of the data to which the line belongs.
    """

    weights: Mapping[str, int]
    bias: int
    asking: tuple[Mapping[str, int], int]
    thresholds: Thresholds
    frequent: frozenset[str]
    figures: Mapping[str, Mapping[Verdict, int]]


def features(text: str) -> frozenset[str]:
    """Return the features of `text`: its words, its pairs of neighbouring words, and the parts of its words in all
    `SIZES`."""
    words = _TOKEN.findall(re.sub(r"\d+", _NUMBER, fold(text[:_MOST].replace("’", "'"))))
    pairs = map(" ".join, zip(["^", *words], [*words, "$"], strict=True))
    return frozenset((*(f"={word}" for word in words), *(f"+{pair}" for pair in pairs), *_pieces(" ".join(words))))


def _pieces(line: str) -> Iterator[str]:
    text = f" {line} "
    for size in SIZES:
        yield from (text[at : at + size] for at in range(len(text) - size + 1))


def without_names(situation: AnySituation, text: str) -> str:
    """Return `text` with the same placeholder for every name used in the game, because the verdict must not depend on
    which names a line contains."""
    names = sorted(set(situation.names_in(text)), key=len, reverse=True)
    return re.sub(rf"(?<!\w)(?:{'|'.join(map(re.escape, names))})(?!\w)", f" {_NAME} ", text) if names else text


@lru_cache(maxsize=256)
def likelihood(text: str) -> float:
    """Return the likelihood, from 0 to 1, that the line `text` changes the orders beside it."""
    model = read_model()
    return likelihood_by(model.weights, model.bias, text)


def likelihood_by(weights: Mapping[str, int], bias: int, text: str) -> float:
    """Return the likelihood, from 0 to 1, that the line `text` changes the orders beside it or, with the weights and
    the bias for questions, that it is a question. `weights` and `bias` are in hundredths.

    The result is the likelihood for the whole line or for its likeliest sentence, whichever is greater.
    """
    every = map(features, dict.fromkeys((text, *sentences(text))))
    total = max(
        sum(weights.get(feature, 0) for feature in sentence_features) / sqrt(len(sentence_features) or 1)
        for sentence_features in every
    )
    return 1 / (1 + exp(-(total + bias) / 100))


def sentences(text: str) -> Iterator[str]:
    """Split `text` into sentences. A line break always ends a sentence."""
    return (sentence for match in _SENTENCE.finditer(text) if (sentence := match[0].strip(" \t,;-–*_\"'")))


def verdict(likelihood: float, *, hard: bool) -> Verdict:
    """Return the verdict on a line, given the likelihood that it changes the orders beside it. A `hard` line is never
    chat."""
    return verdict_by(read_model().thresholds, likelihood, hard=hard)


def verdict_by(at: Thresholds, likelihood: float, *, hard: bool) -> Verdict:
    """Return the verdict on a line, given the thresholds `at` and the likelihood that the line changes the orders
    beside it.

    A `hard` line is never chat, and its threshold for "turned" is lower.
    """
    turned = (at.perhaps + at.turned) / 2 if hard else at.turned
    return "turned" if likelihood >= turned else "perhaps" if hard or likelihood >= at.perhaps else "chat"


def verdict_on_question(likelihood: float) -> Verdict:
    """Return the verdict on a question, given the likelihood that it changes the orders beside it. A question never
    overturns orders, because it is answered instead."""
    at = read_model().thresholds
    return "perhaps" if likelihood >= (at.perhaps + at.turned) / 2 else "chat"


@lru_cache(maxsize=256)
def asks(text: str) -> bool:
    """Return whether `text` asks something, with or without a question mark."""
    return "?" in text or any(likelihood_by(*read_model().asking, sentence) >= _ASKS for sentence in sentences(text))


def is_known_language(text: str) -> bool:
    """Return whether `text` is in a language that the model knows, judging by its share of frequent words."""
    words = _WORD.findall(fold(text))
    return sum(word in read_model().frequent for word in words) >= _LEAST_KNOWN * len(words)


@cache
def read_model() -> ClassifierModel:
    """Return the trained model from `FILE`, which is read only once."""
    table = json.loads(resource(FILE).read_text(encoding="utf-8"))
    weights, asking = _weights(table["weights"]), (_weights(table["asking"]), table["asking_bias"])
    at, frequent = Thresholds(*table["thresholds"]), frozenset(table["frequent"].split())
    return ClassifierModel(weights, table["bias"], asking, at, frequent, table["figures"])


def _weights(grouped: Mapping[str, str]) -> dict[str, int]:
    """Return the weight of each feature. `grouped` maps each weight to the features with that weight, which are
    separated by tabs."""
    return {feature: int(weight) for weight, some in grouped.items() for feature in some.split("\t")}
