"""Cells as a file has them become a column: whole numbers, numbers, yes and no, or words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

__all__ = ["column_of"]

_GAPS = ("", "?")
_NUMBER_GAPS = (*_GAPS, "NA")  # among numbers R writes NA; float() knows NaN itself
_YES, _NO = ("True", "TRUE", "true"), ("False", "FALSE", "false")


def column_of(cells: Sequence[Any], decimal: str = ".") -> tuple[pd.Series, set[str]]:
    """A column of cells, of which those of a spreadsheet need not be text, and words for its gaps.

    Empty cells and question marks are gaps, and among nothing but numbers NaN and NA as well. Any
    other word is a word: None, NA, null and n/a may be classes or levels.
    """
    cells = [cell.strip() if isinstance(cell, str) else cell for cell in cells]
    filled = [cell for cell in cells if not _is_gap(cell)]
    if not all(isinstance(cell, str) for cell in filled):
        return _of_anything(cells)
    if filled and set(filled) <= {*_YES, *_NO}:
        truth = [np.nan if cell in _GAPS else cell in _YES for cell in cells]
        return pd.Series(truth, dtype=bool if len(filled) == len(cells) else object), set()
    numbers = _numbers(cells, filled, decimal)
    if numbers is not None:
        return _with_gaps(numbers, cells)
    return pd.Series([np.nan if cell in _GAPS else cell for cell in cells]), set()


def _with_gaps(numbers: np.ndarray, cells: Sequence[str]) -> tuple[pd.Series, set[str]]:
    gaps = np.flatnonzero(np.isnan(numbers)).tolist()
    return pd.Series(numbers), {cells[k] for k in gaps} - set(_GAPS)


def _is_gap(cell: Any) -> bool:
    if isinstance(cell, str):
        return cell in _GAPS
    return cell is None or cell is pd.NaT or cell != cell


def _of_anything(cells: Sequence[Any]) -> tuple[pd.Series, set[str]]:
    """Numbers, dates and words of a spreadsheet, as they are but for numbers kept as text."""
    cells = [None if _is_gap(cell) else cell for cell in cells]
    if any(isinstance(cell, str) for cell in cells) and not any(map(_is_no_number, cells)):
        text = ["" if cell is None else str(cell) for cell in cells]
        numbers = _floats(text, ".")
        if numbers is not None:
            return _with_gaps(numbers, text)
    return pd.Series(cells).infer_objects(), set()


def _is_no_number(cell: Any) -> bool:
    return isinstance(cell, bool) or not isinstance(cell, str | int | float | None)


def _numbers(cells: Sequence[str], filled: Sequence[str], decimal: str) -> np.ndarray | None:
    """Numbers, or None where a cell is none."""
    try:
        whole = [_whole(cell) for cell in filled]
    except ValueError:
        return _floats(cells, decimal)
    if len(filled) < len(cells):
        return _floats(cells, decimal)
    try:
        return np.array(whole, dtype=np.int64)
    except OverflowError:
        return None  # as floats different ones would become the same


def _whole(cell: str) -> int:
    if "_" in cell:  # which Python allows between digits
        raise ValueError
    return int(cell)


def _floats(cells: Sequence[str], decimal: str) -> np.ndarray | None:
    if decimal == ",":  # points would be those of thousands
        cells = [cell.replace(".", "_").replace(",", ".") for cell in cells]
    try:
        numbers = [np.nan if cell in _NUMBER_GAPS else float(cell) for cell in cells]
    except ValueError:
        return None
    if any("_" in cell for cell in cells):
        return None
    found = np.array(numbers)
    # Words for gaps alone do not make numbers of a column.
    return found if np.isfinite(found).any() or all(cell in _GAPS for cell in cells) else None
