"""Checks of what a page sends."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

_LARGEST = math.nextafter(math.inf, 0.0)


class BadQuestionError(ValueError):
    """A question that makes no sense; the message says why."""


class AnotherFitError(BadQuestionError):
    """A question to a fit that is no longer the one that answers."""


def checked_number(value: Any) -> float:
    """A number of at least 0."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    # Comparing is exact: an integer may be too large for a float.
    if not is_number or not 0 <= value <= _LARGEST:
        raise BadQuestionError(f"{repr(value)[:80]} is not a number of at least 0")
    return float(value)


def mapping(value: Any, what: str) -> Mapping[str, Any]:
    """An object, which may be missing."""
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise BadQuestionError(f"{what} must be an object")
    return value


def pairs(value: Any) -> list[tuple[str, Any]]:
    """What an object holds."""
    return list(mapping(value, "bounds and costs").items())


def as_list(value: Any) -> list[Any]:
    """A list, which may be missing."""
    if value is None:
        return []
    if not isinstance(value, list | tuple):
        raise BadQuestionError("a list was expected")
    return list(value)
