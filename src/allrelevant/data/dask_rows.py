"""Chunks of dask arrays and data frames: wherever dask's scheduler has them, they are visited."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from typing import Any

import numpy as np

from allrelevant.base.errors import WorkerLostError
from allrelevant.base.validation import refuse_text, with_plain_gaps
from allrelevant.data.rows import Block, BlockedRows, Result, Task

_TARGET = "the target, beside X"  # a column that no table has


def is_dask(X: Any) -> bool:
    """Whether these are dask's, without importing it where nobody has."""
    return "dask" in sys.modules and type(X).__module__.startswith("dask.")


class DaskRows(BlockedRows):
    """Rows of a dask array or data frame, with a target that has the same chunks.

    Nothing is kept between passes: what is not persisted is computed again in each.

    Parameters
    ----------
    X : dask array of shape (n_rows, n_columns), or dask DataFrame
    y : dask array of shape (n_rows,), dask Series, or an array
    """

    def __init__(self, X: Any, y: Any) -> None:
        if getattr(X, "ndim", 2) != 2:
            raise ValueError(f"X must have rows and columns, and has {X.ndim} dimensions.")
        self.names = [str(name) for name in X.columns] if hasattr(X, "columns") else None
        self.n_columns = int(X.shape[1])
        if not self.n_columns:
            raise ValueError("X has no columns.")
        if hasattr(X, "columns") and is_dask(y) and not hasattr(y, "chunks"):
            X, y = _read_together(X, y), None
        chunks = _chunks(X)
        targets = [None] * len(chunks) if y is None else _target_chunks(y, X)
        if targets is None:
            sizes = _computed([_delayed(_length)(chunk) for chunk in chunks])
            if len(y) != sum(sizes):
                raise ValueError(f"X has {sum(sizes)} rows, and y has {len(y)}.")
            targets = np.split(np.asarray(y), np.cumsum(sizes)[:-1])
            self.sizes = sizes
        else:
            if len(targets) != len(chunks):
                raise ValueError(
                    f"X has {len(chunks)} chunks and y has {len(targets)}, whose sizes are not "
                    "known: give both the same chunks, or call X.compute_chunk_sizes() and "
                    "y.compute_chunk_sizes()."
                )
            self.sizes = _sizes(X, y) or self._measured(chunks, targets)
        self._parts = list(zip(chunks, targets, strict=True))

    def _measured(self, chunks: Sequence[Any], targets: Sequence[Any]) -> list[int]:
        """How many rows chunks of unknown sizes have."""
        self.n_passes += 1
        lengths = _computed([_delayed(_length)(chunk) for chunk in [*chunks, *targets]])
        sizes, others = lengths[: len(chunks)], lengths[len(chunks) :]
        if targets[0] is None:
            return sizes
        for k, (n, m) in enumerate(zip(sizes, others, strict=True)):
            if n != m:
                raise ValueError(f"chunk {k} of X has {n} rows, and that of y has {m}.")
        return sizes

    def _visit(self, task: Task[Result], shared: Any, own: Sequence[Any]) -> list[Result]:
        everyone = _delayed(shared, pure=False, traverse=False)
        work = _delayed(_do, pure=False, traverse=False)
        return _computed(
            [
                work(task, part, int(first), size, self.names, X, y, everyone, own[part])
                for part, ((X, y), first, size) in enumerate(
                    zip(self._parts, self.firsts, self.sizes, strict=True)
                )
            ]
        )

    def called(self, part: int) -> str:
        """A chunk by its number."""
        return f"chunk {part}"


def on_workers(
    visited: Callable[..., Result], task: Any, shared: Any, own: Sequence[Any]
) -> list[Result]:
    """``visited(part, task, shared, own[part])`` for all parts, by dask's scheduler."""
    everyone = _delayed(shared, pure=False, traverse=False)
    work = _delayed(visited, pure=False, traverse=False)
    return _computed([work(part, task, everyone, mine) for part, mine in enumerate(own)])


def by_chunk(X: Any, function: Callable[[Any], np.ndarray], like: np.ndarray) -> Any:
    """A dask array of what a function gives for every chunk, computed when it is asked for.

    Parameters
    ----------
    X : dask array or DataFrame
    function : callable
        Gives as many rows as the chunk has.
    like : array
        What it gives for no rows: how many columns, and of which kind.
    """
    import dask.array as da

    chunks = _chunks(X)
    sizes: Sequence[float] = _sizes(X, None) or [np.nan] * len(chunks)
    made = [
        da.from_delayed(
            _delayed(_whole_chunk, pure=False)(function, like, chunk),
            shape=(size, *like.shape[1:]),
            dtype=like.dtype,
        )
        for chunk, size in zip(chunks, sizes, strict=True)
    ]
    return da.concatenate(made, axis=0, allow_unknown_chunksizes=True)


def _whole_chunk(function: Callable[[Any], np.ndarray], like: np.ndarray, chunk: Any) -> Any:
    return function(chunk) if len(chunk) else like


def _delayed(thing: Any, **settings: Any) -> Any:
    from dask import delayed

    return delayed(thing, **settings)


def _computed(work: Sequence[Any]) -> list[Any]:
    """All of it, by the scheduler that is in charge here."""
    import dask

    try:
        with _on_a_worker():
            return list(dask.compute(*work))
    except Exception as error:
        if type(error).__name__ != "KilledWorker":
            raise
        raise WorkerLostError(
            "workers of the cluster died again and again while they had the same chunk, perhaps "
            "because memory ran out: make the chunks smaller, or give workers more memory."
        ) from error


def _on_a_worker() -> Any:
    """Where this is itself done by a worker of a cluster, make room for what it asks for."""
    if "distributed" not in sys.modules:
        return nullcontext()
    from distributed import get_worker, worker_client

    try:
        get_worker()
    except ValueError:
        return nullcontext()
    return worker_client()


def _chunks(X: Any) -> list[Any]:
    """Whole rows, chunk by chunk."""
    if hasattr(X, "columns"):
        return list(X.to_delayed())
    if X.numblocks[1] > 1:
        X = X.rechunk({1: -1})
    return list(X.to_delayed().ravel())


def _target_chunks(y: Any, X: Any) -> list[Any] | None:
    """The chunks of a target; None where it is in memory."""
    if not is_dask(y):
        return None
    if y.ndim == 2:
        y = y[y.columns[0]] if hasattr(y, "columns") else y[:, 0]
    known = _sizes(X, None)
    if known and hasattr(y, "chunks") and not np.isnan(y.chunks[0]).any():
        if sum(y.chunks[0]) != sum(known):
            raise ValueError(f"X has {sum(known)} rows, and y has {sum(y.chunks[0])}.")
        y = y.rechunk((tuple(known),))
    delayed = y.to_delayed()
    return list(delayed.ravel() if hasattr(delayed, "ravel") else delayed)


def _sizes(X: Any, y: Any) -> list[int] | None:
    """How many rows each chunk has, where that is known of both."""
    for one in (X, y):
        if one is None:
            continue
        if not hasattr(one, "chunks") or np.isnan(one.chunks[0]).any():
            return None
    return [int(size) for size in X.chunks[0]]


def _read_together(X: Any, y: Any) -> Any:
    """A data frame with its target.

    Read apart, dask may join files to larger chunks where fewer columns are asked for.
    """
    if y.ndim == 2:
        y = y[y.columns[0]]
    if X.npartitions != y.npartitions:
        raise ValueError(
            f"X has {X.npartitions} partitions and y has {y.npartitions}: give both the same."
        )
    return X.assign(**{_TARGET: y})


def _length(chunk: Any) -> int:
    return 0 if chunk is None else len(chunk)


def _do(
    task: Task[Result],
    part: int,
    first: int,
    size: int,
    names: Sequence[str] | None,
    X: Any,
    y: Any,
    shared: Any,
    own: Any,
) -> Result:
    """A task for one chunk, where it is."""
    if y is None:
        X, y = X.drop(columns=_TARGET), X[_TARGET]
    if len(X) != size or len(y) != size:
        raise ValueError(
            f"chunk {part} had {size} rows and now has {len(X)}, with {len(y)} targets: what X "
            "and y are computed from has to give the same rows in every pass. X.persist() keeps "
            "them."
        )
    return task(Block(first, _numbers(X, part), np.asarray(y), part), shared, own)


def _numbers(X: Any, part: int) -> np.ndarray:
    """A chunk as an array of floats, with NaN where something is missing."""
    if hasattr(X, "columns"):
        refuse_text(X)
        X = np.column_stack([with_plain_gaps(np.asarray(X[name])) for name in X.columns])
    if hasattr(X, "toarray"):
        X = X.toarray()
    return np.ascontiguousarray(X, dtype=np.float64)
