"""How far weights, norms and offsets of equivalent models can get, without solving anything."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from allrelevant.base.arrays import Floats, Ints
from allrelevant.data import Matrix
from allrelevant.linear.engine.program.limits import Budget
from allrelevant.linear.engine.program.pieces import Pieces
from allrelevant.linear.engine.program.reach import FREE, MAIN, SIDE, free_bound, offset_bound
from allrelevant.linear.engine.program.reference import Reference


class Extent:
    """Bounds that the budgets of a set of models by themselves put on its members."""

    X: Matrix
    pieces: Pieces
    budgets: tuple[Budget, ...]
    kinds: Ints
    steeper: Reference | None
    offset_room: float

    @cached_property
    def largest_norm(self) -> float:
        """The largest ‖w‖₁ any member can have; also the largest weight."""
        return self._largest_norm_with(None)

    @cached_property
    def norm_limit(self) -> float:
        """The limit the budgets by themselves put on ‖w‖₁."""
        return min(budget.limit / budget.norm for budget in self.budgets if budget.norm > 0)

    def _largest_norm_with(self, guest: Floats | None) -> float:
        """The largest ‖w‖₁ when another column stands beside the data.

        For a joint budget ``‖w‖₁ + C·loss ≤ L`` and the minimum m of ``‖w‖₁ + C'·loss``, C' > C,
        it is at most ``(C'·L − C·m) / (C' − C)``. A guest can lower m, at most by the factor by
        which it breaks the minimum's dual constraints.
        """
        if self.steeper is None or any(budget.loss == 0 for budget in self.budgets):
            return self.norm_limit
        price = 1.0
        if guest is not None and self.steeper.row_duals is not None:
            price = max(1.0, abs(float(self.steeper.row_duals @ guest)))
        (joint,) = self.budgets
        C, limit = joint.loss / joint.norm, joint.limit / joint.norm
        larger, least = self.steeper.C, self.steeper.objective / price
        return min(self.norm_limit, (larger * limit - C * least) / (larger - C))

    @cached_property
    def largest_norms(self) -> Floats:
        """The largest norm of each kind, and the largest weight that counts in none."""
        limits = (budget.limit / budget.side for budget in self.budgets if budget.side > 0)
        side, free = min(limits, default=0.0), 0.0
        if (self.kinds == FREE).any():
            loss = min(budget.limit / budget.loss for budget in self.budgets if budget.loss > 0)
            free = free_bound(self.X, self.pieces, self.kinds, side, loss)
        return np.array([self.largest_norm, side, free])

    def largest_norms_with(self, guest: Floats | None) -> Floats:
        """The largest norms when another column stands beside the data."""
        if guest is None or self.steeper is None:
            return self.largest_norms
        return np.append(self._largest_norm_with(guest), self.largest_norms[1:])

    @cached_property
    def largest(self) -> Floats:
        """The largest weight that the budgets have room for, of each column."""
        return self.largest_norms[self.kinds]

    @cached_property
    def _columns_by_kind(self) -> list[Ints]:
        return [np.flatnonzero(self.kinds == kind) for kind in (MAIN, SIDE, FREE)]

    def gains(self, by_weight: Floats) -> Floats:
        """The most that a unit of each norm brings, where units of weights bring this; or zero.

        What counts in no norm can bring all there is at once.
        """
        main, side, free = (by_weight[own] for own in self._columns_by_kind)
        highest = main.max(initial=0.0), side.max(initial=0.0), np.maximum(free, 0.0).sum()
        return np.array(highest)

    @cached_property
    def largest_by_feature(self) -> Floats:
        """The largest weight each feature can have.

        A column of zeros changes no score. Its weight could be anything the norm has room for, so
        by definition it is none.
        """
        return np.where(self.X.sizes > 0, self.largest, 0.0)

    @cached_property
    def without_weight(self) -> Ints:
        """The features that can have no weight."""
        return np.flatnonzero(self.X.sizes == 0)

    @cached_property
    def largest_offset(self) -> float:
        """A bound on offsets that leaves out no range of weights.

        Beyond the kinks of all pieces the loss only grows with the offset, so an offset can be
        moved back to the outermost kink without harm. Who asks for offsets needs `offset_room`.
        """
        reach = float(self.gains(self.X.sizes) @ self.largest_norms)
        return offset_bound(self.pieces, reach) + self.offset_room
