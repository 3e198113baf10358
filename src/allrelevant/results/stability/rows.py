"""Complementary halves of the rows."""

from __future__ import annotations

import numpy as np

from allrelevant.base.arrays import Floats, Ints


def complementary_halves(
    n_rows: int, seed: int, *, strata: Floats | None = None, group: Ints | None = None
) -> tuple[Ints, Ints]:
    """Two halves that share no row and leave out none.

    Parameters
    ----------
    n_rows : int
    seed : int
    strata : array of shape (n_rows,), optional
        The class of each row; either half has its share of every class.
    group : array of int of shape (n_rows,), optional
        Rows that belong together and stay together; a group's class is that of most of its rows.
    """
    label = np.arange(n_rows) if group is None else np.unique(group, return_inverse=True)[1].ravel()
    size = np.bincount(label, minlength=1)
    kind: Floats | Ints = np.zeros(len(size))
    if strata is not None:
        kind = strata if group is None else _most_frequent(strata, label, len(size))
    random = np.random.default_rng(seed)
    # Neighbours are alike in class and size: every other one makes halves of nearly one size.
    order = np.lexsort((random.permutation(len(size)), -size, kind))
    first = np.zeros(len(size), dtype=bool)
    first[order[int(random.integers(2)) :: 2]] = True
    return np.flatnonzero(first[label]), np.flatnonzero(~first[label])


def _most_frequent(strata: Floats, label: Ints, n_groups: int) -> Ints:
    """The class of most of a group's rows, of equally many the first."""
    classes, code = np.unique(strata, return_inverse=True)
    counts = np.zeros((n_groups, len(classes)))
    np.add.at(counts, (label, code.ravel()), 1.0)
    return counts.argmax(axis=1)
