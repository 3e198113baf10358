"""Checks of what users pass in: errors say what is wrong, where, and what to do."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from numbers import Integral, Real
from typing import Any, Literal

import numpy as np
import pandas as pd
from scipy.sparse import issparse
from sklearn.utils import check_random_state
from sklearn.utils.validation import _check_sample_weight, check_array, column_or_1d, validate_data

from allrelevant.base.arrays import Floats
from allrelevant.base.disguised import holds_dates, refuse_dates, refuse_masked, without_mask
from allrelevant.base.names import named_columns

_LARGEST = 1e150  # squares of larger numbers overflow
_SMALLEST_MEAN, _LARGEST_MEAN = 1e-6, 1e12  # of weights: beyond, products lose their digits
_MOST_SHOWN = 100  # characters of a value
_ENCODE = "Encode it first, e.g. with sklearn.preprocessing.OneHotEncoder, or drop it."
_AS_FRAME = f"{_ENCODE} In a data frame relevance estimators read text as categories."
_COUNT_DAYS = (
    "Make a number of it first, such as days since some date (of a data frame, "
    "allrelevant.TablePreparer(dates='days') does), or drop it."
)


def check_table(estimator: Any, X: Any, *, reset: bool = True, sparse: bool = False) -> Any:
    """X as a float array, with scikit-learn's bookkeeping of names and widths.

    Where it may be `sparse`, such data stay so, by rows.
    """
    refuse_text(X)
    X = _without_odd_fills(without_mask(X))
    table = validate_data(
        estimator,
        X,
        reset=reset,
        dtype=np.float64,
        ensure_all_finite=False,
        ensure_min_samples=2 if reset else 1,
        accept_sparse="csr" if sparse else False,
    )
    return check_finite(table, column_names(estimator, table.shape[1]))


def _without_odd_fills(X: Any) -> Any:
    """A frame whose sparse columns leave out zeros alone: pandas may leave out gaps, or ones."""
    if not isinstance(X, pd.DataFrame) or not X.columns.is_unique:
        return X
    sparse = {k: own for k, own in X.dtypes.items() if isinstance(own, pd.SparseDtype)}
    return X.astype({k: own.subtype for k, own in sparse.items() if own.fill_value != 0})


def check_privileged(X_privileged: Any, X: Floats) -> tuple[list[str], Floats]:
    """Names of the privileged features, and their values as a float array."""
    refuse_text(X_privileged)
    table = check_array(
        without_mask(X_privileged),
        dtype=np.float64,
        ensure_all_finite=False,
        ensure_min_features=0,
        input_name="X_privileged",
    )
    if not table.shape[1]:
        raise ValueError("X_privileged has no columns: leave it out, or give it at least one.")
    if len(table) != len(X):
        raise ValueError(
            f"X_privileged must have one row for each row of X: {len(X)}, got {len(table)}."
        )
    given = getattr(X_privileged, "columns", None)
    names = [f"p{k}" for k in range(table.shape[1])] if given is None else list(map(str, given))
    return names, check_finite(table, names, "X_privileged")


def refuse_both(privileged: Sequence[str], names: Sequence[str]) -> None:
    """Refuse a privileged feature that is called as another one is."""
    twice = next((name for name in privileged if name in set(names)), None)
    if twice is not None:
        raise ValueError(
            f"X_privileged has a column called {twice!r}, and so has X: what is known when "
            "predicting is not privileged. Drop it from one of them, or rename it."
        )


def check_finite(table: Any, names: list[str], what: str = "X") -> Any:
    """Refuse missing and infinite values, and those too large to square, naming their columns."""
    is_sparse = bool(issparse(table))
    values = table.data if is_sparse else table
    bad = ~np.isfinite(values)
    if bad.any():
        columns = np.unique(table.indices[bad] if is_sparse else np.nonzero(bad)[1])
        kind = "NaN" if np.isnan(values[bad]).any() else "infinity"
        shown, n = named_columns([names[k] for k in columns]), int(bad.sum())
        raise ValueError(
            f"Input {what} contains {kind} in {shown} ({n} value{'s' * (n > 1)}). Impute or drop "
            "them first, e.g. with sklearn.impute.SimpleImputer or allrelevant.TablePreparer."
        )
    check_size(table, names, what)
    return table


def check_size(
    table: Any,
    names: list[str],
    what: str = "X",
    most: float = _LARGEST,
    advice: str = "give it in other units",
) -> None:
    """Refuse values that are too large to compute with, naming the column of the largest."""
    is_sparse = bool(issparse(table))
    sizes = abs(table)
    largest = sizes.max(axis=0).toarray()[0] if is_sparse else sizes.max(axis=0, initial=0.0)
    if (largest > most).any():
        k = int(np.argmax(largest))
        raise ValueError(
            f"Input {what} has values up to {largest[k]:.3g} in column {names[k]!r}, which is too "
            f"large to compute with: {advice}."
        )


def column_names(estimator: Any, n_features: int) -> list[str]:
    """The names of the columns, made up (x0, x1, …) where the data have none."""
    given = getattr(estimator, "feature_names_in_", None)
    return [f"x{k}" for k in range(n_features)] if given is None else [str(name) for name in given]


def refuse_text(X: Any, advice: str = _ENCODE) -> None:
    """Name the first column that does not hold numbers, in a data frame, an array or lists."""
    if isinstance(X, list | tuple):
        with suppress(ValueError):  # rows of different lengths are for others to refuse
            X = np.asarray(X)
    if isinstance(X, np.ndarray) and X.ndim == 2 and X.dtype.kind in "USmM":
        columns = {f"x{k}": X[:, k] for k in range(X.shape[1])}
    elif isinstance(X, np.ndarray) and X.ndim == 2 and X.dtype.kind == "O":
        odd = [holds_dates(c) or any(isinstance(value, str) for value in c) for c in X.T]
        columns = {f"x{k}": X[:, k] for k in np.flatnonzero(odd)}
    elif hasattr(X, "columns") and hasattr(X, "dtypes"):
        refuse_same_names(X)
        columns = {name: np.asarray(X[name]) for name in X.columns}
    else:
        return
    if advice == _ENCODE and isinstance(X, np.ndarray):
        advice = _AS_FRAME
    for name, values in columns.items():
        if values.dtype.kind in "biufc":
            continue
        try:
            if values.dtype.kind in "mM":
                raise TypeError
            with_plain_gaps(values).astype(np.float64)
        except (TypeError, ValueError):
            example = next((v for v in values.tolist() if isinstance(v, str)), values[0])
            todo = _COUNT_DAYS if holds_dates(values) else advice
            raise ValueError(
                f"Column {name!r} does not hold numbers (for example {str(example)!r}). {todo}"
            ) from None


def with_plain_gaps(cells: np.ndarray) -> np.ndarray:
    """Cells with NaN where one is missing: pandas' NA, beside yes and no, is no number."""
    return np.where(pd.isna(cells), np.nan, cells) if cells.dtype.kind == "O" else cells


def refuse_same_names(X: Any) -> None:
    """Refuse a data frame with two columns of one name, of which nothing could be told apart."""
    names = list(getattr(X, "columns", ()))
    if len(set(names)) < len(names):
        twice = next(name for name, n in Counter(names).items() if n > 1)
        raise ValueError(f"X has two columns called {twice!r}: rename one.")


def check_numbers(y: Any) -> Floats:
    """A target of numbers as a vector."""
    refuse_masked(y, "y", "drop those samples first")
    refuse_dates(y, "y")
    try:
        return np.asarray(column_or_1d(y, dtype=np.float64, warn=True))
    except (TypeError, ValueError) as error:
        if np.ndim(y) != 1:
            raise
        said = str(error).replace("np.str_(", "").replace("')", "'")  # words as people wrote them
        raise ValueError(
            f"y must hold numbers for a regression: {said}. For classes use a classifier: "
            "RelevanceClassifier, ForestRelevanceClassifier, or OrdinalRelevanceClassifier if they "
            "have an order."
        ) from None


def check_weights(sample_weight: Any, X: Floats) -> Floats:
    """Sample weights as an array; not negative, not all zero."""
    refuse_masked(sample_weight, "sample_weight", "a sample that does not count weighs 0")
    refuse_dates(sample_weight, "sample_weight")
    weights = _check_sample_weight(sample_weight, X, dtype=np.float64)
    if (weights < 0).any():
        raise ValueError("sample_weight must not be negative.")
    if not (weights > 0).sum() >= 2:
        raise ValueError("sample_weight leaves fewer than two samples with a positive weight.")
    with np.errstate(over="ignore"):
        mean = float(np.mean(weights[weights > 0]))
    if not _SMALLEST_MEAN <= mean <= _LARGEST_MEAN:
        raise ValueError(
            f"sample_weight has a mean of {mean:.3g}, which must be between {_SMALLEST_MEAN:g} and "
            f"{_LARGEST_MEAN:g}: divide the weights by their mean."
        )
    return np.asarray(weights, dtype=float)


def check_choice(name: str, value: Any, allowed: tuple[Any, ...]) -> None:
    """Refuse a parameter value that is none of the allowed ones."""
    # An array or NA, compared with a word, is neither equal nor unequal.
    is_plain = isinstance(value, (str, Real, np.bool_))
    if not any(value is choice or (is_plain and value == choice) for choice in allowed):
        listed = ", ".join(repr(choice) for choice in allowed)
        raise ValueError(f"{name} must be one of {listed}, got {value!r}.")


def check_number(
    name: str,
    value: Any,
    *,
    low: float = -np.inf,
    high: float = np.inf,
    closed: bool | Literal["right"] = True,
    whole: bool = False,
    also: tuple[str, ...] = (),
) -> None:
    """Refuse a parameter value that is not a number between `low` and `high`."""
    kind = Integral if whole else Real
    is_number = isinstance(value, kind) and not isinstance(value, (bool, np.bool_))
    inside = is_number and low <= value <= high
    if inside and closed is not True:
        inside = low < value and (closed == "right" or value < high)
    if not inside or not _is_finite(value):
        options = "".join(f"{word} or " for word in also)
        what = "a whole number" if whole else "a number"
        if np.isinf(high):
            bounds = f"of at least {low:g}" if closed else f"above {low:g}"
        else:
            bounds = f"between {low:g} and {high:g}"
            bounds += f", but not {low:g}" * (closed == "right")
        if np.isinf(low):
            bounds = ""
        shown = repr(value) if len(repr(value)) <= _MOST_SHOWN else f"{repr(value)[:20]}…"
        raise ValueError(f"{name} must be {options}{what} {bounds}".rstrip() + f", got {shown}.")


def _is_finite(value: Any) -> bool:
    try:
        return math.isfinite(value)
    except OverflowError:  # a whole number beyond all floats
        return False


def check_running(n_jobs: Any, verbose: Any, random_state: Any) -> None:
    """Refuse what joblib, the progress and the random numbers could not use."""
    if n_jobs is not None:
        check_number("n_jobs", n_jobs, whole=True, also=("None",))
        if n_jobs == 0:
            raise ValueError("n_jobs must not be 0: 1 is one process, -1 all processors.")
    check_number(
        "verbose", int(verbose) if isinstance(verbose, bool) else verbose, low=0, whole=True
    )
    try:
        check_random_state(random_state)
    except ValueError as error:
        raise ValueError(
            f"random_state must be None, a seed or a RandomState, got {random_state!r}: {error}"
        ) from None


def check_given(estimator: Any, y: Any) -> None:
    """Raise where there is no target, in the words scikit-learn's checks look for."""
    if y is None:
        name = type(estimator).__name__
        raise ValueError(f"{name} requires y to be passed, but the target y is None.")
