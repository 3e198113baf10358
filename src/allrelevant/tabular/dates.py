"""Dates as numbers: days since 1970, or the parts that people speak of."""

from __future__ import annotations

from typing import Literal

import pandas as pd
from pandas.api import types

from allrelevant.tabular.cells import holds_dates
from allrelevant.tabular.errors import TableError

__all__ = ["Dates", "date_columns", "part_names", "with_dates"]

Dates = Literal["leave_out", "days", "parts"]

_DAY = pd.Timedelta(days=1)
_PARTS = {"year": "year", "month": "month", "weekday": "day_of_week"}
_YEAR_FIRST = r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}(?:[T ].*)?"
_MONTH_NAMED = r".*[A-Za-zä]{3,}.*"


def date_columns(frame: pd.DataFrame) -> list[str]:
    """The columns that hold dates; lengths of time and times of day are none."""
    lengths = ("timedelta", "timedelta64", "time")
    return [
        str(name)
        for name in frame.columns
        if holds_dates(frame[name]) and types.infer_dtype(frame[name], skipna=True) not in lengths
    ]


def part_names(name: str) -> tuple[str, ...]:
    """What the parts of a date are called."""
    return tuple(f"{name}_{part}" for part in _PARTS)


def with_dates(frame: pd.DataFrame, names: list[str], how: Dates) -> pd.DataFrame:
    """The same table with numbers in the place of some dates; missing ones stay missing.

    Parts are the year, the month (1 to 12) and the day of the week (0 is Monday).
    """
    if how == "leave_out" or not names:
        return frame
    columns: dict[str, pd.Series] = {}
    for name in frame.columns:
        if name not in names:
            columns[name] = frame[name]
            continue
        dates = _read(name, frame[name])
        if how == "days":
            columns[name] = (dates - pd.Timestamp(0)) / _DAY
        else:
            parts = zip(part_names(name), _PARTS.values(), strict=True)
            columns |= {own: getattr(dates.dt, part).astype(float) for own, part in parts}
    return pd.DataFrame(columns, index=frame.index)


def _read(name: str, column: pd.Series) -> pd.Series:
    if isinstance(column.dtype, pd.PeriodDtype):
        column = column.dt.to_timestamp()
    if not types.is_datetime64_any_dtype(column):
        text = column.dropna().astype(str).str.strip()
        sure = text.str.fullmatch(_YEAR_FIRST) | text.str.fullmatch(_MONTH_NAMED)
        if not sure.all():
            example = text[~sure].iloc[0]
            raise TableError(
                f"column {name!r} holds dates such as {example!r}, where day and month "
                "cannot be told apart: make dates of them first, "
                f"pd.to_datetime(frame[{name!r}], dayfirst=True) or with its format."
            )
        column = pd.to_datetime(column, format="mixed", errors="coerce", utc=True)
    zone = getattr(column.dtype, "tz", None)
    return column if zone is None else column.dt.tz_convert("UTC").dt.tz_localize(None)
