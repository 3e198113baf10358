"""Tables as users have them: numbers, categories and missing values."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from sklearn.utils.validation import validate_data

from allrelevant.base.arrays import Floats, Ints, Mask
from allrelevant.base.disguised import as_frame, without_mask
from allrelevant.base.names import named_columns
from allrelevant.base.validation import column_names, refuse_same_names, refuse_text
from allrelevant.tabular.categories import category_of

Categories = dict[str, dict[Any, float]]


def table_of_numbers(
    estimator: Any, X: Any, categories: Categories | None = None
) -> tuple[Floats, Categories]:
    """X as numbers, with NaN where values are missing, and the codes of categories by column.

    scikit-learn keeps book of names and widths in the estimator. With the `categories` of an
    earlier table X must have its columns, and unknown ones are missing.
    """
    reset = categories is None
    X = as_frame(X)
    X, categories = _with_codes(X, categories)
    refuse_text(X, "Make it a category of a data frame (X[name].astype('category')), or drop it.")
    values = validate_data(
        estimator,
        without_mask(X),
        reset=reset,
        dtype=np.float64,
        ensure_all_finite=False,
        ensure_min_samples=2 if reset else 1,
    )
    infinite = np.isinf(values)
    if infinite.any():
        names = column_names(estimator, values.shape[1])
        shown = named_columns([names[k] for k in np.flatnonzero(infinite.any(axis=0))])
        n = int(infinite.sum())
        raise ValueError(
            f"Input X contains infinity in {shown} ({n} value{'s' * (n > 1)}). Clip it or mark it "
            "as missing (NaN)."
        )
    return values, categories


def categorical_mask(estimator: Any, n_features: int, categories: Categories) -> Mask:
    """Which columns hold codes."""
    return np.array([name in categories for name in column_names(estimator, n_features)], bool)


def _with_codes(X: Any, categories: Categories | None) -> tuple[Any, Categories]:
    """The frame with codes in the place of categories; other tables as they are."""
    if not (hasattr(X, "columns") and hasattr(X, "dtypes")):
        return X, {} if categories is None else categories
    refuse_same_names(X)
    if categories is None:
        found = {
            str(name): {label: float(k) for k, label in enumerate(_labels(X[name]))}
            for name in X.columns
            if category_of(X, name) is not None
        }
    else:
        found = categories
    if not found:
        return X, found
    columns = {}
    for name in X.columns:
        column = X[name]
        if str(name) in found:
            codes = found[str(name)]
            columns[name] = [codes.get(label, np.nan) for label in column.to_list()]
        else:
            columns[name] = column.to_numpy()
    return pd.DataFrame(columns, columns=list(X.columns)), found


def _labels(column: Any) -> list[Any]:
    """The categories that occur: the order of their dtype, or sorted, does not matter."""
    present = {label for label in column.to_list() if label is not None and label == label}
    return sorted(present, key=str)


def telling(X: Floats) -> Ints:
    """Columns with more than one value, a missing one being a value too."""
    return np.array([j for j, column in enumerate(X.T) if len(np.unique(column)) > 1], dtype=int)
