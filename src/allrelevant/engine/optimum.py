"""What is asked of the equivalent models, and an answer that carries its own proof."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from allrelevant.engine.equivalent import FREE, MAIN, SIDE, EquivalentModels
from allrelevant.engine.pieces import Floats, Ints
from allrelevant.engine.working_set import WorkingSet

_FEASIBILITY = 1e-7
_NO_FEATURES: Ints = np.zeros(0, dtype=np.intp)
_NO_FACTORS = np.zeros(0)


class SolverError(RuntimeError):
    """A linear program could not be solved to the required accuracy."""


@dataclass(frozen=True, eq=False)
class Direction:
    """A linear (or, with penalties, concave) function of a model, to be maximised.

    Parameters
    ----------
    features, factors : array
        The features in it and the factors before their weights.
    guest : array of shape (n_samples,), or None
        A column that stands beside the data for this question only.
    guest_factor : float
        The factor before its weight.
    guest_kind : int
        The kind of feature it is.
    offset_factors : array, or None
        Factors before the offsets.
    penalties : array, or None
        Factors (not negative) before the features' absolute weights, which are subtracted.
    label : str
        How to call it in an error message.
    enough : float
        A proof that the largest value is not above this will do.
    """

    features: Ints
    factors: Floats
    guest: Floats | None = None
    guest_factor: float = 0.0
    guest_kind: int = MAIN
    offset_factors: Floats | None = None
    penalties: Floats | None = None
    label: str = ""
    enough: float = -np.inf

    @classmethod
    def weight(cls, feature: int, sign: int, label: str = "") -> Direction:
        """``sign`` times the weight of one feature."""
        return cls(np.array([feature]), np.array([float(sign)]), label=label)

    @classmethod
    def of_guest(cls, column: Floats, sign: int, label: str = "", kind: int = MAIN) -> Direction:
        """``sign`` times the weight of a column that is not in the data."""
        return cls(_NO_FEATURES, _NO_FACTORS, column, float(sign), kind, label=label)

    def up_to(self, enough: float) -> Direction:
        """The same question, where only values above `enough` matter."""
        return replace(self, enough=enough)

    @property
    def visitor(self) -> int | None:
        """The feature this is the weight of, where it is of one feature alone."""
        alone = len(self.features) == 1 and self.guest is None
        alone = alone and self.offset_factors is None and self.penalties is None
        return int(self.features[0]) if alone else None

    def hosted(self, models: EquivalentModels) -> Direction:
        """The same with the one feature as a guest, so that it need not be resident."""
        feature = int(self.features[0])
        column, kind = models.columns[:, feature], models.kind(feature)
        return Direction(
            _NO_FEATURES,
            _NO_FACTORS,
            column,
            float(self.factors[0]),
            kind,
            label=self.label,
            enough=self.enough,
        )

    def kind(self, models: EquivalentModels) -> int:
        """The kind of feature it is about; the main one where it is about several."""
        if self.guest is not None:
            return self.guest_kind
        return models.kind(int(self.features[0])) if len(self.features) == 1 else MAIN

    def value(self, weights: Floats, offsets: Floats, guest_weight: float) -> float:
        """The function's value at a model."""
        value = float(self.factors @ weights[self.features]) + self.guest_factor * guest_weight
        if self.offset_factors is not None:
            value += float(self.offset_factors @ offsets)
        if self.penalties is not None:
            value -= float(self.penalties @ np.abs(weights[self.features]))
        return value

    @classmethod
    def least_norm(cls, features: Ints, label: str = "") -> Direction:
        """Minus the sum of the absolute weights of some features."""
        n = len(features)
        return cls(features, np.zeros(n), penalties=np.ones(n), label=label)

    def net(self, prices: Floats) -> Floats:
        """The size of the features' prices, less their penalties."""
        net: Floats = np.abs(prices)
        if self.penalties is not None:
            net[self.features] -= self.penalties
        return net


NOTHING = Direction(_NO_FEATURES, _NO_FACTORS)


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
            return _NO_FEATURES
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
            and (models.boxes is None or models.boxes.contain(self.weights, _FEASIBILITY))
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
