"""Ranges of all features and relevances of all probes, through one call of a backend."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any

import numpy as np

from allrelevant import backends
from allrelevant.base.arrays import Floats
from allrelevant.linear.engine.batch.company import programs_together
from allrelevant.linear.engine.batch.guests import ManyGuests
from allrelevant.linear.engine.interior.below import are_large
from allrelevant.linear.engine.program.equivalent import EquivalentModels
from allrelevant.linear.engine.program.optimum import SolverError
from allrelevant.linear.engine.ranges.weight_range import WeightRange
from allrelevant.linear.fit.problem.problem import Problem
from allrelevant.linear.fit.ranges.probes import Probe, draw_probes
from allrelevant.linear.fit.ranges.prospects import Prospects, most_probes, n_surveyed
from allrelevant.linear.fit.ranges.range_worker import (
    Answer,
    Passing,
    RangeTask,
    RangeWorker,
    Screened,
    Survey,
    Together,
)
from allrelevant.linear.fit.ranges.spreads import SpreadRange
from allrelevant.linear.fit.statistics.noise import Shapes, Tail

_FEWEST_USABLE = 10
_SCREENED = (1000, 4)  # features for which a batch pays, and the most batches
_TOGETHER, _TURNS = (64, 16), 2  # the same of tasks that are solved together, and turns of these
_NO_ROOM = 0.01  # of the norm that models may waste: no probe reaches as far


def beyond_spare(reach: Floats, spare: float) -> Floats:
    """Reaches of noise; so much farther as models may waste norm, where it has no room at all.

    Where the target follows from the features without any error, no model has room for noise. But
    columns that are sums of others can have weights that cancel out: all that is spare.
    """
    return reach + spare if reach.max(initial=0.0) < _NO_ROOM * spare else reach


@dataclass(frozen=True, eq=False)
class ProbeReaches:
    """Usable probes and (minrel, maxrel) of each.

    Reaches beyond the first `n_exact` are exact only above where the tail of all begins.
    """

    probes: tuple[Probe, ...] = ()
    values: Floats = field(default_factory=lambda: np.zeros((0, 2)))
    n_exact: int = 0

    def __len__(self) -> int:
        return len(self.probes)

    def tail(self, shapes: Shapes) -> Tail:
        """What they say about noise in features of these shapes."""
        features = np.array([probe.feature for probe in self.probes], dtype=np.intp)
        return Tail.of(self.values[:, 1], shapes.take(features), self.n_exact)

    def in_shares_of(self, norm: float) -> ProbeReaches:
        """The reaches as shares of a norm."""
        return replace(self, values=self.values / norm)

    def beyond(self, spare: float) -> ProbeReaches:
        """The reaches, farther if noise has no room at all."""
        lowest, reach = self.values.T
        return replace(self, values=np.column_stack([lowest, beyond_spare(reach, spare)]))

    def and_more(self, probes: Sequence[Probe], values: Floats, *, exact: bool) -> ProbeReaches:
        """These, and others that are exact, or are so in the tail only."""
        n_exact = len(self) + len(probes) if exact else self.n_exact
        return ProbeReaches((*self.probes, *probes), np.vstack([self.values, values]), n_exact)


@dataclass(frozen=True, eq=False)
class Relevances:
    """What was found about features and probes, in the engine's units.

    Privileged features, where there are some, have a list of ranges each: one for every function
    of them. `n_lost` probes were left out, because how far they reach could not be proven.
    """

    ranges: tuple[WeightRange | SpreadRange, ...]
    probes: ProbeReaches
    solved: int = 0
    skipped: int = 0
    n_lost: int = 0
    warnings: list[str] = field(default_factory=list)
    privileged: tuple[tuple[WeightRange, ...], ...] = ()
    privileged_probes: ProbeReaches = field(default_factory=lambda: ProbeReaches())


def _counted(parts: Sequence[Together], advance: Callable[[int], Any]) -> Callable[[int], None]:
    """Tells of tasks where parts are done, as many as parts have in the mean."""
    n_tasks, n_done = sum(len(part.tasks) for part in parts), 0

    def tell(more: int) -> None:
        nonlocal n_done
        before, n_done = n_done * n_tasks // len(parts), n_done + more
        advance(n_done * n_tasks // len(parts) - before)

    return tell


@dataclass(frozen=True, eq=False)
class RelevanceTask:
    """The models to look at, what they are models of, and where the work is done.

    Parameters
    ----------
    names : sequence of str, optional
        Names of the engine's features, for error messages.
    replace_probes : bool
        Whether a probe takes the place of its feature.
    advance : callable
        Told the number of programs just solved.
    """

    models: EquivalentModels
    problem: Problem
    names: Sequence[str] | None
    replace_probes: bool = False
    n_jobs: int | None = None
    advance: Callable[[int], Any] = lambda n: None

    def run(self, tasks: Sequence[RangeTask], *, append: bool = False) -> list[Answer]:
        """Ranges of features and relevances of probes."""
        if not tasks:
            return []
        replaces = self.replace_probes and not append
        n_probes = 0 if replaces else sum(isinstance(task, Probe) for task in tasks)
        pays = n_probes > n_surveyed(self.problem.model.n_scores)
        prospects = self.prospects if pays else None
        guests = [(t.feature, t.seed) if isinstance(t, Probe) else None for t in tasks]
        run = partial(self._run, replaces, prospects)
        return self.problem.solved(tasks, guests, self.models, run)

    def _run(
        self,
        replaces: bool,
        prospects: Prospects | None,
        tasks: Sequence[RangeTask],
        problem: Problem,
        models: EquivalentModels,
        *,
        quietly: bool = False,
    ) -> list[Answer]:
        make = partial(RangeWorker, models, problem, self.names, replaces, prospects)
        advance = (lambda n: None) if quietly else self.advance
        # What screens one feature screens others, so those stay together.
        screens = isinstance(tasks[-1], Screened | Passing)
        if replaces or problem.model.n_scores > 1 or not ManyGuests.takes(models):
            n_batches = backends.shares_of(len(tasks), *(_SCREENED if screens else ()))
            return backends.run(make, tasks, self.n_jobs, advance, n_batches)
        least = min(_TOGETHER[0], _TURNS * programs_together(len(models.pieces)))
        shares = _SCREENED if screens else (least, _TOGETHER[1])
        n = backends.shares_of(len(tasks), *shares)
        parts = [Together(tuple(tasks[k::n])) for k in range(n)]
        answers: list[Any] = [*tasks]  # each in the place of its task
        told = backends.run(make, parts, self.n_jobs, _counted(parts, advance), n)
        for k, own in enumerate(told):
            answers[k::n] = own
        return answers

    @property
    def probes_are_dear(self) -> bool:
        """Whether probes take so long that there have to be few."""
        return are_large(self.models)

    @property
    def most_probes(self) -> int:
        """How many probes there are at most."""
        return most_probes(self.problem.model.n_scores, are_dear=self.probes_are_dear)

    @cached_property
    def prospects(self) -> Prospects | None:
        """Which pairs of several classes noise can set apart.

        None where there is one score, and where most pairs are settled by bounds, for less.
        """
        n_classes = self.problem.model.n_scores
        if n_classes == 1 or self.probes_are_dear:
            return None
        columns = self.problem.useful_columns(False)
        drawn = draw_probes(n_surveyed(n_classes), columns, np.random.RandomState(n_classes))
        quietly = replace(self, advance=lambda n: None)  # these are in nobody's count
        answers = [answer.outcome for answer in quietly.run([Survey(probe) for probe in drawn])]
        known = [outcome for outcome in answers if outcome is not None]
        if not known:
            return None
        pulls, reaches = zip(*known, strict=True)
        return Prospects.of(np.array(pulls), np.array(reaches))


def find_relevances(
    task: RelevanceTask,
    probes: Sequence[Probe],
    asked: Sequence[RangeTask],
    known: Sequence[WeightRange] = (),
) -> Relevances:
    """What is asked of features, or what is known of them, and relevances of the probes."""
    problem = task.problem
    features = task.models.in_order(range(len(asked)))
    answers = task.run([*probes, *(asked[k] for k in features)])
    of_probes = answers[: len(probes)]
    ranges = [*known, *(answers[len(probes) + k].outcome for k in np.argsort(features))]
    warnings: list[str] = []
    usable, n_lost = {}, 0
    for is_privileged in (False, True):
        chosen = [k for k, probe in enumerate(probes) if probe.is_privileged == is_privileged]
        drawn = [probes[k] for k in chosen]
        reaches = _reaches(drawn, [of_probes[k] for k in chosen])
        if task.replace_probes:
            warnings += _about_infeasible(len(reaches), len(drawn), is_privileged)
        if task.replace_probes and len(reaches) < min(_FEWEST_USABLE, len(drawn)):
            again = task.run(drawn, append=True)
            answers += again
            reaches = _reaches(drawn, again)
            n_lost += len(drawn) - len(reaches)
        elif not task.replace_probes:
            n_lost += len(drawn) - len(reaches)
        if drawn and not len(reaches):
            raise SolverError("the upper end of the interval could not be proven for any probe")
        usable[is_privileged] = reaches
    return Relevances(
        ranges=tuple(ranges[: problem.n_features]),
        probes=usable[False],
        solved=sum(answer.solved for answer in answers),
        skipped=sum(answer.skipped for answer in answers),
        n_lost=n_lost,
        warnings=warnings,
        privileged=tuple(
            tuple(ranges[place] for place in problem.places_of(k, True))
            for k in range(problem.n_privileged)
        ),
        privileged_probes=usable[True],
    )


def _reaches(probes: Sequence[Probe], answers: Sequence[Answer]) -> ProbeReaches:
    """What is known of probes; those of which nothing could be proven are left out."""
    pairs = zip(probes, answers, strict=True)
    found = [(probe, answer.outcome) for probe, answer in pairs if answer.outcome is not None]
    values = np.array([outcome for _, outcome in found], dtype=float).reshape(-1, 2)
    return ProbeReaches(tuple(probe for probe, _ in found), values, len(values))


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
