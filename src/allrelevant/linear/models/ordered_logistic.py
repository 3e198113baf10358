"""Ordered classes by the logistic loss."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from allrelevant.base.arrays import Floats
from allrelevant.linear.engine.program.pieces import Pieces
from allrelevant.linear.models.base import Scoring
from allrelevant.linear.models.logistic import with_kinks
from allrelevant.linear.models.ordinal import Order, Ordinal


@dataclass(frozen=True)
class OrderedLogistic(Ordinal):
    """Ordered classes with the logistic loss, made of straight lines; every threshold counts.

    ::

        loss = Σ weight_i · Σ_t mean_k (χ_itk + ξ_itk)
        w·x_i ≤ b_t − t_k + χ_itk   for samples that belong below threshold t
        w·x_i ≥ b_t + t_k − ξ_itk   for samples that belong above it

    with the kinks t_k of :class:`~allrelevant.linear.models.Logistic`. The hinge loss asks only on
    which side of a threshold a sample is. A feature that makes a class more or less likely, but
    nowhere the likeliest one, gains nothing by it; by this loss it does.
    """

    order: Order = "implicit"
    n_kinks: int = 5
    loss_name: ClassVar[str | None] = "logistic"
    scoring: ClassVar[Scoring] = "deviance"

    def pieces(self, target: Floats, weight: Floats) -> Pieces:
        """For every kink a piece per sample and threshold."""
        return with_kinks(super().pieces(target, weight), self.n_kinks)
