"""The model that tells whether a letter says yes or no, in its writer's own words, to the question that it answers.

A linear model over words, parts of words and the first clause tells the answers apart; it knows which kind of question
was asked, because "I'm out" declines an invitation and agrees to resign. `tools/train_replies.py` learns it from the
letters in `tests/orders/corpus/hands`. To teach it more, add a file of letters there.
"""

import json
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from math import exp, sqrt
from typing import Literal, NamedTuple

from pbem.orders import intents
from pbem.orders.intents import SIGNS, STEP, ZERO
from pbem.resources import resource

FILE = "locale/replies.json"

Asked = Literal["invitation", "draw", "resign", "proposal"]
"""The question in a letter of ours: whether the reader takes part, agrees to a draw (or another wish), really gives up,
or means what we propose."""

Said = Literal["yes", "no", "else", "open"]
"""The content of an answer. "else" is a yes or no with other orders beside it; "open" leaves the question open, for
example because it asks something first."""

_SHORT = 2  # the maximum number of words of an answer whose beginning must be known
_BEGINNING = "+^ "
_WORD = re.compile(r"[^\W\d_]+")
_CLAUSE = re.compile(r"[^.!?\n,;:]*[^\W\d_][^.!?\n,;:]*")


class ReplyModel(NamedTuple):
    """The answers; the bias of each, in hundredths; and for each feature a weight for each answer, in `STEP`
    hundredths."""

    names: Sequence[Said]
    bias: Sequence[int]
    weights: Mapping[str, str]


class Answer(NamedTuple):
    """The likeliest answer, and its likelihood from 0 to 1."""

    said: Said
    likelihood: float


def features(text: str, asked: Asked) -> frozenset[str]:
    """Return the features of an answer: those of its text and of its first clause, each by itself and with the
    question."""
    clause = _CLAUSE.search(text)
    common = {*intents.features(text), *_signs(text)}
    common |= {f"^{feature}" for feature in intents.features(clause[0] if clause else "")}
    return frozenset((*common, *(f"{asked}:{feature}" for feature in common)))


def _signs(text: str) -> Iterator[str]:
    """Yield a feature for each picture, and one for the number of question marks and whether the answer ends in one."""
    yield from (f"={char}" for char in set(text) if unicodedata.category(char) == "So")
    yield f"?{min(text.count('?'), 2)}{text.rstrip().endswith('?')}"


def likelihoods(model: ReplyModel, text: str, asked: Asked) -> dict[Said, float]:
    """Return the likelihood of each answer."""
    found = features(text, asked)
    size = 100 * sqrt(len(found) or 1) / STEP
    rows = [row for feature in found if (row := model.weights.get(feature))]
    scores = [
        sum(SIGNS.index(row[at]) - ZERO for row in rows) / size + bias / 100 for at, bias in enumerate(model.bias)
    ]
    powers = [exp(score - max(scores)) for score in scores]
    return {name: power / sum(powers) for name, power in zip(model.names, powers, strict=True)}


def answer_in(text: str, asked: Asked) -> Answer:
    """Return the likeliest answer in a text. A text of a word or two whose beginning the model has not seen says
    nothing: it may be a slip, or a wish of another kind."""
    model = read_model()
    if len(_WORD.findall(text)) <= _SHORT and not any(
        feature.startswith(_BEGINNING) and feature in model.weights for feature in features(text, asked)
    ):
        return Answer("open", 1)
    found = likelihoods(model, text, asked)
    said = max(found, key=lambda name: found[name])
    return Answer(said, found[said])


@cache
def read_model() -> ReplyModel:
    """Return the trained model."""
    table = json.loads(resource(FILE).read_text(encoding="utf-8"))
    return ReplyModel(table["names"], table["bias"], table["weights"])
