"""Solve, take in what the answer shows to be missing, solve again: the loop of every program."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import numpy as np

from allrelevant.base.arrays import Ints
from allrelevant.linear.engine.program.optimum import Candidate
from allrelevant.linear.engine.program.working_set import WorkingSet
from allrelevant.linear.engine.simplex.highs import GrowingProgram, Method

_FEATURES_PER_ROUND = 8
_MOST_ROUNDS = 1000


class TooLarge(Exception):  # noqa: N818 - a signal, not a failure
    """The working set has outgrown the simplex method."""


class Growing(Protocol):
    """A program that follows a working set."""

    working_set: WorkingSet
    program: GrowingProgram

    def follow(self) -> None:
        """Take up features and pieces that the working set has gained."""

    def solve(self, method: Method, *, cold: bool = False) -> bool:
        """Optimise from the present basis, or from none; the method is a proposal."""


def changed_side(candidate: Candidate) -> Ints:
    """All pieces that a candidate has on the wrong side."""
    return candidate.working_set.changed_side(candidate.residuals)


def solve_growing(
    reduced: Growing,
    propose: Callable[[], Candidate],
    method: Method,
    *,
    cold: bool = False,
    most_pieces: float = np.inf,
    missing: Callable[[Candidate], Ints] = changed_side,
) -> Candidate | None:
    """The candidate that lacks no piece and no feature; None where the solver fails.

    Pieces that have changed their side are cut off with the dual simplex; features that price in
    leave the basis feasible, for the primal one. A program that is to stop at a bound has done
    enough once the candidate's own bound shows it.

    Parameters
    ----------
    propose : callable
        What the program's present solution says.
    method : {"primal", "dual"}
        The method to begin with.
    cold : bool
        Whether to forget the present basis.
    most_pieces : float
        With more undecided pieces than this, :class:`TooLarge` is raised.
    missing : callable
        The pieces to take in; none only where the candidate has none on the wrong side.
    """
    working_set, program = reduced.working_set, reduced.program
    for _ in range(_MOST_ROUNDS):
        solved = reduced.solve(method, cold=cold)
        cold = False
        if not (solved or program.has_stopped):
            return None
        candidate = propose()
        if program.has_stopped:
            if candidate.is_enough:
                return candidate
            # Mostly features outside are all that is missing for the bound to hold.
            wanted = candidate.wanted(_FEATURES_PER_ROUND)
            if len(wanted):
                working_set.add_features(wanted)
                reduced.follow()
            else:
                program.stop_at(np.inf)
            method = "dual"
            continue
        changed = missing(candidate)
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
