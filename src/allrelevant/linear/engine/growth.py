"""Solve, take in what the answer shows to be missing, solve again: the loop of every program."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from allrelevant.linear.engine.optimum import Candidate
from allrelevant.linear.engine.reduced import ReducedProgram
from allrelevant.linear.engine.simplex import Method

_FEATURES_PER_ROUND = 8
_MOST_ROUNDS = 1000


class TooLarge(Exception):  # noqa: N818 - a signal, not a failure
    """The working set has outgrown the simplex method."""


def solve_growing(
    reduced: ReducedProgram,
    propose: Callable[[], Candidate],
    method: Method,
    *,
    cold: bool = False,
    most_pieces: float = np.inf,
) -> Candidate | None:
    """The candidate that lacks no piece and no feature; None where the solver fails.

    Pieces that have changed their side are cut off with the dual simplex; features that price in
    leave the basis feasible, for the primal one. A program that is to stop at a bound has done
    enough once the candidate's own bound shows it.

    Parameters
    ----------
    reduced : ReducedProgram
    propose : callable
        What the program's present solution says.
    method : {"primal", "dual"}
        The method to begin with.
    cold : bool
        Whether to forget the present basis.
    most_pieces : float
        With more undecided pieces than this, :class:`TooLarge` is raised.
    """
    working_set, program = reduced.working_set, reduced.program
    for _ in range(_MOST_ROUNDS):
        solved = program.solve(method, cold=cold)
        cold = False
        if not (solved or program.has_stopped):
            return None
        candidate = propose()
        if program.has_stopped:
            if candidate.is_enough:
                return candidate
            program.stop_at(np.inf)
            continue
        changed = working_set.changed_side(candidate.residuals)
        if len(changed):
            working_set.add_pieces(changed)
            if len(working_set.undecided) > most_pieces:
                raise TooLarge
            method = "dual"
        else:
            wanted = candidate.wanted(_FEATURES_PER_ROUND)
            if not len(wanted):
                return candidate
            working_set.add_features(wanted)
            method = "primal"
        reduced.follow()
    return None
