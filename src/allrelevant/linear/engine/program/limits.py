"""What equivalent models keep: budgets of norm and loss, and boxes of single weights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from allrelevant.base.arrays import Floats, Ints, Mask
from allrelevant.linear.engine.program.signed_sums import SignedSums


@dataclass(frozen=True)
class Budget:
    """A limit that every equivalent model keeps: ``norm·‖w‖₁ + loss·loss(w, b) ≤ limit``.

    Where features are of several kinds ``‖w‖₁`` is the norm of the main ones, and ``side·‖w*‖₁``
    of the side information is added.
    """

    norm: float
    loss: float
    limit: float
    side: float = 0.0


@dataclass(frozen=True, eq=False)
class Boxes:
    """Ranges within which the weights of some features have to stay, beside all budgets.

    So have some sums of weights, where there are `sums`.
    """

    features: Ints
    low: Floats
    high: Floats
    sums: SignedSums | None = None

    def contain(self, weights: Floats, tolerance: Floats | float = 0.0) -> bool:
        """Whether a model keeps all of them, up to a tolerance (one, or one for each feature)."""
        if self.sums is not None and not self.sums.contain(weights, tolerance):
            return False
        chosen = weights[self.features]
        if isinstance(tolerance, np.ndarray) and tolerance.ndim:
            tolerance = tolerance[self.features]
        inside = (chosen >= self.low - tolerance) & (chosen <= self.high + tolerance)
        return bool(inside.all())

    @property
    def forbid(self) -> Mask:
        """Which of the features must not be used at all."""
        return (self.low == 0.0) & (self.high == 0.0)

    def only(self, kept: Mask) -> Boxes:
        """The same without the boxes of some features."""
        own = self.features[kept], self.low[kept], self.high[kept]
        return Boxes(*own, sums=self.sums)

    def gain(self, prices: Floats, norms: Floats) -> float:
        """The most that ``prices·w − norms·|w|`` can be within the boxes."""
        nearest = np.clip(0.0, self.low, self.high)
        ends = np.array([self.low, nearest, self.high])
        return float((prices * ends - norms * np.abs(ends)).max(axis=0).sum())


def largest_weights(prices: Floats, budgets: Sequence[Budget], free: float) -> Floats:
    """Bounds on the weights of columns with these prices in budgets, for a program that grows.

    A budget on the norm alone bounds them by itself. Without one they could run off while only
    some of the pieces are there to stop them. What no budget has a price for is bounded by `free`.
    """
    limits = np.array([budget.limit for budget in budgets])[:, None]
    is_alone = np.array([budget.loss == 0 for budget in budgets])[:, None]
    counts = prices > 0
    reach = np.divide(limits, prices, out=np.full(prices.shape, np.inf), where=counts)
    bounds = np.where((counts & is_alone).any(axis=0), np.inf, reach.min(axis=0))
    return np.where(counts.any(axis=0), bounds, free)


def split_budgets(norm_limit: float, loss_limit: float) -> tuple[Budget, ...]:
    """Limit the norm and the loss each on its own."""
    return Budget(norm=1.0, loss=0.0, limit=norm_limit), Budget(0.0, 1.0, loss_limit)


def joint_budget(C: float, limit: float, side: float = 0.0) -> tuple[Budget, ...]:
    """Limit the objective ``‖w‖₁ + side·‖w*‖₁ + C·loss`` as a whole."""
    return (Budget(norm=1.0, loss=C, limit=limit, side=side),)
