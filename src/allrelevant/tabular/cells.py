"""What single cells of a column are: numbers, dates, lists, levels of a category."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pandas as pd
from pandas.api import types

from allrelevant.tabular.errors import TableError
from allrelevant.tabular.names import few

MISSING = "(missing)"
_MOST = 0.9  # share of cells that make a column one of dates, whatever the others are
_LOOKED_AT = 1000  # distinct cells, of which there may be many
_DATES = ("date", "datetime", "datetime64", "timedelta", "timedelta64", "time", "period")
_DAY, _MONTH = r"(0?[1-9]|[12]\d|3[01])", r"(0?[1-9]|1[0-2])"
_MONTH_NAME = r"(jan|feb|m[aä]r|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz])[a-z]*"
_DATE_FORMS = (
    rf"\d{{4}}([-/.]){_MONTH}\1{_DAY}",
    rf"({_DAY}([-/.]){_MONTH}|{_MONTH}([-/.]){_DAY})[-/.]\d{{4}}",
    # With two digits for the year all have two: 1.2.10 may be a version.
    r"(\d\d\.\d\d\.\d\d|\d\d?/\d\d?/\d\d)",
    rf"{_DAY}[-. ]+{_MONTH_NAME}[-., ]+\d{{4}}",
    rf"{_MONTH_NAME}[. ]+{_DAY},? +\d{{4}}",
)
_TIME = r"([T ]+\d\d?:\d\d(:\d\d([.,]\d+)?)? ?([ap]m)?( ?(z|utc|[+-]\d\d:?(\d\d)?))?)?"
_DATE = tuple(re.compile(form + _TIME, re.IGNORECASE) for form in _DATE_FORMS)


def holds_numbers(column: pd.Series) -> bool:
    """Whether a column holds numbers, or yes and no."""
    return types.is_numeric_dtype(column) or types.is_bool_dtype(column)


def holds_lists(column: pd.Series) -> bool:
    """Whether cells are lists or the like, of which no two can be compared."""
    if not types.is_object_dtype(column):
        return False
    return bool(column.map(lambda cell: isinstance(cell, list | dict | set | np.ndarray)).any())


def looks_like_dates(column: pd.Series) -> bool:
    """Whether a column holds dates or times, also as text in one of the usual forms."""
    if holds_numbers(column):
        return False
    if types.infer_dtype(column, skipna=True) in _DATES:
        return True
    cells = column.dropna().astype(str).str.strip().unique()[:_LOOKED_AT]
    dates = sum(any(form.fullmatch(cell) for form in _DATE) for cell in cells)
    return bool(dates > 0 and dates >= _MOST * len(cells))


def holds_decimals(column: pd.Series) -> bool:
    """Whether numbers are Python's exact decimals, as Parquet has them."""
    return bool(types.infer_dtype(column, skipna=True) == "decimal")


def as_numbers(column: pd.Series) -> pd.Series:
    """Cells as numbers, also those written as text; NaN where there is none."""
    if holds_numbers(column):
        return column.astype(float)
    text = column.astype(object).map(_number_text)
    return pd.to_numeric(text, errors="coerce").astype(float)


def no_numbers(column: pd.Series) -> npt.NDArray[np.bool_]:
    """Which cells are neither numbers nor missing."""
    return np.asarray(column.notna() & as_numbers(column).isna(), dtype=bool)


def name_cells(column: pd.Series, which: npt.NDArray[np.bool_], rows: Sequence[int]) -> str:
    """Cells and the rows they are in, the first few of them."""
    places = np.flatnonzero(which).tolist()
    cells = [f"{str(column.iloc[k])!r} in row {rows[k]}" for k in places]
    return f"{few(cells)} (rows below the header)"


def level_names(column: pd.Series) -> pd.Series:
    """Cells as names of levels; a missing one is a level too."""
    if column.isna().any() and (column.astype(object) == MISSING).any():
        raise TableError(
            f"column {column.name!r} has empty cells and others that say {MISSING!r}, as empty "
            "ones are called: rename these, or leave them empty, too"
        )
    return column.astype(object).where(column.notna(), MISSING).map(level_name)


def level_name(value: object) -> str:
    """What a level is called; whole numbers have no decimals."""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _number_text(value: object) -> str:
    return str(int(value)) if isinstance(value, bool | np.bool_) else str(value)
