"""Ranges of weights under one set of boxes after another, each from what was found before.

Boxes only take members away. An end of a range stays where its model keeps the boxes; elsewhere
the dual simplex goes on from where the same program ended without them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from allrelevant.base.arrays import Floats
from allrelevant.linear.engine.direction import Direction
from allrelevant.linear.engine.equivalent import Boxes, EquivalentModels
from allrelevant.linear.engine.growth import TooLarge
from allrelevant.linear.engine.nearest import Nearest, nearest_member
from allrelevant.linear.engine.optimum import Optimum, SolverError
from allrelevant.linear.engine.penalised import PenalisedPath
from allrelevant.linear.engine.ranges import (
    SIMPLEX_PIECES,
    End,
    RangeSolver,
    WeightRange,
    Witness,
)
from allrelevant.linear.engine.reduced import Snapshot
from allrelevant.linear.engine.simplex_path import SimplexPath

_LOOKED_AT = 20  # models, to see how large the set is
_INSIDE = 0.01  # of the accuracy: how far outside a box a model may be and still keep it
_ENOUGH = 0.5  # of an excess that may be in doubt: there is one all the same
_MOST_MEMBERS = 512  # of which boxes a member is remembered; a request has up to 256


@dataclass(frozen=True, eq=False)
class Known:
    """One end of a weight's range without boxes, and where its program ended."""

    value: float
    weights: Floats
    offsets: Floats
    snapshot: Snapshot | None

    def end(self, sign: int) -> End:
        """The end of the range that this is."""
        return End(sign * self.value, Witness.of(self.weights, self.offsets))


class RestrictedRanges:
    """Finds ranges of weights under boxes.

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
        self.models, self.names, self._found = models, names, found
        self._solver = RangeSolver(models, names, solver="simplex")
        self.is_large = self._looks_large()
        self._others: tuple[Boxes | None, RangeSolver] | None = None
        self._known: dict[tuple[int, int], Known] = {}
        # By identity; the boxes are kept along, so that no others can take their address.
        self._members: dict[int, tuple[Boxes, Nearest]] = {}
        self._seen: dict[int, Floats] = {}
        self.solved = self.spared = 0

    @cached_property
    def _path(self) -> SimplexPath:
        path = SimplexPath(self.models, self._solver.working_set)
        if self._has_alternative:
            path.most_pieces = SIMPLEX_PIECES
        return path

    @property
    def _inside(self) -> Floats | float:
        return _INSIDE * self.models.accuracy_by_feature

    @property
    def _has_alternative(self) -> bool:
        """Whether other methods than the simplex can be used: they know plain hinges only."""
        return self.models.pieces.hard is None and self.models.kinds is None

    def _looks_large(self) -> bool:
        """Whether the models that are known already have too many pieces on other sides."""
        models, reference = self.models, self.models.reference
        if not self._has_alternative:
            return False
        known = models.pieces.residuals(models.X.scores(reference.weights), reference.offsets) > 0
        undecided = np.zeros(len(known), dtype=bool)
        for found in self._found[:_LOOKED_AT]:
            witness = found.largest_witness
            if witness is not None:
                scores = models.X.scores(witness.weights(models.n_features))
                undecided |= (models.pieces.residuals(scores, witness.offsets) > 0) != known
        return int(undecided.sum()) > SIMPLEX_PIECES

    # Members

    def member(self, boxes: Boxes) -> Nearest:
        """A member that keeps the boxes, or how far the budgets are from having one."""
        if id(boxes) not in self._members:
            if len(self._members) >= _MOST_MEMBERS:
                self._members.clear()
                self._seen.clear()
            self._members[id(boxes)] = boxes, self._find_member(boxes)
        return self._members[id(boxes)][1]

    def _find_member(self, boxes: Boxes) -> Nearest:
        reference = self.models.reference
        seen = [(known.weights, known.offsets) for known in self._known.values()]
        for weights, offsets in [(reference.weights, reference.offsets), *seen]:
            if boxes.contain(weights):
                return Nearest(0.0, weights, offsets)
        if self.is_large and boxes.forbid.all():
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
        return Nearest(0.0, found.weights, found.offsets) if (spent <= some.limits).all() else None

    # Ranges

    def weight_range(self, feature: int, boxes: Boxes | None = None) -> WeightRange:
        """The range of a weight over the members that keep the boxes; there must be some."""
        ends = {sign: self._end(feature, sign, boxes) for sign in (-1, 1)}
        low, high = ends[-1], ends[1]
        return WeightRange(low, high, low.value <= 0.0 <= high.value)

    def relevance(self, feature: int, boxes: Boxes) -> tuple[float, float]:
        """Smallest and largest absolute weight over the members that keep the boxes.

        The side that reaches farther without boxes is solved first. The other one is spared where
        it cannot get as far and a member without the feature, or with the other sign, is known.
        """
        free = {sign: self._without_boxes(feature, sign).value for sign in (-1, 1)}
        first = max(free, key=lambda sign: free[sign])
        far = first * self._end(feature, first, boxes).value
        seen = self._seen_under(boxes)[:, feature]
        if free[-first] <= abs(far) and seen[0] <= 0.0 <= seen[1]:
            self.spared += 1
            return 0.0, abs(far)
        return self.weight_range(feature, boxes).relevance

    def _seen_under(self, boxes: Boxes) -> Floats:
        """Smallest and largest weights of members that keep the boxes, as far as any are known."""
        weights = self.member(boxes).weights
        return self._seen.setdefault(id(boxes), np.array([weights, weights]))

    def ranges(
        self, features: Sequence[int], boxes: Boxes | None = None
    ) -> Iterator[tuple[int, WeightRange]]:
        """The ranges of several weights, one after the other."""
        for feature in features:
            yield feature, self.weight_range(feature, boxes)

    def _end(self, feature: int, sign: int, boxes: Boxes | None) -> End:
        if self.models.largest_by_feature[feature] <= 0:
            model = self.models.reference if boxes is None else self.member(boxes)
            return End(0.0, Witness.of(model.weights, model.offsets))
        known = self._without_boxes(feature, sign)
        if boxes is None or boxes.contain(known.weights, self._inside):
            self.spared += 1
            return known.end(sign)
        boxed = np.flatnonzero(boxes.features == feature)
        if len(boxed) and boxes.low[boxed[0]] == boxes.high[boxed[0]]:
            value = float(boxes.low[boxed[0]])
            near = self.member(boxes)
            return End(value, Witness.of(near.weights, near.offsets))
        optimum = self._solve(feature, sign, boxes, known.snapshot)
        value = self.models.rounded(optimum.value, self.models.kind(feature), optimum.gap)
        seen = self._seen_under(boxes)
        np.minimum(seen[0], optimum.weights, out=seen[0])
        np.maximum(seen[1], optimum.weights, out=seen[1])
        return End(sign * value, Witness.of(optimum.weights, optimum.offsets))

    def _without_boxes(self, feature: int, sign: int) -> Known:
        if (feature, sign) not in self._known and self.is_large:
            self._take_over(feature, sign)
        if (feature, sign) not in self._known:
            optimum = self._solve(feature, sign, None, None)
            value = self.models.rounded(optimum.value, self.models.kind(feature), optimum.gap)
            self._known[feature, sign] = Known(
                value, optimum.weights, optimum.offsets, self._path.kept
            )
        return self._known[feature, sign]

    def _take_over(self, feature: int, sign: int) -> None:
        """Take an end that is known already for what it is."""
        if feature >= len(self._found):
            return
        found = self._found[feature]
        end = found.high if sign > 0 else found.low
        if end.witness is not None:
            weights = end.witness.weights(self.models.n_features)
            known = Known(sign * end.value, weights, end.witness.offsets, None)
            self._known[feature, sign] = known

    def _solve(
        self, feature: int, sign: int, boxes: Boxes | None, start: Snapshot | None
    ) -> Optimum:
        if not self.is_large:
            try:
                return self._by_simplex(feature, sign, boxes, start)
            except TooLarge:
                self.is_large = True
        name = self.names[feature] if self.names is not None else f"feature {feature}"
        optimum = self.solver_within(boxes).maximise(Direction.weight(feature, sign, repr(name)))
        self.solved += 1
        return optimum

    def solver_within(self, boxes: Boxes | None) -> RangeSolver:
        """A solver for anything that may be asked of the members that keep the boxes.

        It starts anew, unless it was for the same boxes that one was wanted last.
        """
        if self._others is None or self._others[0] is not boxes:
            some = self.models
            if boxes is not None:
                near = self.member(boxes)
                reference = replace(
                    some.reference, weights=near.weights, offsets=near.offsets, row_duals=None
                )
                some = replace(some, boxes=boxes, reference=reference)
            solver = RangeSolver(some, self.names)
            self._others = boxes, solver
        return self._others[1]

    def _by_simplex(
        self, feature: int, sign: int, boxes: Boxes | None, start: Snapshot | None
    ) -> Optimum:
        path, models = self._path, self.models.within(boxes)
        if boxes is not None:
            # Resident features alone may not make up a member; with those of one they do.
            self._solver.working_set.add_features(np.flatnonzero(self.member(boxes).weights))
        path.restrict(models)
        name = self.names[feature] if self.names is not None else f"feature {feature}"
        direction = Direction.weight(feature, sign, repr(name))
        excluded = None
        if self._solver.working_set.position[feature] < 0:
            direction, excluded = direction.hosted(models), feature
        before = path.iterations
        path.keeps = boxes is None  # where it ends within boxes nobody goes on from
        candidate = path.maximise(direction, excluded, start)
        if candidate is None or not candidate.is_usable:
            raise SolverError(
                f"the relevance of {name!r} under these constraints could not be computed to the "
                "required accuracy; a larger tolerance or wider bounds usually help"
            )
        self.solved += 1
        return Optimum.of(candidate, path.iterations - before)
