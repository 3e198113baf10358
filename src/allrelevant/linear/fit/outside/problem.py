"""What the engine is given where most rows are elsewhere: the core, and what is known of all."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from allrelevant.base.arrays import Floats, Ints
from allrelevant.data import Matrix
from allrelevant.linear.engine.baseline.penalised import PenalisedPath
from allrelevant.linear.engine.program.equivalent import EquivalentModels
from allrelevant.linear.engine.program.limits import Budget
from allrelevant.linear.engine.program.optimum import SolverError
from allrelevant.linear.engine.program.pieces import Pieces
from allrelevant.linear.engine.program.reference import Penalised
from allrelevant.linear.engine.ranges.weight_range import WeightRange
from allrelevant.linear.fit.outside.core import Core, Seen
from allrelevant.linear.fit.outside.outside import Noise, Outside
from allrelevant.linear.fit.problem.plain import Problem, Run
from allrelevant.linear.fit.rows.sample import Sample
from allrelevant.linear.fit.statistics.noise import Shapes

logger = logging.getLogger(__name__)
_MOST_ROUNDS = 60
_PILOT = 20_000  # rows that are asked first where the others will go


@dataclass(frozen=True, eq=False)
class CoreProblem(Problem):
    """The problem of all rows; `sample` are some that were drawn, and tell about the others.

    `cores` has the core once there is a reference model.
    """

    cores: list[Core] = field(default_factory=list)

    @property
    def outside(self) -> Outside:
        """All rows."""
        assert self.sample.outside is not None
        return self.sample.outside

    @property
    def core(self) -> Core:
        """The rows that programs see."""
        return self.cores[-1]

    def apart(self) -> CoreProblem:
        """A copy of the problem, whose core grows by itself."""
        return replace(self, cores=[self.core.apart()])

    @property
    def matrix(self) -> Matrix:
        """The core's."""
        return self.core.matrix

    @property
    def pieces(self) -> Pieces:
        """The core's."""
        return self.core.pieces

    @property
    def kinds(self) -> Ints:
        """All columns are main ones."""
        return np.zeros(self.n_features, dtype=np.intp)

    @property
    def shapes(self) -> Shapes:
        """The shapes of the columns over all rows."""
        return self.outside.shapes

    def useful_columns(self, privileged: bool) -> Ints:
        """Columns that are not constant, in the order that the drawn rows give."""
        order = super().useful_columns(privileged)
        varied = order[(self.outside.high - self.outside.low)[order] > 0]
        return varied if len(varied) else order

    def path(self, start: Penalised | None = None) -> PenalisedPath:
        """The solver of the reference model."""
        return CorePath(self, start)

    def noise(self, feature: int, seed: int, privileged: bool, by: int | None = None) -> Floats:
        """A column of values that were drawn for every row."""
        return self.core.column((feature, seed))

    def of_part(self, C: float) -> tuple[FewProblem, Penalised, float]:
        """The problem of some rows, its minimum, and their share of all."""
        few, near = self.of_few(C, _PILOT)
        return few, near, few.sample.whole_weight / self.outside.weight

    def of_few(self, C: float, most: int) -> tuple[FewProblem, Penalised]:
        """The problem of rows that were drawn, and its minimum for the C of all rows."""
        few = FewProblem(self.model, _some(self.sample, most), self.outside)
        return few, few.path().solve(C * self.outside.weight / few.sample.whole_weight)

    def mean_loss(self, fitted: Penalised) -> tuple[float, float]:
        """The mean loss of a row, and its standard error."""
        n, core = len(self.outside), self.core
        mean = core.first_loss / n
        return mean, float(np.sqrt(max(core.first_squares - n * mean**2, 0.0))) / n

    def present(self, models: EquivalentModels) -> EquivalentModels:
        """The same models on the core as it is by now."""
        return self.core.present(models)

    def solved(
        self,
        tasks: Sequence[Any],
        guests: Sequence[Noise | None],
        models: EquivalentModels,
        run: Run,
    ) -> list[Any]:
        """Answers that hold on all rows: what lacks some is asked again with them."""
        core = self.core
        new = [noise for noise in guests if noise is not None]
        core.welcome(new)
        core.widen(self._pilot(tasks, guests, models, run))
        answers: dict[int, Any] = {}
        left = list(range(len(tasks)))
        for attempt in range(_MOST_ROUNDS):
            noting = replace(core.present(models), notes=[])
            found = run([tasks[k] for k in left], self, noting, quietly=attempt > 0)
            seen = [
                (k, Seen.of(one, guests[k]))
                for k, answer in zip(left, found, strict=True)
                for one in answer.noted
            ]
            lacks = core.lacks([one for _, one in seen])
            again = {k for (k, _), is_lacking in zip(seen, lacks, strict=True) if is_lacking}
            answers.update({k: _by_itself(one) for k, one in zip(left, found, strict=True)})
            logger.info("core of %d rows: %d of %d again", len(core.rows), len(again), len(left))
            left = sorted(again)
            if not left:
                return [answers[k] for k in range(len(tasks))]
        raise SolverError("the rows that decide the equivalent models could not be settled")

    def _pilot(
        self,
        tasks: Sequence[Any],
        guests: Sequence[Noise | None],
        models: EquivalentModels,
        run: Run,
    ) -> list[Seen]:
        """Models of some rows, moved to the reference: where those of all rows will be, about."""
        few, near, part = self.of_part(models.reference.C)
        if near.norm <= 0.0 or near.loss <= 0.0:
            return []
        budgets = tuple(_in_terms_of(near, models, budget, 1.0 / part) for budget in models.budgets)
        some = EquivalentModels(few.matrix, few.pieces, budgets, near.as_reference(), notes=[])
        weights = models.reference.weights - near.weights
        offsets = models.reference.offsets - near.offsets
        return [
            Seen.of(one, noise).moved(weights, offsets)
            for answer, noise in zip(run(tasks, few, some, quietly=True), guests, strict=True)
            for one in answer.noted
        ]


@dataclass(frozen=True, eq=False)
class FewProblem(Problem):
    """The problem of rows that were drawn, with the noise that all rows have."""

    outside: Outside

    def noise(self, feature: int, seed: int, privileged: bool, by: int | None = None) -> Floats:
        """Values that were drawn for these rows."""
        assert self.sample.source is not None
        return self.outside.guest(feature, seed).values(self.sample.source)


class CorePath(PenalisedPath):
    """Solves ``min ‖w‖₁ + C·loss`` of all rows, from the minimum of some."""

    def __init__(self, problem: CoreProblem, start: Penalised | None = None) -> None:
        self.problem, self._start = problem, start

    def solve(self, C: float, side_price: float = 1.0) -> Penalised:
        """The minimum for this C."""
        problem = self.problem
        few, near = problem.of_few(C, len(problem.sample))
        core = Core(problem.outside, problem.model, near.weights, near.offsets, _band(few, near))
        found = near
        for _ in range(_MOST_ROUNDS):
            found = PenalisedPath(core.matrix, core.pieces, start=found).solve(C)
            n = len(core.rows)
            if not core.lacks([Seen(found.weights, found.offsets)]).any():
                break
            logger.info("baseline: core of %d rows, then %d", n, len(core.rows))
        else:
            raise SolverError("the rows that decide the baseline could not be settled")
        near_kinks = _nearest(core, found, few.pieces)
        around = Core(problem.outside, problem.model, found.weights, found.offsets, near_kinks)
        problem.cores[:] = [around]
        return replace(found, row_duals=around.multipliers(core, found.row_duals, C))


def _band(few: Problem, near: Penalised) -> float:
    """Residuals of rows that are on another side at the best model of all rows than of a few."""
    residuals = np.abs(few.pieces.residuals(few.matrix.scores(near.weights), near.offsets))
    n_parameters = few.n_features + few.pieces.n_offsets
    share = min(2.0 * np.sqrt(n_parameters / len(residuals)), 1.0)
    return float(np.quantile(residuals, share))


def _nearest(core: Core, found: Penalised, pieces: Pieces) -> float:
    """The band of the rows nearest to their kinks; those at them have any multiplier."""
    own = core.pieces
    residuals = np.abs(own.residuals(core.matrix.scores(found.weights), found.offsets))
    most = 2 * int(np.sqrt(len(core.outside) * (len(found.weights) + own.n_offsets)))
    ordered = np.sort(residuals)
    # Of the core's rows only: others are farther away, or their sides are not in doubt.
    return max(float(ordered[min(most, len(ordered) // 2)]), 1e-6)


def _some(sample: Sample, most: int) -> Sample:
    """Some of the drawn rows, if they are many."""
    if len(sample) <= most:
        return replace(sample, outside=None)
    rows = np.random.default_rng(len(sample)).permutation(len(sample))[:most]
    return sample.take(np.sort(rows))


def _in_terms_of(
    near: Penalised, models: EquivalentModels, budget: Budget, factor: float
) -> Budget:
    """A budget of models of all rows as one of some rows: relative to their own minimum."""
    reference = models.reference
    norm = float(np.abs(reference.weights).sum())
    loss = (reference.objective - norm) / reference.C
    spent = budget.norm * norm + budget.loss * loss
    its = Budget(budget.norm, budget.loss * factor, 0.0)
    relative = budget.limit / spent if spent > 0 else 1.0
    return replace(its, limit=relative * (its.norm * near.norm + its.loss * near.loss))


def _by_itself(answer: Any) -> Any:
    """An answer in which other tasks' models, that were looked at later, have no say."""
    found = answer.outcome
    if isinstance(found, WeightRange) and not (found.low.is_bound or found.high.is_bound):
        has_zero = found.low.value <= 0.0 <= found.high.value
        answer = replace(answer, outcome=replace(found, contains_zero=has_zero))
    return replace(answer, noted=())
