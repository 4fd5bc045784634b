"""Linear models: what training has found of labelled texts, as a file of weights, and the shares that they give."""

from collections.abc import Iterable, Mapping
from math import exp
from typing import Any, NamedTuple


class LinearModel(NamedTuple):
    """Multinomial logistic regression over features that a text has or has not.

    `weights` has a number for each of the `classes` by feature; features that training has not met say nothing.
    """

    classes: tuple[str, ...]
    bias: tuple[float, ...]
    weights: Mapping[str, tuple[float, ...]]

    def shares(self, features: Iterable[str]) -> dict[str, float]:
        """How likely each class is: numbers from 0 to 1 that add up to 1."""
        scores = list(self.bias)
        for feature in features:
            for at, weight in enumerate(self.weights.get(feature, ())):
                scores[at] += weight
        top = max(scores)
        parts = [exp(score - top) for score in scores]
        return {name: part / sum(parts) for name, part in zip(self.classes, parts, strict=True)}


def loaded(data: Mapping[str, Any]) -> LinearModel:
    """A model of plain data."""
    weights = {name: tuple(of) for name, of in data["weights"].items()}
    return LinearModel(tuple(data["classes"]), tuple(data["bias"]), weights)
