"""Answers as files of tables."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from allrelevant.base.writing import written_whole
from allrelevant.tabular.errors import TableError

if TYPE_CHECKING:
    import pandas as pd


def check_table_kind(path: Path) -> None:
    """Refuse a file whose name does not say how to write it, or that takes a missing package."""
    kind = path.suffix.lower()
    if kind not in _WRITERS:
        raise TableError(f"--out: {path} must end in .csv, .xlsx or .parquet")
    if kind in _PACKAGES and find_spec(_PACKAGES[kind]) is None:
        raise TableError(
            f'writing {kind} files needs more packages: pip install "allrelevant[files]"'
        )


def write_table(frame: pd.DataFrame, path: Path) -> None:
    """Write a table, whose name says its kind."""
    with written_whole(path) as file:
        _WRITERS[path.suffix.lower()](frame, file)


def _write_csv(frame: pd.DataFrame, path: Path) -> None:
    frame.to_csv(path, index=False)


def _write_excel(frame: pd.DataFrame, path: Path) -> None:
    import pandas as pd

    writer: Any
    with pd.ExcelWriter(path, engine="openpyxl") as writer:
        frame.to_excel(writer, index=False)
        for row in writer.book.active.iter_rows():
            for cell in row:
                if cell.data_type == "f":  # a name that begins like a formula is none
                    cell.data_type = "s"


def _write_parquet(frame: pd.DataFrame, path: Path) -> None:
    frame.to_parquet(path, index=False, engine="pyarrow")


_WRITERS: dict[str, Callable[[pd.DataFrame, Path], None]] = {
    ".csv": _write_csv,
    ".xlsx": _write_excel,
    ".parquet": _write_parquet,
}
_PACKAGES = {".xlsx": "openpyxl", ".parquet": "pyarrow"}
