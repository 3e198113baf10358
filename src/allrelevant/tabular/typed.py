"""Cells as a file has them become a column: whole numbers, numbers, yes and no, or words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

_GAPS = ("", "?")
_NUMBER_GAPS = (*_GAPS, "NA")  # among numbers R writes NA; float() knows NaN itself
_LONG = 2.0**53  # from here on not every whole number is a float
_YES = ("True", "TRUE", "true")
_NO_OTHERS = {*_YES, "False", "FALSE", "false", *_GAPS}


def column_of(cells: Sequence[Any], decimal: str = ".") -> tuple[pd.Series, set[str]]:
    """A column of cells, of which those of a spreadsheet need not be text, and words for its gaps.

    Empty cells and question marks are gaps, and among nothing but numbers NaN and NA as well. Any
    other word is a word: None, NA, null and n/a may be classes or levels. So are codes.
    """
    try:
        text = list(map(str.strip, cells))
    except TypeError:
        return _of_anything(cells)
    numbers = None
    if not are_codes(text):
        numbers = _whole_numbers(text)
        if numbers is None:
            numbers = _numbers(text, decimal)
    if numbers is not None:
        return _with_gaps(numbers, text)
    words = [np.nan if cell in _GAPS else cell for cell in text]
    if text[0] in _NO_OTHERS and set(text) <= _NO_OTHERS:
        truth = [cell in _YES if isinstance(cell, str) else cell for cell in words]
        return pd.Series(truth, dtype=object).infer_objects(), set()
    return pd.Series(words), set()


def are_codes(cells: Sequence[Any]) -> bool:
    """Whether cells are digits of which some begin with a zero, as codes of places do: 01067."""
    return any(
        isinstance(cell, str) and len(cell) > 1 and cell[0] == "0" for cell in cells
    ) and all(isinstance(cell, str) and (cell.isdigit() or cell in _NUMBER_GAPS) for cell in cells)


def _of_anything(cells: Sequence[Any]) -> tuple[pd.Series, set[str]]:
    """Numbers, dates and words of a spreadsheet, as they are but for numbers kept as text."""
    cells = [cell.strip() if isinstance(cell, str) else cell for cell in cells]
    cells = [None if cell in _GAPS or cell is pd.NaT or cell != cell else cell for cell in cells]
    if any(isinstance(cell, str) for cell in cells) and not any(map(_is_no_number, cells)):
        text = ["" if cell is None else str(cell) for cell in cells]
        numbers = _numbers(text, ".")
        if numbers is not None:
            return _with_gaps(numbers, text)
    return pd.Series(cells).infer_objects(), set()


def _is_no_number(cell: Any) -> bool:
    return isinstance(cell, bool) or not isinstance(cell, str | int | float | None)


def _with_gaps(numbers: np.ndarray, cells: Sequence[str]) -> tuple[pd.Series, set[str]]:
    gaps = np.flatnonzero(np.isnan(numbers)).tolist()
    return pd.Series(numbers), {cells[k] for k in gaps} - set(_GAPS)


def _whole_numbers(cells: Sequence[str]) -> np.ndarray | None:
    try:
        found = np.fromiter(map(int, cells), np.int64, len(cells))
    except (ValueError, OverflowError):
        return None
    return None if _has_underscores(cells) else found


def _are_long(cells: Sequence[str]) -> bool:
    """Whether cells are whole numbers of which some, as floats, would become the same."""
    return all(cell.isdigit() or cell in _GAPS for cell in cells)


def _numbers(cells: Sequence[str], decimal: str) -> np.ndarray | None:
    """Numbers, or None where a cell is none."""
    if decimal == ",":  # points would be those of thousands
        cells = [cell.replace(".", "_").replace(",", ".") for cell in cells]
    try:
        found = np.fromiter(map(float, cells), float, len(cells))
    except ValueError:
        try:
            found = np.array([np.nan if c in _NUMBER_GAPS else float(c) for c in cells])
        except ValueError:
            return None
    if _has_underscores(cells) or ((np.abs(found) >= _LONG).any() and _are_long(cells)):
        return None
    # Words for gaps alone do not make numbers of a column.
    return found if np.isfinite(found).any() or all(cell in _GAPS for cell in cells) else None


def _has_underscores(cells: Sequence[str]) -> bool:
    """Which Python allows between digits."""
    return "_" in " ".join(cells)
