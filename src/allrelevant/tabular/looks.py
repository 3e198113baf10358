"""What is probably not meant as it is written: numbers with units, names in other letters."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping

import pandas as pd

_MOST = 0.8  # share of cells with one unit that make a column one of numbers
_FEWEST = 5  # rows of a class with which every fold of a cross-validation has one
_LONGEST = 12  # letters of a unit
_NUMBER = r"[-+]?\d[\d,.' ]*"
_MEASURED = re.compile(rf"(?P<before>[^\d\s+-]?)\s*{_NUMBER}\s*(?P<after>[^\d]*)")


def in_other_letters(names: Iterable[str]) -> tuple[str, str] | None:
    """The first two names that differ in nothing but capital letters."""
    seen: dict[str, str] = {}
    for name in names:
        if name.casefold() in seen:
            return seen[name.casefold()], name
        seen[name.casefold()] = name
    return None


def unit_of(column: pd.Series) -> tuple[str, int] | None:
    """The unit that most cells of a column of text have beside a number, and how many have it."""
    cells = column.dropna().astype(str).str.strip()
    found = Counter(unit for cell in cells if (unit := _unit(cell)))
    if not found:
        return None
    unit, n = found.most_common(1)[0]
    return (unit, n) if n >= _MOST * len(cells) else None


def _unit(cell: str) -> str:
    """What stands behind a number, or the sign of a currency before it; nothing for a code."""
    match = _MEASURED.fullmatch(cell)
    if match is None:
        return ""
    before, after = match["before"], match["after"].strip()
    if before and (unicodedata.category(before) != "Sc" or after):
        return ""
    return (before or after)[: _LONGEST + 1] if len(after) <= _LONGEST else ""


def remarks_on_classes(name: str, counts: Mapping[str, int]) -> list[str]:
    """What to say of a target's classes, given how many rows have each."""
    said = []
    pair = in_other_letters(counts)
    if pair is not None:
        said.append(
            f"target {name!r} has the classes {pair[0]!r} and {pair[1]!r}, which differ in capital "
            "letters only: write them in one way if they are the same"
        )
    for label, n in counts.items():
        if n < _FEWEST:
            rows = "one row" if n == 1 else f"{n} rows"
            said.append(
                f"class {label!r} of target {name!r} has {rows}: too few to test whether models "
                "recognise it"
            )
    return said
