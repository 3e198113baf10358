"""Rows and columns as the learners see them, and how they are split."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from allrelevant.base.arrays import Floats, Ints, Mask, sums_by
from allrelevant.base.rows import distinct_rows
from allrelevant.forest.task import Task

_MOST_ROWS_OF_ONE = 100


@dataclass(frozen=True, eq=False)
class Table:
    """Columns, targets and what every row weighs."""

    # (n_samples, n_features): numbers, codes of categories, and NaN where a value is missing
    X: Floats
    categorical: Mask  # (n_features,): which columns are codes without an order
    target: Floats  # (n_samples,): codes 0, 1, … of classes, or numbers
    weight: Floats  # (n_samples,): how much the loss of each row weighs
    task: Task

    @property
    def n_samples(self) -> int:
        """Number of rows."""
        return len(self.X)

    @property
    def n_features(self) -> int:
        """Number of columns."""
        return self.X.shape[1]

    def columns(self, which: Ints | Mask) -> Table:
        """Some of the columns."""
        return replace(self, X=self.X[:, which], categorical=self.categorical[which])

    def rows(self, which: Ints) -> Table:
        """Some of the rows."""
        return replace(self, X=self.X[which], target=self.target[which], weight=self.weight[which])


def observations(table: Table, count: Floats) -> tuple[Table, Floats]:
    """The rows as observations that may be split, and how often each was observed.

    Rows that are given twice (or count twice) must not end up on both sides of a split, where
    the second would be predicted from the first: they become one row that counts twice. Where no
    column tells the rows apart, equal rows are no copies but separate observations that agree,
    and a row that counts twice is written twice. Either way a row of weight 2 is the same as the
    row given twice.
    """
    kept = count > 0
    X, target, count = table.X[kept], table.target[kept], count[kept]
    first, kind = distinct_rows(target, X)
    n_values = max((len(np.unique(column)) for column in X.T), default=0)
    if n_values < len(first) / 2 and _is_whole(count):
        order = np.lexsort(np.vstack([X.T, target]))
        rows = np.repeat(order, count[order].astype(int))
        X, target, count = X[rows], target[rows], np.ones(len(rows))
    else:
        X, target, count = X[first], target[first], sums_by(kind, count, len(first))
    return replace(table, X=X, target=target, weight=count), count


def written_out(table: Table) -> Table:
    """The table with every row as often as it counts; as it is where weights are not whole."""
    if not _is_whole(table.weight):
        return table
    rows = np.repeat(np.arange(table.n_samples), table.weight.astype(int))
    return replace(table.rows(rows), weight=np.ones(len(rows)))


def _is_whole(count: Floats) -> bool:
    """Whether rows can be written as often as they count."""
    return np.array_equal(count, np.round(count)) and count.max() <= _MOST_ROWS_OF_ONE


def column_order(X: Floats) -> Ints:
    """An order of the columns that depends on their values alone, not on where they stood."""
    values = [np.unique(column) for column in X.T]  # blind to rows that are given twice
    keys = [[v[0], v[-1], v.mean()] for v in values]
    return np.lexsort(np.array(keys).reshape(-1, 3).T) if keys else np.empty(0, dtype=int)


def halves(table: Table, train_share: float, seed: int) -> tuple[Ints, Ints]:
    """Rows to learn from and rows to be judged by, with the same share of every class."""
    order = _shuffled(table, seed)
    n = len(order)
    offset = np.random.default_rng(seed + 1).random()
    ticks = np.floor((np.arange(n + 1) + offset) * train_share)
    learn = np.diff(ticks) > 0
    learn[: 1 if not learn.any() else 0] = True
    return np.sort(order[learn]), np.sort(order[~learn])


def folds(table: Table, n_folds: int, seed: int) -> list[tuple[Ints, Ints]]:
    """Cross-validation folds, with the same share of every class."""
    order = _shuffled(table, seed)
    n_folds = min(n_folds, len(order))
    label = np.empty(len(order), dtype=int)
    label[order] = np.arange(len(order)) % n_folds
    return [(np.flatnonzero(label != k), np.flatnonzero(label == k)) for k in range(n_folds)]


def _shuffled(table: Table, seed: int) -> Ints:
    order = np.random.default_rng(seed).permutation(table.n_samples)
    if table.task.n_classes:
        order = order[np.argsort(table.target[order], kind="stable")]
    return order
