"""A linear program in full, solved from scratch.

It is handed to HiGHS as it stands: what scipy's `linprog` does around that takes longer than
programs as small as these. Every so often one is solved by `linprog`, too, which has a HiGHS of
its own.
"""

from dataclasses import dataclass
from itertools import count

import highspy
import numpy as np
import scipy.sparse as sparse
from scipy.optimize import linprog

TIGHT = {
    "primal_feasibility_tolerance": 1e-10,
    "dual_feasibility_tolerance": 1e-10,
    "presolve": False,  # it takes longer than it saves in programs as small as these
}
EVERY = 20  # so many programs, one of which scipy solves as well
_number = count()


@dataclass(frozen=True)
class Solution:
    """The least cost and where it is; `status` is 0, as scipy has it, or 2 where nothing is."""

    status: int
    fun: float | None = None
    x: np.ndarray | None = None


def solved(cost, rows, limits, bounds):
    """The least cost where ``rows · x ≤ limits`` and x is within bounds, given as scipy's are."""
    found = _by_highs(np.asarray(cost, dtype=float), rows, limits, bounds)
    if next(_number) % EVERY == 0:
        by_scipy(found, cost, rows, limits, bounds)
    return found


def by_scipy(found, cost, rows, limits, bounds):
    """Refuse a solution that is not scipy's."""
    other = linprog(cost, rows, limits, bounds=bounds, method="highs", options=TIGHT)
    assert other.status == found.status, other.message
    if found.status == 0:
        assert abs(other.fun - found.fun) <= 1e-7 * (1.0 + abs(other.fun))


def _by_highs(cost, rows, limits, bounds):
    matrix = sparse.csr_matrix(rows)
    program, solver = highspy.HighsLp(), highspy.Highs()
    program.num_row_, program.num_col_ = matrix.shape
    program.col_cost_ = cost
    low, high = zip(*bounds, strict=True)
    program.col_lower_ = np.array([-np.inf if one is None else one for one in low])
    program.col_upper_ = np.array([np.inf if one is None else one for one in high])
    program.row_lower_ = np.full(matrix.shape[0], -np.inf)
    program.row_upper_ = np.asarray(limits, dtype=float)
    program.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    program.a_matrix_.start_ = matrix.indptr
    program.a_matrix_.index_ = matrix.indices
    program.a_matrix_.value_ = matrix.data
    solver.setOptionValue("output_flag", False)
    solver.setOptionValue("presolve", "off")
    for name in ("primal_feasibility_tolerance", "dual_feasibility_tolerance"):
        solver.setOptionValue(name, TIGHT[name])
    solver.passModel(program)
    solver.run()
    status = solver.getModelStatus()
    if status == highspy.HighsModelStatus.kInfeasible:
        return Solution(2)
    assert status == highspy.HighsModelStatus.kOptimal, solver.modelStatusToString(status)
    x = np.array(solver.getSolution().col_value)
    return Solution(0, float(cost @ x), x)
