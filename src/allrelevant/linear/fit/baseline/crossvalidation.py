"""Candidates for C: each is fitted on the training rows of all folds and tried on the others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from operator import methodcaller
from typing import Any

import numpy as np

from allrelevant import backends
from allrelevant.base.arrays import Floats
from allrelevant.linear.engine.program.optimum import SolverError
from allrelevant.linear.engine.program.reference import Penalised
from allrelevant.linear.fit.baseline.candidate import Choice, Tested
from allrelevant.linear.fit.baseline.kinds import BaselineKind, Sparsest
from allrelevant.linear.fit.problem.problem import problem_of
from allrelevant.linear.fit.rows.folds import Split
from allrelevant.linear.fit.rows.sample import Sample
from allrelevant.linear.models import LinearModel

_FIRST_STRETCH, _NEXT_STRETCH = 8, 3  # values of C that are tried before the folds are compared
_FIRST_SPARSE, _NEXT_SPARSE = 3, 1  # where few features may be used: the last steps cost most
_PATIENCE = 3  # values of C beyond the best one that are tried at most
_CLEARLY = 2.0  # standard errors
_VANISHED = 1e-6  # per unit of weight: a loss this small is none
_SETTLED = 0.9999  # a loss that falls by less with the next C has come to its end


@dataclass(frozen=True, eq=False)
class Trial:
    """A model, the values of C to try on a sample, and the γ to try them with.

    Models that use more than `most_features` are of no interest. `kind` says what is fitted,
    `chosen` that the values of C are those of its grid.
    """

    model: LinearModel
    sample: Sample
    Cs: Floats
    gamma: float = 1.0
    most_features: float = np.inf
    kind: BaselineKind = field(default_factory=Sparsest)
    chosen: bool = True


@dataclass(frozen=True, eq=False)
class Steps:
    """Some steps along the path of one fold, for its test rows.

    What could not be fitted is not a number. `has_ended` says that larger C change nothing any
    more.
    """

    losses: Floats
    scores: Floats
    offsets: Floats
    used: Floats
    latest: Penalised | None
    has_ended: bool


@dataclass(frozen=True, eq=False)
class Stretch:
    """What a worker is given: a trial, a split, the values of C, and the fit before them."""

    trial: Trial
    split: Split
    Cs: Floats
    start: Penalised | None

    def run(self) -> Steps:
        """Fit for each C in turn and try on the test rows.

        The path ends where the training loss has vanished, for the model changes no more.
        """
        model, sample, gamma = self.trial.model, self.trial.sample, self.trial.gamma
        split, kind, chosen = self.split, self.trial.kind, self.trial.chosen
        inside = sample.take(split.train, split.train_times)
        outside = sample.take(split.test, split.test_times)
        problem = problem_of(model, inside)
        path, latest = kind.path(problem, self.start, chosen=chosen), self.start
        scale = float(sample.weight.sum() / inside.weight.sum())
        nothing = np.full(len(outside), np.nan)
        no_scores = (
            nothing if model.n_scores == 1 else np.full((len(outside), model.n_scores), np.nan)
        )
        losses, scores, offsets, used = [], [], [], []
        before = np.inf if self.start is None else self.start.loss
        has_ended = False
        for C in self.Cs:
            try:
                latest = fitted = path.solve(C * scale, gamma)
            except SolverError:
                path = kind.path(problem, latest, chosen=chosen)
                losses.append(nothing)
                scores.append(no_scores)
                offsets.append(np.full(problem.pieces.n_offsets, np.nan))
                used.append(np.nan)
                continue
            central = kind.central(problem, fitted)
            losses.append(problem.losses_on(outside, central) / outside.count)
            scores.append(problem.scores_of(outside, fitted.weights))
            used.append(float(problem.n_used(fitted.weights)))
            offsets.append(problem.predicting_offsets(central))
            vanished = fitted.loss <= _VANISHED * inside.weight.sum()
            settled = inside.privileged is not None and fitted.loss > _SETTLED * before
            before = fitted.loss
            has_ended = bool(vanished or (settled and used[-1] > problem.n_functions))
            if has_ended:
                break
        return Steps(
            np.array(losses), np.array(scores), np.array(offsets), np.array(used), latest, has_ended
        )


class Walk:
    """The folds of one trial, side by side along the values of C.

    No fold takes the next stretch before all have taken the last one: only the loss over all folds
    says when larger C are no use.
    """

    def __init__(self, trial: Trial, splits: Sequence[Split]) -> None:
        self.trial, self.splits = trial, splits
        self._parts: list[list[Steps]] = [[] for _ in splits]
        self.n_tried = 0
        self.choices: list[Choice] = []
        self._outside = [trial.sample.take(split.test, split.test_times) for split in splits]
        self._left_out: list[float] = []

    @property
    def _next(self) -> Floats:
        first, following = _stretches(self.trial)
        return self.trial.Cs[self.n_tried : self.n_tried + (following if self.n_tried else first)]

    @property
    def _portions(self) -> list[Floats]:
        """The next values of C; many in two portions, for five folds are hard to share by two.

        That costs nothing: where a path begins matters little.
        """
        is_long = len(self._next) >= _FIRST_STRETCH and self.trial.sample.privileged is None
        return np.array_split(self._next, 2) if is_long else [self._next]

    def stretches(self) -> list[Stretch]:
        """What has to be done next; nothing for folds that have ended."""
        going = [(s, p) for s, p in zip(self.splits, self._parts, strict=True) if not _ended(p)]
        return [
            Stretch(self.trial, split, Cs, parts[-1].latest if parts else None)
            for Cs in self._portions
            for split, parts in going
        ]

    def take(self, steps: Sequence[Steps]) -> None:
        """Take in what the stretches have found."""
        n_new = len(self._next)
        found = iter(steps)
        going = [parts for parts in self._parts if not _ended(parts)]
        for _ in self._portions:
            for parts in going:
                one = next(found)
                if not _ended(parts):
                    parts.append(one)
        for k in range(self.n_tried, self.n_tried + n_new):
            choice = self._choice(k)
            if choice is None or choice.n_missing:
                self._left_out.append(float(self.trial.Cs[k]))
            if choice is not None:
                self.choices.append(choice)
        self.n_tried += n_new

    @property
    def usable(self) -> list[Choice]:
        """The candidates to choose from: those that all folds know, if there is one.

        What some folds say of one C cannot be compared with what all say of another.
        """
        whole = [choice for choice in self.choices if not choice.n_missing] or self.choices
        if not whole:
            raise SolverError("no model could be fitted to the training rows of any fold")
        return [replace(choice, left_out=tuple(self._left_out)) for choice in whole]

    def _choice(self, k: int) -> Choice | None:
        """The candidate for the k-th C; folds that have ended stay as they were at their end."""
        sample = self.trial.sample
        losses, times = np.zeros(len(sample)), np.zeros(len(sample))
        used, tested = [], []
        for split, parts, few in zip(self.splits, self._parts, self._outside, strict=True):
            steps, place = _locate(parts, k)
            if np.isnan(steps.used[place]):
                continue
            losses[split.test] += few.numbers * steps.losses[place]
            times[split.test] += few.numbers
            used.append(steps.used[place])
            scores, offsets = steps.scores[place], steps.offsets[place]
            tested.append(
                Tested(
                    split.test,
                    few.target,
                    scores,
                    offsets,
                    few.count,
                    split.deal,
                    few.numbers,
                    few.weight,
                )
            )
        if not tested:
            return None
        rows = np.flatnonzero(times)
        return Choice(
            model=self.trial.model,
            C=float(self.trial.Cs[k]),
            losses=losses[rows] / times[rows],
            rows=sample.observations.take(rows),
            n_used=float(np.mean(used)),
            tested=tuple(tested),
            gamma=self.trial.gamma,
            n_missing=len(self.splits) - len(tested),
        )

    def is_over(self, level: Callable[[Choice], float] | None) -> bool:
        """Whether larger C cannot be of interest, or there are none.

        The loss has not fallen for several steps, or is clearly above its least; where another
        level decides, that has not fallen either.
        """
        if self.n_tried >= len(self.trial.Cs) or all(map(_ended, self._parts)):
            return True
        choices = [choice for choice in self.choices if not choice.n_missing]
        last = len(choices) - 1
        if last < 0:
            return False
        if choices[last].n_used > self.trial.most_features:
            return True
        best = int(np.argmin([choice.loss for choice in choices]))
        if last - best < _PATIENCE:
            worse = choices[last].losses - choices[best].losses
            mean, error = choices[last].rows.mean_and_error(worse)
            if last == best or mean <= _CLEARLY * error:
                return False
        if level is None:
            return True
        return last - int(np.argmin([level(choice) for choice in choices])) >= _PATIENCE


def _stretches(trial: Trial) -> tuple[int, int]:
    """How many values of C are tried at first, and then each time."""
    if np.isinf(trial.most_features):
        return _FIRST_STRETCH, _NEXT_STRETCH
    return _FIRST_SPARSE, _NEXT_SPARSE


def _ended(parts: Sequence[Steps]) -> bool:
    return bool(parts) and parts[-1].has_ended


def _locate(parts: Sequence[Steps], k: int) -> tuple[Steps, int]:
    """Where the k-th step is: the last there is where the path ended before."""
    for steps in parts:
        if k < len(steps.used):
            return steps, k
        k -= len(steps.used)
    return parts[-1], len(parts[-1].used) - 1


def most_tasks(trials: Sequence[Trial], splits: Sequence[Split]) -> int:
    """How many stretches there are at most."""
    return sum(-(-len(trial.Cs) // _stretches(trial)[1]) for trial in trials) * len(splits)


def cross_validate(
    trials: Sequence[Trial],
    splits: Sequence[Split],
    *,
    level: Callable[[Choice], float] | None = None,
    n_jobs: int | None = None,
    advance: Callable[[int], Any] = lambda n: None,
) -> list[list[Choice]]:
    """The candidates of each trial, all on the same folds.

    `level` is what is to be small, where that is not the loss.
    """
    walks = [Walk(trial, splits) for trial in trials]
    level = None if level is None else cache(level)  # scorers take their time
    going = walks
    while going:
        tasks = [walk.stretches() for walk in going]
        everything = [task for part in tasks for task in part]
        outcomes = iter(backends.run(partial(methodcaller, "run"), everything, n_jobs, advance))
        for walk, part in zip(going, tasks, strict=True):
            walk.take([next(outcomes) for _ in part])
        going = [walk for walk in going if not walk.is_over(level)]
    return [walk.usable for walk in walks]
