"""The set of equivalent models: all that fit as well, and are as simple, as a reference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from allrelevant.engine.pieces import Floats, Mask, Pieces

_NEAR = 0.98  # of the gradient at which a feature comes in


@dataclass(frozen=True)
class Budget:
    """A limit that every equivalent model keeps: ``norm·‖w‖₁ + loss·loss(w, b) ≤ limit``."""

    norm: float
    loss: float
    limit: float


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
        ``‖w‖₁ + C·loss`` of the reference.
    """

    weights: Floats
    offsets: Floats
    row_duals: Floats | None
    C: float
    objective: float


@dataclass(frozen=True, eq=False)
class EquivalentModels:
    """All models ``(w, b)`` over the columns of X that keep every budget.

    The set is convex, so a linear function of the model takes an interval of values on it;
    :class:`~allrelevant.engine.ranges.RangeSolver` finds the ends.

    Parameters
    ----------
    X : array of shape (n_samples, n_features)
    pieces : Pieces
        The loss.
    budgets : tuple of Budget
        At least one limits the norm and at least one the loss.
    reference : Reference
        A member of the set.
    steeper : Reference, optional
        The minimum for a larger C. A joint budget alone does not say how large the norm can be;
        this does.
    """

    X: Floats
    pieces: Pieces
    budgets: tuple[Budget, ...]
    reference: Reference
    steeper: Reference | None = None

    @cached_property
    def columns(self) -> Floats:
        """X with its columns contiguous, for picking features."""
        return np.asfortranarray(self.X)

    @cached_property
    def norm_factors(self) -> Floats:
        """The budgets' factors before the norm."""
        return np.array([budget.norm for budget in self.budgets])

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
    def accuracy(self) -> float:
        """How far a proven optimum may be from the true one: 1e-7 of the reference's norm.

        Where weights can be thousands of times larger, it is 1e-10 of what they can be.
        """
        return max(1e-7 * float(np.abs(self.reference.weights).sum()), 1e-10 * self.largest_norm)

    @cached_property
    def largest_offset(self) -> float:
        """A bound on offsets that leaves out no range of weights.

        Beyond the kinks of all pieces the loss only grows with the offset, so an offset can be
        moved back to the outermost kink without harm.
        """
        return offset_bound(self.X, self.pieces, self.largest_norm)

    @cached_property
    def gradient(self) -> Floats | None:
        """The reference's gradient of the loss, times C: within ±1, ±1 on its support."""
        duals = self.reference.row_duals
        return None if duals is None else duals @ self.X

    @cached_property
    def near_reference(self) -> Mask:
        """Features that the reference uses, or nearly does."""
        near: Mask = self.reference.weights != 0
        return near if self.gradient is None else near | (np.abs(self.gradient) > _NEAR)

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
        limits = sum(b.limit * (1.0 / b.norm if b.norm else self.reference.C) for b in self.budgets)
        return max(limits - self.reference.objective, 0.0)

    def bound(self, gradient: float, sign: int) -> float:
        """Bound ``sign · weight`` of a column with this gradient, without solving anything.

        Weak duality with the reference's own multipliers, scaled as far as they stay feasible.
        """
        distance = 1.0 - sign * gradient
        if distance * self.largest_norm <= self.room:
            return self.largest_norm
        return self.room / distance


def offset_bound(X: Floats, pieces: Pieces, largest_norm: float) -> float:
    """Bound the offsets worth considering when ``‖w‖₁`` is at most `largest_norm`."""
    reach = float(np.abs(X).max(initial=0.0)) * largest_norm
    return reach + float(np.abs(pieces.target).max(initial=0.0)) + 1.0


def uneven_columns(X: Floats) -> bool:
    """Whether some columns are a hundred times larger than others."""
    sizes = np.abs(X).max(axis=0, initial=0.0)
    sizes = sizes[sizes > 0]
    return bool(len(sizes) and sizes.max() > 100.0 * sizes.min())


def split_budgets(norm_limit: float, loss_limit: float) -> tuple[Budget, ...]:
    """Limit the norm and the loss each on its own."""
    return Budget(norm=1.0, loss=0.0, limit=norm_limit), Budget(0.0, 1.0, loss_limit)


def joint_budget(C: float, limit: float) -> tuple[Budget, ...]:
    """Limit the objective ``‖w‖₁ + C·loss`` as a whole."""
    return (Budget(norm=1.0, loss=C, limit=limit),)
