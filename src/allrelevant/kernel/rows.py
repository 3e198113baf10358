"""Training data as the kernel methods want them: distinct rows, and who is labelled."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from allrelevant.base.arrays import Floats, Ints, Mask


@dataclass(frozen=True, eq=False)
class Rows:
    """Distinct rows with the labels their copies carry.

    Copies of a row have one place in feature space: one row of the kernel and one node of the
    neighbourhood graph, where a row's copies would otherwise be its only neighbours.
    """

    X: Floats  # (n, d): the distinct rows
    counts: Floats  # (n, K): how many labelled copies of each class a row has
    free: Floats  # (n,): how many copies are unlabelled

    @property
    def labelled(self) -> Mask:
        """Which rows have a labelled copy."""
        return np.asarray(self.counts.any(axis=1))

    def with_label(self) -> Rows:
        """Only the rows that have a labelled copy."""
        kept = self.labelled
        return Rows(self.X[kept], self.counts[kept], self.free[kept])

    def hiding(self, hidden: Floats) -> Rows:
        """The same rows without some of their labels, given as counts."""
        return replace(self, counts=self.counts - hidden, free=self.free + hidden.sum(axis=1))


def without_copies(X: Floats, rank: Floats, collapse: bool = True) -> Rows:
    """Collapse copies, unless told not to; `rank` is the class of each row, −1 where unknown."""
    unique, where = X, np.arange(len(X))
    if collapse:
        unique, where = np.unique(X, axis=0, return_inverse=True)
        where = where.reshape(-1)
    is_known = rank >= 0
    counts = np.zeros((len(unique), int(rank.max()) + 1))
    np.add.at(counts, (where[is_known], rank[is_known].astype(int)), 1.0)
    free = np.bincount(where[~is_known], minlength=len(unique)).astype(float)
    return Rows(unique, counts, free)


def hidden_in_folds(counts: Floats, n_folds: int, rng: np.random.RandomState) -> Iterator[Floats]:
    """For each fold the labels it hides, as counts; no class is ever hidden altogether.

    Every class is dealt out over the folds like a deck of cards, so each fold holds its share of
    every class. A class with a single label keeps it in all folds.
    """
    row, rank = _one_by_one(counts)
    n_folds = min(n_folds, len(row))  # more folds than labels would be empty
    fold = np.full(len(row), -1)
    dealt = 0
    for k in range(counts.shape[1]):
        members = np.flatnonzero(rank == k)
        if len(members) < 2:
            continue
        fold[rng.permutation(members)] = (dealt + np.arange(len(members))) % n_folds
        dealt += len(members)
    for f in range(n_folds):
        chosen = fold == f
        if chosen.any():
            hidden = np.zeros_like(counts)
            np.add.at(hidden, (row[chosen], rank[chosen]), 1.0)
            yield hidden


def _one_by_one(counts: Floats) -> tuple[Ints, Ints]:
    """Row and class of every single label."""
    row, rank = np.nonzero(counts)
    times = counts[row, rank].astype(int)
    return np.repeat(row, times), np.repeat(rank, times)
