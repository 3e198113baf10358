"""Names of columns in messages: few of many, and the nearest to a wrong one."""

from __future__ import annotations

from collections.abc import Sequence

from allrelevant.base.names import closest, visible
from allrelevant.tabular.errors import TableError


def check_columns(given: Sequence[str], known: Sequence[str], option: str) -> None:
    """Refuse a column that is not there; name the nearest one that is."""
    there = set(known)
    for name in given:
        if name in there:
            continue
        raise TableError(f"{option}: there is no column {name!r}; {_hint(name, known)}")


def _hint(name: str, known: Sequence[str]) -> str:
    # A name with a comma was cut at it, and is not known by its first part.
    cut = next((other for other in known if other.startswith(f"{name},")), None)
    if cut is not None:
        escaped = cut.replace(",", "\\,")
        return f"a comma within a name takes a backslash: '{escaped}'"
    close = closest(name, known)
    return f"did you mean {close!r}?" if close else f"there are {few(known)}"


def few(names: Sequence[str]) -> str:
    """The first of many names."""
    shown = ", ".join(visible(str(name)) for name in names[:5])
    return f"{shown} and {len(names) - 5} more" if len(names) > 5 else shown
