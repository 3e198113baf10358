"""All that a linear fit asks of its table.

Engine, fit and questions know rows by this alone. So it makes no difference to them how a table is
stored, or whether all of it is: a new kind of table is one class that answers these questions. Only
small parts of it are ever made into arrays: some columns, or some rows of some columns.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from allrelevant.base.arrays import Floats, Ints


class Matrix(Protocol):
    """A table of numbers; immutable."""

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        ...

    def __len__(self) -> int:
        """How many rows there are."""
        ...

    # Products

    def scores(self, weights: Floats) -> Floats:
        """``X @ weights``: of one model, or of several as the columns of `weights`."""
        ...

    def scores_from(self, features: Ints, weights: Floats) -> Floats:
        """``X[:, features] @ weights``: of a model that uses few features."""
        ...

    def pull(self, values: Floats) -> Floats:
        """``values @ X``: every column's product with a value for each row."""
        ...

    def pull_of(self, rows: Ints, values: Floats) -> Floats:
        """``values @ X[rows]``: the same where few rows have a value."""
        ...

    # Parts, as arrays that must not be changed

    def column(self, feature: int) -> Floats:
        """One column."""
        ...

    def columns(self, features: Ints) -> Floats:
        """Some columns."""
        ...

    def block(self, rows: Ints, features: Ints) -> Floats:
        """Some columns of some rows; the caller's to change."""
        ...

    def dense(self) -> Floats:
        """All of it: for what can do with nothing less."""
        ...

    # Sizes

    @property
    def ends(self) -> tuple[Floats, Floats]:
        """The smallest and the largest value of every column."""
        ...

    @property
    def sizes(self) -> Floats:
        """The largest absolute value of every column."""
        ...

    @property
    def row_sizes(self) -> Floats:
        """The largest absolute value of every row."""
        ...

    def distinct(self, before: Floats, *behind: Floats | Ints) -> tuple[Ints, Ints]:
        """The first of each kind of equal rows, and for every row the kind it is of.

        Rows are equal where they are here and in all blocks, which stand before and behind. The
        order of the kinds depends on the values alone.
        """
        ...

    # Other tables

    def take(self, rows: Ints) -> Matrix:
        """Some of the rows, in this order."""
        ...

    def replaced(self, features: Ints, columns: Floats) -> Matrix:
        """The same with other columns in the place of some."""
        ...

    def beside(self, columns: Floats) -> Matrix:
        """The same with more columns at the end."""
        ...

    def scaled(self, centre: Floats, scale: Floats | float = 1.0) -> Matrix:
        """``(X − centre) / scale``, by column."""
        ...

    def map(self, function: Callable[[Floats], Floats]) -> Matrix:
        """A function of every single value, which does not depend on where it stands."""
        ...
