"""What tables that are not stored as they stand have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

import numpy as np

from allrelevant.base.arrays import Floats, Ints
from allrelevant.base.rows import distinct_rows
from allrelevant.data.dense import DenseMatrix
from allrelevant.data.matrix import Matrix


class ComputedMatrix(ABC):
    """A table of which any block can be made, and all of it where nothing less will do."""

    @property
    @abstractmethod
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""

    def __len__(self) -> int:
        return self.shape[0]

    @abstractmethod
    def scores(self, weights: Floats) -> Floats:
        """``X @ weights``."""

    def scores_from(self, features: Ints, weights: Floats) -> Floats:
        every = np.zeros(self.shape[1])
        every[features] = weights
        return self.scores(every)

    @abstractmethod
    def block(self, rows: Ints, features: Ints) -> Floats:
        """Some columns of some rows."""

    def columns(self, features: Ints) -> Floats:
        return self.block(np.arange(len(self)), features)

    def dense(self) -> Floats:
        return self.columns(np.arange(self.shape[1]))

    @property
    def ends(self) -> tuple[Floats, Floats]:
        return DenseMatrix(self.dense()).ends

    def distinct(self, before: Floats, *behind: Floats | Ints) -> tuple[Ints, Ints]:
        return distinct_rows(before, self.dense(), *behind)

    @abstractmethod
    def replaced(self, features: Ints, columns: Floats) -> Matrix:
        """The same with other columns in the place of some."""

    def beside(self, columns: Floats) -> Matrix:
        return self.replaced(self.shape[1] + np.arange(columns.shape[1]), columns)

    def scaled(self, centre: Floats, scale: Floats | float = 1.0) -> Matrix:
        """``(X − centre) / scale``, as an array."""
        return DenseMatrix(self.dense()).scaled(centre, scale)

    def map(self, function: Callable[[Floats], Floats]) -> Matrix:
        """A function of every single value, as an array."""
        return DenseMatrix(self.dense()).map(function)
