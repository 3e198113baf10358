"""What is predicted, and how wrong a prediction is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from allrelevant.base.arrays import Floats

_LEAST_PROBABILITY = 1e-3  # one bold mistake must not outweigh all other samples


@dataclass(frozen=True)
class Task:
    """The kind of target.

    Classes are predicted by probabilities, with the logarithmic loss; numbers, and the ranks of
    ordered classes, by numbers, with the squared loss.
    """

    kind: str  # "classification", "ordinal" or "regression"
    n_classes: int = 0  # 0 where the target is a number

    @property
    def has_probabilities(self) -> bool:
        """Whether a prediction is a row of probabilities rather than a number."""
        return self.kind == "classification"

    @property
    def n_scores(self) -> int:
        """Number of scores from which a prediction is made."""
        return self.n_classes if self.has_probabilities and self.n_classes > 2 else 1

    def columns(self, target: Floats) -> Floats:
        """The target as columns of numbers: indicators of all classes, but of two only one."""
        if not self.has_probabilities:
            return target[:, None]
        return np.asarray(target[:, None] == np.arange(self.n_classes)[-self.n_scores :], float)

    def losses(self, prediction: Floats, target: Floats) -> Floats:
        """The loss of every sample; `prediction` may have further axes in front."""
        if not self.has_probabilities:
            return np.asarray((prediction - target) ** 2)
        assigned = prediction[..., np.arange(len(target)), target.astype(int)]
        return -np.log(np.clip(assigned, _LEAST_PROBABILITY, 1.0))

    def constant(self, target: Floats, weight: Floats) -> Floats:
        """The best prediction that is the same for all samples, as one row."""
        if not self.has_probabilities:
            return np.array([np.average(target, weights=weight)])
        shares = np.bincount(target.astype(int), weight, self.n_classes)
        return (shares / shares.sum())[None, :]

    def constant_loss(self, target: Floats, weight: Floats) -> float:
        """Mean loss of that prediction: the unit of all importances."""
        row = self.constant(target, weight)
        losses = self.losses(np.repeat(row, len(target), axis=0), target)
        return float(np.average(losses, weights=weight))
