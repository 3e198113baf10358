"""How the contest is decided: features against the shadows of their own rounds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from allrelevant.base.arrays import Floats, Ints, Mask

ROUNDS = 4  # per block and view, with the same shadows
_TAIL = 0.3  # share of the shadows from which the tail is estimated
_BEYOND_DOUBT = 1e-3  # of the level of the test
_HAIR = 1e-6  # by which an importance on the right side exceeds its limit at least


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
    """What the contest has found."""

    # (n_features,): features that beat the shadows; those that do so beyond doubt; those that
    # nearly do.
    confirmed: Mask
    sure: Mask
    tentative: Mask
    # (n_views, n_features): mean rise of the held-out loss; NaN where a feature was not in a view
    importances: Floats
    # (n_views, n_features): what each of these has to exceed for the feature to be confirmed
    limits: Floats
    shadows: Floats  # (n_shadows,): importance of every shadow, averaged over a block
    p_values: Floats  # (n_features,)
    n_fits: int


class Score:
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
        self._centres = np.zeros((n_views, d))
        self._spreads = np.zeros((n_views, d))
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
                self._centres[view, features] += block.mean()
                self._spreads[view, features] += _spread(block)
                self._counts[view, features] += 1

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

    def _tests(self) -> tuple[Floats, Floats, list[_Tail]]:
        """Distances from the shadows by view, their counterweights, and how noise is distributed.

        A mean of fewer rounds than a shadow plays varies more than a shadow's, so its distance
        counts for less.
        """
        distances, counts = self._means(self._distances)
        tails = [
            _Tail.of(np.concatenate([_distances(block, block) for block in shadows]))
            for shadows in self._shadows
        ]
        return distances, np.sqrt(np.minimum(counts / ROUNDS, 1.0)), tails

    def _have_tails(self) -> Mask:
        """Whether the shadows of each view tell how far noise reaches.

        A learner that leaves out most columns has importances of 0 for most shadows, and the few
        others tell little about the tail.
        """
        used = [np.mean(np.concatenate(blocks) != 0.0) for blocks in self._shadows]
        return np.array(used) >= _TAIL

    def _p_values_by_view(self) -> Floats:
        """The p-values of every view, times the number of views."""
        distances, trust, tails = self._tests()
        p = [tail.p_values(row) for tail, row in zip(tails, distances * trust, strict=True)]
        return np.array(p) * len(tails)

    def p_values(self) -> Floats:
        """The smallest p-value over the views, times their number."""
        return np.minimum(self._p_values_by_view().min(axis=0), 1.0)

    def _limits(self, importances: Floats, level: float) -> Floats:
        """What the shadows of its own rounds say each importance has to exceed, by view.

        Blocks differ in their shadows, and what is tested is a mean of distances: by the same
        mean of importances, a feature near the limit may be on its other side. There the limit is
        put at the importance itself.
        """
        distances, trust, tails = self._tests()
        reach = np.array([[tail.quantile(level / len(tails))] for tail in tails])
        needed = reach / np.where(trust > 0, trust, np.nan)
        limits = self._means(self._centres)[0] + needed * self._means(self._spreads)[0]
        is_beyond = distances > needed
        nearly = importances - _HAIR * np.abs(importances)
        return np.where(is_beyond, np.minimum(limits, nearly), np.maximum(limits, importances))

    def outcome(self, alpha: float, n_fits: int) -> Outcome:
        """The decision, on all rounds."""
        level = alpha / max(self.n_clusters, 1)
        importances = self._means(self._sums)[0]
        # Where every shadow did harm, doing none is no sign of relevance.
        by_view = self._p_values_by_view()
        is_beyond = (by_view < level) & (importances > 0.0)
        confirmed = np.asarray(is_beyond.any(axis=0))
        sure = (by_view < level * _BEYOND_DOUBT) & self._have_tails()[:, None]
        p_values = self.p_values()
        return Outcome(
            confirmed=confirmed,
            sure=confirmed & sure.any(axis=0),
            tentative=~confirmed & (p_values < alpha),
            importances=importances,
            limits=self._limits(importances, level),
            shadows=np.concatenate([block for shadows in self._shadows for block in shadows]),
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
        """The importance beyond which p-values are smaller than this one."""
        if p > _TAIL:
            return float(self.null[min(int(len(self.null) * (1.0 - p)), len(self.null) - 1)])
        return self.start + self.scale * float(np.log(_TAIL / p))
