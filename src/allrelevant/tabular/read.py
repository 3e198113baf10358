"""Read a table from a file: delimited text, Parquet or Excel."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pandas as pd
from pandas.api.types import is_numeric_dtype

from allrelevant.base.names import same_look, visible
from allrelevant.tabular.errors import TableError, check_file
from allrelevant.tabular.text import Cells, first_line, read_cells
from allrelevant.tabular.typed import are_codes, column_of

_EXCEL = (".xlsx", ".xlsm", ".xls", ".ods")


def read_table(path: str | Path) -> pd.DataFrame:
    """Read a table with a header line.

    Empty cells and question marks are gaps, and so are NaN and NA in columns of numbers. All other
    words are words. What people should know of how it was read is in ``attrs["notes"]``.

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

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from allrelevant.tabular import read_table
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "patients.csv"
    ...     _ = file.write_text('''age;ill
    ... 61;yes
    ... 45;no''')
    ...     print(read_table(file))
       age  ill
    0   61  yes
    1   45   no
    """
    path = Path(path)
    check_file(path)
    suffix = path.suffix.lower()
    if suffix in (".parquet", ".pq"):
        frame = _with_extra(_read_parquet, path, "Parquet")
    elif suffix in _EXCEL:
        frame = _with_extra(_read_excel, path, "Excel")
    else:
        frame = _frame(path, read_cells(path))
    if frame.shape[1] == 0 or len(frame) == 0:
        raise TableError(f"{path} holds no rows")
    return frame


def _with_extra(reader: Callable[[Path], pd.DataFrame], path: Path, kind: str) -> pd.DataFrame:
    try:
        return reader(path)
    except TableError:
        raise
    except ImportError:
        raise TableError(
            f'reading {kind} files needs more packages: pip install "allrelevant[files]"'
        ) from None
    except Exception as error:  # each engine has its own kinds of errors
        raise TableError(f"cannot read {path} as {kind}: {first_line(error)}") from None


def _read_parquet(path: Path) -> pd.DataFrame:
    frame = pd.read_parquet(path)
    frame.columns = _names(path, list(frame.columns))
    for name in frame.select_dtypes(["object", "string"]):
        frame[name] = frame[name].mask(frame[name].map(_is_blank))
    index = [str(name) for name in frame.index.names if name is not None]
    notes = [f"{path} stores {', '.join(map(repr, index))} as names of its rows: no column"]
    frame.attrs["notes"] = notes if index else []
    return frame


def _is_blank(cell: object) -> bool:
    return isinstance(cell, str) and not cell.strip()


def _read_excel(path: Path) -> pd.DataFrame:
    with pd.ExcelFile(path) as book:
        raw = pd.read_excel(book, header=None, dtype=object, na_filter=False)
        sheets = list(map(str, book.sheet_names))
    rows = raw.to_numpy().tolist()
    while rows and not any(str(cell).strip() for cell in rows[0]):
        del rows[0]
    if not rows:
        raise TableError(f"{path} is empty")
    columns = [list(column) for column in zip(*rows[1:], strict=True)]
    cells = Cells([str(name) for name in rows[0]], columns)
    if len(sheets) > 1:
        cells.notes.append(f"{path} has {len(sheets)} sheets: {sheets[0]!r}, the first, was read")
    return _frame(path, cells)


def _frame(path: Path, cells: Cells) -> pd.DataFrame:
    names = _names(path, cells.header)
    columns = {}
    for name, written in zip(names, cells.columns, strict=False):  # no rows, no columns
        columns[name], words = column_of(written, cells.decimal)
        if words:
            cells.notes.append(
                f"column {name!r} holds numbers: {' and '.join(sorted(words))} in it "
                "was read as a missing value"
            )
        elif not is_numeric_dtype(columns[name]) and are_codes(written):
            cells.notes.append(
                f"column {name!r} has digits that begin with a zero: read as codes, not as numbers"
            )
    frame = pd.DataFrame(columns)
    if cells.row_names is not None:
        frame.index = pd.Index(cells.row_names)
    frame.attrs["notes"] = cells.notes
    return frame


def _names(path: Path, header: Sequence[object]) -> list[str]:
    """Names of columns on one line each, all of which look different."""
    names = [visible(" ".join(str(name).split())) for name in header]
    names = [name or f"Unnamed: {k}" for k, name in enumerate(names)]
    pair = same_look(names)
    if pair is not None:
        both = f"columns called {pair[0]!a} and {pair[1]!a}, which look the same"
        both = both if pair[0] != pair[1] else f"two columns called {pair[0]!r}"
        raise TableError(f"{path} has {both}: rename one")
    return names
