"""Regression."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from allrelevant.base.arrays import Floats, Ints
from allrelevant.linear.engine.program.pieces import Pieces
from allrelevant.linear.models.base import LinearModel, paired_pieces


@dataclass(frozen=True)
class Regression(LinearModel):
    """Linear regression with the ε-insensitive loss.

    ::

        loss = Σ weight_i · ξ_i      |y_i − w·x_i − b| ≤ ε + ξ_i,  ξ_i ≥ 0

    Parameters
    ----------
    epsilon : float
        Deviations up to this are free.
    """

    epsilon: float = 0.1
    task: ClassVar[str] = "regression"
    score_name: ClassVar[str] = "R²"
    has_classes: ClassVar[bool] = False

    def pieces(self, target: Floats, weight: Floats) -> Pieces:
        """Two pieces per sample: too low and too high."""
        n = len(target)
        return paired_pieces(
            np.tile(np.arange(n), 2),
            np.repeat([1.0, -1.0], n),
            np.concatenate([target - self.epsilon, -target - self.epsilon]),
            np.tile(weight, 2),
            np.zeros(2 * n),
        )

    def slack_functions(self, pieces: Pieces) -> Ints:
        """One for scores that are too high, one for those that are too low."""
        return (pieces.sign > 0).astype(np.intp)

    def predict(self, scores: Floats, offsets: Floats) -> Floats:
        """The score itself, moved by the offset."""
        return scores + offsets[0]

    def score(self, target: Floats, predicted: Floats, count: Floats) -> float:
        """R², the share of the variance that is explained."""
        spread = np.average((target - np.average(target, weights=count)) ** 2, weights=count)
        missed = np.average((target - predicted) ** 2, weights=count)
        return float(1.0 - missed / spread) if spread > 0 else 0.0
