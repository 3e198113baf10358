"""Classes without an order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from allrelevant.base.arrays import Floats
from allrelevant.data.scaling import Scaling
from allrelevant.linear.engine.program.pieces import Pieces
from allrelevant.linear.models.base import Curve, LinearModel, Scores


@dataclass(frozen=True)
class Multiclass(LinearModel):
    """A linear score for each of several classes, targets 0 … K−1 (Weston and Watkins).

    ::

        loss = Σ_i weight_i Σ_{k ≠ y_i} ξ_ik
        s_{y_i}(x_i) − s_k(x_i) ≥ 1 − ξ_ik,  ξ_ik ≥ 0,  s_k(x) = w_k·x + b_k

    Only differences of scores matter, so ``b_0 = 0``. With two classes it is the soft-margin
    classifier, whose weights are ``w_1 − w_0``.
    """

    n_classes: int
    task: ClassVar[str] = "classification"
    score_name: ClassVar[str] = "accuracy"
    class_power: ClassVar[float] = 0.5
    has_order: ClassVar[bool] = False
    loss_name: ClassVar[str | None] = "hinge"
    curve: ClassVar[Curve | None] = "softmax"

    @property
    def n_offsets(self) -> int:  # type: ignore[override]
        """One for each class but the first."""
        return self.n_classes - 1

    @property
    def n_scores(self) -> int:  # type: ignore[override]
        """One for each class."""
        return self.n_classes

    def pieces(self, target: Floats, weight: Floats) -> Pieces:
        """One piece per sample and other class, in the order of `ClassMatrix`."""
        K = self.n_classes
        own = np.repeat(target.astype(np.intp), K - 1)
        other = np.tile(np.arange(K - 1), len(target))
        other = other + (other >= own)
        n = len(own)
        # Of offsets that are not there, any other one has the factor 0.
        first, second = np.where(own > 0, own, other) - 1, np.where(own > 0, other, 0) - 1
        is_both = (own > 0) & (other > 0)
        return Pieces(
            row=np.arange(n),
            sign=np.ones(n),
            offset=first,
            offset_sign=np.where(own > 0, 1.0, -1.0),
            target=np.ones(n),
            weight=np.repeat(weight, K - 1),
            n_offsets=K - 1,
            second=np.where(is_both, second, (first + 1) % (K - 1)),
            second_sign=np.where(is_both, -1.0, 0.0),
        )

    def original(self, scaling: Scaling, weights: Floats, offsets: Floats) -> tuple[Floats, Floats]:
        """A line of weights for each class, and an offset for each."""
        parts = [scaling.original(own) for own in weights.reshape(self.n_classes, -1)]
        shifts = np.array([shift for _, shift in parts])
        return np.array([own for own, _ in parts]), np.append(0.0, offsets) + shifts

    def decisions(self, scores: Floats, offsets: Floats) -> Floats:
        """The scores of all classes."""
        return scores + np.append(0.0, offsets)

    def predict(self, scores: Floats, offsets: Floats) -> Floats:
        """The class of the largest score."""
        return self.decisions(scores, offsets).argmax(axis=1).astype(float)

    def all_scores(
        self, target: Floats, predicted: Floats, decision: Floats, count: Floats
    ) -> Scores:
        """Accuracy, and that of classes of equal size."""
        right = (target == predicted).astype(float)
        shares = [
            np.average(right[target == code], weights=count[target == code])
            for code in np.unique(target)
        ]
        own = super().all_scores(target, predicted, decision, count)
        return own | {"balanced accuracy": float(np.mean(shares))}

    def errors(self, target: Floats, predicted: Floats) -> Floats:
        """1 for a wrong class."""
        return (target != predicted).astype(float)

    def score(self, target: Floats, predicted: Floats, count: Floats) -> float:
        """The share of right answers."""
        return float(np.average(target == predicted, weights=count))
