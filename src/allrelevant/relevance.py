"""Ranges of all features and relevances of all probes, through one call of a backend."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from allrelevant import backends
from allrelevant.engine.equivalent import MAIN, EquivalentModels
from allrelevant.engine.pieces import Floats
from allrelevant.engine.ranges import RangeSolver, WeightRange
from allrelevant.probes import Probe, appended_relevance, replaced_relevance
from allrelevant.problem import Problem

_FEWEST_USABLE = 10


@dataclass(frozen=True, eq=False)
class Relevances:
    """What was found about features and probes, in the engine's units.

    `probes` has one row (minrel, maxrel) per usable probe. Those of privileged features, where
    there are some, have a list of ranges each: one for every function of them.
    """

    ranges: tuple[WeightRange, ...]
    probes: Floats
    solved: int = 0
    skipped: int = 0
    warnings: list[str] = field(default_factory=list)
    privileged: tuple[tuple[WeightRange, ...], ...] = ()
    privileged_probes: Floats = field(default_factory=lambda: np.zeros((0, 2)))


@dataclass(frozen=True)
class Answer:
    """The outcome of one task, and how many programs it took and spared."""

    outcome: Any
    solved: int
    skipped: int


class RangeWorker:
    """Finds ranges of features (tasks that are numbers) and relevances of probes.

    Parameters
    ----------
    models : EquivalentModels
    problem : Problem
        What the models are models of.
    names : sequence of str
        Names of the engine's features.
    replace_probes : bool
        Whether a probe takes the place of its feature.
    """

    def __init__(
        self,
        models: EquivalentModels,
        problem: Problem,
        names: Sequence[str],
        replace_probes: bool,
    ) -> None:
        self._solver = RangeSolver(models, names)
        self._problem = problem
        self._replace_probes = replace_probes

    def __call__(self, task: int | Probe) -> Answer:
        """Do one task."""
        solver, problem = self._solver, self._problem
        if isinstance(task, Probe) and self._replace_probes:
            return Answer(replaced_relevance(solver.models, problem, task), solved=2, skipped=0)
        solved, skipped = solver.solved, solver.skipped
        outcome: Any
        if isinstance(task, Probe):
            outcome = appended_relevance(solver, problem, task)
        else:
            outcome = solver.weight_range(task, signed=solver.models.kind(task) == MAIN)
        return Answer(outcome, solver.solved - solved, solver.skipped - skipped)


def find_relevances(
    models: EquivalentModels,
    problem: Problem,
    probes: Sequence[Probe],
    *,
    names: Sequence[str],
    replace_probes: bool = False,
    n_jobs: int | None = None,
    advance: Callable[[int], Any] = lambda n: None,
) -> Relevances:
    """Ranges of all features and relevances of the probes."""
    n_ranges = problem.n_features + problem.n_functions * problem.n_privileged
    features = models.in_order(range(n_ranges))
    make = partial(RangeWorker, models, problem, names, replace_probes)
    answers = backends.run(make, [*probes, *features], n_jobs, advance)
    of_probes = answers[: len(probes)]
    ranges = [answers[len(probes) + k].outcome for k in np.argsort(features)]
    warnings: list[str] = []
    usable = {}
    for is_privileged in (False, True):
        chosen = [k for k, probe in enumerate(probes) if probe.is_privileged == is_privileged]
        outcomes = [of_probes[k].outcome for k in chosen if of_probes[k].outcome is not None]
        warnings += _about_infeasible(len(outcomes), len(chosen), is_privileged)
        if len(outcomes) < min(_FEWEST_USABLE, len(chosen)):
            make = partial(RangeWorker, models, problem, names, False)
            again = backends.run(make, [probes[k] for k in chosen], n_jobs)
            answers += again
            outcomes = [answer.outcome for answer in again]
        usable[is_privileged] = np.array(outcomes, dtype=float).reshape(-1, 2)
    return Relevances(
        ranges=tuple(ranges[: problem.n_features]),
        probes=usable[False],
        solved=sum(answer.solved for answer in answers),
        skipped=sum(answer.skipped for answer in answers),
        warnings=warnings,
        privileged=tuple(
            tuple(ranges[place] for place in problem.places_of(k, True))
            for k in range(problem.n_privileged)
        ),
        privileged_probes=usable[True],
    )


def _about_infeasible(n_usable: int, n_probes: int, is_privileged: bool) -> list[str]:
    """What to tell people about probes that could not take the place of a feature."""
    probes = "privileged probes" if is_privileged else "probes"
    if n_usable == n_probes:
        return []
    messages = [f"{n_probes - n_usable} of {n_probes} {probes} infeasible"]
    if n_usable < min(_FEWEST_USABLE, n_probes):
        messages.append(
            f"only {n_usable} {probes} could take the place of a feature; the noise thresholds "
            "come from appended probes instead"
        )
    return messages
