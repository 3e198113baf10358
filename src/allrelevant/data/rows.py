"""Rows that are not all here: blocks of them are visited, one pass over the data after another.

A task is done for every block where it lives, and only what it gives comes back. Files, arrays and
the chunks of a cluster differ in how blocks are visited, and in nothing else.
"""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from allrelevant.base.arrays import Floats, Ints

logger = logging.getLogger(__name__)
_AT_ONCE = 4096  # rows whose products with many models stay small
Result = TypeVar("Result")
# What is done for a block, with what all blocks are told, and what this part alone is.
Task = Callable[["Block", Any, Any], Result]


@dataclass(frozen=True, eq=False)
class Block:
    """Rows that follow one another.

    Parameters
    ----------
    first : int
        The number of the first one.
    X : array of shape (n_rows, n_columns)
    y : array of shape (n_rows,)
        Their targets, as they came.
    part : int
        The part of the data that they belong to.
    """

    first: int
    X: Floats
    y: Any
    part: int

    def __len__(self) -> int:
        return len(self.X)

    @property
    def numbers(self) -> Ints:
        """The numbers of all rows."""
        return self.first + np.arange(len(self))

    def pieces(self, size: int = _AT_ONCE) -> Iterator[Block]:
        """The same in smaller blocks."""
        for start in range(0, len(self), size):
            rows = slice(start, start + size)
            yield Block(self.first + start, self.X[rows], self.y[rows], self.part)


class BlockedRows(ABC):
    """A table and its target in parts, each of which has a number of rows that is known."""

    #: The names of the columns; None where they have none.
    names: Sequence[str] | None
    n_columns: int
    #: How many rows each part has.
    sizes: Sequence[int]
    #: How many passes over the data there were.
    n_passes: int = 0

    @cached_property
    def target(self) -> RowsTarget:
        """Stands for the target, which the blocks hold: ``fit(rows, rows.target)``."""
        return RowsTarget(self)

    def __len__(self) -> int:
        return int(sum(self.sizes))

    @property
    def firsts(self) -> Ints:
        """The number of the first row of every part."""
        return np.cumsum([0, *self.sizes])[:-1].astype(np.intp)

    def visit(
        self, task: Task[Result], shared: Any = None, own: Sequence[Any] | None = None
    ) -> list[Result]:
        """Do a task for all blocks, in one pass over the data.

        Parameters
        ----------
        task : callable
            Called with a block, `shared`, and what of `own` is of the block's part; must pickle.
        shared : object
            The same for all of them.
        own : sequence, optional
            Something for every part.
        """
        self.n_passes += 1
        logger.info("pass %d over %d rows: %s", self.n_passes, len(self), task.__name__)
        return self._visit(task, shared, own or [None] * len(self.sizes))

    @abstractmethod
    def _visit(self, task: Task[Result], shared: Any, own: Sequence[Any]) -> list[Result]: ...

    @abstractmethod
    def called(self, part: int) -> str:
        """How people call a part."""


@dataclass(frozen=True, eq=False)
class RowsTarget:
    """The target of rows."""

    rows: BlockedRows
