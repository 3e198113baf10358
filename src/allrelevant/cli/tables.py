"""Answers as files of tables."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from allrelevant.base.writing import written_whole
from allrelevant.tabular.errors import TableError

if TYPE_CHECKING:
    import pandas as pd


def check_table_kind(path: Path) -> None:
    """Refuse a file whose name does not say how to write it."""
    if path.suffix.lower() not in _WRITERS:
        raise TableError(f"--out: {path} must end in .csv, .xlsx or .parquet")


def write_table(frame: pd.DataFrame, path: Path) -> None:
    """Write a table, whose name says its kind."""
    try:
        with written_whole(path) as file:
            _WRITERS[path.suffix.lower()](frame, file)
    except ImportError:
        raise TableError(
            f'writing {path.suffix} files needs more packages: pip install "allrelevant[files]"'
        ) from None


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
