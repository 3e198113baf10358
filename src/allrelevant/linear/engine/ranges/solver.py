"""The range of every weight over the equivalent models: programs, and who solves them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal

import numpy as np

from allrelevant.linear.engine.batch.foresight import Foresight, Question, Settled, T
from allrelevant.linear.engine.interior.below import BelowPath, are_large
from allrelevant.linear.engine.interior.solver import InteriorPath
from allrelevant.linear.engine.program.direction import Direction
from allrelevant.linear.engine.program.equivalent import EquivalentModels
from allrelevant.linear.engine.program.optimum import Candidate, Optimum, UnprovenError
from allrelevant.linear.engine.program.reach import FREE
from allrelevant.linear.engine.program.refine import refined
from allrelevant.linear.engine.program.working_set import WorkingSet
from allrelevant.linear.engine.ranges.questions import RangeQuestions
from allrelevant.linear.engine.ranges.weight_range import End, WeightRange
from allrelevant.linear.engine.simplex.growth import TooLarge
from allrelevant.linear.engine.simplex.solver import SimplexPath

Solver = Literal["auto", "simplex", "interior"]

# Undecided pieces, and their entries that are not zero: with more the interior point is faster. It
# fills programs further: 200 × 10,000 took 20 times as long with a limit of 10,000 entries.
SIMPLEX_PIECES, SIMPLEX_ENTRIES = 500, 25_000
CLASS_PIECES = 5000  # the same where a piece has the columns of two classes only, and else zeros
_VERY_MANY = 20_000  # undecided pieces, which are too many for the simplex method


class RangeSolver(RangeQuestions):
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
        super().__init__(models, names)
        self.solved = 0
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
            self._see(optimum.weights)
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

    def end(self, feature: int, sign: int) -> End:
        """An end of a weight's range; raises where it is unproven."""
        return self.end_at(self.maximise(self.end_of(feature, sign)), feature, sign)
