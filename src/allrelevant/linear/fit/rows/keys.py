"""A number for every row that the data alone determine, and that hardly moves when they do.

Rows are put into an order by it, dealt into folds in that order, and drawn by it. So the answer is
the same whatever the order of rows and columns, the sign and the unit of a column, and the name of
a class. What changes in the seventh digit (single precision, a table written to six digits) changes
a key in the seventh digit: no sum here amplifies anything, and every term is bounded.
"""

from __future__ import annotations

import numpy as np

from allrelevant.base.arrays import Floats, Ints
from allrelevant.data import Matrix, matrix_of
from allrelevant.data.mapped import in_passing
from allrelevant.data.scaling import Scaling

_ROUNDS = 3
_DIGITS = 9  # of a key: beyond them are rounding errors


def row_keys(
    target: Floats, count: Floats, *blocks: Matrix | Floats, has_order: bool = True
) -> Floats:
    """The keys of rows with these targets and columns.

    Without an order of the targets, which are classes then, each class is a target of its own.

    Every column gives the size of its value times a factor, and its value times that of the target
    times another. The factors are means over all rows: in the first round plain ones, then those
    of rows weighed by their keys so far, which tells columns apart that have the same mean.
    """
    share = count / count.sum()
    aims = _aims(target, count, has_order)
    values = [_bounded(block, count) for block in blocks]
    sizes = [value.map(np.abs) for value in values]
    keys = np.zeros(len(target))
    for _ in range(_ROUNDS):
        weight = share * (1.0 + np.tanh(keys))
        parts = [
            _sizes(size, weight) + _links(value, aims, weight)
            for size, value in zip(sizes, values, strict=True)
        ]
        keys = keys + sum(parts, np.zeros(len(target)))
    return np.round(keys, _DIGITS)


def column_order(
    X: Matrix | Floats, target: Floats, count: Floats, *, has_order: bool = True
) -> Ints:
    """Columns in an order of their own: neither that of the caller nor a sign changes it."""
    share = count / count.sum()
    values = _bounded(X, count)
    links = _mean([np.abs(values.pull(share * aim)) for aim in _aims(target, count, has_order)])
    sizes = values.map(np.abs).pull(share)
    return np.argsort(np.round(sizes + links, _DIGITS), kind="stable")


def _aims(target: Floats, count: Floats, has_order: bool) -> list[Floats]:
    """The target as numbers, one a row or one a row and class.

    What is known of a time in two numbers counts alike.
    """
    if has_order:
        return [_bounded(target.reshape(len(target), -1), count).dense().sum(axis=1)]
    is_class = (target[:, None] == np.unique(target)).astype(float)
    return list(_bounded(is_class, count).dense().T)


def _mean(parts: list[Floats]) -> Floats:
    """The mean of all, whatever their order, to the last digit."""
    return np.sort(np.stack(parts), axis=0).mean(axis=0)


def _bounded(X: Matrix | Floats, count: Floats) -> Matrix:
    """Standardised columns, with all values brought between −1 and 1."""
    X = in_passing(matrix_of(X))
    return Scaling.of(X, count).of_matrix(X).map(lambda values: values / (1.0 + np.abs(values)))


def _sizes(sizes: Matrix, weight: Floats) -> Floats:
    return sizes.scores(sizes.pull(weight)) / np.sqrt(max(sizes.shape[1], 1))


def _links(values: Matrix, aims: list[Floats], weight: Floats) -> Floats:
    return _mean([aim * values.scores(values.pull(weight * aim)) for aim in aims])
