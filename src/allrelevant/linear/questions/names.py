"""What is said about features that are given by name or position."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

_WHY = {
    "keep": "Models in which the sum of their absolute weights is at least so large are no convex "
    "set, so that smallest and largest weights would not be found.",
    "bounds": "Models in which the sum of their absolute weights is at least so large are no "
    "convex set; a bound on each of them limits the sum.",
    "signs": "Each of them has a sign of its own.",
}


def listed(given: Any, parameter: str) -> list[Any]:
    """Features that are given as any iterable but a string, which would be one of letters."""
    if isinstance(given, str) or not hasattr(given, "__iter__"):
        raise ValueError(f"{parameter} must be a list of features, got {given!r}.")
    return list(given)


def read_once(constraints: Mapping[str, Any]) -> dict[str, Any]:
    """The same constraints with lists for what may be read only once."""
    names = [name for name in ("forbid", "keep") if name in constraints]
    return {**constraints, **{name: listed(constraints[name], name) for name in names}}


def needs_one_column(name: str, columns: Sequence[str], parameter: str) -> ValueError:
    """The error where a constraint is for a single weight and a feature has several columns."""
    shown = ", ".join(repr(column) for column in columns[:8]) + (", …" if len(columns) > 8 else "")
    return ValueError(
        f"{parameter} names {name!r}, which has several columns: give one of them, {shown}. "
        + _WHY[parameter]
    )
