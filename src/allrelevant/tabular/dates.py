"""Dates as numbers: days since 1970, or the parts that people speak of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

import pandas as pd
from pandas.api import types

from allrelevant.tabular.cells import looks_like_dates
from allrelevant.tabular.errors import TableError

Dates = Literal["leave_out", "days", "parts"]

_DAY = pd.Timedelta(days=1)
_PARTS = {"year": "year", "month": "month", "weekday": "day_of_week"}
_YEAR_FIRST = r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}(?:[T ].*)?"
_MONTH_NAMED = r".*[A-Za-zä]{3,}.*"
_TWO_NUMBERS = r"^(\d{1,2})\D(\d{1,2})\D"
_DOTTED = r"^\d{1,2}\.\d{1,2}\."
_MONTHS = 12


def date_columns(frame: pd.DataFrame) -> list[str]:
    """The columns that hold dates; lengths of time and times of day are none."""
    lengths = ("timedelta", "timedelta64", "time")
    return [
        str(name)
        for name in frame.columns
        if looks_like_dates(frame[name])
        and types.infer_dtype(frame[name], skipna=True) not in lengths
    ]


def part_names(name: str) -> tuple[str, ...]:
    """What the parts of a date are called."""
    return tuple(f"{name}_{part}" for part in _PARTS)


def owners_of_parts(dates: Iterable[str], how: Dates) -> dict[str, str]:
    """The date that each part was made of; none where dates are days."""
    return {part: name for name in dates for part in part_names(name)} if how == "parts" else {}


def understood_dates(frame: pd.DataFrame) -> dict[str, str]:
    """The columns that hold dates, and what comes first in each: "day", "month", or it is plain.

    Raises
    ------
    TableError
        If nothing in a column tells days from months.
    """
    return {name: _first(name, frame[name]) for name in date_columns(frame)}


def with_dates(frame: pd.DataFrame, first: Mapping[str, str], how: Dates) -> pd.DataFrame:
    """The same table with numbers in the place of some dates; missing ones stay missing.

    Parts are the year, the month (1 to 12) and the day of the week (0 is Monday). `first` is what
    `understood_dates` has found, in this table or in an earlier one of the same kind.
    """
    if how == "leave_out" or not first:
        return frame
    columns: dict[str, pd.Series] = {}
    for name in frame.columns:
        if name not in first:
            columns[name] = frame[name]
            continue
        dates = _read(frame[name], first[name] or _first(name, frame[name]))
        if how == "days":
            columns[name] = (dates - pd.Timestamp(0)) / _DAY
        else:
            parts = zip(part_names(name), _PARTS.values(), strict=True)
            columns |= {own: getattr(dates.dt, part).astype(float) for own, part in parts}
    return pd.DataFrame(columns, index=frame.index)


def _first(name: str, column: pd.Series) -> str:
    """Whether days come first, or months; nothing where years do, or months have names."""
    if isinstance(column.dtype, pd.PeriodDtype) or types.is_datetime64_any_dtype(column):
        return ""
    text = column.dropna().astype(str).str.strip()
    open_ = text[~(text.str.fullmatch(_YEAR_FIRST) | text.str.fullmatch(_MONTH_NAMED))]
    if open_.empty:
        return ""
    found = open_.str.extract(_TWO_NUMBERS).astype(float)
    can_be_month = [not (found[k] > _MONTHS).any() for k in (0, 1)]
    if can_be_month[0] != can_be_month[1]:
        return "month" if can_be_month[0] else "day"
    if can_be_month[0] and open_.str.contains(_DOTTED).all():
        return "day"  # 3.4.2024 is the third of April wherever dots are written
    raise TableError(
        f"column {name!r} holds dates such as {open_.iloc[0]!r}, where day and month cannot be "
        "told apart: write them as 2024-01-31, in Python by "
        f"pd.to_datetime(frame[{name!r}], dayfirst=True) or with its format."
    )


def _read(column: pd.Series, first: str) -> pd.Series:
    if isinstance(column.dtype, pd.PeriodDtype):
        column = column.dt.to_timestamp()
    if not types.is_datetime64_any_dtype(column):
        days_first = first == "day"
        column = pd.to_datetime(
            column, format="mixed", dayfirst=days_first, errors="coerce", utc=True
        )
    zone = getattr(column.dtype, "tz", None)
    return column if zone is None else column.dt.tz_convert("UTC").dt.tz_localize(None)
