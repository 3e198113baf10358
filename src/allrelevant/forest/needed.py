"""Which relevant features are needed (strong) and which can be replaced (weak)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from allrelevant.backends.local import run
from allrelevant.classes import IRRELEVANT, STRONG, WEAK
from allrelevant.engine.pieces import Floats, Ints
from allrelevant.forest.conditional import Conditional, conditionals
from allrelevant.forest.learners import Learner
from allrelevant.forest.sample import Table, folds
from allrelevant.forest.swaps import Swap, holm, means_and_p_values, rises
from allrelevant.progress import Progress

_FOLDS, _REPEATS, _DRAWS = 5, 2, 3
_REPLACEABLE = 0.5  # R² from which on the others may stand in for a feature
_USELESS = 0.1  # p-value beyond which an irreplaceable feature was confirmed by mistake
_NEEDED_SHARE = 0.25  # of what a feature brings alone that is lost where it is needed


@dataclass(frozen=True, eq=False)
class Needs:
    """How much each of some features is needed.

    Parameters
    ----------
    classes : array of shape (k,)
        0 irrelevant after all, 1 weak, 2 strong.
    rise : array of shape (k,)
        Rise of the held-out loss without what only this feature knows.
    p_values : array of shape (k,)
        Of that rise, adjusted for the number of features.
    r2 : array of shape (k,)
        How well the others predict it.
    n_fits : int
    """

    classes: Ints
    rise: Floats
    p_values: Floats
    r2: Floats
    n_fits: int


@dataclass(frozen=True, eq=False)
class Fold:
    """Rows to learn from and to be judged by, without some columns."""

    learn: Ints
    judge: Ints
    seed: int
    without: int | None = None


def needs(
    table: Table,
    usable: Floats,
    learner: Learner,
    alpha: float,
    seeds: np.random.RandomState,
    n_jobs: int | None,
    progress: Progress,
) -> Needs:
    """Tell needed features from replaceable ones; the table has relevant columns only."""
    given = conditionals(table, seeds, n_jobs, progress)
    parts = [
        Fold(learn, judge, int(seeds.randint(2**31 - 1)))
        for _ in range(_REPEATS)
        for learn, judge in folds(table, _FOLDS, int(seeds.randint(2**31 - 1)))
    ]
    progress.stage("needed features", len(parts))
    found = run(partial(Exchanger, table, given, learner), parts, n_jobs, progress.advance)
    rise, raw = means_and_p_values(by_row(table, parts, found), table.weight)
    r2 = np.array([conditional.r2 for conditional in given])
    p_values = holm(raw)
    classes = np.where(r2 < _REPLACEABLE, STRONG, WEAK)
    classes[(r2 < _REPLACEABLE) & (raw > _USELESS)] = IRRELEVANT
    # Where others say much about a feature, what they leave open is known badly, and exchanged
    # values may be impossible ones. Only leaving the feature out tells whether it is missed.
    doubtful = np.flatnonzero((r2 >= _REPLACEABLE) & (p_values < alpha))
    n_fits = len(parts)
    if len(doubtful):
        left_out, p_left_out, n_more = _left_out(
            table, doubtful, parts, learner, n_jobs, progress
        )
        n_fits += n_more
        lost = left_out > _NEEDED_SHARE * usable[doubtful]
        classes[doubtful[lost & (holm(p_left_out) < alpha)]] = STRONG
        rise[doubtful], p_values[doubtful] = left_out, holm(p_left_out)
    return Needs(classes, rise, p_values, r2, n_fits)


def _left_out(
    table: Table,
    which: Ints,
    parts: list[Fold],
    learner: Learner,
    n_jobs: int | None,
    progress: Progress,
) -> tuple[Floats, Floats, int]:
    """Rise of the loss when a feature is left out and the model fitted anew."""
    tasks = [
        Fold(part.learn, part.judge, part.seed, without)
        for without in (None, *which.tolist())
        for part in parts
    ]
    progress.stage("features left out", len(tasks))
    losses = run(partial(Judge, table, learner), tasks, n_jobs, progress.advance)
    n = len(parts)
    base = by_row(table, parts, [loss[None] for loss in losses[:n]])
    rise = np.concatenate(
        [
            by_row(table, parts, [loss[None] for loss in losses[n * k : n * (k + 1)]]) - base
            for k in range(1, len(which) + 1)
        ]
    )
    mean, p_values = means_and_p_values(rise, table.weight)
    return mean, p_values, len(tasks)


def by_row(table: Table, parts: list[Fold], found: list[Floats]) -> Floats:
    """Mean of what was found about every row; each is judged once per repeat."""
    total = np.zeros((len(found[0]), table.n_samples))
    times = np.zeros(table.n_samples)
    for part, value in zip(parts, found, strict=True):
        total[:, part.judge] += value
        times[part.judge] += 1
    return total / np.maximum(times, 1)


class Exchanger:
    """Learns, then exchanges one column after the other; one in every process."""

    def __init__(self, table: Table, given: list[Conditional], learner: Learner) -> None:
        self._table = table
        self._given = given
        self._learner = learner

    def __call__(self, part: Fold) -> Floats:
        """Rises of the losses of the judged rows, shape (n_features, n_judged)."""
        model = self._learner(self._table.rows(part.learn), part.seed)
        rng = np.random.default_rng(part.seed)
        judged = self._table.rows(part.judge)
        swaps = [
            Swap(np.array([j]), given.draw(part.judge, rng)[:, None])
            for j, given in enumerate(self._given)
            for _ in range(_DRAWS)
        ]
        found = rises(model, judged, swaps)
        return found.reshape(len(self._given), _DRAWS, -1).mean(axis=1)


class Judge:
    """Learns without a column and judges; one in every process."""

    def __init__(self, table: Table, learner: Learner) -> None:
        self._table = table
        self._learner = learner

    def __call__(self, part: Fold) -> Floats:
        """Losses of the judged rows."""
        table = self._table
        if part.without is not None:
            table = table.columns(np.delete(np.arange(table.n_features), part.without))
        model = self._learner(table.rows(part.learn), part.seed)
        return table.task.losses(model.predict(table.X[part.judge]), table.target[part.judge])



