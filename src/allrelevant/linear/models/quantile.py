"""Regression of a quantile."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from allrelevant.base.arrays import Floats
from allrelevant.linear.engine.program.pieces import Pieces
from allrelevant.linear.models.regression import Regression


@dataclass(frozen=True)
class Quantile(Regression):
    """Linear regression of a quantile q of the target, with the pinball loss.

    ::

        loss = Σ weight_i · (q·χ_i + (1−q)·ξ_i)
        w·x_i + b ≥ y_i − χ_i,  w·x_i + b ≤ y_i + ξ_i,  χ_i, ξ_i ≥ 0

    Parameters
    ----------
    quantile : float
        The share of targets that are to be below the prediction.
    """

    epsilon: float = 0.0
    quantile: float = 0.5
    score_name: ClassVar[str] = "D² of the pinball loss"
    has_numbers: ClassVar[bool] = False

    def pieces(self, target: Floats, weight: Floats) -> Pieces:
        """Two pieces per sample: too low and too high, each with its own price."""
        both = super().pieces(target, weight)
        price = np.where(both.sign > 0, self.quantile, 1.0 - self.quantile)
        return replace(both, weight=both.weight * price)

    def score(self, target: Floats, predicted: Floats, count: Floats) -> float:
        """The share of the pinball loss of the best constant that is saved."""
        constant = _quantile(target, count, self.quantile)
        most = self._pinball(target, constant, count)
        return 1.0 - self._pinball(target, predicted, count) / most if most > 0 else 0.0

    def _pinball(self, target: Floats, predicted: Floats | float, count: Floats) -> float:
        above = target - predicted
        losses = np.maximum(self.quantile * above, (self.quantile - 1.0) * above)
        return float(np.average(losses, weights=count))


def _quantile(values: Floats, count: Floats, share: float) -> float:
    """The smallest value up to which there is this share of them."""
    order = np.argsort(values, kind="stable")
    upto = np.cumsum(count[order])
    return float(values[order][np.searchsorted(upto, share * upto[-1] * (1.0 - 1e-12))])
