"""Whether weights pass given levels, where by how much does not matter."""

from __future__ import annotations

from allrelevant.linear.engine.ranges.solver import RangeSolver, can_pass


class RangeDecider(RangeSolver):
    """Answers yes or no, for which few programs are needed and most can stop early.

    Every model seen on the way is a proof that its weights can be that large, or zero. So the
    answers are those of `weight_range`, at a part of its cost.
    """

    def can_exceed(self, feature: int, level: float) -> bool:
        """Whether in some equivalent model the feature's absolute weight is above a level."""
        models = self.models
        if models.largest_by_feature[feature] <= level:
            return False
        pull = 0.0 if models.gradient is None else float(models.gradient[feature])
        sign = 1 if pull >= 0 else -1
        return any(self._passes(feature, side, pull, level) for side in (sign, -sign))

    def must_exceed(self, feature: int, level: float) -> bool:
        """Whether in all equivalent models the feature's absolute weight is above a level."""
        if self.has_zero(feature):
            return False
        # No model seen has a weight of zero or of the other sign, the reference among them.
        sign = 1 if self._seen_low[feature] > 0 else -1
        end = self.ask(self.end_question(feature, -sign))
        return sign * end.value > level

    def _passes(self, feature: int, sign: int, pull: float, level: float) -> bool:
        """Whether ``sign`` times the weight can be above a level."""
        seen = self._seen_high[feature] if sign > 0 else -self._seen_low[feature]
        if seen > level:
            return True
        models = self.models
        has_bound = models.gradient is not None
        if has_bound and models.bound(pull, sign, feature) <= level:
            self.skipped += 1
            return False
        return self.ask(can_pass(self.end_of(feature, sign), level))
