"""Delimited text as rows of cells, every one as wide as the header."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import lzma
import re
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from allrelevant.tabular.errors import TableError

_OPENERS: dict[str, Callable[..., Any]] = {
    ".gz": gzip.open,
    ".bz2": bz2.open,
    ".xz": lzma.open,
}
_BROKEN = (OSError, EOFError, zlib.error, lzma.LZMAError)
# Longer marks first: that of UTF-32 begins like that of UTF-16.
_MARKS = {
    b"\xff\xfe\x00\x00": "utf-32",
    b"\x00\x00\xfe\xff": "utf-32",
    b"\xff\xfe": "utf-16",
    b"\xfe\xff": "utf-16",
}
_DELIMITERS = (",", ";", "\t", "|")
_BLANKS = " "
_BETWEEN_BLANKS = re.compile(r'"(?:[^"]|"")*"(?!\S)|\S+')
_THOUSANDS = re.compile(r"[-+]?[1-9]\d{0,2}(,\d{3})+")
_SNIFFED_LINES = 50


@dataclass
class Cells:
    """A table as it is written.

    Parameters
    ----------
    header : list of str
    columns : list of list
        The cells of each column.
    row_names : list of str, optional
        Where rows have names that no column is for.
    decimal : str
        What stands before the decimals of a number.
    notes : list of str
        What people should know of how it was read.
    """

    header: list[str]
    columns: list[list[Any]]
    row_names: list[str] | None = None
    decimal: str = "."
    notes: list[str] = field(default_factory=list)


def read_cells(path: Path) -> Cells:
    """Read delimited text, and refuse rows that are not as wide as the others."""
    notes: list[str] = []
    text = _text_of(path, notes)
    if not text.strip():
        raise TableError(f"{path} is empty")
    delimiter = _delimiter(text)
    header, rows, lines = _rows(path, text, delimiter)
    decimal = "," if _has_decimal_commas(rows, delimiter) else "."
    if not rows:
        return Cells(header, [], None, decimal, notes)
    names = _mend_widths(path, header, rows, lines, notes)
    columns = [list(column) for column in zip(*rows, strict=True)]
    while len(header) > 1 and not header[-1].strip() and not any(map(str.strip, columns[-1])):
        del header[-1], columns[-1]  # delimiters at the end of every line
    return Cells(header, columns, names, decimal, notes)


def first_line(error: BaseException) -> str:
    """What an error says, on one line."""
    return (str(error).strip() or type(error).__name__).splitlines()[0]


def _text_of(path: Path, notes: list[str]) -> str:
    opener = _OPENERS.get(path.suffix.lower(), open)
    try:
        with opener(path, "rb") as file:
            content = file.read()
    except _BROKEN as error:
        reason = getattr(error, "strerror", None) or first_line(error)
        raise TableError(f"cannot read {path}: {reason}") from None
    encoding = next((name for mark, name in _MARKS.items() if content.startswith(mark)), None)
    try:
        if encoding is not None:
            return content.decode(encoding)
        if b"\0" in content:
            raise TableError(f"{path} is not text: give CSV, Parquet (.parquet) or Excel (.xlsx)")
        try:
            return content.decode("utf-8-sig")
        except UnicodeDecodeError:
            text = content.decode("cp1252")
            notes.append(f"{path} is not UTF-8: read as Windows-1252")
            return text
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        what = "neither UTF-8 nor Windows-1252"
        if encoding is not None:
            what = f"not {encoding.upper()}, as its first bytes say"
        raise TableError(f"cannot read {path}: line {line} is {what}: save it as UTF-8") from None


def _split(text: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Rows and the numbers of the lines they end on."""
    lines = io.StringIO(text, newline="")  # as the module csv wants it: ends of lines as they are
    if delimiter == _BLANKS:
        for number, line in enumerate(lines, start=1):
            yield number, [_unquoted(part) for part in _BETWEEN_BLANKS.findall(line)]
        return
    reader = csv.reader(lines, delimiter=delimiter, skipinitialspace=True, strict=True)
    for row in reader:
        yield reader.line_num, row


def _unquoted(part: str) -> str:
    is_quoted = len(part) > 1 and part.startswith('"') and part.endswith('"')
    return part[1:-1].replace('""', '"') if is_quoted else part


def _rows(path: Path, text: str, delimiter: str) -> tuple[list[str], list[list[str]], list[int]]:
    """The header, the rows below it and their lines; lines without anything are none."""
    rows: list[list[str]] = []
    lines: list[int] = []
    number = 0
    try:
        for number, row in _split(text, delimiter):
            if row and (row != [""] or (rows and len(rows[0]) == 1)):
                rows.append(row)
                lines.append(number)
    except csv.Error as error:
        reason = first_line(error)
        if "unexpected end" in reason or "larger than" in reason:
            reason = "a quotation mark is opened and never closed"
        raise TableError(f"cannot read {path} below line {number}: {reason}") from None
    if not rows:
        raise TableError(f"{path} is empty")
    return rows[0], rows[1:], lines[1:]


def _mend_widths(
    path: Path, header: list[str], rows: list[list[str]], lines: list[int], notes: list[str]
) -> list[str] | None:
    """Make rows as wide as the header: without empty cells at their ends, or names at their starts.

    Returns the names of rows, where there are any.
    """
    n = len(header)
    widths = Counter(map(len, rows))
    if widths.keys() == {n}:
        return None
    if widths.keys() == {n + 1}:
        if not any(row[-1].strip() for row in rows):
            for row in rows:
                del row[-1]
            return None
        if _name_rows([row[0].strip() for row in rows]):
            notes.append(
                f"{path}: the header has {n} names, rows have {n + 1} cells: the first ones were "
                "read as row names, and are no column"
            )
            return [row.pop(0).strip() for row in rows]
    if len(widths) == 1:
        raise TableError(
            f"{path}: the header names {n} column{'s' * (n > 1)}, but every row has "
            f"{len(rows[0])} cells: give each column a name"
        )
    usual = n if n in widths else widths.most_common(1)[0][0]
    k = next(k for k, row in enumerate(rows) if len(row) != usual)
    found = len(rows[k])
    raise TableError(
        f"{path}, line {lines[k]}: {found} cell{'s' * (found > 1)} where there should be {usual}: "
        "correct it, or put cells that hold a delimiter into quotation marks"
    )


def _name_rows(cells: list[str]) -> bool:
    """Whether cells look like names of rows as R writes them: distinct words, or 1 to n."""
    if cells == [str(k) for k in range(1, len(cells) + 1)]:
        return True
    are_words = not any(cell == "" or is_number(cell.replace(",", ".")) for cell in cells)
    return are_words and len(set(cells)) == len(cells)


def _delimiter(text: str) -> str:
    """The delimiter that cuts the first lines into the same number of parts, the most of them."""
    filled = (line for line in io.StringIO(text, newline="") if line.strip())
    lines = list(islice(filled, _SNIFFED_LINES))

    def rating(delimiter: str) -> tuple[float, int]:
        try:
            if delimiter == _BLANKS:
                widths = [len(_BETWEEN_BLANKS.findall(line)) for line in lines]
            else:
                widths = [len(row) for row in csv.reader(lines, delimiter=delimiter)]
        except csv.Error:  # a line that it does not cut is too long for one cell
            return (0.0, 0)
        if widths[0] < 2:
            return (0.0, 0)
        below = Counter(widths[1:])
        alike = max(below[widths[0]], below[widths[0] + 1])  # rows may have names
        return ((1 + alike) / len(widths), widths[0])

    best = max(_DELIMITERS, key=rating)
    if rating(best)[1] >= 2:
        return best
    return _BLANKS if rating(_BLANKS)[0] == 1.0 else ","


def _has_decimal_commas(rows: list[list[str]], delimiter: str) -> bool:
    """Whether numbers are written 1,5."""
    if delimiter == ",":
        return False
    cells = [cell.strip() for row in rows[:_SNIFFED_LINES] for cell in row]
    with_comma = [c for c in cells if "," in c and is_number(c.replace(",", ".", 1))]
    # Semicolons are there because commas are in numbers; elsewhere 1,234 may be a thousand.
    if delimiter != ";" and all(_THOUSANDS.fullmatch(cell) for cell in with_comma):
        return False
    return len(with_comma) > sum(is_number(cell) for cell in cells if "." in cell)


def is_number(cell: str) -> bool:
    """Whether a cell is written as a number."""
    try:
        float(cell)
    except ValueError:
        return False
    return True
