"""An optimum over the equivalent models that carries its own proof."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from allrelevant.base.arrays import Floats, Ints
from allrelevant.linear.engine.direction import NO_FEATURES, Direction
from allrelevant.linear.engine.equivalent import FREE, MAIN, SIDE, EquivalentModels
from allrelevant.linear.engine.working_set import WorkingSet

_FEASIBILITY = 1e-7


class SolverError(RuntimeError):
    """A linear program could not be solved to the required accuracy."""


@dataclass(frozen=True, eq=False)
class Multipliers:
    """A dual solution on a working set.

    `pieces` are the multipliers of its undecided pieces, `budgets` those of the budgets and
    `order` those of ``b_t ≤ b_{t+1}``.
    """

    pieces: Floats
    budgets: Floats
    order: Floats

    def loss(self, models: EquivalentModels) -> float:
        """The multiplier of the loss."""
        return float(self.budgets @ models.loss_factors)

    def norms(self, models: EquivalentModels) -> list[float]:
        """The multiplier of the norm of each kind of feature."""
        norms: list[float] = (self.budgets @ models.norm_table).tolist()
        return norms


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
        return self.direction.value(self.weights, self.offsets, self.guest_weight)

    @cached_property
    def price(self) -> Floats:
        """The gradient of every feature; where it exceeds the norm's multiplier it is wanted."""
        price = self.working_set.gradient(self.multipliers.pieces, self.loss)
        price[self.direction.features] += self.direction.factors
        if self.excluded is not None:
            price[self.excluded] = 0.0
        return price

    @cached_property
    def net_price(self) -> Floats:
        """The size of every feature's price, less what the direction itself asks for it."""
        return self.direction.net(self.price)

    @cached_property
    def loss(self) -> float:
        """The multiplier of the loss."""
        return self.multipliers.loss(self.models)

    @cached_property
    def norms(self) -> list[float]:
        """The multiplier of the norm of each kind of feature."""
        return self.multipliers.norms(self.models)

    def wanted(self, most: int) -> Ints:
        """Features outside the working set that would improve the value, the best first."""
        excess = self.net_price - self.models.by_feature(self.norms) * (1.0 + 1e-9)
        if excess.max(initial=0.0) <= 1e-9:
            return NO_FEATURES
        excess[self.working_set.features] = 0.0
        better = np.flatnonzero(excess > 1e-9)
        return better[np.argsort(-excess[better], kind="stable")[:most]]

    @cached_property
    def bound(self) -> float:
        """What no equivalent model exceeds, by weak duality with these multipliers."""
        models, working_set, loss = self.models, self.working_set, self.loss
        pieces = np.minimum(np.maximum(self.multipliers.pieces, 0.0), working_set.most(loss))
        imbalance = working_set.offset_gradient(pieces, loss)
        if self.direction.offset_factors is not None:
            imbalance = imbalance + self.direction.offset_factors
        order = np.maximum(self.multipliers.order, 0.0)
        imbalance[1:] += order
        imbalance[:-1] -= order
        return (
            float(self.multipliers.budgets @ models.limits)
            - loss * working_set.constant
            - float(pieces @ working_set.target)
            + self._overpriced(pieces)
            + float(np.abs(imbalance).sum()) * models.largest_offset
        )

    def _overpriced(self, pieces: Floats) -> float:
        """What weights could gain by which these multipliers price a feature too low."""
        models, norms, prices = self.models, self.norms, self.net_price
        boxed = 0.0
        if models.boxes is not None:
            boxed = self._boxed()
            prices = prices.copy()
            prices[models.boxes.features] = 0.0
        guest = self._guest_price(pieces)
        if models.kinds is None:
            excess = max(float(prices.max(initial=0.0)), guest) - norms[MAIN]
            if excess <= 0.0:
                return boxed
            return boxed + excess * models.largest_norm_with(self.direction.guest)
        dearest = [float(prices[models.kinds == kind].max(initial=0.0)) for kind in (MAIN, SIDE)]
        dearest.append(float(prices[models.kinds == FREE].sum()))
        kind = self.direction.guest_kind
        dearest[kind] = max(dearest[kind], guest)
        gains = zip(dearest, norms, models.largest.tolist(), strict=True)
        return boxed + sum(max(price - norm, 0.0) * most for price, norm, most in gains)

    def _guest_price(self, pieces: Floats) -> float:
        """The size of the guest's price; 0 without one."""
        guest = self.direction.guest
        if guest is None:
            return 0.0
        price = float(self.working_set.column(guest) @ pieces)
        price += self.loss * self.working_set.slope(guest) + self.direction.guest_factor
        return abs(price)

    def _boxed(self) -> float:
        """What the weights that have a box of their own add to the bound."""
        boxes = self.models.boxes
        assert boxes is not None
        costs = np.full(len(self.price), self.models.by_feature(self.norms))
        if self.direction.penalties is not None:
            costs[self.direction.features] += self.direction.penalties
        return boxes.gain(self.price[boxes.features], costs[boxes.features])

    @property
    def is_enough(self) -> bool:
        """Whether the bound shows that the largest value does not matter."""
        return self.bound <= self.direction.enough

    @cached_property
    def overdraft(self) -> Floats:
        """By how much each budget is exceeded."""
        models = self.models
        loss = models.pieces.loss_of(self.residuals)
        if models.kinds is None:
            norm = float(np.abs(self.weights).sum()) + abs(self.guest_weight)
            spent = models.norm_factors * norm + models.loss_factors * loss
        else:
            norms = models.norms(self.weights)
            norms[self.direction.guest_kind] += abs(self.guest_weight)
            spent = models.norm_table @ norms + models.loss_factors * loss
        return np.maximum(spent - models.limits, 0.0)

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
        models = self.models
        return bool(
            self.doubt <= models.accuracies[self.direction.kind(models)]
            and self.violation <= _FEASIBILITY
            and (
                models.boxes is None
                or models.boxes.contain(self.weights, models.accuracy_by_feature)
            )
            and (self.multipliers.budgets >= 0.0).all()
            and (self.overdraft <= _FEASIBILITY * np.maximum(models.limits, 1.0)).all()
            and (len(self.offsets) == 1 or np.diff(self.offsets).min() >= -_FEASIBILITY)
        )


@dataclass(frozen=True, eq=False)
class Optimum:
    """The largest value of a direction, the model that attains it, and the proof's gap."""

    value: float
    gap: float
    weights: Floats
    offsets: Floats
    guest_weight: float
    iterations: int

    @classmethod
    def of(cls, candidate: Candidate, iterations: int) -> Optimum:
        """The answer that a proven candidate is."""
        weights = candidate.weights
        guest_weight = candidate.guest_weight
        if candidate.excluded is not None:
            weights = weights.copy()
            weights[candidate.excluded] = guest_weight
            guest_weight = 0.0
        return cls(
            candidate.value,
            candidate.doubt,
            weights,
            candidate.offsets,
            guest_weight,
            iterations,
        )
