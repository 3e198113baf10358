"""The reference model's program seen from its multipliers: a row for each weight, boxes elsewhere.

The dual of ``min price·|w| + C·loss`` on a working set has a column per undecided piece, its
multiplier, which lies between 0 and ``C·cost``, and a row per offset and resident feature only::

    max target·α   with   |C·slope + Mᵀα| ≤ price  for features,  = 0  for offsets

Where there are many rows and few features its bases are small. A step of the dual simplex method
may pass many kinks at once, and everything that happens to the program leaves a basis dual
feasible: other values of C, more pieces, more features.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from allrelevant.base.arrays import Floats
from allrelevant.linear.engine.program.direction import Direction
from allrelevant.linear.engine.program.equivalent import EquivalentModels
from allrelevant.linear.engine.program.optimum import Candidate, Multipliers
from allrelevant.linear.engine.program.working_set import WorkingSet
from allrelevant.linear.engine.simplex.highs import (
    BASIC,
    INFINITY,
    LOWER,
    UPPER,
    Basis,
    Columns,
    GrowingProgram,
    Method,
)

_AT_KINK = 1e-9
_NONE: Columns = np.zeros(0, dtype=np.int32)


class BoxedProgram:
    """Rows: offsets, resident features. Columns: multipliers of pieces and of the offsets' order.

    Two more columns per row, at a high cost, keep weights and offsets within bounds while the
    pieces that would do so are missing.
    """

    def __init__(self, working_set: WorkingSet) -> None:
        self.working_set = working_set
        self.program = GrowingProgram()
        self._C, self._prices = 0.0, np.zeros(working_set.X.shape[1])
        self._largest, self._largest_offset = INFINITY, INFINITY
        q, n_ordered = working_set.n_offsets, working_set.pieces.n_ordered
        self._rows, self._elastic, self._pieces = _NONE, _NONE, _NONE
        self._add_rows(0.0, 0.0, np.zeros((q, 0)))
        pairs = np.column_stack([np.arange(n_ordered - 1), np.arange(1, n_ordered)])
        entries = np.tile([-1.0, 1.0], (n_ordered - 1, 1))
        costs = np.zeros(n_ordered - 1)
        self._order = self.program.add_columns(
            costs, 0.0, INFINITY, pairs.astype(np.int32), entries
        )
        self.follow()

    # Growing

    def follow(self) -> None:
        """Take up features and pieces that the working set has gained."""
        working_set, q = self.working_set, self.working_set.n_offsets
        n_features, n_pieces = len(self._rows) - q, len(self._pieces)
        if len(working_set.features) > n_features:
            new = working_set.entries[:n_pieces, n_features:].T
            low, high = self._feature_bounds()
            self._add_rows(low[n_features:], high[n_features:], new)
        if len(working_set.undecided) > n_pieces:
            block = [working_set.offset_entries[n_pieces:], working_set.entries[n_pieces:]]
            columns = self.program.add_columns(
                -working_set.target[n_pieces:],
                0.0,
                self._C * working_set.cost[n_pieces:],
                self._rows,
                np.hstack(block),
            )
            self._pieces = np.append(self._pieces, columns)

    def _add_rows(self, low: ArrayLike, high: ArrayLike, block: Floats) -> None:
        """Rows with entries for all pieces, and what keeps their multipliers within bounds."""
        rows = self.program.add_rows(low, high, self._pieces, block)
        self._rows = np.append(self._rows, rows)
        own = np.repeat(rows, 2)[:, None]
        signs = np.tile([1.0, -1.0], len(rows))[:, None]
        largest = self._largest_offset if len(self._rows) == len(rows) else self._largest
        costs = np.full(2 * len(rows), largest)
        columns = self.program.add_columns(costs, 0.0, INFINITY, own, signs)
        self._elastic = np.append(self._elastic, columns)

    def _feature_bounds(self) -> tuple[Floats, Floats]:
        features = self.working_set.features
        slope, price = self._C * self.working_set.feature_slope[features], self._prices[features]
        return -price - slope, price - slope

    # Objective

    def minimise_objective(
        self, prices: Floats, C: float, largest: float, largest_offset: float
    ) -> None:
        """Ask for the minimum of ``prices·|w| + C·loss``, which keeps these bounds."""
        self._C, self._prices = C, prices
        self._largest, self._largest_offset = largest, largest_offset
        working_set, q = self.working_set, self.working_set.n_offsets
        fixed = -C * working_set.offset_slope
        low, high = self._feature_bounds()
        self.program.set_row_bounds(self._rows, np.append(fixed, low), np.append(fixed, high))
        upper = C * working_set.cost
        self.program.set_column_bounds(self._pieces, np.zeros(len(upper)), upper)
        costs = np.full(len(self._elastic), largest)
        costs[: 2 * q] = largest_offset
        self.program.set_costs(self._elastic, costs)

    def start_at(self, weights: Floats, offsets: Floats) -> None:
        """Begin with the basis of a model that is a vertex, perhaps of fewer pieces."""
        working_set, q = self.working_set, self.working_set.n_offsets
        residuals = working_set.target - working_set.offset_entries @ offsets
        used = weights[working_set.features]
        residuals -= working_set.entries @ used
        columns = np.full(self.program.n_columns, LOWER, dtype=np.int8)
        columns[self._pieces[residuals > 0]] = UPPER
        columns[self._pieces[np.abs(residuals) <= _AT_KINK]] = BASIC
        rows = np.full(self.program.n_rows, LOWER, dtype=np.int8)
        rows[self._rows[q:]] = np.where(used == 0, BASIC, np.where(used > 0, UPPER, LOWER))
        self.program.set_basis(Basis(columns, rows))

    # Answers

    def solve(self, method: Method, *, cold: bool = False) -> bool:
        """Optimise from the present basis, which is dual feasible whatever has changed."""
        return self.program.solve("dual", cold=cold)

    def candidate(self, models: EquivalentModels, direction: Direction) -> Candidate:
        """What the present solution proposes for the minimum that was asked for."""
        values, duals = self.program.solution()
        q, features = self.working_set.n_offsets, self.working_set.features
        weights = np.zeros(len(self._prices))
        weights[features] = -duals[self._rows[q:]]
        multipliers = Multipliers(
            pieces=values[self._pieces], budgets=np.zeros(1), order=values[self._order]
        )
        offsets = -duals[self._rows[:q]]
        return Candidate(models, self.working_set, direction, weights, offsets, 0.0, multipliers)
