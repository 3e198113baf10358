"""A linear program that grows and is solved again and again: the only file that knows HiGHS."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import highspy
import numpy as np
from numpy.typing import ArrayLike, NDArray

from allrelevant.base.arrays import Floats

INFINITY = highspy.kHighsInf
Method = Literal["primal", "dual"]
Columns = NDArray[np.int32]
Codes = NDArray[np.int8]
LOWER, BASIC = int(highspy.HighsBasisStatus.kLower), int(highspy.HighsBasisStatus.kBasic)
UPPER = int(highspy.HighsBasisStatus.kUpper)

_STRATEGY = {"dual": 1, "primal": 4}
_TOLERANCE, _STRICTEST = 1e-9, 1e-10
_OPTIONS: dict[str, bool | int | float | str] = {
    "output_flag": False,
    "threads": 1,
    "parallel": "off",
    "presolve": "off",
    "solver": "simplex",
    "primal_feasibility_tolerance": _TOLERANCE,
    "dual_feasibility_tolerance": _TOLERANCE,
    # Scaling takes time at every solve, and helps no more than it harms: of 500 baselines of near
    # copies whose sizes differ by up to a million, 18 could not be proven with it, 17 without.
    "simplex_scale_strategy": 0,
}
_FOR_EVER = int(highspy.kHighsIInf)
_NO_INTS = np.zeros(0, dtype=np.int32)
_NO_FLOATS = np.zeros(0)
_MOSTLY_ZERO = 4  # times the entries that are not zero: as many there are in all of a block
_STATUS = {int(status): status for status in highspy.HighsBasisStatus.__members__.values()}


@dataclass(frozen=True, eq=False)
class Basis:
    """Which columns and rows are basic, and at which bound the others are, in HiGHS's codes."""

    columns: Codes
    rows: Codes

    @cached_property
    def native(self) -> highspy.HighsBasis:
        """The same as HiGHS wants it."""
        basis = highspy.HighsBasis()
        basis.col_status = [_STATUS[code] for code in self.columns.tolist()]
        basis.row_status = [_STATUS[code] for code in self.rows.tolist()]
        basis.valid = True
        # An "alien" basis is factorised to see what it lacks; one with a column per row lacks none.
        n_basic = np.count_nonzero(self.columns == BASIC) + np.count_nonzero(self.rows == BASIC)
        basis.alien = bool(n_basic != len(self.rows))
        return basis


@dataclass(frozen=True, eq=False)
class Ended:
    """The basis at which a solve has ended; most are never looked at, so it is read when it is."""

    native: highspy.HighsBasis

    @cached_property
    def columns(self) -> Codes:
        """Codes of the columns."""
        return _codes(self.native.col_status)

    @cached_property
    def rows(self) -> Codes:
        """Codes of the rows."""
        return _codes(self.native.row_status)


@dataclass(eq=False)
class Kept:
    """A basis as HiGHS has it, good as long as no column has been removed."""

    native: highspy.HighsBasis
    n_columns: int
    n_rows: int
    n_removals: int


class GrowingProgram:
    """Minimise ``cost · x`` over ``row_lower ≤ A x ≤ row_upper`` and bounds on x.

    Rows and columns are added as dense blocks and the basis is kept, so that the next solve
    starts where the last one ended.
    """

    def __init__(self) -> None:
        self._highs = highspy.Highs()
        for name, value in _OPTIONS.items():
            self._highs.setOptionValue(name, value)
        self._method: Method | None = None
        self.n_columns = 0
        self.n_rows = 0
        self.iterations = 0
        self.n_removals = 0
        self._is_whole = True
        self._present: Kept | None = None  # what is kept of the basis as it is

    def add_columns(
        self, cost: Floats, lower: ArrayLike, upper: ArrayLike, rows: Columns, block: Floats
    ) -> Columns:
        """Add columns with entries `block` (one line per column) in `rows`; give their numbers.

        `rows` is shared by all columns, or has one line per column.
        """
        k = len(cost)
        lower, upper = _filled(lower, k), _filled(upper, k)
        self._note(self._highs.addCols(k, cost, lower, upper, *_packed(rows, block)))
        self.n_columns += k
        return np.arange(self.n_columns - k, self.n_columns, dtype=np.int32)

    def add_column(self, cost: float, upper: float, rows: Columns, entries: Floats) -> int:
        """Add one column that is not negative; gives its number."""
        self._note(self._highs.addCol(cost, 0.0, upper, len(rows), rows, entries))
        self.n_columns += 1
        return self.n_columns - 1

    def add_rows(
        self, lower: ArrayLike, upper: ArrayLike, columns: Columns, block: Floats
    ) -> Columns:
        """Add rows with entries `block` (one line per row) in `columns`; give their numbers."""
        k = len(block)
        lower, upper = _filled(lower, k), _filled(upper, k)
        self._note(self._highs.addRows(k, lower, upper, *_packed(columns, block)))
        self.n_rows += k
        return np.arange(self.n_rows - k, self.n_rows, dtype=np.int32)

    def _note(self, status: highspy.HighsStatus) -> None:
        """Remember where HiGHS has taken up nothing, as it does where numbers are too large."""
        self._is_whole = self._is_whole and status != highspy.HighsStatus.kError

    def delete_columns(self, columns: Columns) -> None:
        """Remove columns, given in ascending order; those behind them move up."""
        self._highs.deleteCols(len(columns), columns)
        self.n_columns -= len(columns)
        self.n_removals += 1

    def set_costs(self, columns: Columns, costs: Floats) -> None:
        """Change the objective."""
        self._highs.changeColsCost(len(columns), columns, costs)

    def set_bounds(self, columns: Iterable[int], lower: float, upper: float) -> None:
        """Change the bounds of some columns."""
        for column in columns:
            self._highs.changeColBounds(int(column), lower, upper)

    def set_column_bounds(self, columns: Columns, lower: Floats, upper: Floats) -> None:
        """Change the bounds of many columns, each to its own."""
        self._highs.changeColsBounds(len(columns), columns, lower, upper)

    def set_row_bounds(self, rows: Columns, lower: Floats, upper: Floats) -> None:
        """Change the ends of rows, each to its own."""
        for row, low, high in zip(rows.tolist(), lower.tolist(), upper.tolist(), strict=True):
            self._highs.changeRowBounds(row, low, high)

    def solve(self, method: Method, *, cold: bool = False) -> bool:
        """Optimise from the present basis (or from none) and say whether an optimum was found."""
        if not self._is_whole:
            return False
        if cold:
            self._highs.clearSolver()
        self._present = None
        if method != self._method:
            self._highs.setOptionValue("simplex_strategy", _STRATEGY[method])
            self._method = method
        self._highs.run()
        _, count = self._highs.getInfoValue("simplex_iteration_count")
        self.iterations += int(count)
        return bool(self._highs.getModelStatus() == highspy.HighsModelStatus.kOptimal)

    def perturb(self, on: bool) -> None:
        """Whether the primal simplex may move bounds a little; then it has to clean up later.

        Where it may not, it can go round in circles for ever, and is stopped.
        """
        self._highs.setOptionValue("primal_simplex_bound_perturbation_multiplier", float(on))
        most = _FOR_EVER if on else 1000 + 10 * (self.n_columns + self.n_rows)
        self._highs.setOptionValue("simplex_iteration_limit", most)

    def be_strict(self, on: bool) -> None:
        """Whether constraints have to hold as exactly as HiGHS can be asked for."""
        for name in ("primal_feasibility_tolerance", "dual_feasibility_tolerance"):
            self._highs.setOptionValue(name, _STRICTEST if on else _TOLERANCE)

    def stop_at(self, bound: float) -> None:
        """Let the dual simplex stop once the minimum is proven to exceed a bound."""
        self._highs.setOptionValue("objective_bound", bound)

    @property
    def has_stopped(self) -> bool:
        """Whether the last solve has ended at that bound."""
        return bool(self._highs.getModelStatus() == highspy.HighsModelStatus.kObjectiveBound)

    def solution(self) -> tuple[Floats, Floats]:
        """The values of the columns and the multipliers of the rows."""
        solution = self._highs.getSolution()
        return np.array(solution.col_value), np.array(solution.row_dual)

    def basis(self) -> Ended:
        """The present basis."""
        return Ended(self._highs.getBasis())

    def keep(self) -> Kept:
        """The present basis, to be resumed later on."""
        self._present = Kept(self._highs.getBasis(), self.n_columns, self.n_rows, self.n_removals)
        return self._present

    def resume(self, kept: Kept) -> bool:
        """Start the next solve from a kept basis; False where it is good no more.

        Columns added since are at their lower bound, rows added since are basic.
        """
        if kept.n_removals != self.n_removals:
            return False
        if kept is self._present:
            return True  # as it is, the next solve starts faster
        basis, size = kept.native, (self.n_columns, self.n_rows)
        if (kept.n_columns, kept.n_rows) != size:
            columns = [_STATUS[LOWER]] * (self.n_columns - kept.n_columns)
            basis.col_status = [*basis.col_status, *columns]
            basis.row_status = [*basis.row_status, *[_STATUS[BASIC]] * (self.n_rows - kept.n_rows)]
            kept.n_columns, kept.n_rows = size
        self._highs.setBasis(basis)
        return True

    def set_basis(self, basis: Basis) -> None:
        """Start the next solve from a basis of the program's present size."""
        self._present = None
        self._highs.setBasis(basis.native)


def _codes(statuses: list[highspy.HighsBasisStatus]) -> Codes:
    return np.fromiter(map(int, statuses), dtype=np.int8, count=len(statuses))


def _filled(value: ArrayLike, k: int) -> Floats:
    """One number per line, given singly or all."""
    filled = np.empty(k)
    filled[:] = value
    return filled


def _packed(where: Columns, block: Floats) -> tuple[int, Columns, Columns, Floats]:
    """A dense block in HiGHS's compressed form: number of entries, starts, places, values."""
    lines, width = block.shape
    if not lines or not width:
        return 0, np.zeros(lines, dtype=np.int32), _NO_INTS, _NO_FLOATS
    if _MOSTLY_ZERO * np.count_nonzero(block) < block.size:
        return _packed_without_zeros(where, block)
    starts = np.arange(0, lines * width, width, dtype=np.int32)
    places = where if where.size == block.size else np.tile(where, lines)
    return (
        lines * width,
        starts,
        np.ascontiguousarray(places, dtype=np.int32).ravel(),
        np.ascontiguousarray(block).ravel(),
    )


def _packed_without_zeros(where: Columns, block: Floats) -> tuple[int, Columns, Columns, Floats]:
    line, place = np.nonzero(block)
    starts = np.searchsorted(line, np.arange(len(block))).astype(np.int32)
    shared = where.size != block.size
    places = where[place] if shared else where.reshape(block.shape)[line, place]
    return len(line), starts, places.astype(np.int32), block[line, place]
