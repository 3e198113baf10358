"""Which weight of a feature a question is about: its only one, or the difference of two classes'.

Of three and more classes a feature has a weight for each, of which only differences matter. So what
is asked of a weight is asked of the difference that it makes between two classes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from allrelevant.base.arrays import Floats
from allrelevant.linear.questions.fitted_set import FittedSet


@dataclass(frozen=True, eq=False)
class Contrast:
    """A sum over the scores of a model: one of them, or one less another.

    Parameters
    ----------
    factors : array of shape (n_scores,)
        The factor of each score.
    classes : pair, optional
        The classes that are compared; what is positive speaks for the second.
    """

    factors: Floats
    classes: tuple[Any, Any] | None = None

    def weights(self, by_column: Floats) -> Floats:
        """Factors of the columns' weights as factors of the engine's."""
        return np.outer(self.factors, by_column).ravel()

    def of_model(self, weights: Floats) -> Floats:
        """A model's weights as one for each column."""
        by_class = weights.reshape(len(self.factors), -1)
        return by_class[0] * self.factors[0] if len(by_class) == 1 else self.factors @ by_class


def contrast_of(fitted: FittedSet, classes: Any, question: str) -> Contrast:
    """What `classes` asks for; of a model with one score there is nothing to choose."""
    K = fitted.model.n_scores
    if classes is None and K == 1:
        return Contrast(np.ones(1))
    if classes is None:
        raise ValueError(
            f"{question} needs classes=(one, other): with {K} classes a feature has a weight for "
            "each of them, and only the difference of two can be asked for."
        )
    if fitted.result.task != "classification":
        raise ValueError("classes are for a target of classes without an order; leave them out.")
    try:
        first, second = classes
    except (TypeError, ValueError):
        raise ValueError(f"classes must be a pair of classes, got {classes!r}.") from None
    k, other = class_positions(fitted, first, second)
    if K == 1:
        return Contrast(np.array([1.0 if k < other else -1.0]), (first, second))
    factors = np.zeros(K)
    factors[k], factors[other] = -1.0, 1.0
    return Contrast(factors, (first, second))


def class_positions(fitted: FittedSet, first: Any, second: Any) -> tuple[int, int]:
    """The codes of two different classes."""
    labels = list(fitted.decoder.outcomes)
    for name, label in (("first", first), ("second", second)):
        if label not in labels:
            known = ", ".join(map(repr, labels))
            raise ValueError(f"the {name} class must be one of {known}, got {label!r}.")
    if first == second:
        raise ValueError(f"give two different classes to compare, got {first!r} twice.")
    return labels.index(first), labels.index(second)
