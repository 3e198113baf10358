"""What is said where a table cannot be used."""

from __future__ import annotations

from pathlib import Path


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


def check_file(path: Path) -> None:
    """Refuse what is no file."""
    if not path.exists():
        raise TableError(f"there is no file {path}")
    if path.is_dir():
        raise TableError(f"{path} is a folder, not a file")
