"""Some rows of a table whose other rows are not here."""

from __future__ import annotations

from dataclasses import dataclass

from allrelevant.base.arrays import Floats, Ints
from allrelevant.data.dense import DenseMatrix


@dataclass(frozen=True, eq=False)
class CoreMatrix(DenseMatrix):
    """An array of some rows, which knows the ends of all columns of the whole table.

    See :class:`~allrelevant.data.matrix.Matrix`.
    """

    low: Floats
    high: Floats

    @property
    def ends(self) -> tuple[Floats, Floats]:
        """The smallest and the largest value of every column, in all rows."""
        return self.low, self.high

    def replaced(self, features: Ints, columns: Floats) -> CoreMatrix:
        low, high = self.low.copy(), self.high.copy()
        low[features], high[features] = columns.min(axis=0), columns.max(axis=0)
        return CoreMatrix(super().replaced(features, columns).values, low, high)

    def __getstate__(self) -> dict[str, Floats]:
        """The values and the ends."""
        return {"values": self.values, "low": self.low, "high": self.high}
