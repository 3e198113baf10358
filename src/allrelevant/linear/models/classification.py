"""Binary classification."""

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
class Classification(LinearModel):
    """The soft-margin linear classifier, targets −1 and +1.

    ::

        loss = Σ weight_i · ξ_i      y_i (w·x_i + b) ≥ 1 − ξ_i,  ξ_i ≥ 0
    """

    task: ClassVar[str] = "classification"
    score_name: ClassVar[str] = "accuracy"
    loss_name: ClassVar[str | None] = "hinge"
    curve: ClassVar[Curve | None] = "logistic"
    #: Where there is little to learn, hardly any model has less hinge loss than none.
    scoring: ClassVar[Scoring] = "deviance"

    def pieces(self, target: Floats, weight: Floats) -> Pieces:
        """One piece per sample."""
        n = len(target)
        return paired_pieces(np.arange(n), target, np.ones(n), weight, np.zeros(n))

    def predict(self, scores: Floats, offsets: Floats) -> Floats:
        """−1 or +1 by the side of the hyperplane."""
        return np.where(scores + offsets[0] > 0, 1.0, -1.0)

    def outcomes(self, low: Floats, high: Floats, gaps: Floats) -> Mask:
        """−1 and +1."""
        return np.column_stack([low[:, 0] <= 0, high[:, 0] > 0])

    def all_scores(
        self, target: Floats, predicted: Floats, decision: Floats, count: Floats
    ) -> Scores:
        """Accuracy, balanced accuracy, and the area under the curve, which no offset changes."""
        return super().all_scores(target, predicted, decision, count) | two_class_scores(
            target, predicted, decision, count
        )

    def score(self, target: Floats, predicted: Floats, count: Floats) -> float:
        """The share of right answers."""
        return float(np.average(target == predicted, weights=count))
