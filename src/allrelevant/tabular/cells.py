"""What single cells of a column are: numbers, levels of a category."""

from __future__ import annotations

import pandas as pd
from pandas.api import types

__all__ = ["MISSING", "is_number", "levels_of"]

MISSING = "(missing)"


def levels_of(column: pd.Series) -> pd.Series:
    """Cells as names of levels; a missing one is a level too."""
    return column.astype(object).where(column.notna(), MISSING).map(_level)


def _level(value: object) -> str:
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def is_number(column: pd.Series) -> bool:
    """Whether a column holds numbers, or yes and no."""
    return types.is_numeric_dtype(column) or types.is_bool_dtype(column)
