"""The set of equivalent models: all that fit as well, and are as simple, as a reference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from allrelevant.base.arrays import Floats, Ints, Mask
from allrelevant.data import Matrix, matrix_of
from allrelevant.linear.engine.program.extent import Extent
from allrelevant.linear.engine.program.limits import Boxes, Budget
from allrelevant.linear.engine.program.pieces import Pieces
from allrelevant.linear.engine.program.reach import FREE, MAIN, norms_by_kind
from allrelevant.linear.engine.program.reference import Reference

_NEAR = 0.98  # of the gradient at which a feature comes in
ZERO = 0.01  # of the accuracy: a weight this small is none


@dataclass(frozen=True, eq=False)
class Noted:
    """A model that was found to be the best one in some direction."""

    weights: Floats
    offsets: Floats
    guest_weight: float = 0.0


@dataclass(frozen=True, eq=False)
class EquivalentModels(Extent):
    """All models ``(w, b)`` over the columns of X that keep every budget.

    The set is convex, so a linear function of the model takes an interval of values on it;
    :class:`~allrelevant.linear.engine.ranges.solver.RangeSolver` finds the ends.

    Parameters
    ----------
    X : Matrix or array of shape (n_samples, n_features)
    pieces : Pieces
        The loss.
    budgets : tuple of Budget
        At least one limits the norm and at least one the loss.
    reference : Reference
        A member of the set.
    steeper : Reference, optional
        The minimum for a larger C. A joint budget alone does not say how large the norm can be;
        this does.
    kinds : array of int, optional
        Which norm each of the first columns counts in; the others count in that of the main ones.
        Nothing but what a unit of a weight costs depends on it.
    boxes : Boxes, optional
        Further limits of single weights. The reference need not keep them.
    offset_room : float
        How much farther offsets may be than any range of weights needs.
    band : float
        Residuals of pieces that members may well move to the other side.
    notes : list of Noted, optional
        Where solvers put down every model they give, for those who have rows that are not in X.
    """

    X: Matrix
    pieces: Pieces
    budgets: tuple[Budget, ...]
    reference: Reference
    steeper: Reference | None = None
    kinds: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.intp))
    boxes: Boxes | None = None
    offset_room: float = 0.0
    band: float = 0.1
    notes: list[Noted] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "X", matrix_of(self.X))
        others = np.full(max(self.n_features - len(self.kinds), 0), MAIN)
        object.__setattr__(self, "kinds", np.append(self.kinds, others))

    def within(self, boxes: Boxes | None) -> EquivalentModels:
        """The members that keep these boxes."""
        some = replace(self, boxes=boxes)
        if boxes is not None and boxes.sums is not None:
            X, pieces = boxes.sums.below(self.X, self.pieces)
            duals = self.reference.row_duals
            if duals is not None:  # rows that are new pull nothing
                duals = np.append(duals, np.zeros(len(X) - len(self.X)))
            some = replace(
                some, X=X, pieces=pieces, reference=replace(self.reference, row_duals=duals)
            )
        # What does not depend on the boxes need not be computed again.
        known = {name: value for name, value in vars(self).items() if name not in vars(some)}
        known.pop("near_reference", None)
        some.__dict__.update(known)
        return some

    def note(self, weights: Floats, offsets: Floats, guest_weight: float = 0.0) -> None:
        """Put down a model, where somebody wants to know."""
        if self.notes is not None:
            self.notes.append(Noted(weights, offsets, guest_weight))

    def beside(self, columns: Floats, like: int = 0) -> EquivalentModels:
        """The same budgets where more columns stand beside the data, which cost what `like` does.

        The reference is still a member, so its multipliers still bound what members can do.
        """
        weights = np.append(self.reference.weights, np.zeros(columns.shape[1]))
        reference = replace(self.reference, weights=weights)
        X = self.X.beside(columns)
        return EquivalentModels(
            X,
            self.pieces,
            self.budgets,
            reference,
            kinds=np.append(self.kinds, np.full(columns.shape[1], self.kinds[like])),
            boxes=self.boxes,
            band=self.band,
            notes=self.notes,
        )

    def without_forbidden(self) -> EquivalentModels:
        """The same set with columns of zeros for forbidden features, which then need no box.

        A weight of such a column changes nothing, and by definition it is none. So no program has
        to keep it at zero, and the interior point, which knows no boxes, can be used.
        """
        if self.boxes is None or not self.boxes.forbid.any():
            return self
        boxes, kept = self.boxes, ~self.boxes.forbid
        barred = boxes.features[~kept]
        X = self.X.replaced(barred, np.zeros((len(self.X), len(barred))))
        is_boxed = kept.any() or boxes.sums is not None
        return replace(self, X=X, boxes=boxes.only(kept) if is_boxed else None)

    @property
    def has_reference(self) -> bool:
        """Whether the reference is a member."""
        return self.boxes is None or self.boxes.contain(self.reference.weights)

    @cached_property
    def norm_factors(self) -> Floats:
        """The budgets' factors before the norm."""
        return np.array([budget.norm for budget in self.budgets])

    @cached_property
    def norm_table(self) -> Floats:
        """The budgets' factors before the norm of each kind of feature."""
        return np.array([[budget.norm, budget.side, 0.0] for budget in self.budgets])

    @cached_property
    def prices(self) -> Floats:
        """What a unit of each weight costs in each budget: a line for every budget."""
        return self.norm_table[:, self.kinds]

    def norms(self, weights: Floats) -> Floats:
        """The norm of each kind of feature; what counts in none is not counted here either."""
        return norms_by_kind(weights, self.kinds)

    @cached_property
    def loss_factors(self) -> Floats:
        """The budgets' factors before the loss."""
        return np.array([budget.loss for budget in self.budgets])

    @cached_property
    def limits(self) -> Floats:
        """The budgets' limits."""
        return np.array([budget.limit for budget in self.budgets])

    @property
    def n_features(self) -> int:
        """How many features a model can use."""
        return self.X.shape[1]

    @cached_property
    def accuracies(self) -> Floats:
        """How far a proven weight of each column may be from the true one.

        It is 1e-7 of the reference's norm. Where weights can be thousands of times larger, it is
        1e-10 of what they can be.
        """
        by_norm = np.maximum(1e-7 * self.norms(self.reference.weights), 1e-10 * self.largest_norms)
        return by_norm[self.kinds]

    def rounded(self, value: float, column: int, gap: float) -> float:
        """A proven weight of a column; one that cannot be told from zero is zero."""
        return 0.0 if abs(value) <= max(ZERO * float(self.accuracies[column]), gap) else value

    @property
    def accuracy(self) -> float:
        """How far a proven weight of the first column, or one like it, may be from the true one."""
        return float(self.accuracies[0])

    @cached_property
    def gradient(self) -> Floats | None:
        """The reference's gradient of the loss, times C: within ±1, ±1 on its support."""
        duals = self.reference.row_duals
        return None if duals is None else self.X.pull(duals)

    @cached_property
    def near_reference(self) -> Mask:
        """Features that the reference uses, or nearly does."""
        near: Mask = (self.reference.weights != 0) | (self.kinds == FREE)
        if self.boxes is not None:
            near[self.boxes.features] = True
            if self.boxes.sums is not None:
                near[self.boxes.sums.features] = True
        if self.gradient is None:
            return near
        return near | (np.abs(self.gradient) > _NEAR * self.reference.prices[self.kinds])

    def in_order(self, features: Sequence[int]) -> list[int]:
        """Features in the order in which their ranges are found fastest.

        Those the reference uses come last: their programs call in many others, which would then
        be in everybody's way.
        """
        return sorted(features, key=lambda k: bool(self.near_reference[k]))

    @cached_property
    def room(self) -> float:
        """How far the budgets, weighed as in the reference's problem, exceed its objective."""
        if len(self.budgets) == 1:
            (joint,) = self.budgets
            spent = self.reference.objective * joint.norm
            return max(joint.limit - spent, 0.0) / joint.norm
        limits = sum(budget.limit * self._price(budget) for budget in self.budgets)
        return max(limits - self.reference.objective, 0.0)

    def _price(self, budget: Budget) -> float:
        """What a unit of a budget for one thing alone is worth in the reference's problem."""
        if budget.loss:
            return self.reference.C / budget.loss
        return 1.0 / budget.norm if budget.norm else self.reference.side_price / budget.side

    def bound(self, gradient: float, sign: int, like: int = 0) -> float:
        """Bound ``sign · weight`` of a column with this gradient, without solving anything.

        It costs what a unit of the column `like` does.

        Weak duality with the reference's own multipliers, scaled as far as they stay feasible.
        """
        price = self.reference.prices[self.kinds[like]]
        distance, largest = price - sign * gradient, self.largest[like]
        if distance * largest <= self.room:
            return float(largest)
        return float(self.room / distance)
