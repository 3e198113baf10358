"""Minima of ‖w‖₁ + C·loss near models that are known, for one C after another.

By the program of the multipliers (:mod:`~allrelevant.linear.engine.baseline.boxed`), on a working
set around a model that is known: the last one, or that of some of the rows.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from allrelevant.base.arrays import Floats, Ints
from allrelevant.data import Matrix
from allrelevant.linear.engine.baseline.boxed import BoxedProgram
from allrelevant.linear.engine.program.direction import Direction
from allrelevant.linear.engine.program.equivalent import EquivalentModels
from allrelevant.linear.engine.program.limits import joint_budget
from allrelevant.linear.engine.program.nearby import Better
from allrelevant.linear.engine.program.optimum import Candidate
from allrelevant.linear.engine.program.pieces import Pieces
from allrelevant.linear.engine.program.reference import Reference
from allrelevant.linear.engine.program.working_set import WorkingSet
from allrelevant.linear.engine.simplex.growth import solve_growing
from allrelevant.linear.engine.simplex.highs import INFINITY

_FEW = 64  # features, which are all resident from the start
_MOST_NEAR = 0.4  # of all pieces; where more are near, all are there from the start


class BoxedPath:
    """Candidates for the minimum at one C after another, each from a model that is near.

    Parameters
    ----------
    nothing : float
        A weight that is no larger is none.
    """

    def __init__(self, X: Matrix, pieces: Pieces, *, nothing: float) -> None:
        self.X, self.pieces = X, pieces
        self._nothing = nothing
        self._prices = np.ones(X.shape[1])
        self._boxed: BoxedProgram | None = None
        # Between the best models of a sample and of all rows, about so many pieces change sides.
        self._n_near = 2 * int(np.sqrt(len(pieces) * (X.shape[1] + pieces.n_offsets)))
        self._zero_loss = pieces.loss(np.zeros(len(X)), np.zeros(pieces.n_offsets))

    def solve(self, near: Reference, C: float) -> Candidate | None:
        """What is proposed for this C, from a model that is known; None where the solver fails."""
        residuals = self.pieces.residuals(self.X.scores(near.weights), near.offsets)
        known = float(np.abs(near.weights).sum()) + C * self.pieces.loss_of(residuals)
        limit = min(known, C * self._zero_loss) * (1.0 + 1e-6) + 1e-6
        some, boxed = self._as_good(limit, C), self._boxed
        is_new = boxed is None or len(boxed.working_set.undecided) > 2 * self._n_near
        if boxed is None or is_new:
            self._boxed = boxed = self._around(near, residuals)
        boxed.minimise_objective(self._prices, C, some.largest_norm, some.largest_offset)
        if is_new:
            boxed.start_at(near.weights, near.offsets)
        propose, nearby = partial(self._propose, boxed, C), Better(near.weights, residuals)
        return solve_growing(boxed, propose, "dual", missing=nearby.missing)

    def _propose(self, boxed: BoxedProgram, C: float) -> Candidate:
        everything = self._as_good(INFINITY, C)
        found = boxed.candidate(everything, Direction.least_objective(self._prices, C))
        found.weights[np.abs(found.weights) <= self._nothing] = 0.0
        return found

    def _around(self, near: Reference, residuals: Floats) -> BoxedProgram:
        """The program of the pieces nearest to their kinks, and of features that may be used."""
        sizes, band = np.abs(residuals), np.inf
        if self._n_near < _MOST_NEAR * len(sizes):
            band = float(np.partition(sizes, self._n_near)[self._n_near])
        working_set = WorkingSet(
            self.X,
            self.pieces,
            near.weights,
            near.offsets,
            features=self._features_near(near),
            band=band,
        )
        return BoxedProgram(working_set)

    def _features_near(self, near: Reference) -> Ints:
        duals, used = near.row_duals, near.weights != 0
        if len(used) <= _FEW:
            return np.arange(len(used))
        if duals is not None and len(duals) == len(self.X):
            used |= np.abs(self.X.pull(duals)) > 0.9
        return np.flatnonzero(used)

    def _as_good(self, objective: float, C: float) -> EquivalentModels:
        """All models with an objective that is not larger."""
        zero = Reference(np.zeros(self.X.shape[1]), np.zeros(self.pieces.n_offsets), None, C, 0.0)
        return EquivalentModels(self.X, self.pieces, joint_budget(C, objective), zero)
