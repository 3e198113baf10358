"""What is asked about weights: which programs it takes, and which are spared.

A question yields the directions that it needs, one after the other, and is sent what is settled of
each. So one that is asked and one that is only foreseen decide alike.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from allrelevant.base.arrays import Floats
from allrelevant.linear.engine.batch.foresight import Question, Settled
from allrelevant.linear.engine.program.direction import Direction
from allrelevant.linear.engine.program.equivalent import EquivalentModels
from allrelevant.linear.engine.program.optimum import Optimum, UnprovenError
from allrelevant.linear.engine.ranges.weight_range import End, WeightRange, Witness


class RangeQuestions:
    """Knows how to find ranges of weights, and what was seen of them on the way."""

    def __init__(self, models: EquivalentModels, names: Sequence[str] | None) -> None:
        self.models, self.names = models, names
        self.skipped = 0
        reference = models.reference
        # Values already seen in some equivalent model; they spare programs later on.
        self._seen_low = np.where(models.has_reference, reference.weights, np.inf)
        self._seen_high = np.where(models.has_reference, reference.weights, -np.inf)

    def _see(self, weights: Floats) -> None:
        """Take in the weights of an equivalent model."""
        np.minimum(self._seen_low, weights, out=self._seen_low)
        np.maximum(self._seen_high, weights, out=self._seen_high)

    def range_question(self, feature: int, *, signed: bool = True) -> Question[WeightRange]:
        """How to find the range of a feature's weight."""
        if self.models.largest_by_feature[feature] <= 0:
            return self._point
        sign, enough = self.side_of(feature), -np.inf
        first = yield from self.end_question(feature, sign)
        if not signed and self.models.gradient is not None and self.has_zero(feature):
            enough = abs(first.value)
        other = yield from self.end_question(feature, -sign, enough)
        low, high = (other, first) if sign > 0 else (first, other)
        has_zero = self.has_zero(feature) or low.value <= 0.0 <= high.value
        return WeightRange(low, high, has_zero)

    def end_question(self, feature: int, sign: int, enough: float = -np.inf) -> Question[End]:
        """How to find an end of a weight's range, or a bound where it is unproven.

        A bound will do, too, where it shows that the end is not farther out than `enough`.
        """
        asked = self.end_of(feature, sign)
        try:
            optimum, bound = yield from self._beyond(asked, enough, self._pull(feature))
        except UnprovenError as error:
            largest = float(self.models.largest[feature])
            return End(sign * min(error.bound, largest), unproven=True)
        return End(sign * bound) if optimum is None else self.end_at(optimum, feature, sign)

    def level_question(self, feature: int, sign: int, level: float) -> Question[bool]:
        """How to find whether a weight can be above a level, or nobody could show that it cannot.

        With a sign of −1 it is asked whether it can be below minus the level.
        """
        asked = self.end_of(feature, sign)
        try:
            optimum, value = yield from self._beyond(asked, level, self._pull(feature))
        except UnprovenError as error:
            return error.bound > level
        return optimum is not None and value > level

    def guest_question(
        self,
        column: Floats,
        least: float = 0.0,
        like: int = 0,
        *,
        one_sided: bool = False,
    ) -> Question[float]:
        """How to find the largest absolute weight a column would have beside the data.

        Or `least` if that is more. It costs what the column `like` does. A side that cannot get
        farther than what is known already is not solved to its end. With ``one_sided=True`` only
        the side to which the column is pulled is looked at.
        """
        if self.models.largest[like] <= 0 or not column.any():
            return least
        duals = self.models.reference.row_duals
        pull = None if duals is None else float(duals @ column)
        sign = 1 if (pull or 0.0) >= 0 else -1
        for side in (sign,) if one_sided else (sign, -sign):
            asked = Direction.of_guest(column, side, "a probe", like)
            optimum, value = yield from self._beyond(asked, least, pull)
            least = least if optimum is None else max(least, value)
        return least

    def _beyond(self, asked: Direction, enough: float, pull: float | None) -> Question[Settled]:
        """A weight in so far as it is beyond `enough`; what pulls at it may show that it is not."""
        if pull is not None and enough > -np.inf:
            bound = self.models.bound(pull, asked.sign, asked.like)
            if bound <= enough:
                self.skipped += 1
                return None, bound
        return (yield asked.up_to(enough))

    def _pull(self, feature: int) -> float | None:
        """What pulls at a weight in the reference: the gradient of the loss, where it is known."""
        gradient = self.models.gradient
        return None if gradient is None else float(gradient[feature])

    def end_of(self, feature: int, sign: int) -> Direction:
        """The direction that an end of a weight's range is about."""
        name = f"feature {feature}" if self.names is None else repr(self.names[feature])
        return Direction.weight(feature, sign, name)

    def end_at(self, optimum: Optimum, feature: int, sign: int) -> End:
        """The end of a weight's range that an optimum is."""
        value = self.models.rounded(sign * optimum.value, feature, optimum.gap)
        return End(value, Witness.of(optimum.weights, optimum.offsets))

    def side_of(self, feature: int) -> int:
        """The side on which a weight's farther end is likely to be."""
        weight = self.models.reference.weights[feature]
        return 1 if (weight or self._pull(feature) or 0.0) >= 0 else -1

    @property
    def _point(self) -> WeightRange:
        """The range of a weight that no budget has room for."""
        reference = self.models.reference
        end = End(0.0, Witness.of(reference.weights, reference.offsets))
        return WeightRange(end, end, contains_zero=True)

    def has_zero(self, feature: int) -> bool:
        """Whether a model without the feature is known."""
        rounded = self.models.rounded
        low, high = float(self._seen_low[feature]), float(self._seen_high[feature])
        return rounded(low, feature, 0.0) <= 0.0 <= rounded(high, feature, 0.0)
