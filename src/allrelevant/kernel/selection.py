"""Choosing widths, ridge, smoothness and neighbours by cross-validation.

Each fold hides labels, and takes the rows that are left without any out of the graph, so that they
are as new to the model as rows to predict. In feature space that changes no more than a few links:
one kernel, one graph and one pair of eigendecompositions serve all folds, every μ and every ridge.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import partial
from itertools import chain, product
from math import ceil
from typing import Any, Literal

import numpy as np

from allrelevant.base.arrays import Floats
from allrelevant.kernel.discriminant import DiscriminantDirection
from allrelevant.kernel.fitting import Method, Setting, neighbourhood
from allrelevant.kernel.folds import FoldedSpace, LabelFold
from allrelevant.kernel.propagation import Spreading
from allrelevant.kernel.rows import Rows, hidden_in_folds
from allrelevant.kernel.thresholds import rank_errors

_ENOUGH_HIDDEN = 90  # labels, by all folds together
_MOST_REPEATS = 6


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
        """All combinations that differ, in the order of the candidates.

        Without smoothness the graph does not matter.
        """
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


def _shared(setting: Setting) -> tuple[float, float, float]:
    """What settings have to agree in to share a graph, and Gram matrices but for their scale."""
    return setting.n_neighbors, setting.rank, setting.mu / setting.ridge


def _apart(one: float | None, other: float | None) -> float:
    tiny = 1e-12  # μ may be 0
    return 0.0 if one is None or other is None else abs(np.log((one + tiny) / (other + tiny)))


def label_folds(
    counts: Floats, n_folds: int, n_repeats: int | Literal["auto"] = 1
) -> tuple[Floats, ...]:
    """Labels hidden in each fold; none where no class has two labels.

    They are dealt out `n_repeats` times. "auto": until enough have been hidden to choose by.
    """
    rng = np.random.RandomState(0)  # the same folds for the same data
    needed = min(_MOST_REPEATS, ceil(_ENOUGH_HIDDEN / max(counts.sum(), 1.0)))
    n_deals = needed if n_repeats == "auto" else n_repeats
    deals = (hidden_in_folds(counts, n_folds, rng) for _ in range(n_deals))
    return tuple(chain.from_iterable(deals))


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
        folds = [self._fold(hidden, spreading) for hidden in self.hidden]
        latest, folded = None, None
        settings = self.grid.settings([gamma])
        tried = {}
        for setting in sorted(settings, key=_shared):
            key = (setting.n_neighbors, setting.rank)
            if folded is None or key != latest:
                S = neighbourhood(self.rows, space, self.method, *key)
                latest, folded = key, FoldedSpace(space, self.method, S, folds)
            directions = folded.directions(setting.mu, setting.ridge)
            judged = [self._judge(d, f) for d, f in zip(directions, folds, strict=True)]
            tried[setting] = Tried(setting, *np.array(judged).T)
        return [tried[setting] for setting in settings]

    def _fold(self, hidden: Floats, spreading: Spreading | None) -> LabelFold:
        rows = self.rows.hiding(hidden)
        U = self.method.averages(rows, spreading).U
        # Copies of a row may keep their labels, or never had one: then the row is not new.
        is_new = hidden.any(axis=1) & ~rows.counts.any(axis=1) & (self.rows.free == 0)
        U = np.where(is_new[:, None], 0.0, U)
        return LabelFold(U, rows.counts, hidden, is_new)

    def _judge(self, direction: DiscriminantDirection, fold: LabelFold) -> tuple[float, float]:
        thresholds = self.method.thresholds_of(direction, fold.counts)
        held_out = fold.hidden.any(axis=1)
        f, labels = direction.projections[held_out], fold.hidden[held_out]
        n_labels = labels.sum()
        error = rank_errors(thresholds.thresholds, f, labels).sum() / n_labels
        return error, thresholds.loss(f, labels).sum() / n_labels


def best(tried: Sequence[Tried]) -> Tried:
    """The setting with the least error and loss; of equal ones the first.

    With few labels many settings err alike; the loss, which also counts by how much, tells them
    apart with less noise. With midpoints it is the error itself; there the order of the candidates
    often decides, and rounding errors must not.
    """
    return min(tried, key=lambda t: round(float(np.mean(t.errors + t.losses)), 9))


def as_table(tried: Sequence[Tried]) -> dict[str, Any]:
    """What was tried, as in scikit-learn's searches."""
    if not tried:
        return {}
    return {
        "params": [asdict(t.setting) for t in tried],
        "mean_absolute_error": np.array([t.errors.mean() for t in tried]),
        "mean_loss": np.array([t.losses.mean() for t in tried]),
    }
