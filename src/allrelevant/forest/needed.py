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
from allrelevant.forest.swaps import holm, means_and_p_values, rises
from allrelevant.progress import Progress

_FOLDS, _REPEATS, _DRAWS = 5, 2, 3
_REPLACEABLE = 0.5  # R² from which on the others may stand in for a feature
_SEEN = 0.05  # p-value beyond which an irreplaceable feature was confirmed by mistake
_NEEDED_SHARE = 0.2  # of what a feature brings that is lost without it where it is needed


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
    """Rows to learn from and to be judged by."""

    learn: Ints
    judge: Ints
    seed: int


def needs(
    table: Table,
    brings: Floats,
    learner: Learner,
    alpha: float,
    seeds: np.random.RandomState,
    n_jobs: int | None,
    progress: Progress,
) -> Needs:
    """Tell needed features from replaceable ones.

    Parameters
    ----------
    table : Table
        With the relevant columns only.
    brings : array of shape (n_features,)
        What each feature takes off the loss where its substitutes are absent.
    learner : Learner
    alpha : float
        Level of the tests, for all features together.
    seeds, n_jobs, progress
        As everywhere.
    """
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
    return Needs(_classes(rise, p_values, r2, brings, alpha), rise, p_values, r2, len(parts))


def _classes(rise: Floats, p_values: Floats, r2: Floats, brings: Floats, alpha: float) -> Ints:
    """The decision.

    A relevant feature the others say little about cannot be replaced: it is strong, unless the
    second test does not see it at all. Of one they say much about, most of what it brings has a
    substitute, and noise in copies makes a little of it its own: it is strong if what is lost
    without it is a real part of what it brings.
    """
    lost = (p_values < alpha) & (rise > _NEEDED_SHARE * brings)
    alone = np.where(p_values < _SEEN, STRONG, IRRELEVANT)
    return np.where(r2 < _REPLACEABLE, alone, np.where(lost, STRONG, WEAK))


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
        found = np.zeros((len(self._given), len(part.judge)))
        for _ in range(_DRAWS):
            other = np.column_stack([given.draw(part.judge, rng) for given in self._given])
            found += rises(model, judged, other) / _DRAWS
        return found


class Judge:
    """Learns and judges; one in every process."""

    def __init__(self, table: Table, learner: Learner) -> None:
        self._table = table
        self._learner = learner

    def __call__(self, part: Fold) -> Floats:
        """Losses of the judged rows."""
        table = self._table
        model = self._learner(table.rows(part.learn), part.seed)
        return table.task.losses(model.predict(table.X[part.judge]), table.target[part.judge])



