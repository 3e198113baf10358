"""The set of equivalent models: all that fit as well, and are as simple, as a reference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from allrelevant.base.arrays import Floats, Ints, Mask
from allrelevant.data import Matrix, matrix_of
from allrelevant.linear.engine.pieces import Pieces
from allrelevant.linear.engine.reach import (
    FREE,
    MAIN,
    SIDE,
    free_bound,
    norms_by_kind,
    offset_bound,
    uneven_columns,
)

__all__ = [
    "FREE",
    "MAIN",
    "SIDE",
    "Boxes",
    "Budget",
    "EquivalentModels",
    "Reference",
    "joint_budget",
    "split_budgets",
]

_NEAR = 0.98  # of the gradient at which a feature comes in
_ZERO = 0.01  # of the accuracy: a weight this small is none


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
    """Ranges within which the weights of some features have to stay, beside all budgets."""

    features: Ints
    low: Floats
    high: Floats

    def contain(self, weights: Floats, tolerance: Floats | float = 0.0) -> bool:
        """Whether a model keeps all of them, up to a tolerance (one, or one for each feature)."""
        chosen = weights[self.features]
        if isinstance(tolerance, np.ndarray) and tolerance.ndim:
            tolerance = tolerance[self.features]
        inside = (chosen >= self.low - tolerance) & (chosen <= self.high + tolerance)
        return bool(inside.all())

    @property
    def forbid(self) -> Mask:
        """Which of the features must not be used at all."""
        return (self.low == 0.0) & (self.high == 0.0)

    def gain(self, prices: Floats, norms: Floats) -> float:
        """The most that ``prices·w − norms·|w|`` can be within the boxes."""
        nearest = np.clip(0.0, self.low, self.high)
        ends = np.array([self.low, nearest, self.high])
        return float((prices * ends - norms * np.abs(ends)).max(axis=0).sum())


@dataclass(frozen=True, eq=False)
class Reference:
    """The model around which the equivalent ones are sought, with its dual solution.

    Parameters
    ----------
    weights, offsets : array
        The model.
    row_duals : array of shape (n_samples,), or None
        Multipliers ``α`` of its pieces summed over each sample with their signs, so that
        ``row_duals @ x`` is the gradient a column ``x`` would have. None where the reference
        does not minimise ``‖w‖₁ + C·loss``; then nothing can be bounded beforehand.
    C : float
        The factor of the loss in the problem the reference solves.
    objective : float
        ``‖w‖₁ + C·loss`` of the reference, plus `side_price` times the norm of side information.
    side_price : float
        The factor before that norm in the problem the reference solves.
    """

    weights: Floats
    offsets: Floats
    row_duals: Floats | None
    C: float
    objective: float
    side_price: float = 1.0

    @cached_property
    def prices(self) -> Floats:
        """What a unit of weight costs in that problem, for each kind of feature."""
        return np.array([1.0, self.side_price, 0.0])


@dataclass(frozen=True, eq=False)
class EquivalentModels:
    """All models ``(w, b)`` over the columns of X that keep every budget.

    The set is convex, so a linear function of the model takes an interval of values on it;
    :class:`~allrelevant.linear.engine.ranges.RangeSolver` finds the ends.

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
        The kind of each feature, where not all are of the main kind.
    boxes : Boxes, optional
        Further limits of single weights. The reference need not keep them.
    offset_room : float
        How much farther offsets may be than any range of weights needs.
    """

    X: Matrix
    pieces: Pieces
    budgets: tuple[Budget, ...]
    reference: Reference
    steeper: Reference | None = None
    kinds: Ints | None = None
    boxes: Boxes | None = None
    offset_room: float = 0.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "X", matrix_of(self.X))

    def within(self, boxes: Boxes | None) -> EquivalentModels:
        """The members that keep these boxes."""
        some = replace(self, boxes=boxes)
        # What does not depend on the boxes need not be computed again.
        known = {name: value for name, value in vars(self).items() if name not in vars(some)}
        known.pop("near_reference", None)
        some.__dict__.update(known)
        return some

    def beside(self, columns: Floats) -> EquivalentModels:
        """The same budgets where more columns of the main kind stand beside the data.

        The reference is still a member, so its multipliers still bound what members can do.
        """
        more = columns.shape[1]
        kinds = None
        if self.kinds is not None:
            kinds = np.append(self.kinds, np.full(more, MAIN, dtype=np.intp))
        weights = np.append(self.reference.weights, np.zeros(more))
        reference = replace(self.reference, weights=weights)
        X = self.X.beside(columns)
        return EquivalentModels(X, self.pieces, self.budgets, reference, kinds=kinds)

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
        others = Boxes(boxes.features[kept], boxes.low[kept], boxes.high[kept])
        return replace(self, X=X, boxes=others if kept.any() else None)

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

    def by_feature(self, by_kind: Floats | Sequence[float]) -> Floats | float:
        """A number for each feature (or one for all) from one for each kind."""
        return by_kind[MAIN] if self.kinds is None else np.asarray(by_kind)[self.kinds]

    def kind(self, feature: int) -> int:
        """The kind of a feature."""
        return MAIN if self.kinds is None else int(self.kinds[feature])

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

    @cached_property
    def is_uneven(self) -> bool:
        """Whether some columns are a hundred times larger than others."""
        return uneven_columns(self.X)

    @property
    def n_features(self) -> int:
        """How many features a model can use."""
        return self.X.shape[1]

    @cached_property
    def largest_norm(self) -> float:
        """The largest ‖w‖₁ any member can have; also the largest weight."""
        return self.largest_norm_with(None)

    @cached_property
    def norm_limit(self) -> float:
        """The limit the budgets by themselves put on ‖w‖₁."""
        return min(budget.limit / budget.norm for budget in self.budgets if budget.norm > 0)

    def largest_norm_with(self, guest: Floats | None) -> float:
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
    def largest(self) -> Floats:
        """The largest norm of each kind, and the largest weight that counts in none."""
        if self.kinds is None:
            return np.array([self.largest_norm, 0.0, 0.0])
        side = min(budget.limit / budget.side for budget in self.budgets if budget.side > 0)
        loss = min(budget.limit / budget.loss for budget in self.budgets if budget.loss > 0)
        free = free_bound(self.X, self.pieces, self.kinds, side, loss)
        return np.array([self.largest_norm, side, free])

    @cached_property
    def largest_by_feature(self) -> Floats:
        """The largest weight each feature can have.

        A column of zeros changes no score. Its weight could be anything the norm has room for, so
        by definition it is none.
        """
        largest = np.broadcast_to(self.by_feature(self.largest), self.n_features)
        return np.where(self.X.sizes > 0, largest, 0.0)

    @cached_property
    def accuracies(self) -> Floats:
        """How far a proven optimum may be from the true one: 1e-7 of the reference's norm.

        Where weights can be thousands of times larger, it is 1e-10 of what they can be.
        """
        return np.maximum(1e-7 * self.norms(self.reference.weights), 1e-10 * self.largest)

    def rounded(self, value: float, kind: int, gap: float) -> float:
        """A proven weight; one that cannot be told from zero is zero."""
        return 0.0 if abs(value) <= max(_ZERO * float(self.accuracies[kind]), gap) else value

    @cached_property
    def accuracy_by_feature(self) -> Floats | float:
        """How far a proven weight may be from the true one, for each feature (or for all)."""
        return self.by_feature(self.accuracies)

    @property
    def accuracy(self) -> float:
        """How far a proven weight of the main kind may be from the true one."""
        return float(self.accuracies[MAIN])

    @cached_property
    def largest_offset(self) -> float:
        """A bound on offsets that leaves out no range of weights.

        Beyond the kinks of all pieces the loss only grows with the offset, so an offset can be
        moved back to the outermost kink without harm. Who asks for offsets needs `offset_room`.
        """
        return offset_bound(self.X, self.pieces, self.largest, self.kinds) + self.offset_room

    @cached_property
    def gradient(self) -> Floats | None:
        """The reference's gradient of the loss, times C: within ±1, ±1 on its support."""
        duals = self.reference.row_duals
        return None if duals is None else self.X.pull(duals)

    @cached_property
    def near_reference(self) -> Mask:
        """Features that the reference uses, or nearly does."""
        near: Mask = self.reference.weights != 0
        if self.kinds is not None:
            near |= self.kinds == FREE
        if self.boxes is not None:
            near[self.boxes.features] = True
        if self.gradient is None:
            return near
        return near | (np.abs(self.gradient) > _NEAR * self.by_feature(self.reference.prices))

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

    def bound(self, gradient: float, sign: int, kind: int = MAIN) -> float:
        """Bound ``sign · weight`` of a column with this gradient, without solving anything.

        Weak duality with the reference's own multipliers, scaled as far as they stay feasible.
        """
        distance, largest = self.reference.prices[kind] - sign * gradient, self.largest[kind]
        if distance * largest <= self.room:
            return float(largest)
        return float(self.room / distance)


def split_budgets(norm_limit: float, loss_limit: float) -> tuple[Budget, ...]:
    """Limit the norm and the loss each on its own."""
    return Budget(norm=1.0, loss=0.0, limit=norm_limit), Budget(0.0, 1.0, loss_limit)


def joint_budget(C: float, limit: float, side: float = 0.0) -> tuple[Budget, ...]:
    """Limit the objective ``‖w‖₁ + side·‖w*‖₁ + C·loss`` as a whole."""
    return (Budget(norm=1.0, loss=C, limit=limit, side=side),)
