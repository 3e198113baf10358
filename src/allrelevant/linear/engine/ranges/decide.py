"""Whether weights pass given levels, where by how much does not matter."""

from __future__ import annotations

from allrelevant.linear.engine.ranges.solver import RangeSolver


class RangeDecider(RangeSolver):
    """Answers yes or no, for which few programs are needed and most can stop early.

    Every model seen on the way is a proof that its weights can be that large, or zero. So the
    answers are those of `weight_range`, at a part of its cost.
    """

    def can_exceed(self, feature: int, level: float) -> bool:
        """Whether in some equivalent model the feature's absolute weight is above a level."""
        if self.models.largest_by_feature[feature] <= level:
            return False
        sign = 1 if (self._pull(feature) or 0.0) >= 0 else -1
        return any(self._passes(feature, side, level) for side in (sign, -sign))

    def must_exceed(self, feature: int, level: float) -> bool:
        """Whether in all equivalent models the feature's absolute weight is above a level."""
        if self.has_zero(feature):
            return False
        # No model seen has a weight of zero or of the other sign, the reference among them.
        sign = 1 if self._seen_low[feature] > 0 else -1
        end = self.ask(self.end_question(feature, -sign))
        return sign * end.value > level

    def _passes(self, feature: int, sign: int, level: float) -> bool:
        """Whether ``sign`` times the weight can be above a level."""
        seen = self._seen_high[feature] if sign > 0 else -self._seen_low[feature]
        return seen > level or self.ask(self.level_question(feature, sign, level))
