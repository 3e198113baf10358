"""What every feature tells about the target by itself.

Where many features share what they know, one of them may add nothing to the others in any view of
the contest, and yet tell something about the target: others stand in for it. So every feature is
also judged alone, by a prediction that is the mean target of rows with similar values.
"""

from __future__ import annotations

import numpy as np

from allrelevant.base.arrays import Floats, Ints
from allrelevant.forest.sample import Table, folds
from allrelevant.forest.swaps import MeanRises, mean_rises
from allrelevant.forest.work import Work

_FOLDS, _REPEATS = 5, 2
_BINS = 6
_PRIOR = 4.0  # rows of the overall mean that every bin is given


def gains(table: Table, work: Work) -> MeanRises:
    """What each feature takes off the held-out loss of a constant prediction."""
    bins = [_bins(table.X[:, j], bool(table.categorical[j])) for j in range(table.n_features)]
    target = _indicators(table)
    total = np.zeros((table.n_features, table.n_samples))
    for _ in range(_REPEATS):
        for learn, judge in folds(table, _FOLDS, work.seed()):
            weight = table.weight[learn]
            mean = np.average(target[learn], axis=0, weights=weight)
            base = _losses(table, np.repeat(mean[None], len(judge), axis=0), judge)
            for j, bin_ in enumerate(bins):
                predicted = _bin_means(bin_, learn, weight, target, mean)[bin_[judge]]
                total[j, judge] += (base - _losses(table, predicted, judge)) / _REPEATS
    return mean_rises(total, table.weight)


def _bins(column: Floats, categorical: bool) -> Ints:
    """Rows with similar values; those without a value have a bin of their own."""
    values = np.unique(column[~np.isnan(column)])
    if categorical or len(values) <= _BINS:
        edges = values[1:]
    else:
        inner = np.arange(1, _BINS) / _BINS
        edges = np.unique(np.nanquantile(column, inner, method="higher"))
    found = np.searchsorted(edges, column, side="right")
    return np.where(np.isnan(column), len(edges) + 1, found)


def _indicators(table: Table) -> Floats:
    """The target as columns whose means are predictions."""
    if not table.task.has_probabilities:
        return table.target[:, None]
    return (table.target[:, None] == np.arange(table.task.n_classes)).astype(float)


def _bin_means(bin_: Ints, learn: Ints, weight: Floats, target: Floats, mean: Floats) -> Floats:
    size = int(bin_.max()) + 1
    prior = _PRIOR * weight.mean()
    own = bin_[learn]
    sums = [np.bincount(own, weight * column, size) for column in target[learn].T]
    count = np.bincount(own, weight, size)
    return (np.column_stack(sums) + prior * mean) / (count + prior)[:, None]


def _losses(table: Table, predicted: Floats, rows: Ints) -> Floats:
    row = predicted if table.task.has_probabilities else predicted[:, 0]
    return table.task.losses(row, table.target[rows])
