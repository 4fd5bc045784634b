"""A model that recognises whether a letter, in its writer's own words, says yes or no to the question that it answers.

The model is linear, over words, parts of words and the first clause. It takes into account which kind of question was
asked, because "I'm out" declines an invitation but agrees to resign. `tools/train_replies.py` learns the model from the
letters in `tests/orders/corpus/hands`; to teach it more, add a file of letters there.
"""

import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from math import exp, sqrt
from typing import Literal, NamedTuple

from pbem.i18n import words as i18n
from pbem.orders import intents
from pbem.orders.intents import SIGNS, STEP, ZERO
from pbem.resources import resource

FILE = "locale/replies.json"

Asked = Literal["invitation", "draw", "resign", "proposal"]
"""The kind of question in a letter from the desk. "invitation": whether the reader takes part; "draw": whether the
reader agrees to a draw, a pause or another wish of the players; "resign": whether the reader really gives up;
"proposal": whether the reader means what the desk proposes."""

Said = Literal["yes", "no", "else", "open"]
"""The content of an answer. "else": a yes or no, accompanied by other orders. "open": the answer leaves the question
open, for example because it asks something first."""

_SHORT = 2  # the maximum number of words of an answer that counts only if the model knows it
_PAIR = "+"  # the features for pairs of words, beginning and end included, begin with this
_WORD = re.compile(r"[^\W\d_]+")
CLAUSE = re.compile(r"[^.!?\n,;:]*[^\W\d_][^.!?\n,;:]*")


class ReplyModel(NamedTuple):
    """The trained model.

    `names` are the possible answers, and `bias` contains the bias of each, in hundredths. `weights` maps each feature
    to a text with one character of `SIGNS` per answer. The place of the character in `SIGNS`, minus `ZERO`, is the
    weight of the feature for that answer; the unit is `STEP` hundredths.
    """

    names: Sequence[Said]
    bias: Sequence[int]
    weights: Mapping[str, str]


class Answer(NamedTuple):
    """The likeliest answer, and its likelihood from 0 to 1. If `is_guess` is true, the text has no letters, or is only
    one or two words long and not known to the model: it may be a slip, or ask for something else."""

    said: Said
    likelihood: float
    is_guess: bool


def features(text: str, asked: Asked) -> frozenset[str]:
    """Return the features of the answer `text`: those of the whole text and of its first clause, each by itself and
    combined with the kind of question."""
    clause = CLAUSE.search(text)
    common = {*intents.features(text), *_signs(text)}
    common |= {f"^{feature}" for feature in intents.features(clause[0] if clause else "")}
    return frozenset((*common, *(f"{asked}:{feature}" for feature in common)))


def _signs(text: str) -> Iterator[str]:
    """Yield a feature for each picture (emoji) in `text`, and a feature that combines the number of question marks with
    whether `text` ends in one."""
    yield from (f"={char}" for char in set(text) if unicodedata.category(char) == "So")
    yield f"?{min(text.count('?'), 2)}{text.rstrip().endswith('?')}"


def likelihoods(model: ReplyModel, text: str, asked: Asked) -> dict[Said, float]:
    """Return the likelihood, from 0 to 1, of each answer that `text` may give to a question of the kind `asked`."""
    found = features(text, asked)
    size = 100 * sqrt(len(found) or 1) / STEP
    rows = [row for feature in found if (row := model.weights.get(feature))]
    scores = [
        sum(SIGNS.index(row[at]) - ZERO for row in rows) / size + bias / 100 for at, bias in enumerate(model.bias)
    ]
    powers = [exp(score - max(scores)) for score in scores]
    return {name: power / sum(powers) for name, power in zip(model.names, powers, strict=True)}


def plainly(text: str) -> str:
    """Return `text` with "yes" in place of words that deny an objection, such as "no problem". A model over single
    words hears only the "no" in them."""
    return _no_objection().sub("yes", text)


def answer_in(text: str, asked: Asked) -> Answer:
    """Return the likeliest answer in `text` to a question of the kind `asked`.

    An answer that denies an objection is a guess, and half as likely, if it says no all the same or gives the game up.
    """
    model, plain = read_model(), plainly(text)
    found = likelihoods(model, plain, asked)
    said = max(found, key=lambda name: found[name])
    words = _WORD.findall(plain)
    pairs = (feature for feature in intents.features(" ".join(words)) if feature.startswith(_PAIR))
    is_known = bool(words) and all(pair in model.weights for pair in pairs)
    is_mixed = plain != text and (said == "no" or asked == "resign")
    return Answer(said, found[said] / (1 + is_mixed), is_mixed or (len(words) <= _SHORT and not is_known))


@cache
def _no_objection() -> re.Pattern[str]:
    """Return a pattern for a word that denies an objection, perhaps with one word between, in any language."""
    files = i18n.files().values()
    pairs = ((file["no_objection"]["deny"], file["no_objection"]["objections"]) for file in files)
    ways = (rf"(?:{'|'.join(deny)}) (?:\w+ )?(?:{'|'.join(objections)})" for deny, objections in pairs)
    return re.compile(rf"\b(?:{'|'.join(ways)})\b", re.I)


def contradiction(clauses: Iterable[str], asked: Asked) -> float:
    """Return the greatest likelihood at which one of the `clauses` of an answer says no, as in "sounds good, but I'll
    pass"; 0 if none does. Short clauses that the model does not know are left out."""
    answers = (answer_in(clause, asked) for clause in clauses)
    return max((one.likelihood for one in answers if one.said == "no" and not one.is_guess), default=0.0)


@cache
def read_model() -> ReplyModel:
    """Return the trained model from `FILE`, which is read only once."""
    table = json.loads(resource(FILE).read_text(encoding="utf-8"))
    return ReplyModel(table["names"], table["bias"], table["weights"])
