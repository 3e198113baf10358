"""What is said about features that are given by name or position."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def listed(given: Any, parameter: str) -> list[Any]:
    """Features that are given as any iterable but a string, which would be one of letters."""
    if isinstance(given, str) or not hasattr(given, "__iter__"):
        raise ValueError(f"{parameter} must be a list of features, got {given!r}.")
    return list(given)


def needs_one_column(name: str, columns: Sequence[str], parameter: str) -> ValueError:
    """The error where a constraint is for a single weight and a feature has several columns."""
    shown = ", ".join(repr(column) for column in columns[:8]) + (", …" if len(columns) > 8 else "")
    return ValueError(
        f"{parameter} names {name!r}, which has several columns: give one of them, {shown}."
    )
