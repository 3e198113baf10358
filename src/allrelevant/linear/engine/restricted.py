"""Ranges of weights under one set of boxes after another.

Boxes only take members away. So an end of a range stays where its model keeps the boxes, and only
the others are solved for.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from threading import RLock
from typing import Any

from allrelevant.linear.engine.direction import Direction
from allrelevant.linear.engine.equivalent import ZERO, EquivalentModels
from allrelevant.linear.engine.foresight import Side, Weight, n_foreseen
from allrelevant.linear.engine.limits import Boxes
from allrelevant.linear.engine.nearest import Nearest, nearest_member
from allrelevant.linear.engine.optimum import SolverError
from allrelevant.linear.engine.penalised import PenalisedPath
from allrelevant.linear.engine.ranges import RangeSolver
from allrelevant.linear.engine.weight_range import End, WeightRange, Witness

_ENOUGH = 0.5  # of an excess that may be in doubt: there is one all the same
_MOST_MEMBERS = 512  # of which boxes a member is remembered; a request has up to 256


class RestrictedRanges:
    """Finds ranges of weights under boxes.

    A copy knows the same ranges and members, and has learned nothing else.

    Parameters
    ----------
    models : EquivalentModels
        The models without boxes.
    names : sequence of str
        Names of the features, for error messages.
    found : sequence of WeightRange
        Ranges without boxes that are known already, of the first features.
    """

    def __init__(
        self,
        models: EquivalentModels,
        names: Sequence[str] | None = None,
        found: Sequence[WeightRange] = (),
    ) -> None:
        self.__setstate__((models, names, dict(enumerate(found)), []))

    def __getstate__(self) -> tuple[Any, ...]:
        """What is known; solvers do not pickle."""
        return self.models, self.names, self._free.copy(), list(self._members.values())

    def __setstate__(self, known: tuple[Any, ...]) -> None:
        self.models: EquivalentModels
        self.names: Sequence[str] | None
        self._free: dict[int, WeightRange]
        self.models, self.names, self._free, members = known
        self._latest: tuple[Boxes, RangeSolver] | None = None
        # By identity; the boxes are kept along, so that no others can take their address.
        self._members: dict[int, tuple[Boxes, Nearest]] = {id(one[0]): one for one in members}
        # Copies of an estimator share one, and may be asked by several threads at once.
        self.alone = RLock()

    @cached_property
    def _without_boxes(self) -> RangeSolver:
        return RangeSolver(self.models, self.names)

    # Members

    def member(self, boxes: Boxes) -> Nearest:
        """A member that keeps the boxes, or how far the budgets are from having one."""
        if id(boxes) not in self._members:
            if len(self._members) >= _MOST_MEMBERS:
                self._members.clear()
            self._members[id(boxes)] = boxes, self._find_member(boxes)
        return self._members[id(boxes)][1]

    def _find_member(self, boxes: Boxes) -> Nearest:
        reference = self.models.reference
        if boxes.contain(reference.weights):
            return Nearest(0.0, reference.weights, reference.offsets)
        plain = self.models.pieces.hard is None and boxes.differences is None
        if plain and boxes.forbid.all():
            with suppress(SolverError):
                near = self._sparse_member(boxes)
                if near is not None:
                    return near
        return nearest_member(self.models.within(boxes), enough=_ENOUGH)

    def _sparse_member(self, boxes: Boxes) -> Nearest | None:
        """The best penalised model without some features, where it is within the budgets.

        It is well inside them, as the interior point needs it; the nearest member is not.
        """
        some = self.models.within(boxes).without_forbidden()
        found = PenalisedPath(some.X, some.pieces).solve(some.reference.C)
        spent = some.norm_factors * found.norm + some.loss_factors * found.loss
        if (spent > some.limits).any():
            return None
        self.models.note(found.weights, found.offsets)
        return Nearest(0.0, found.weights, found.offsets)

    # Ranges

    def weight_range(self, feature: int, boxes: Boxes | None = None) -> WeightRange:
        """The range of a weight over the members that keep the boxes; there must be some."""
        if not self.is_known(feature):
            self.learn(feature, self._without_boxes.weight_range(feature))
        if boxes is None:
            return self._free[feature]
        low, high = (
            self._known_end(feature, sign, boxes) or self._end(feature, sign, boxes)
            for sign in (-1, 1)
        )
        return WeightRange(low, high, low.value <= 0.0 <= high.value)

    def weight_ranges(
        self, features: Sequence[int], boxes: Boxes | None = None
    ) -> list[WeightRange]:
        """The ranges of several weights, of which many are found together."""
        found, n = [], n_foreseen(self.models.n_features)
        for some in (features[start : start + n] for start in range(0, len(features), n)):
            if boxes is None:
                unknown = [k for k in some if not self.is_known(k)]
                self._without_boxes.foresee(Weight(k, signed=True) for k in unknown)
            elif not all(self.is_known(k, boxes) for k in some):
                self.solver_within(boxes).foresee(
                    Side(k, sign)
                    for k in some
                    for sign in (-1, 1)
                    if self._known_end(k, sign, boxes) is None
                )
            found += [self.weight_range(k, boxes) for k in some]
        return found

    def is_known(self, feature: int, boxes: Boxes | None = None) -> bool:
        """Whether a range takes no program."""
        free = self._free.get(feature)
        if free is None or free.low.is_bound or free.high.is_bound:
            return False
        if boxes is None:
            return True
        return all(self._known_end(feature, sign, boxes) is not None for sign in (-1, 1))

    def learn(self, feature: int, found: WeightRange) -> None:
        """Take in a range without boxes."""
        self._free[feature] = found

    def _known_end(self, feature: int, sign: int, boxes: Boxes) -> End | None:
        known = self._free[feature].high if sign > 0 else self._free[feature].low
        if known.witness is not None:
            weights = known.witness.weights(self.models.n_features)
            if boxes.contain(weights, ZERO * self.models.accuracies):
                return known
        here = boxes.features == feature
        values = {*boxes.low[here].tolist(), *boxes.high[here].tolist()}
        if self.models.largest_by_feature[feature] <= 0:
            values = {0.0}
        if len(values) == 1:
            near = self.member(boxes)
            return End(values.pop(), Witness.of(near.weights, near.offsets))
        return None

    def _end(self, feature: int, sign: int, boxes: Boxes) -> End:
        name = self.names[feature] if self.names is not None else f"feature {feature}"
        return self.solver_within(boxes).end(Direction.weight(feature, sign, repr(name)), sign)

    def solver_within(self, boxes: Boxes) -> RangeSolver:
        """A solver for anything that may be asked of the members that keep the boxes.

        It starts anew, unless it was for the same boxes that one was wanted last.
        """
        if self._latest is None or self._latest[0] is not boxes:
            near = self.member(boxes)
            reference = replace(
                self.models.reference, weights=near.weights, offsets=near.offsets, row_duals=None
            )
            some = replace(self.models.within(boxes), reference=reference)
            self._latest = boxes, RangeSolver(some, self.names)
        return self._latest[1]
