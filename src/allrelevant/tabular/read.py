"""Read a table from a file: delimited text, Parquet or Excel."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import lzma
import re
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd

__all__ = ["TableError", "read_table"]

_OPENERS: dict[str, Callable[..., Any]] = {
    ".gz": gzip.open,
    ".bz2": bz2.open,
    ".xz": lzma.open,
}
_EXCEL = (".xlsx", ".xlsm", ".xls", ".ods")
_DELIMITERS = (",", ";", "\t", "|")
_BLANKS = r"\s+"
_THOUSANDS = re.compile(r"[-+]?[1-9]\d{0,2}(,\d{3})+")
_SNIFFED_LINES = 50
_BROKEN = (OSError, EOFError, zlib.error, lzma.LZMAError)


class TableError(ValueError):
    """A table that cannot be read or used; the message is one line for people."""


def read_table(path: str | Path) -> pd.DataFrame:
    """Read a table with a header line.

    Parameters
    ----------
    path : str or path
        Delimited text with any of the delimiters comma, semicolon, tab, bar or blank (also
        compressed: .gz, .bz2, .xz), .parquet, or .xlsx.

    Returns
    -------
    DataFrame

    Raises
    ------
    TableError
        If there is no such file or no table in it.
    """
    path = Path(path)
    if not path.exists():
        raise TableError(f"there is no file {path}")
    if path.is_dir():
        raise TableError(f"{path} is a folder, not a file")
    suffix = path.suffix.lower()
    if suffix in (".parquet", ".pq"):
        frame = _with_extra(pd.read_parquet, path, "Parquet")
    elif suffix in _EXCEL:
        frame = _with_extra(_read_excel, path, "Excel")
    else:
        frame = _read_text(path)
    frame.columns = [str(name).strip() for name in frame.columns]
    if frame.shape[1] == 0 or len(frame) == 0:
        raise TableError(f"{path} holds no rows")
    _refuse_twice(path, list(frame.columns))
    return frame


def _with_extra(reader: Callable[[Path], Any], path: Path, kind: str) -> pd.DataFrame:
    try:
        found: pd.DataFrame = reader(path)
        return found
    except TableError:
        raise
    except ImportError:
        raise TableError(
            f'reading {kind} files needs more packages: pip install "allrelevant[files]"'
        ) from None
    except Exception as error:  # each engine has its own kinds of errors
        raise TableError(f"cannot read {path} as {kind}: {_first_line(error)}") from None


def _read_excel(path: Path) -> pd.DataFrame:
    header = pd.read_excel(path, header=None, nrows=1, dtype=object)
    _refuse_twice(path, _names(header))
    return pd.read_excel(path)


def _names(header: pd.DataFrame) -> list[str]:
    """Names as they are in the file: pandas makes a.1 of a second a."""
    return [str(name).strip() for row in header.to_numpy() for name in row if pd.notna(name)]


def _refuse_twice(path: Path, names: list[str]) -> None:
    twice = [name for k, name in enumerate(names) if name in names[:k]]
    if twice:
        raise TableError(f"{path} has two columns called {twice[0]!r}: rename one")


def _read_text(path: Path) -> pd.DataFrame:
    text = _text_of(path)
    if not text.strip():
        raise TableError(f"{path} is empty")
    delimiter = _delimiter(text)
    form: dict[str, Any] = {"sep": delimiter, "skipinitialspace": True, "low_memory": False}
    try:
        header = pd.read_csv(io.StringIO(text), header=None, nrows=1, dtype=str, **form)
        _refuse_twice(path, _names(header))
        decimal = "," if _has_decimal_commas(text, delimiter) else "."
        found: pd.DataFrame = pd.read_csv(
            io.StringIO(text), decimal=decimal, na_values=["?"], **form
        )
        return found
    except TableError:
        raise
    except (pd.errors.ParserError, pd.errors.EmptyDataError, ValueError) as error:
        raise TableError(f"cannot read {path} as a table: {_first_line(error)}") from None


def _text_of(path: Path) -> str:
    opener = _OPENERS.get(path.suffix.lower(), open)
    try:
        with opener(path, "rb") as file:
            content = file.read()
    except _BROKEN as error:
        reason = getattr(error, "strerror", None) or _first_line(error)
        raise TableError(f"cannot read {path}: {reason}") from None
    is_utf16 = content.startswith((b"\xff\xfe", b"\xfe\xff"))
    if b"\0" in content[:4096] and not is_utf16:
        raise TableError(f"{path} is no text: give CSV, Parquet (.parquet) or Excel (.xlsx)")
    try:
        return content.decode("utf-16" if is_utf16 else "utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", errors="replace")


def _delimiter(text: str) -> str:
    """The delimiter that cuts the first lines into the same number of parts, the most of them."""
    lines = [line for line in text.splitlines()[:_SNIFFED_LINES] if line.strip()]

    def rating(delimiter: str) -> tuple[float, int]:
        widths = [len(row) for row in csv.reader(lines, delimiter=delimiter)]
        if widths[0] < 2:
            return (0.0, 0)
        return (sum(width == widths[0] for width in widths) / len(widths), widths[0])

    best = max(_DELIMITERS, key=rating)
    if rating(best)[1] >= 2:
        return best
    blanks = {len(line.split()) for line in lines}
    return _BLANKS if len(blanks) == 1 and blanks != {1} else ","


def _has_decimal_commas(text: str, delimiter: str) -> bool:
    """Whether numbers are written 1,5."""
    if delimiter == ",":
        return False
    lines = text.splitlines()[1:_SNIFFED_LINES]
    blanks = delimiter == _BLANKS
    rows = map(str.split, lines) if blanks else csv.reader(lines, delimiter=delimiter)
    cells = [cell.strip() for row in rows for cell in row]
    with_comma = [c for c in cells if "," in c and _is_number(c.replace(",", ".", 1))]
    # Semicolons are there because commas are in numbers; elsewhere 1,234 may be a thousand.
    if delimiter != ";" and all(_THOUSANDS.fullmatch(cell) for cell in with_comma):
        return False
    return len(with_comma) > sum(_is_number(cell) for cell in cells if "." in cell)


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _first_line(error: BaseException) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0]
