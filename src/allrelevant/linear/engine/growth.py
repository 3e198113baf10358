"""Solve, take in what the answer shows to be missing, solve again: the loop of every program."""

from __future__ import annotations

from collections.abc import Callable

from allrelevant.linear.engine.optimum import Candidate
from allrelevant.linear.engine.reduced import ReducedProgram
from allrelevant.linear.engine.simplex import Method

FEATURES_PER_ROUND = 8
_MOST_ROUNDS = 1000


def solve_growing(
    reduced: ReducedProgram,
    propose: Callable[[], Candidate],
    method: Method,
    *,
    cold: bool = False,
) -> Candidate | None:
    """The candidate that lacks no piece and no feature; None where the solver fails.

    Pieces that have changed their side are cut off with the dual simplex; features that price in
    leave the basis feasible, for the primal one.

    Parameters
    ----------
    reduced : ReducedProgram
    propose : callable
        What the program's present solution says.
    method : {"primal", "dual"}
        The method to begin with.
    cold : bool
        Whether to forget the present basis.
    """
    working_set = reduced.working_set
    for _ in range(_MOST_ROUNDS):
        if not reduced.program.solve(method, cold=cold):
            return None
        cold = False
        candidate = propose()
        changed = working_set.changed_side(candidate.residuals)
        if len(changed):
            working_set.add_pieces(changed)
            method = "dual"
        else:
            wanted = candidate.wanted(FEATURES_PER_ROUND)
            if not len(wanted):
                return candidate
            working_set.add_features(wanted)
            method = "primal"
        reduced.follow()
    return None
