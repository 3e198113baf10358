"""An optimum over the equivalent models that carries its own proof."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from allrelevant.base.arrays import Floats, Ints
from allrelevant.linear.engine.program.direction import NO_FEATURES, Direction
from allrelevant.linear.engine.program.equivalent import EquivalentModels
from allrelevant.linear.engine.program.working_set import WorkingSet

_FEASIBILITY = 1e-7
_LAST_DIGIT = 10.0  # accuracies: a millionth of the norm, to which intervals are exact


class SolverError(RuntimeError):
    """A linear program could not be solved to the required accuracy.

    Examples
    --------
    >>> from allrelevant import SolverError
    >>> issubclass(SolverError, RuntimeError)
    True
    """


class UnprovenError(SolverError):
    """No model could be shown to be the best one; `bound` is what none exceeds all the same."""

    def __init__(self, message: str, bound: float = np.inf) -> None:
        super().__init__(message)
        self.bound = bound


@dataclass(frozen=True, eq=False)
class Multipliers:
    """A dual solution on a working set.

    `pieces` are the multipliers of its undecided pieces, `budgets` those of the budgets, none of
    which is negative, and `order` those of ``b_t ≤ b_{t+1}``.
    """

    pieces: Floats
    budgets: Floats
    order: Floats

    def loss(self, models: EquivalentModels) -> float:
        """The multiplier of the loss."""
        return float(self.budgets @ models.loss_factors)

    def prices(self, models: EquivalentModels) -> Floats:
        """What a unit of every column's weight costs."""
        return self.budgets @ models.prices


@dataclass(frozen=True, eq=False)
class Candidate:
    """A model and multipliers that a solver proposes as optimal, and how good they really are.

    Everything here is computed from the data, not taken from the solver.
    """

    models: EquivalentModels
    working_set: WorkingSet
    direction: Direction
    weights: Floats
    offsets: Floats
    guest_weight: float
    multipliers: Multipliers
    excluded: int | Ints | None = None

    @cached_property
    def residuals(self) -> Floats:
        """Residuals of all pieces."""
        scores = self.working_set.scores(self.weights, self.direction.guest, self.guest_weight)
        return self.models.pieces.residuals(scores, self.offsets)

    @cached_property
    def value(self) -> float:
        """What the model attains."""
        value = self.direction.value(self.weights, self.offsets, self.guest_weight)
        if not self.direction.loss:
            return value
        return value - self.direction.loss * self.models.pieces.loss_of(self.residuals)

    @cached_property
    def loss(self) -> float:
        """The multiplier of the loss."""
        return self.direction.loss + self.multipliers.loss(self.models)

    @cached_property
    def pieces(self) -> Floats:
        """The multipliers of the undecided pieces, within their ranges."""
        most = self.working_set.most(self.loss)
        return np.minimum(np.maximum(self.multipliers.pieces, 0.0), most)

    @cached_property
    def price(self) -> Floats:
        """The gradient of every feature; where it exceeds the feature's cost it is wanted."""
        price = self.working_set.gradient(self.pieces, self.loss)
        price[self.direction.features] += self.direction.factors
        if self.excluded is not None:
            price[self.excluded] = 0.0
        return price

    @cached_property
    def costs(self) -> Floats:
        """What a unit of every feature's weight costs: in budgets, and by the direction itself."""
        costs = self.multipliers.prices(self.models)
        if self.direction.penalties is not None:
            costs[self.direction.features] += self.direction.penalties
        return costs

    @cached_property
    def guest_price(self) -> float:
        """The gradient of the guest; 0 without one."""
        guest = self.direction.guest
        if guest is None:
            return 0.0
        price = float(self.working_set.column(guest) @ self.pieces)
        return price + self.loss * self.working_set.slope(guest) + self.direction.guest_factor

    @property
    def guest_cost(self) -> float:
        """What a unit of its weight costs."""
        like = self.direction.guest_like
        return float(self.multipliers.budgets @ self.models.prices[:, like])

    @cached_property
    def imbalance(self) -> Floats:
        """The gradient of every offset, which should be zero."""
        imbalance = self.working_set.offset_gradient(self.pieces, self.loss)
        if self.direction.offset_factors is not None:
            imbalance = imbalance + self.direction.offset_factors
        if len(self.multipliers.order):
            imbalance[1:] += self.multipliers.order
            imbalance[:-1] -= self.multipliers.order
        return imbalance

    def wanted(self, most: int) -> Ints:
        """Features outside the working set that would improve the value, the best first."""
        excess = np.abs(self.price) - self.costs * (1.0 + 1e-9)
        if excess.max(initial=0.0) <= 1e-9:
            return NO_FEATURES
        excess[self.working_set.features] = 0.0
        better = np.flatnonzero(excess > 1e-9)
        return better[np.argsort(-excess[better], kind="stable")[:most]]

    @cached_property
    def bound(self) -> float:
        """What no equivalent model exceeds, by weak duality with these multipliers."""
        return self._allowed + self._overpriced(self.price)

    @property
    def bound_of_norm(self) -> float:
        """What the sum of the asked features' absolute weights is at most, whatever their signs.

        Where g is the gradient of the losses, D what the budgets allow and ν what a unit of a
        weight costs, every member has ``D ≥ Σ (ν|w_c| − g_c·w_c) ≥ δ·Σ |w_c|``, both sums over the
        asked features and δ the least ``ν − |g_c|`` among them: the other features' terms are not
        negative, or D makes up for it. This has nothing to do with the factors asked for.
        """
        direction, asked = self.direction, self.direction.features
        is_plain = direction.penalties is None and direction.offset_factors is None
        if not len(asked) or not is_plain or direction.guest is not None:
            return np.inf
        gradient = self.price.copy()
        gradient[asked] -= direction.factors
        least = float((self.costs[asked] - np.abs(gradient[asked])).min())
        if least <= 0.0:
            return np.inf
        gradient[asked] = 0.0
        return max(self._allowed + self._overpriced(gradient), 0.0) / least

    @cached_property
    def _allowed(self) -> float:
        """What the budgets allow at these multipliers, where no feature is priced too low."""
        models, working_set = self.models, self.working_set
        return (
            float(self.multipliers.budgets @ models.limits)
            - self.loss * working_set.constant
            - float(self.pieces @ working_set.target)
            + float(np.abs(self.imbalance).sum()) * models.largest_offset
        )

    def _overpriced(self, price: Floats) -> float:
        """What weights could gain where features cost less than these prices."""
        models, excess = self.models, np.abs(price) - self.costs
        boxes, boxed = models.boxes, 0.0
        if boxes is not None:
            boxed = boxes.gain(price[boxes.features], self.costs[boxes.features])
            excess[boxes.features] = 0.0
        gains, kind = models.gains(excess), models.kinds[self.direction.guest_like]
        gains[kind] = max(gains[kind], abs(self.guest_price) - self.guest_cost)
        if not gains.any():
            return boxed
        return boxed + float(gains @ models.largest_norms_with(self.direction.guest))

    @property
    def is_enough(self) -> bool:
        """Whether the bound shows that the largest value does not matter."""
        return self.bound <= self.direction.enough

    @cached_property
    def overspent(self) -> Floats:
        """What each budget is exceeded by; negative where something is left."""
        return self.overspent_with(self.weights, self.guest_weight, self.residuals)

    def overspent_with(self, weights: Floats, guest_weight: float, residuals: Floats) -> Floats:
        """What a model exceeds each budget by, from its weights and residuals."""
        models = self.models
        spent = models.prices @ np.abs(weights)
        spent += models.prices[:, self.direction.guest_like] * abs(guest_weight)
        spent += models.loss_factors * models.pieces.loss_of(residuals)
        return spent - models.limits

    @property
    def overdraft(self) -> Floats:
        """By how much each budget is exceeded."""
        return np.maximum(self.overspent, 0.0)

    @cached_property
    def violation(self) -> float:
        """How far the model is from keeping the hard pieces."""
        return self.models.pieces.violation(self.residuals)

    @cached_property
    def doubt(self) -> float:
        """How far the value can be from the true optimum."""
        doubt = abs(self.bound - self.value) + float(self.multipliers.budgets @ self.overdraft)
        if self.models.pieces.hard is None:
            return doubt
        return doubt + self.violation * float(self.multipliers.pieces @ self.working_set.is_hard)

    @cached_property
    def is_proven(self) -> bool:
        """Whether value and bound agree and the model keeps the budgets."""
        return self._is_proven_to(1.0)

    @property
    def is_settled(self) -> bool:
        """Whether nothing is left to be solved: it is proven, or as much as was asked for."""
        return self.is_proven or self.is_enough

    @cached_property
    def is_usable(self) -> bool:
        """Whether they agree to the last digit that answers are said to have.

        Where columns differ by a millionth, rounding may leave no better proof to be found.
        """
        return self._is_proven_to(_LAST_DIGIT)

    def _is_proven_to(self, accuracies: float) -> bool:
        models = self.models
        return bool(
            self.doubt <= accuracies * models.accuracies[self.direction.like]
            and self.violation <= _FEASIBILITY
            and (models.boxes is None or models.boxes.contain(self.weights, models.accuracies))
            and (self.multipliers.budgets >= 0.0).all()
            and (self.overdraft <= _FEASIBILITY * np.maximum(models.limits, 1.0)).all()
            and np.diff(self.offsets[: models.pieces.n_ordered]).min(initial=0.0) >= -_FEASIBILITY
        )


@dataclass(frozen=True, eq=False)
class Optimum:
    """The largest value of a direction, the model that attains it, and the proof's gap.

    `bound_of_norm` is what no model's sum of absolute weights of the asked features exceeds.
    """

    value: float
    gap: float
    weights: Floats
    offsets: Floats
    bound_of_norm: float = np.inf

    @classmethod
    def of(cls, candidate: Candidate) -> Optimum:
        """The answer that a proven candidate is."""
        weights = candidate.weights
        if candidate.excluded is not None:
            weights = weights.copy()
            weights[candidate.excluded] = candidate.guest_weight
        norm = candidate.bound_of_norm
        return cls(candidate.value, candidate.doubt, weights, candidate.offsets, norm)
