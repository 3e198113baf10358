"""Why a column cannot be a feature, and which cells are to blame."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pandas as pd
from pandas.api import types

from allrelevant.tabular.cells import (
    holds_lists,
    holds_numbers,
    looks_like_dates,
    name_cells,
    no_numbers,
)
from allrelevant.tabular.looks import unit_of

MOST_LEVELS = 30
MOST_ODD = 0.2  # share of cells that are typing errors among numbers rather than names
FEWEST_DISTINCT = 20  # rows from which distinct values in every one of them are suspicious
_IDENTIFIER = re.compile(r"(^|[\s_.-])(id|ids|uuid|guid|key|index|rownames?|nr|no)$|^unnamed: \d+$")


def why_unusable(
    name: str, column: pd.Series, rows: Sequence[int], *, categorical: bool, numeric: bool
) -> str:
    """Why a column cannot be a feature, or nothing."""
    if holds_lists(column):
        return "it holds lists; make columns of single values first"
    if types.is_complex_dtype(column):
        return "it holds complex numbers"
    n_distinct, n = column.nunique(), int(column.notna().sum())
    if n == 0:
        return "it is empty"
    if n_distinct == 1 and (n == len(column) or holds_numbers(column)):
        return f"it is constant ({column.dropna().iloc[0]})"
    if categorical:
        return ""
    if looks_like_dates(column):
        return "it holds dates; --dates days or --dates parts makes numbers of them"
    all_distinct = n_distinct == n >= FEWEST_DISTINCT
    if holds_numbers(column):
        return "" if numeric else _like_an_identifier(name, column, all_distinct)
    if all_distinct:
        reason = "it is different in every row, like an identifier"
    elif n_distinct > MOST_LEVELS:
        reason = f"it is text with {n_distinct} distinct values (--categorical {name} uses it)"
    else:
        return ""
    return reason + almost_numbers(name, column, rows)


def almost_numbers(name: str, column: pd.Series, rows: Sequence[int]) -> str:
    """Which cells keep a column of text from being numbers, if most of them are."""
    if holds_numbers(column) or types.infer_dtype(column, skipna=True) == "boolean":
        return ""
    odd, n = no_numbers(column), int(column.notna().sum())
    if not odd.any():
        return f"; all its cells are numbers stored as text: --numeric {name} uses them"
    if odd.sum() > MOST_ODD * n:
        measured = unit_of(column)
        if measured is None:
            return ""
        return f"; {measured[1]} of {n} cells are numbers with {measured[0]!r}: write them without"
    return (
        f"; {n - odd.sum()} of {n} cells are numbers, but not {name_cells(column, odd, rows)}: "
        "correct these or leave them empty"
    )


def _like_an_identifier(name: str, column: pd.Series, all_distinct: bool) -> str:
    if not types.is_integer_dtype(column) or not all_distinct:
        return ""
    steps = bool((column.dropna().diff().dropna() == 1).all())
    if steps or _IDENTIFIER.search(name.lower()):
        return f"it looks like an identifier (--numeric {name} uses it all the same)"
    return ""
