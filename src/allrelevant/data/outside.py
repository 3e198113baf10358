"""Which data are not in memory, and how their rows are visited."""

from __future__ import annotations

from typing import Any

from allrelevant.data.dask_rows import DaskRows, is_dask
from allrelevant.data.rows import BlockedRows


def rows_of(X: Any, y: Any) -> BlockedRows | None:
    """The rows of data that are not in memory; None where they are."""
    if isinstance(X, BlockedRows):
        if y is not X.target:
            raise ValueError("y must be the target that came with X: fit(rows, rows.target).")
        return X
    if is_dask(X):
        return DaskRows(X, y)
    if is_dask(y):
        raise ValueError("y is a dask array, but X is in memory: give y.compute(), or a dask X.")
    return None
