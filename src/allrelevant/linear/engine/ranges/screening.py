"""Ranges of very many weights, of which only those beyond a level have to be known exactly.

All programs share one cone of multipliers. Let (α, τ, ν) be such that ``0 ≤ α_p ≤ τ·a_p`` for
every piece p (a_p its weight, r_p its target, m_p its margin), ``|α·x_j| ≤ ν`` for every feature j
(the pieces' signs are in α), and the offsets are balanced. With ``D = ν·M + τ·R − Σ α_p r_p``,
where the norm is at most M and the loss at most R, every member (w, b) has::

    D ≥ ν‖w‖₁ + τ·loss − Σ α_p r_p         it keeps the budgets
      ≥ ν‖w‖₁ − Σ_k w_k (α·x_k)            as a_p·max(0, r_p − m_p) ≥ (α_p / τ)·(r_p − m_p)
      = Σ_k (ν|w_k| − w_k (α·x_k)).

No term of the last sum is negative, so ``±w_k·(ν ∓ α·x_k) ≤ D`` for each k by itself: the
multipliers of one program, optimal or not, bound all weights by one product with the data. Where a
feature is priced above ν by ε, at most ``ε·M`` is missing, and where an offset is out of balance
that times the largest offset; both are added to D.
"""

from __future__ import annotations

import numpy as np

from allrelevant.base.arrays import Floats
from allrelevant.linear.engine.batch.foresight import Question
from allrelevant.linear.engine.program.direction import Direction
from allrelevant.linear.engine.program.optimum import Candidate, UnprovenError
from allrelevant.linear.engine.ranges.solver import RangeSolver
from allrelevant.linear.engine.ranges.weight_range import End, WeightRange


class ScreeningSolver(RangeSolver):
    """Finds ranges of weights, and leaves alone those that others' multipliers show to be small.

    It is for plain features: one kind of them, a reference with multipliers, no boxes.
    """

    # Of −w and of w; nothing is learned before something is screened.
    _most: Floats | None = None

    def _bounds(self) -> Floats:
        """What is known of all weights: at first by the reference's own multipliers."""
        if self._most is None:
            models = self.models
            self._most = np.full((2, models.n_features), models.largest_norm)
            if models.gradient is not None:
                self._learn(self._most, models.gradient, 1.0, models.room)
        return self._most

    def screening_question(self, feature: int, level: float) -> Question[WeightRange]:
        """How to find the range of a weight that can exceed a level; else bounds by the level.

        Of the two ends the one farther from zero is exact then, the other one may be a bound.
        """
        if self.models.largest_by_feature[feature] <= 0:
            return self._point
        if (yield from self._beyond_level(feature, level)):
            return (yield from self.range_question(feature, signed=False))
        return WeightRange(End(-level), End(level), contains_zero=True)

    def passes(self, feature: int, level: float) -> bool:
        """Whether a weight's absolute value exceeds a level in some model.

        So it is said to do where nobody could show that it does not.
        """
        most = self._bounds()[:, feature]
        seen = max(float(self._seen_high[feature]), -float(self._seen_low[feature]))
        if seen > level or most.max() <= level:
            self.skipped += 2
            return seen > level
        if self.models.largest_by_feature[feature] <= 0:
            return False
        return self.ask(self._beyond_level(feature, level))

    def is_needed(self, feature: int) -> bool:
        """Whether no model does without a feature, or nobody could show one that does."""
        weight = float(self.models.reference.weights[feature])
        if self.has_zero(feature):
            return False
        try:
            other = self.maximise(Direction.weight(feature, -1 if weight > 0 else 1))
        except UnprovenError:
            return True
        return -other.value > self.models.accuracy

    def _beyond_level(self, feature: int, level: float) -> Question[bool]:
        """Whether a weight can exceed a level, by multipliers of other programs and by its own."""
        sides = self._sides_beyond(feature, level)
        self.skipped += 2 - len(sides)
        for side in sides:
            # A program that has failed for one side may have told about the other.
            if side not in self._sides_beyond(feature, level):
                self.skipped += 1
            elif (yield from self.level_question(feature, side, level)):
                return True
        return False

    def _sides_beyond(self, feature: int, level: float) -> list[int]:
        """The sides on which a weight may get beyond a level, as far as is known."""
        most = self._bounds()[:, feature]
        sides = (1, 0) if most[1] >= most[0] else (0, 1)
        return [2 * side - 1 for side in sides if most[side] > level]

    def _solve(self, direction: Direction) -> Candidate | None:
        candidate = super()._solve(direction)
        if candidate is not None and self._most is not None:
            self._learn_from(self._most, candidate)
        return candidate

    def _learn_from(self, bounds: Floats, candidate: Candidate) -> None:
        models, working_set, loss = self.models, candidate.working_set, candidate.loss
        allowed = float(candidate.multipliers.budgets @ models.limits)
        allowed -= loss * working_set.constant + float(candidate.pieces @ working_set.target)
        allowed += float(np.abs(candidate.imbalance).sum()) * models.largest_offset
        prices = candidate.price.copy()
        asked = candidate.direction.features
        prices[asked] -= candidate.direction.factors
        if candidate.excluded is not None:  # the guest itself: what the multipliers say of it
            prices[candidate.excluded] = candidate.guest_price - candidate.direction.guest_factor
        norm = float(candidate.multipliers.budgets @ models.norm_factors)
        self._learn(bounds, prices, norm, allowed)

    def _learn(self, bounds: Floats, prices: Floats, norm: float, allowed: float) -> None:
        """Take in what one point of the cone says of every weight."""
        lacking = max(float(np.abs(prices).max(initial=0.0)) - norm, 0.0)
        allowed = max(allowed + lacking * self.models.largest_norm, 0.0)
        for most, sign in zip(bounds, (-1.0, 1.0), strict=True):
            room = norm - sign * prices
            with np.errstate(divide="ignore", over="ignore"):
                np.minimum(most, np.where(room > 0, allowed / room, np.inf), out=most)
