"""Judge whether a text gives orders or only talks about things, as in "Bob fears 2 from A to M".

One model serves all games (`talk.json`, `tools/train_guess.py`), because people talk in the same words about each: it
sees a text with a placeholder for each name and each number of the game.
"""

import json
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path

from pbem.games.kit.linear import LinearModel, loaded

MODEL = Path(__file__).with_name("talk.json")
CLASSES = ("orders", "talk")
NAME, NUMBER = "<name>", "<number>"
"""The placeholders for names and numbers among the tokens of a text."""

_PARTS = (3, 4, 5)  # the numbers of letters in parts of words


@cache
def read_model() -> LinearModel:
    """Load the model that comes with the program."""
    return loaded(json.loads(MODEL.read_text(encoding="utf-8")))


def share_of_talk(tokens: Sequence[str]) -> float:
    """Return the probability that a text, given as tokens in lower case with placeholders, orders nothing."""
    return read_model().shares(features_of(tokens))["talk"]


def features_of(tokens: Sequence[str]) -> set[str]:
    """Return the features of a text: its words, n-grams and parts of words, the words before the first name or number,
    and the words after the last one. Empty tokens do not count."""
    tokens = [token for token in tokens if token]
    bounded = ["|", *tokens, "|"]
    features = {
        *tokens,
        *map(" ".join, pairwise(bounded)),
        *map(" ".join, zip(bounded, bounded[1:], bounded[2:], strict=False)),
    }
    for word in (f"^{token}$" for token in tokens if token[0].isalpha()):
        features.update(word[at : at + size] for size in _PARTS for at in range(len(word) - size + 1))
    if places := [at for at, token in enumerate(tokens) if token in (NAME, NUMBER)]:
        features.update(f"{token}|" for token in tokens[: places[0]])
        features.update(f"|{token}" for token in tokens[places[-1] + 1 :])
    return features
