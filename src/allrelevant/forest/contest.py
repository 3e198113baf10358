"""Which features are relevant: those that beat shuffled shadows of the features.

Redundancy dilutes importance: of ten copies each gets a tenth. Hence the contest is held in
several views, some with one representative of every cluster of near copies, some with a random
half of those. In each view features compete with shadows for a place in the model, and importance
is the rise of the held-out loss when a column is shuffled. A feature has to beat the shadows in
one view, with all rounds taken together, for the number of views and clusters.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from allrelevant.backends import run
from allrelevant.base.arrays import Floats, Ints, Mask
from allrelevant.base.progress import Progress
from allrelevant.forest.learners import Learner
from allrelevant.forest.sample import Table, halves
from allrelevant.forest.swaps import rises, shuffled

_ROUNDS = 4  # per block and view, with the same shadows
_TRAIN_SHARE = 0.632
_LEAST_SHADOWS, _MOST_SHADOWS = 20, 60
_TAIL = 0.3  # share of the shadows from which the tail is estimated
_FIRST_DECISION = 2  # blocks
_BEYOND_DOUBT = 1e-3  # of the level of the test
_HOPELESS = 0.5  # p-value beyond which a feature gets no further rounds


@dataclass(frozen=True, eq=False)
class Round:
    """Features and shadows that compete in one fit."""

    view: int
    features: Ints
    sources: Ints  # of the shadows
    shadow_seed: int
    seed: int


@dataclass(frozen=True, eq=False)
class Outcome:
    """What the contest has found.

    Parameters
    ----------
    confirmed, sure, tentative : mask of shape (n_features,)
        Features that beat the shadows; those that do so beyond doubt; those that nearly do.
    importances : array of shape (n_views, n_features)
        Mean rise of the held-out loss; NaN where a feature was not in a view.
    shadows : array of shape (n_shadows, 2)
        Importance of every shadow, averaged over a block, and its view.
    thresholds : array of shape (n_views,)
        What an importance has to exceed.
    p_values : array of shape (n_features,)
    n_fits : int
    """

    confirmed: Mask
    sure: Mask
    tentative: Mask
    importances: Floats
    shadows: Floats
    thresholds: Floats
    p_values: Floats
    n_fits: int


@dataclass(frozen=True, eq=False)
class View:
    """One way of letting features compete: with which learner, and which of them at a time."""

    learner: Learner
    choice: str  # "all", "representatives" or "half"


class Contestant:
    """Plays rounds; one in every process."""

    def __init__(self, table: Table, views: tuple[View, ...]) -> None:
        self._table = table
        self._views = views

    def __call__(self, task: Round) -> Floats:
        """Importances of the features, then of the shadows."""
        table = _with_shadows(self._table, task)
        learn, judge = halves(table, _TRAIN_SHARE, task.seed)
        model = self._views[task.view].learner(table.rows(learn), task.seed)
        held_out = table.rows(judge)
        share = held_out.weight / held_out.weight.sum()
        return rises(model, held_out, shuffled(held_out.X, task.seed)) @ share


def contest(
    table: Table,
    cluster: Ints,
    views: tuple[View, ...],
    alpha: float,
    max_blocks: int,
    seeds: np.random.RandomState,
    n_jobs: int | None,
    progress: Progress,
) -> Outcome:
    """Hold the contest."""
    score = _Score(len(views), cluster, [view.choice != "all" for view in views])
    playing = np.ones(table.n_features, dtype=bool)
    n_fits = 0
    for block in range(max_blocks):
        rounds = [
            task
            for k, view in enumerate(views)
            for task in _block(k, view.choice, playing, cluster, seeds)
        ]
        progress.stage(f"round {block + 1} of at most {max_blocks}", len(rounds))
        make: Callable[[], Contestant] = partial(Contestant, table, views)
        score.add(rounds, run(make, rounds, n_jobs, progress.advance))
        n_fits += len(rounds)
        if block + 1 < _FIRST_DECISION:
            continue
        p_values = score.p_values()
        playing &= p_values <= _HOPELESS
        certain = p_values < alpha / (50 * score.n_clusters)
        if not (playing & ~certain).any():
            break
    return score.outcome(alpha, n_fits)


def _block(
    view: int, choice: str, playing: Mask, cluster: Ints, seeds: np.random.RandomState
) -> list[Round]:
    """The rounds of one view that share their shadows."""
    rng = np.random.default_rng(seeds.randint(2**31 - 1))
    active = np.flatnonzero(playing)
    if not len(active):
        active = np.arange(len(playing))
    base = active if choice == "all" else _representatives(active, cluster, rng)
    n_shadows = min(max(_LEAST_SHADOWS, len(base)), _MOST_SHADOWS)
    sources = np.resize(rng.permutation(base), n_shadows)
    shadow_seed = int(rng.integers(2**31))
    result = []
    for _ in range(_ROUNDS):
        features = active if choice == "all" else _representatives(active, cluster, rng)
        if choice == "half":
            features = rng.permutation(features)[: max(2, (len(features) + 1) // 2)]
        result.append(Round(view, features, sources, shadow_seed, int(rng.integers(2**31))))
    return result


def _representatives(active: Ints, cluster: Ints, rng: np.random.Generator) -> Ints:
    """One random member of every cluster."""
    shuffled = rng.permutation(active)
    _, first = np.unique(cluster[shuffled], return_index=True)
    return shuffled[first]


def _with_shadows(table: Table, task: Round) -> Table:
    rng = np.random.default_rng(task.shadow_seed)
    shadows = [table.X[rng.permutation(table.n_samples), j] for j in task.sources]
    picked = table.columns(np.concatenate([task.features, task.sources]))
    picked.X[:, len(task.features) :] = np.column_stack(shadows)
    return picked


class _Score:
    """Adds up importances over all rounds, by view.

    Fewer features compete from block to block, and each gets more important. For the tests every
    block is therefore measured by its own shadows: as a distance from their mean, in units of
    their spread.
    """

    def __init__(self, n_views: int, cluster: Ints, pooled: list[bool]) -> None:
        d = len(cluster)
        self.n_clusters = int(cluster.max()) + 1 if d else 0
        self._cluster = cluster
        self._pooled = pooled
        self._sums = np.zeros((n_views, d))
        self._distances = np.zeros((n_views, d))
        self._counts = np.zeros((n_views, d))
        self._shadows: list[list[Floats]] = [[] for _ in range(n_views)]

    def add(self, rounds: list[Round], importances: list[Floats]) -> None:
        """Count a block of rounds."""
        for view, shadows in enumerate(self._shadows):
            played = [
                (task.features, importance)
                for task, importance in zip(rounds, importances, strict=True)
                if task.view == view
            ]
            block = np.mean([found[len(features) :] for features, found in played], axis=0)
            shadows.append(block)
            for features, found in played:
                importance = found[: len(features)]
                self._sums[view, features] += importance
                self._distances[view, features] += _distances(importance, block)
                self._counts[view, features] += 1

    def importances(self) -> Floats:
        """Mean importances by view; NaN where a feature has not played."""
        return self._means(self._sums)[0]

    def _means(self, totals: Floats) -> tuple[Floats, Floats]:
        """Means over the rounds, and their number; cluster by cluster in pooled views."""
        means, counts = np.full(totals.shape, np.nan), self._counts.copy()
        for view, pooled in enumerate(self._pooled):
            total = totals[view]
            if pooled:
                total = np.bincount(self._cluster, total, self.n_clusters)[self._cluster]
                count = np.bincount(self._cluster, counts[view], self.n_clusters)
                counts[view] = count[self._cluster]
            played = counts[view] > 0
            means[view, played] = total[played] / counts[view, played]
        return means, counts

    def _tails(self) -> list[_Tail]:
        return [
            _Tail.of(np.concatenate([_distances(block, block) for block in shadows]))
            for shadows in self._shadows
        ]

    def p_values(self) -> Floats:
        """The smallest p-value over the views, times their number."""
        distances, counts = self._means(self._distances)
        # A mean of fewer rounds than a shadow plays varies more than a shadow's.
        distances *= np.sqrt(np.minimum(counts / _ROUNDS, 1.0))
        tails = self._tails()
        p = [tail.p_values(row) for tail, row in zip(tails, distances, strict=True)]
        return np.minimum(np.min(p, axis=0) * len(tails), 1.0)

    def _threshold(self, view: int, p: float) -> float:
        """The importance of a p-value, on average over the blocks."""
        reach = self._tails()[view].quantile(p)
        return float(np.mean([s.mean() + reach * _spread(s) for s in self._shadows[view]]))

    def outcome(self, alpha: float, n_fits: int) -> Outcome:
        """The decision, on all rounds."""
        p_values = self.p_values()
        level = alpha / max(self.n_clusters, 1)
        confirmed = p_values < level
        n_views = len(self._shadows)
        thresholds = [self._threshold(view, level / n_views) for view in range(n_views)]
        pairs = [
            np.column_stack([null, np.full(len(null), view)])
            for view, parts in enumerate(self._shadows)
            for null in parts
        ]
        return Outcome(
            confirmed=confirmed,
            sure=p_values < level * _BEYOND_DOUBT,
            tentative=~confirmed & (p_values < alpha),
            importances=self.importances(),
            shadows=np.concatenate(pairs),
            thresholds=np.array(thresholds),
            p_values=p_values,
            n_fits=n_fits,
        )


def _distances(importances: Floats, shadows: Floats) -> Floats:
    return (importances - shadows.mean()) / _spread(shadows)


def _spread(shadows: Floats) -> float:
    return max(float(shadows.std(ddof=1)), 1e-12)


@dataclass(frozen=True, eq=False)
class _Tail:
    """How likely noise is to reach an importance.

    Importances of noise have long tails, for which a normal distribution would be rash: beyond
    their bulk they are taken to fall off exponentially.
    """

    null: Floats  # sorted
    start: float
    scale: float

    @classmethod
    def of(cls, null: Floats) -> _Tail:
        start = float(np.quantile(null, 1.0 - _TAIL))
        above = null[null > start]
        scale = float(np.mean(above - start)) if len(above) else 0.0
        return cls(np.sort(null), start, max(scale, 1e-12))

    def p_values(self, importances: Floats) -> Floats:
        """One for each importance; 1 where it is missing."""
        x = np.nan_to_num(importances, nan=-np.inf)
        not_less = 1.0 - np.searchsorted(self.null, x, side="left") / len(self.null)
        beyond = _TAIL * np.exp(-np.maximum(x - self.start, 0.0) / self.scale)
        return np.where(x > self.start, beyond, np.maximum(not_less, _TAIL))

    def quantile(self, p: float) -> float:
        """The importance of this p-value, which is a small one."""
        return self.start + self.scale * float(np.log(_TAIL / p))
