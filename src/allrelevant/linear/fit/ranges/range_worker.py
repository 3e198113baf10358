"""One task of a fit: the range of a feature, or the relevance of a probe."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np

from allrelevant.linear.engine.batch.foresight import Question, at_once
from allrelevant.linear.engine.program.equivalent import EquivalentModels, Noted
from allrelevant.linear.engine.ranges.screening import ScreeningSolver
from allrelevant.linear.fit.problem.problem import Problem
from allrelevant.linear.fit.ranges.norms import smallest_norm
from allrelevant.linear.fit.ranges.probes import Probe, replaced_relevance, surveyed
from allrelevant.linear.fit.ranges.prospects import Prospects
from allrelevant.linear.fit.ranges.spreads import largest_spread, spread_range


class RangeTask(Protocol):
    """Something to be found out about a feature or a probe."""

    def ask(self, solver: ScreeningSolver, problem: Problem, prospects: Prospects | None) -> Any:
        """Find it; `prospects` say which pairs of classes a probe can set apart."""


@runtime_checkable
class Foreseen(RangeTask, Protocol):
    """One of which it can be foreseen what will be asked, where a model has one score."""

    def question(self, solver: ScreeningSolver, problem: Problem) -> Question[Any]:
        """How to find it."""


@dataclass(frozen=True)
class _OfFeature:
    feature: int


class _Foreseen(_OfFeature):
    def ask(self, solver: ScreeningSolver, problem: Problem, _: Prospects | None) -> Any:
        """Find it."""
        return solver.ask(self.question(solver, problem))

    def question(self, solver: ScreeningSolver, problem: Problem) -> Question[Any]:
        """How to find it."""
        raise NotImplementedError


class Both(_Foreseen):
    """Both ends of a feature's range."""

    def ask(self, solver: ScreeningSolver, problem: Problem, _: Prospects | None) -> Any:
        """The range of its weight; of several classes that of their largest difference."""
        if problem.model.n_scores > 1:
            return spread_range(solver, problem.places_of(self.feature, False))
        return super().ask(solver, problem, _)

    def question(self, solver: ScreeningSolver, problem: Problem) -> Question[Any]:
        """The range of its weight."""
        return solver.range_question(self.feature, signed=self.feature < problem.n_features)


class Farther(_Foreseen):
    """A feature of which only the end that is farther from zero has to be known exactly."""

    def question(self, solver: ScreeningSolver, problem: Problem) -> Question[Any]:
        """The range of its weight."""
        return solver.range_question(self.feature, signed=False)


@dataclass(frozen=True)
class OtherEnd(_Foreseen):
    """One end of a feature's range: the smallest weight or, with a sign of 1, the largest."""

    sign: int

    def question(self, solver: ScreeningSolver, problem: Problem) -> Question[Any]:
        """The end that is asked for, or a bound on it."""
        return solver.end_question(self.feature, self.sign)


@dataclass(frozen=True)
class Screened(_Foreseen):
    """A feature whose range has to be known only where its absolute weight can exceed a level."""

    level: float

    def question(self, solver: ScreeningSolver, problem: Problem) -> Question[Any]:
        """The range of its weight."""
        return solver.screening_question(self.feature, self.level)


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
        n = at_once(self._solver.models.n_features)
        for start in range(0, len(task.tasks), n):
            some = task.tasks[start : start + n]
            self._solver.foresee(
                own.question(self._solver, self._problem)
                for own in some
                if isinstance(own, Foreseen)
            )
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
