"""One task of a fit: the range of a feature, or the relevance of a probe."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from allrelevant.linear.engine.direction import Direction
from allrelevant.linear.engine.equivalent import EquivalentModels, Noted
from allrelevant.linear.engine.foresight import Ahead, GuestColumn, Side, Weight, n_foreseen
from allrelevant.linear.engine.screening import ScreeningSolver
from allrelevant.linear.fit.norms import smallest_norm
from allrelevant.linear.fit.probes import Probe, permuted, replaced_relevance, surveyed
from allrelevant.linear.fit.problem import Problem
from allrelevant.linear.fit.prospects import Prospects
from allrelevant.linear.fit.spreads import largest_spread, spread_range


class RangeTask(Protocol):
    """Something to be found out about a feature or a probe."""

    def ask(self, solver: ScreeningSolver, problem: Problem, prospects: Prospects | None) -> Any:
        """Find it; `prospects` say which pairs of classes a probe can set apart."""


@dataclass(frozen=True)
class _OfFeature:
    feature: int


class Both(_OfFeature):
    """Both ends of a feature's range."""

    def ask(self, solver: ScreeningSolver, problem: Problem, _: Prospects | None) -> Any:
        """The range of its weight; of several classes that of their largest difference."""
        if problem.model.n_scores > 1:
            return spread_range(solver, problem.places_of(self.feature, False))
        return solver.weight_range(self.feature, signed=self.feature < problem.n_features)


class Farther(_OfFeature):
    """A feature of which only the end that is farther from zero has to be known exactly."""

    def ask(self, solver: ScreeningSolver, problem: Problem, _: Prospects | None) -> Any:
        """The range of its weight."""
        return solver.weight_range(self.feature, signed=False)


@dataclass(frozen=True)
class OtherEnd(_OfFeature):
    """One end of a feature's range: the smallest weight or, with a sign of 1, the largest."""

    sign: int

    def ask(self, solver: ScreeningSolver, problem: Problem, _: Prospects | None) -> Any:
        """The end that is asked for, or a bound on it."""
        return solver.end_or_bound(Direction.weight(self.feature, self.sign), self.sign)


@dataclass(frozen=True)
class Screened(_OfFeature):
    """A feature whose range has to be known only where its absolute weight can exceed a level."""

    level: float

    def ask(self, solver: ScreeningSolver, problem: Problem, _: Prospects | None) -> Any:
        """The range of its weight."""
        return solver.screened_range(self.feature, self.level)


@dataclass(frozen=True)
class Passing(_OfFeature):
    """A feature of which it is asked whether it is needed, or can exceed a level."""

    level: float

    def ask(self, solver: ScreeningSolver, problem: Problem, _: Prospects | None) -> bool:
        """Whether it is, or can."""
        if problem.model.n_scores == 1:
            return solver.passes(self.feature, self.level) or solver.is_needed(self.feature)
        places = np.array(problem.places_of(self.feature, False), dtype=np.intp)
        most = largest_spread(solver, places, self.level)[0]
        return most.value > self.level or smallest_norm(solver, places).value > 0.0


@dataclass(frozen=True)
class Survey:
    """A probe of which every pair of classes is looked at."""

    probe: Probe

    def ask(self, solver: ScreeningSolver, problem: Problem, _: Prospects | None) -> Any:
        """Pulls and reaches of all pairs."""
        return surveyed(solver.models, problem, self.probe)


@dataclass(frozen=True)
class Answer:
    """The outcome of one task, and how many programs it took and spared.

    `noted` are the models that were found meanwhile, where somebody wants to know.
    """

    outcome: Any
    solved: int
    skipped: int
    noted: tuple[Noted, ...] = ()


@dataclass(frozen=True)
class Together:
    """Tasks that are done one after the other; what they will ask is found out together."""

    tasks: tuple[RangeTask, ...]


def _ahead(task: RangeTask, problem: Problem) -> list[Ahead]:
    """What a task will ask, as far as that is known beforehand."""
    if isinstance(task, Probe):
        columns = problem.columns_of(permuted(problem, task), task.is_privileged)
        return [GuestColumn(column, like, task.least, task.one_sided) for column, like in columns]
    if isinstance(task, OtherEnd):
        return [Side(task.feature, task.sign)]
    if isinstance(task, Both | Farther):
        signed = isinstance(task, Both) and task.feature < problem.n_features
        return [Weight(task.feature, signed)]
    return [Weight(task.feature, level=task.level)] if isinstance(task, Screened) else []


class RangeWorker:
    """Finds ranges of features, or what is asked of them, and relevances of probes.

    Each with what was learned from those before.

    Parameters
    ----------
    problem : Problem
        What the models are models of.
    names : sequence of str, optional
        Names of the engine's features, for error messages.
    replace_probes : bool
        Whether a probe takes the place of its feature.
    prospects : Prospects, optional
        Which pairs of classes have to be looked at for a probe; all where this is unknown.
    """

    def __init__(
        self,
        models: EquivalentModels,
        problem: Problem,
        names: Sequence[str] | None,
        replace_probes: bool,
        prospects: Prospects | None = None,
    ) -> None:
        self._solver = ScreeningSolver(models, names)
        self._problem = problem
        self._replace_probes = replace_probes
        self._prospects = prospects

    def __call__(self, task: RangeTask | Together) -> Any:
        """Do one task, or several."""
        if not isinstance(task, Together):
            return self._answer(task)
        answers = []
        n = n_foreseen(self._solver.models.n_features)
        for start in range(0, len(task.tasks), n):
            some = task.tasks[start : start + n]
            self._solver.foresee([one for own in some for one in _ahead(own, self._problem)])
            answers += [self._answer(own) for own in some]
        return answers

    def _answer(self, task: RangeTask) -> Answer:
        solver, problem = self._solver, self._problem
        if isinstance(task, Probe) and self._replace_probes:
            return Answer(replaced_relevance(solver.models, problem, task), solved=2, skipped=0)
        solved, skipped = solver.solved, solver.skipped
        outcome = task.ask(solver, problem, self._prospects)
        notes = solver.models.notes
        noted = () if notes is None else tuple(notes)
        if notes is not None:
            notes.clear()
        return Answer(outcome, solver.solved - solved, solver.skipped - skipped, noted)
