"""What is said where a table cannot be used."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

_MOST_REASONS = 10  # columns that one line names


class TableError(ValueError):
    """A table that cannot be read or used; the message is one line for people.

    Examples
    --------
    >>> from allrelevant.tabular import TableError, read_table
    >>> try:
    ...     read_table("nowhere.csv")
    ... except TableError as error:
    ...     print(error)
    there is no file nowhere.csv
    """


def reasons(left_out: Mapping[str, str]) -> str:
    """Every column that is not used, and why."""
    found = [f"{name!r}: {reason}" for name, reason in left_out.items()]
    more = f"; and {len(found) - _MOST_REASONS} more" if len(found) > _MOST_REASONS else ""
    return f" ({'; '.join(found[:_MOST_REASONS])}{more})" if found else ""


def check_file(path: Path) -> None:
    """Refuse what is no file."""
    if not path.exists():
        raise TableError(f"there is no file {path}")
    if path.is_dir():
        raise TableError(f"{path} is a folder, not a file")
