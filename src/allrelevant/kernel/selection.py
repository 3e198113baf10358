"""Choosing widths, ridge, smoothness and neighbours by cross-validation.

Folds hide labels, not rows: a row whose label is hidden stays as an unlabelled one. So kernel,
graph and both eigendecompositions are the same for all folds, and so is, for each penalty, the
Gram matrix of the labelled rows; a fold costs one small system.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import partial
from itertools import product
from typing import Any

import numpy as np

from allrelevant.engine.pieces import Floats
from allrelevant.kernel.discriminant import ClassAverages, Direction, by_features, by_rows
from allrelevant.kernel.fitting import Method, Setting, SmoothSpace, smooth_space
from allrelevant.kernel.rows import Rows, hidden_in_folds
from allrelevant.kernel.thresholds import rank_errors


@dataclass(frozen=True)
class Grid:
    """Candidates for each number; `gamma` is None where widths are learned."""

    gamma: tuple[float | None, ...]
    n_neighbors: tuple[int, ...]
    rank: tuple[float, ...]
    mu: tuple[float, ...]
    ridge: tuple[float, ...]

    @property
    def is_single(self) -> bool:
        """Whether there is nothing to choose."""
        return len(list(self.settings(self.gamma))) == 1

    def settings(self, gammas: Sequence[float | None]) -> list[Setting]:
        """All combinations that differ; without smoothness the graph does not matter."""
        every = [
            Setting(gamma, k, rank, mu, ridge)
            for gamma, k, rank, mu, ridge in product(
                gammas, self.n_neighbors, self.rank, self.mu, self.ridge
            )
        ]
        first = (self.n_neighbors[0], self.rank[0])
        return [s for s in every if s.mu > 0 or (s.n_neighbors, s.rank) == first]

    def nearest(self, usual: Setting) -> Setting:
        """For each number the candidate nearest to the usual value, in orders of magnitude."""
        chosen = {
            name: min(getattr(self, name), key=partial(_apart, getattr(usual, name)))
            for name in ("gamma", "n_neighbors", "rank", "mu", "ridge")
        }
        return Setting(**chosen)


def _apart(one: float | None, other: float | None) -> float:
    tiny = 1e-12  # μ may be 0
    return 0.0 if one is None or other is None else abs(np.log((one + tiny) / (other + tiny)))


def label_folds(counts: Floats, n_folds: int) -> tuple[Floats, ...]:
    """Labels hidden in each fold; none where no class has two labels."""
    rng = np.random.RandomState(0)  # the same folds for the same data
    return tuple(hidden_in_folds(counts, n_folds, rng))


@dataclass(frozen=True)
class Tried:
    """A setting with its errors in each fold."""

    setting: Setting
    errors: Floats  # mean absolute errors in ranks
    losses: Floats  # of the thresholds' own kind


@dataclass(frozen=True, eq=False)
class WidthTrial:
    """Tries all settings of one width; made once per process."""

    rows: Rows
    hidden: tuple[Floats, ...]
    method: Method
    grid: Grid
    widths: dict[float | None, Floats]

    def __call__(self, gamma: float | None) -> list[Tried]:
        """Errors of all settings with this width."""
        space = self.method.space(self.rows.X, self.widths[gamma])
        spreading = self.method.spreading(self.rows.X, space)
        support = np.ones(len(self.rows.X), bool) if spreading else self.rows.labelled
        folds = [self._fold(h, spreading, support) for h in self.hidden]
        spaces: dict[tuple[int, float], tuple[SmoothSpace, list[Floats | None]]] = {}
        tried = []
        for setting in self.grid.settings([gamma]):
            key = (setting.n_neighbors, setting.rank)
            if key not in spaces:
                smooth = smooth_space(self.rows, space, self.method, support, *key)
                spaces[key] = smooth, [_scatter(smooth.G, fold.averages) for fold in folds]
            tried.append(self._try(setting, folds, *spaces[key]))
        return tried

    def _fold(self, hidden: Floats, spreading: object, support: np.ndarray) -> _Fold:
        rows = self.rows.hiding(hidden)
        U = self.method.averages(rows, spreading).U[support]  # type: ignore[arg-type]
        averages = ClassAverages(U, normalise=self.method.penalty == "scaled")
        return _Fold(averages, rows.counts[support], hidden[support])

    def _try(
        self,
        setting: Setting,
        folds: list[_Fold],
        smooth: SmoothSpace,
        scatters: list[Floats | None],
    ) -> Tried:
        penalty = smooth.penalty(setting.mu, setting.ridge)
        gram = None if scatters[0] is not None else (smooth.G / penalty) @ smooth.G.T
        results = []
        for fold, scatter in zip(folds, scatters, strict=True):
            direction: Direction
            if gram is not None:
                direction, _ = by_rows(gram, fold.averages)
            else:
                assert scatter is not None
                direction, _ = by_features(smooth.G, penalty, scatter, fold.averages)
            results.append(self._judge(direction, fold))
        errors, losses = np.array(results).T
        return Tried(setting, errors, losses)

    def _judge(self, direction: Direction, fold: _Fold) -> tuple[float, float]:
        thresholds = self.method.thresholds_of(direction, fold.counts)
        held_out = fold.hidden.any(axis=1)
        f, labels = direction.projections[held_out], fold.hidden[held_out]
        n_labels = labels.sum()
        error = rank_errors(thresholds.thresholds, f, labels).sum() / n_labels
        return error, thresholds.loss(f, labels).sum() / n_labels


@dataclass(frozen=True, eq=False)
class _Fold:
    averages: ClassAverages
    counts: Floats
    hidden: Floats


def _scatter(G: Floats, averages: ClassAverages) -> Floats | None:
    """Within-class scatter, where features are fewer than rows."""
    return np.asarray(G.T @ averages.spread(G)) if len(G) > G.shape[1] else None


def best(tried: Sequence[Tried]) -> Tried:
    """The setting with the least error."""
    return min(tried, key=lambda t: (round(float(t.errors.mean()), 12), float(t.losses.mean())))


def as_table(tried: Sequence[Tried]) -> dict[str, Any]:
    """What was tried, in the manner of scikit-learn's searches."""
    if not tried:
        return {}
    return {
        "params": [asdict(t.setting) for t in tried],
        "mean_absolute_error": np.array([t.errors.mean() for t in tried]),
        "mean_loss": np.array([t.losses.mean() for t in tried]),
    }
