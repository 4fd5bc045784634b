"""Linear models: weights learned from labelled texts and stored in a file, and the probabilities that they predict."""

from collections.abc import Iterable, Mapping
from math import exp
from typing import Any, NamedTuple


class LinearModel(NamedTuple):
    """Multinomial logistic regression over features that a text either has or lacks.

    `weights` maps a feature to one number for each of the `classes`; features unseen in training have no influence.
    """

    classes: tuple[str, ...]
    bias: tuple[float, ...]
    weights: Mapping[str, tuple[float, ...]]

    def shares(self, features: Iterable[str]) -> dict[str, float]:
        """Return the probability of each class for a text with the given features. The probabilities add up to 1."""
        scores = list(self.bias)
        for feature in features:
            for at, weight in enumerate(self.weights.get(feature, ())):
                scores[at] += weight
        top = max(scores)
        parts = [exp(score - top) for score in scores]
        return {name: part / sum(parts) for name, part in zip(self.classes, parts, strict=True)}


def loaded(data: Mapping[str, Any]) -> LinearModel:
    """Create a model from plain data."""
    weights = {name: tuple(of) for name, of in data["weights"].items()}
    return LinearModel(tuple(data["classes"]), tuple(data["bias"]), weights)
