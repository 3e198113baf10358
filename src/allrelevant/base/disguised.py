"""What is no table of numbers yet: dates, what a mask hides, tables of other libraries."""

from __future__ import annotations

from datetime import date, time, timedelta
from typing import Any

import numpy as np

_TIMES = (date, time, timedelta, np.datetime64, np.timedelta64)


def as_frame(X: Any) -> Any:
    """A table of Arrow as a data frame; other data as they are, but for those without rows."""
    library = type(X).__module__.partition(".")[0]
    if library == "polars" and hasattr(X, "collect"):
        raise ValueError("X is a polars LazyFrame, which has no rows yet: give X.collect().")
    return X.to_pandas() if library == "pyarrow" and hasattr(X, "to_pandas") else X


def holds_dates(values: np.ndarray) -> bool:
    """Whether there are dates, times of day or lengths of time among values."""
    if values.dtype.kind == "O":
        return any(isinstance(value, _TIMES) for value in values.ravel())
    return values.dtype.kind in "mM"


def refuse_dates(values: Any, what: str) -> None:
    """Refuse dates and lengths of time, whose numbers depend on a unit that nobody named."""
    found = np.asarray(values)
    if not holds_dates(found):
        return
    example = next(v for v in found.ravel() if found.dtype.kind != "O" or isinstance(v, _TIMES))
    raise ValueError(
        f"{what} holds dates or lengths of time (for example {str(example)!r}). Make numbers of "
        "them first, such as days since some date, or words where they are names of classes."
    )


def refuse_masked(values: Any, what: str, advice: str) -> None:
    """Refuse values that a mask hides, which numpy would take all the same."""
    n = int(np.ma.getmaskarray(values).sum()) if np.ma.isMaskedArray(values) else 0
    if n:
        raise ValueError(f"{what} has {n} masked value{'s' * (n > 1)}: {advice}.")


def without_mask(X: Any) -> Any:
    """A table with NaN where a mask hides a value; any other as it is."""
    if isinstance(X, list | tuple) and any(map(np.ma.isMaskedArray, X)):
        X = np.ma.stack(X)
    if np.ma.isMaskedArray(X) and np.ma.is_masked(X):
        return np.ma.asarray(X, dtype=np.float64).filled(np.nan)
    return X
