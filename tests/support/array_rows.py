"""Rows of an array, visited in blocks as those of files and clusters are."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from allrelevant.data.rows import Block, BlockedRows, Result, Task


class ArrayRows(BlockedRows):
    """An array, perhaps one that is mapped into memory from a file."""

    def __init__(
        self, X: Any, y: Any, names: Sequence[str] | None = None, size: int = 250_000
    ) -> None:
        self.X, self.y, self.names = X, y, names
        self.n_columns = X.shape[1]
        starts = range(0, len(X), size)
        self.sizes = [min(size, len(X) - start) for start in starts]

    def _visit(self, task: Task[Result], shared: Any, own: Sequence[Any]) -> list[Result]:
        results = []
        for part, (first, size) in enumerate(zip(self.firsts, self.sizes, strict=True)):
            rows = slice(first, first + size)
            X = np.asarray(self.X[rows], dtype=np.float64)
            results.append(task(Block(int(first), X, self.y[rows], part), shared, own[part]))
        return results

    def called(self, part: int) -> str:
        """Rows by their numbers."""
        first = int(self.firsts[part])
        return f"rows {first} to {first + self.sizes[part] - 1}"
