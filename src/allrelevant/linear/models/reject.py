"""Binary classification that may decline to answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from allrelevant.base.arrays import Floats, Mask
from allrelevant.linear.engine.program.pieces import Pieces
from allrelevant.linear.models.base import (
    Curve,
    LinearModel,
    Scores,
    Scoring,
    paired_pieces,
    two_class_scores,
)


@dataclass(frozen=True)
class RejectOption(LinearModel):
    """Classification with a reject option, targets −1 and +1.

    ::

        loss = Σ weight_i · (ξ_i + (1−2r)/r · γ_i)
        ξ_i ≥ 1 − m_i,  γ_i ≥ −m_i,  ξ_i, γ_i ≥ 0,  m_i = y_i (w·x_i + b)

    A sample is rejected where ``|w·x + b| ≤ threshold``.

    Parameters
    ----------
    cost : float
        The cost r of a rejection, a wrong answer being 1; between 0 and ½.
    threshold : float
        How close to the hyperplane a sample is rejected.
    """

    cost: float = 0.2
    threshold: float = 0.2
    task: ClassVar[str] = "reject"
    squared_norm: ClassVar[bool] = True
    curve: ClassVar[Curve | None] = "logistic"
    score_name: ClassVar[str] = "1 − cost per sample"
    scoring: ClassVar[Scoring] = "deviance"

    def pieces(self, target: Floats, weight: Floats) -> Pieces:
        """Two pieces per sample: inside the margin, and on the wrong side."""
        n = len(target)
        steeper = (1.0 - 2.0 * self.cost) / self.cost
        return paired_pieces(
            np.tile(np.arange(n), 2),
            np.tile(target, 2),
            np.repeat([1.0, 0.0], n),
            np.concatenate([weight, steeper * weight]),
            np.zeros(2 * n),
        )

    def idle_shift(self, balance: float, farthest: float) -> float:
        """So that all are declined where that costs less; who wants a label has the likelier."""
        mistakes = 0.5 - 0.5 * abs(balance)
        if mistakes <= self.cost:
            return super().idle_shift(balance, farthest)
        return float(np.copysign(0.5 * self.threshold, balance))

    def predict(self, scores: Floats, offsets: Floats) -> Floats:
        """−1 or +1, or 0 for a rejection."""
        decision = scores + offsets[0]
        return np.where(np.abs(decision) <= self.threshold, 0.0, np.where(decision > 0, 1.0, -1.0))

    @property
    def levels(self) -> tuple[float, float]:
        """Both ends of what is rejected."""
        return -self.threshold, self.threshold

    def outcomes(self, low: Floats, high: Floats, gaps: Floats) -> Mask:
        """−1, a rejection, and +1."""
        low, high = low[:, 0], high[:, 0]
        rejects = (low <= self.threshold) & (high >= -self.threshold)
        return np.column_stack([low < -self.threshold, rejects, high > self.threshold])

    def all_scores(
        self, target: Floats, predicted: Floats, decision: Floats, count: Floats
    ) -> Scores:
        """The cost, and what the labels are worth where none is rejected."""
        labels = np.where(decision > 0, 1.0, -1.0)
        return (
            super().all_scores(target, predicted, decision, count)
            | {"accuracy": float(np.average(target == labels, weights=count))}
            | two_class_scores(target, labels, decision, count)
        )

    def score(self, target: Floats, predicted: Floats, count: Floats) -> float:
        """1 − mean cost: 1 for a wrong answer, the cost of a rejection for a rejected sample."""
        wrong = np.where(predicted == 0, self.cost, target != predicted)
        return 1.0 - float(np.average(wrong, weights=count))
