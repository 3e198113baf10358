"""Partly labelled targets: which rows have a label, and the rank it stands for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from sklearn.utils.validation import column_or_1d

from allrelevant.engine.pieces import Floats, Mask
from allrelevant.errors import warn_user
from allrelevant.estimators.labels import _as_order, _categories, encode_ranks


def labelled(y: Any) -> Mask:
    """Which rows have a label: not −1, NaN, None or NA.

    As everywhere in scikit-learn's semi-supervised learning, −1 is no class. One target is an
    exception: with −1 and 1 as its only values a reading of −1 as unlabelled would leave a single
    class and nothing to learn, while both are the usual names of two classes.
    """
    values = column_or_1d(y, warn=True)
    is_missing = np.asarray(pd.isna(values))
    if values.dtype.kind in "US":
        return ~is_missing
    if values.dtype.kind == "O":
        is_minus_one = np.array([not isinstance(v, str) and v == -1 for v in _safe(values)])
    else:
        is_minus_one = values == -1
    if is_minus_one.any() and not is_missing.any():
        others = values[~is_minus_one]
        if len(others) and all(not isinstance(v, str) and v == 1 for v in others.tolist()):
            warn_user(
                "y holds −1 and 1 only, so both are taken for classes: with −1 for unlabelled rows "
                "there would be one class. Mark unlabelled rows by NaN or None if you mean that."
            )
            return ~is_missing
    return ~(is_missing | is_minus_one)


def encode_partly(
    y: Any, classes: Sequence[Any] | None, estimator_name: str
) -> tuple[np.ndarray, Floats]:
    """The classes that have labelled rows, in order, and the rank of each row; −1 if unlabelled."""
    known = labelled(y)
    if not known.any():
        raise ValueError(
            f"y has no labelled row (−1, NaN and None mean unlabelled): {estimator_name} needs "
            "labelled rows of at least two classes."
        )
    order = _categories(y) if classes is None else _as_order(classes)
    plain = natural(column_or_1d(y)[known])
    names, codes = encode_ranks(plain, np.ones(len(plain), bool), order, estimator_name)
    rank = np.full(len(known), -1.0)
    rank[known] = codes
    return names, rank


def full_order(
    y: Any, classes: Sequence[Any] | None, learned: np.ndarray, given: np.ndarray
) -> list[Any]:
    """All classes that count for a score: those named, or those learned and those in `given`."""
    order = _categories(y) if classes is None else _as_order(classes)
    if order is not None:
        return order
    return list(np.unique(np.concatenate([learned, given])).tolist())


def natural(labels: np.ndarray) -> np.ndarray:
    """Labels as numbers where a gap among them had made them objects."""
    if labels.dtype.kind != "O":
        return labels
    return np.asarray(pd.Series(labels.tolist(), dtype=object).infer_objects().to_numpy())


def _safe(values: np.ndarray) -> list[Any]:
    """Values that can be compared: NA cannot."""
    return [None if v is pd.NA else v for v in values.tolist()]
