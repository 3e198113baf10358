"""Classes without an order by the logistic loss."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from allrelevant.base.arrays import Floats
from allrelevant.linear.engine.program.pieces import Pieces
from allrelevant.linear.models.logistic import with_kinks
from allrelevant.linear.models.multiclass import Multiclass


@dataclass(frozen=True)
class MulticlassLogistic(Multiclass):
    """A linear score for each of several classes, and the logistic loss between any two.

    ::

        loss = Σ_i weight_i Σ_{k ≠ y_i} mean_t ξ_ikt
        s_{y_i}(x_i) − s_k(x_i) ≥ t − ξ_ikt,  ξ_ikt ≥ 0

    with the kinks t of :class:`~allrelevant.linear.models.Logistic`, which it is for two classes.
    """

    n_kinks: int = 5
    loss_name: ClassVar[str | None] = "logistic"

    def pieces(self, target: Floats, weight: Floats) -> Pieces:
        """For every kink a piece per sample and other class."""
        return with_kinks(super().pieces(target, weight), self.n_kinks)
