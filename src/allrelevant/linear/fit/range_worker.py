"""One task of a fit: the range of a feature, or the relevance of a probe."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from allrelevant.linear.engine.direction import Direction
from allrelevant.linear.engine.equivalent import EquivalentModels, Noted
from allrelevant.linear.engine.screening import ScreeningSolver
from allrelevant.linear.fit.norms import smallest_norm
from allrelevant.linear.fit.probes import Probe, appended_relevance, replaced_relevance, surveyed
from allrelevant.linear.fit.problem import Problem
from allrelevant.linear.fit.prospects import Prospects
from allrelevant.linear.fit.spreads import largest_spread, spread_range


@dataclass(frozen=True)
class Farther:
    """A feature of which only the end that is farther from zero has to be known exactly."""

    feature: int


@dataclass(frozen=True)
class OtherEnd:
    """One end of a feature's range: the smallest weight or, with a sign of 1, the largest."""

    feature: int
    sign: int


@dataclass(frozen=True)
class Screened:
    """A feature whose range has to be known only where its absolute weight can exceed a level."""

    feature: int
    level: float


@dataclass(frozen=True)
class Passing:
    """A feature of which it is asked whether it is needed, or can exceed a level."""

    feature: int
    level: float


@dataclass(frozen=True)
class Survey:
    """A probe of which every pair of classes is looked at."""

    probe: Probe


@dataclass(frozen=True)
class Answer:
    """The outcome of one task, and how many programs it took and spared.

    `noted` are the models that were found meanwhile, where somebody wants to know.
    """

    outcome: Any
    solved: int
    skipped: int
    noted: tuple[Noted, ...] = ()


Task = int | Farther | OtherEnd | Screened | Passing | Probe | Survey


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

    def __call__(self, task: Task) -> Answer:
        """Do one task."""
        solver, problem = self._solver, self._problem
        if isinstance(task, Probe) and self._replace_probes:
            return Answer(replaced_relevance(solver.models, problem, task), solved=2, skipped=0)
        solved, skipped = solver.solved, solver.skipped
        outcome: Any
        if isinstance(task, Probe):
            outcome = appended_relevance(solver, problem, task, self._prospects)
        elif isinstance(task, Survey):
            outcome = surveyed(solver.models, problem, task.probe)
        elif isinstance(task, Farther):
            outcome = solver.weight_range(task.feature, signed=False)
        elif isinstance(task, OtherEnd):
            outcome = solver.end_or_bound(Direction.weight(task.feature, task.sign), task.sign)
        elif isinstance(task, Screened):
            outcome = solver.screened_range(task.feature, task.level)
        elif isinstance(task, Passing):
            outcome = self._passes(task)
        elif problem.model.n_scores > 1:
            outcome = spread_range(solver, problem.places_of(task, False))
        else:
            outcome = solver.weight_range(task, signed=task < problem.n_features)
        notes = solver.models.notes
        noted = () if notes is None else tuple(notes)
        if notes is not None:
            notes.clear()
        return Answer(outcome, solver.solved - solved, solver.skipped - skipped, noted)

    def _passes(self, task: Passing) -> bool:
        solver, problem = self._solver, self._problem
        if problem.model.n_scores == 1:
            return solver.passes(task.feature, task.level) or solver.is_needed(task.feature)
        places = np.array(problem.places_of(task.feature, False), dtype=np.intp)
        most, _ = largest_spread(solver, places, task.level)
        return most.value > task.level or smallest_norm(solver, places).value > 0.0
