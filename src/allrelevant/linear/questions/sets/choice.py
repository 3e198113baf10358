"""The cheapest choice of features under rules of two kinds: one of these, not all of those."""

from __future__ import annotations

from collections.abc import Sequence

import highspy
import numpy as np

from allrelevant.base.arrays import Floats, Mask
from allrelevant.linear.engine.program.optimum import SolverError

_OPTIONS = {"output_flag": False, "threads": 1, "mip_rel_gap": 0.0}


class OutOfTime(Exception):  # noqa: N818 - a signal, not a failure
    """The time limit is reached.

    Attributes
    ----------
    bound : float
        No choice costs less, as far as is known.
    """

    def __init__(self, bound: float = 0.0) -> None:
        super().__init__(bound)
        self.bound = bound


def cheapest_choice(
    costs: Floats,
    possible: Mask,
    required: Mask,
    one_of: Sequence[Mask],
    not_all_of: Sequence[Mask],
    time_limit: float = np.inf,
) -> Mask | None:
    """The choice of least total cost that keeps all rules; None where there is none.

    Parameters
    ----------
    costs : array of shape (n_features,)
        Not negative; only those of possible features count.
    possible, required : array of bool
        Features that can be chosen, and those that must be.
    one_of : sequence of masks
        Sets of which at least one feature has to be chosen.
    not_all_of : sequence of masks
        Sets of which at least one feature must be left out.
    time_limit : float
        Seconds after which :class:`OutOfTime` is raised.
    """
    costs, n = np.where(possible, costs, 0.0), len(costs)
    unit = float(costs.max(initial=0.0)) or 1.0  # the solver's tolerances are absolute
    places, program = np.arange(n, dtype=np.int32), highspy.Highs()
    for name, value in _OPTIONS.items():
        program.setOptionValue(name, value)
    program.addVars(n, required.astype(float), possible.astype(float))
    program.changeColsCost(n, places, costs / unit)
    program.changeColsIntegrality(n, places, np.full(n, highspy.HighsVarType.kInteger))
    for members in one_of:
        _add_row(program, members, 1.0, highspy.kHighsInf)
    for members in not_all_of:
        _add_row(program, members, -highspy.kHighsInf, float(members.sum()) - 1.0)
    program.setOptionValue("time_limit", time_limit)
    program.run()
    status = program.getModelStatus()
    if status == highspy.HighsModelStatus.kInfeasible:
        return None
    if status == highspy.HighsModelStatus.kTimeLimit:
        bound = float(program.getInfo().mip_dual_bound)
        raise OutOfTime(unit * bound if np.isfinite(bound) else 0.0)
    if status != highspy.HighsModelStatus.kOptimal:
        raise SolverError(f"the choice of features failed: {program.modelStatusToString(status)}")
    return np.array(program.getSolution().col_value) > 0.5


def _add_row(program: highspy.Highs, members: Mask, low: float, high: float) -> None:
    where = np.flatnonzero(members).astype(np.int32)
    program.addRow(low, high, len(where), where, np.ones(len(where)))
