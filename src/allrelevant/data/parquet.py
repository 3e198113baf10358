"""Folders of Parquet files whose rows are read block by block, pass after pass."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from allrelevant.base.names import same_look
from allrelevant.data.dask_rows import on_workers
from allrelevant.data.rows import Block, BlockedRows, Result, RowsTarget, Task

_VALUES = 1_000_000  # that are read at once, 8 MB of numbers
_TARGETS = 1000  # of a block that say what a target is
_SUFFIXES = (".parquet", ".pq")


def open_parquet(
    path: str | Path | Sequence[str | Path],
    target: str,
    *,
    drop: Sequence[str] = (),
    on_dask: bool = False,
) -> tuple[ParquetRows, RowsTarget]:
    """Open Parquet files that need not fit into memory, for ``fit(*open_parquet(...))``.

    Parameters
    ----------
    path : str or path, or several
        A file, a folder of files, or a pattern such as ``"data/*.parquet"``. Files are read in the
        order of their names.
    target : str
        The column to predict.
    drop : sequence of str
        Columns that are no features. All others must hold numbers.
    on_dask : bool, default=False
        Whether row groups are read by the workers of dask's scheduler, which need the same paths.

    Returns
    -------
    rows : ParquetRows
        What to give as X.
    target : RowsTarget
        What to give as y.

    Examples
    --------
    >>> import tempfile
    >>> import pandas as pd
    >>> from allrelevant import RelevanceClassifier
    >>> from allrelevant.data import open_parquet
    >>> from allrelevant.datasets import make_classification
    >>> X, y, truth = make_classification(
    ...     200, n_strong=1, n_weak=2, n_irrelevant=1, random_state=0)
    >>> table = pd.DataFrame(X, columns=["age", "blood", "urine", "room"]).assign(ill=y)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     table.to_parquet(f"{folder}/visits.parquet")
    ...     rows, target = open_parquet(folder, "ill")
    ...     model = RelevanceClassifier(random_state=0).fit(rows, target)
    >>> model.result_.class_names
    ('strong', 'weak', 'weak', 'irrelevant')
    """
    rows = (DaskParquetRows if on_dask else ParquetRows)(_files(path), target, drop)
    return rows, rows.target


@dataclass(frozen=True)
class _Part:
    """A row group of a file."""

    file: Path
    group: int
    size: int


class ParquetRows(BlockedRows):
    """The rows of Parquet files with the same columns.

    Parameters
    ----------
    files : sequence of path
    target : str
        The column to predict.
    drop : sequence of str
        Columns that are no features.
    """

    names: list[str]

    def __init__(self, files: Sequence[Path], target: str, drop: Sequence[str] = ()) -> None:
        found = [(file, _opened(file)) for file in files]
        schema = found[0][1].schema_arrow
        for file, one in found:
            if one.schema_arrow.names != schema.names:
                raise ValueError(f"{file} has other columns than {files[0]}, or another order")
        unknown = [name for name in (target, *drop) if name not in schema.names]
        if unknown:
            raise ValueError(
                f"{files[0]} has no column {unknown[0]!r}; there are {', '.join(schema.names)}"
            )
        pair = same_look(schema.names)
        if pair is not None:
            raise ValueError(
                f"{files[0]} has columns called {pair[0]!a} and {pair[1]!a}: rename one"
            )
        self.y_name = target
        self.names = [name for name in schema.names if name != target and name not in drop]
        if not self.names:
            raise ValueError(f"{files[0]} has no column beside {target!r}")
        _refuse_text(files[0], schema, self.names)
        self.n_columns = len(self.names)
        self._parts = [
            _Part(file, k, one.metadata.row_group(k).num_rows)
            for file, one in found
            for k in range(one.num_row_groups)
        ]
        for _, one in found:
            one.close()
        self.sizes = [part.size for part in self._parts]

    def _visit(self, task: Task[Result], shared: Any, own: Sequence[Any]) -> list[Result]:
        parts = range(len(self._parts))
        return [one for k in parts for one in self.visited(k, task, shared, own[k])]

    def visited(self, part: int, task: Task[Result], shared: Any, own: Any) -> list[Result]:
        """What a task gives for all blocks of a part."""
        return [task(block, shared, own) for block in self._blocks(part)]

    def some_targets(self) -> list[Any]:
        """Targets of some rows of every part, among them each value that is there, if few are."""
        found: list[Any] = []
        for k in range(len(self._parts)):
            found += self.visited(k, _targets, None, None)
        return [value for some in found for value in some]

    def _blocks(self, k: int) -> Iterator[Block]:
        """The rows of a row group, a few at a time."""
        part, first, at_once = self._parts[k], int(self.firsts[k]), _VALUES // self.n_columns
        wanted = [*self.names, self.y_name]
        with _opened(part.file) as file:
            size = 0
            for batch in file.iter_batches(
                max(at_once, 1), [part.group], wanted, use_threads=False
            ):
                X = np.empty((batch.num_rows, self.n_columns))
                for j, name in enumerate(self.names):
                    X[:, j] = _numbers(batch.column(name))
                y = batch.column(self.y_name).to_numpy(zero_copy_only=False)
                yield Block(first + size, X, y, k)
                size += batch.num_rows
        if size != part.size:
            raise ValueError(f"{part.file} has changed since it was opened: fit again")

    def called(self, part: int) -> str:
        """A row group of a file."""
        return f"row group {self._parts[part].group} of {self._parts[part].file}"


class DaskParquetRows(ParquetRows):
    """The same, where row groups are read by the workers of dask's scheduler."""

    def _visit(self, task: Task[Result], shared: Any, own: Sequence[Any]) -> list[Result]:
        found = on_workers(self.visited, task, shared, own)
        return [one for part in found for one in part]


def _targets(block: Block, shared: None, own: None) -> list[Any]:
    """Each target, a few times."""
    values, counts = np.unique(block.y, return_counts=True)
    most = max(_TARGETS // max(len(values), 1), 1)
    return np.repeat(values, np.minimum(counts, most))[:_TARGETS].tolist()


def _files(path: str | Path | Sequence[str | Path]) -> list[Path]:
    """All files that a path, a folder or a pattern stands for."""
    if not isinstance(path, str | Path):
        return [file for one in path for file in _files(one)]
    folder = Path(path)
    if folder.is_dir():
        files = sorted(p for p in folder.rglob("*") if p.suffix.lower() in _SUFFIXES)
    elif folder.exists():
        files = [folder]
    else:
        root = Path(folder.anchor)  # the pattern is what follows
        files = sorted(root.glob(str(folder.relative_to(root))))
    if not files:
        where = "in" if folder.is_dir() else "called"
        raise ValueError(f"there is no Parquet file {where} {path}")
    return files


def _opened(file: Path) -> Any:
    try:
        from pyarrow import parquet
    except ImportError:
        raise ValueError(
            'reading Parquet files needs more packages: pip install "allrelevant[files]"'
        ) from None
    try:
        return parquet.ParquetFile(file)
    except (OSError, ValueError) as error:  # Arrow's own are kinds of these
        raise ValueError(f"cannot read {file} as Parquet: {str(error).splitlines()[0]}") from None


def _refuse_text(file: Path, schema: Any, names: Sequence[str]) -> None:
    """Name the first column that holds no numbers."""
    from pyarrow import types

    for name in names:
        kind = schema.field(name).type
        if not (types.is_integer(kind) or types.is_floating(kind) or types.is_boolean(kind)):
            raise ValueError(
                f"column {name!r} of {file} holds {kind}, not numbers: drop it (--drop), or code "
                "it as numbers first"
            )


def _numbers(column: Any) -> np.ndarray:
    """A column as floats, with NaN where something is missing."""
    import pyarrow as pa

    return column.cast(pa.float64()).to_numpy(zero_copy_only=False)
