"""The range of every weight over the equivalent models: what to solve, how, what to skip."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal

import numpy as np

from allrelevant.base.arrays import Floats
from allrelevant.linear.engine.batch.foresight import Foresight, Question, Settled, T
from allrelevant.linear.engine.interior.below import BelowPath, are_large
from allrelevant.linear.engine.interior.solver import InteriorPath
from allrelevant.linear.engine.program.direction import Direction
from allrelevant.linear.engine.program.equivalent import EquivalentModels
from allrelevant.linear.engine.program.optimum import Candidate, Optimum, UnprovenError
from allrelevant.linear.engine.program.reach import FREE
from allrelevant.linear.engine.program.refine import refined
from allrelevant.linear.engine.program.working_set import WorkingSet
from allrelevant.linear.engine.ranges.weight_range import End, WeightRange, Witness
from allrelevant.linear.engine.simplex.growth import TooLarge
from allrelevant.linear.engine.simplex.solver import SimplexPath

Solver = Literal["auto", "simplex", "interior"]

# Undecided pieces, and their entries that are not zero: with more the interior point is faster. It
# fills programs further: 200 × 10,000 took 20 times as long with a limit of 10,000 entries.
SIMPLEX_PIECES, SIMPLEX_ENTRIES = 500, 25_000
CLASS_PIECES = 5000  # the same where a piece has the columns of two classes only, and else zeros
_VERY_MANY = 20_000  # undecided pieces, which are too many for the simplex method


class RangeSolver:
    """Maximises linear functions over one set of models; every process builds its own.

    Parameters
    ----------
    names : sequence of str, optional
        Names of the features, for error messages.
    solver : {"auto", "simplex", "interior"}
        "auto" uses the simplex method while programs are small. Both give the same numbers.
    """

    def __init__(
        self,
        models: EquivalentModels,
        names: Sequence[str] | None = None,
        solver: Solver = "auto",
    ) -> None:
        if models.boxes is not None and models.has_reference:
            models = models.without_forbidden()
        self._forbidden = models.without_weight
        self.models, self.names = models, names
        self.solved = self.skipped = 0
        reference = models.reference
        # Values already seen in some equivalent model; they spare programs later on.
        self._seen_low = np.where(models.has_reference, reference.weights, np.inf)
        self._seen_high = np.where(models.has_reference, reference.weights, -np.inf)
        self.working_set = WorkingSet.around(models, np.flatnonzero(models.near_reference))
        # The interior point starts strictly inside, which these need not leave room for.
        if models.pieces.hard is not None or models.boxes is not None:
            solver = "simplex"
        is_auto, of_classes = solver == "auto", models.pieces.second is not None
        few = CLASS_PIECES if of_classes else SIMPLEX_PIECES
        self._most_pieces = {"auto": few, "simplex": np.inf, "interior": -1}[solver]
        self._most_entries = SIMPLEX_ENTRIES if is_auto and not of_classes else np.inf
        self._simplex: SimplexPath | None = None
        self._interior: InteriorPath | None = None
        self._below: BelowPath | None = None
        self._foresight = Foresight(models) if solver == "auto" else None
        if solver == "auto" and are_large(models):
            self._below = BelowPath(models, self.working_set)
            self._most_pieces = -1

    def count(self, other: RangeSolver) -> None:
        """Count what another solver has done, too."""
        self.solved += other.solved
        self.skipped += other.skipped

    def maximise(self, direction: Direction) -> Optimum:
        """The largest value of a direction, proven; raises `UnprovenError` where none can be."""
        return self._proven(self._solve(direction), direction)

    def ask(self, question: Question[T]) -> T:
        """The answer to a question, whose programs are solved one after the other."""
        try:
            direction = next(question)
            while True:
                try:
                    settled = self._settled(direction)
                except UnprovenError as error:
                    direction = question.throw(error)
                else:
                    direction = question.send(settled)
        except StopIteration as end:
            answer: T = end.value
            return answer

    def foresee(self, questions: Iterable[Question[Any]]) -> None:
        """Find out together what will be asked; then ask."""
        if self._foresight is not None:
            skipped = self.skipped
            self._foresight.prepare(questions)
            self.skipped = skipped  # what is skipped counts when it is asked

    def _settled(self, direction: Direction) -> Settled:
        candidate = self._solve(direction)
        if candidate is not None and not candidate.is_proven and candidate.is_enough:
            self.solved += 1
            return None, candidate.bound
        optimum = self._proven(candidate, direction)
        return optimum, optimum.value

    def maximise_beyond(self, direction: Direction, enough: float) -> Optimum | None:
        """The largest value of a direction; None where a proof shows that it is not above this."""
        asked = direction.without(self._forbidden).up_to(enough)
        if self._below is not None:
            self.working_set.add_features(asked.features)
            if self._below.stays_below(asked):
                self.solved += 1
                return None
        return self._settled(asked)[0]

    @property
    def is_large(self) -> bool:
        """Whether bounds are sought before optima."""
        return self._below is not None

    def _proven(self, candidate: Candidate | None, direction: Direction) -> Optimum:
        if candidate is None or not candidate.is_usable:
            raise UnprovenError(
                f"the relevance of {direction.label or 'a combination of features'} could not be "
                "computed to the required accuracy; a larger tolerance, a smaller C or rescaled "
                "features usually help",
                np.inf if candidate is None else candidate.bound,
            )
        self.solved += 1
        optimum = Optimum.of(candidate)
        guest = candidate.guest_weight if candidate.excluded is None else 0.0
        self.models.note(optimum.weights, optimum.offsets, guest)
        if not direction.guest_factor:
            np.minimum(self._seen_low, optimum.weights, out=self._seen_low)
            np.maximum(self._seen_high, optimum.weights, out=self._seen_high)
        return optimum

    def _solve(self, direction: Direction) -> Candidate | None:
        direction = direction.without(self._forbidden)
        known = None if self._foresight is None else self._foresight.answer(direction)
        if known is not None:
            return known
        if direction.visitor is None:
            self.working_set.add_features(direction.features)
        if direction.penalties is not None:  # the interior point knows linear functions only
            return self._by_simplex(direction, np.inf)
        few = len(self.working_set.undecided) <= self._most_pieces
        if few and np.count_nonzero(self.working_set.entries) <= self._most_entries:
            try:
                return self._by_simplex(direction, self._most_pieces)
            except TooLarge:
                self._simplex = None
        candidate = self._by_interior(direction)
        if candidate is not None and not candidate.is_settled:
            candidate = refined(candidate)
            # The simplex method would take hours for the last digit.
            if len(self.working_set.undecided) > _VERY_MANY and candidate.is_usable:
                return candidate
        if candidate is None or not candidate.is_settled:
            # No interior to speak of, or a face it cannot settle: slower, but sure.
            candidate = self._by_simplex(direction, np.inf)
        return candidate

    def _by_simplex(self, direction: Direction, most_pieces: float) -> Candidate | None:
        if self._simplex is None:
            self._simplex = SimplexPath(self.models, self.working_set)
        self._simplex.most_pieces = most_pieces
        # Guests have starts of their own, and call in nothing that stays. A resident without which
        # the reference does stands in for itself; what is free, or in a box, does not.
        models, visitor = self.models, direction.visitor
        may_leave = visitor is not None and models.boxes is None and models.kinds[visitor] != FREE
        may_leave = may_leave and not models.reference.weights[visitor]
        return self._simplex.maximise(*self._hosted(direction, may_leave=may_leave))

    def _by_interior(self, direction: Direction) -> Candidate | None:
        if self._interior is None:
            self._interior = InteriorPath(self.models, self.working_set)
        return self._interior.maximise(*self._hosted(direction, may_leave=False))

    def _hosted(self, direction: Direction, *, may_leave: bool) -> tuple[Direction, int | None]:
        """The direction with a feature that is not resident as a guest, and which one that is."""
        visitor = direction.visitor
        if visitor is None or (self.working_set.position[visitor] >= 0 and not may_leave):
            return direction, None
        return direction.hosted(self.models), visitor

    def ranges(self, features: Iterable[int], *, signed: bool = True) -> list[WeightRange]:
        """Ranges of several weights."""
        features = list(features)
        found = {k: self.weight_range(k, signed=signed) for k in self.models.in_order(features)}
        return [found[feature] for feature in features]

    def weight_range(self, feature: int, *, signed: bool = True) -> WeightRange:
        """The range of a feature's weight.

        With ``signed=False`` only the absolute values matter, and the second program is skipped
        where a model without the feature is known and the other end cannot be farther from zero.
        """
        return self.ask(self.range_question(feature, signed=signed))

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
        gradient = self.models.gradient
        pull = None if gradient is None else float(gradient[feature])
        try:
            optimum, bound = yield from self._beyond(self.end_of(feature, sign), enough, pull)
        except UnprovenError as error:
            largest = float(self.models.largest[feature])
            return End(sign * min(error.bound, largest), unproven=True)
        return End(sign * bound) if optimum is None else self._end(optimum, feature, sign)

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

    def end_of(self, feature: int, sign: int) -> Direction:
        """The direction that an end of a weight's range is about."""
        name = f"feature {feature}" if self.names is None else repr(self.names[feature])
        return Direction.weight(feature, sign, name)

    def end(self, feature: int, sign: int) -> End:
        """An end of a weight's range; raises where it is unproven."""
        return self._end(self.maximise(self.end_of(feature, sign)), feature, sign)

    def _end(self, optimum: Optimum, feature: int, sign: int) -> End:
        value = self.models.rounded(sign * optimum.value, feature, optimum.gap)
        return End(value, Witness.of(optimum.weights, optimum.offsets))

    def side_of(self, feature: int) -> int:
        """The side on which a weight's farther end is likely to be."""
        weight, gradient = self.models.reference.weights[feature], self.models.gradient
        return 1 if (weight or (gradient is not None and gradient[feature])) >= 0 else -1

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


def can_pass(asked: Direction, level: float) -> Question[bool]:
    """Whether the value can be above a level, or nobody could show that it cannot."""
    try:
        optimum, value = yield asked.up_to(level)
    except UnprovenError as error:
        return error.bound > level
    return optimum is not None and value > level
