"""Checks of what says how rows count, which belong together, and which are tested when."""

from __future__ import annotations

from numbers import Integral
from typing import Any

import numpy as np
from sklearn.model_selection import check_cv
from sklearn.utils.validation import check_consistent_length, column_or_1d

from allrelevant.base.arrays import Ints
from allrelevant.base.disguised import refuse_masked
from allrelevant.base.validation import check_number
from allrelevant.linear.fit.rows.folds import GivenFolds


def check_groups(groups: Any, n_rows: int) -> Ints | None:
    """Groups as numbers; None where every row is one of its own."""
    if groups is None:
        return None
    refuse_masked(groups, "groups", "every row needs one")
    labels = column_or_1d(groups, warn=True)
    check_consistent_length(labels, np.empty(n_rows))
    if any(label is None or label != label for label in labels.tolist()):
        raise ValueError(
            "groups has missing values: every row needs one. Give rows that belong to nobody "
            "else a label of their own."
        )
    names, codes = np.unique(labels, return_inverse=True)
    if len(names) < 2:
        raise ValueError(
            f"groups puts all rows into one group ({names.tolist()[0]!r}): nothing could be "
            "tested on rows of another. Leave it out, or give each unit its own label."
        )
    return None if len(names) == n_rows else codes.astype(np.intp)


def check_folds(cv: Any, X: Any, y: Any, groups: Any, *, has_classes: bool) -> int | GivenFolds:
    """The number of folds, or (train, test) by rows of the data."""
    if isinstance(cv, Integral) and not isinstance(cv, (bool, np.bool_)):
        check_number("cv", cv, low=2, whole=True, also=("a splitter", "an iterable of splits"))
        return int(cv)
    if cv is None or isinstance(cv, (str, bool, float)):
        raise ValueError(
            f"cv must be a whole number of at least 2, a scikit-learn splitter, or an "
            f"iterable of (train, test) rows, got {cv!r}."
        )
    splitter = check_cv(cv, np.asarray(y), classifier=has_classes)
    splits = [(np.asarray(a), np.asarray(b)) for a, b in splitter.split(X, y, groups)]
    n = X.shape[0]
    return [(_as_rows(train, n), _as_rows(test, n)) for train, test in splits]


def _as_rows(rows: np.ndarray, n_rows: int) -> Ints:
    """Rows by their places, also where they were given as a mask."""
    if rows.dtype == bool:
        if len(rows) != n_rows:
            raise ValueError(f"cv has a mask of {len(rows)} rows for data of {n_rows}.")
        return np.flatnonzero(rows)
    if len(rows) and (rows.dtype.kind not in "iu" or rows.min() < 0 or rows.max() >= n_rows):
        raise ValueError(f"cv names rows that are not among the {n_rows} of X: they count from 0.")
    return rows.astype(np.intp)
