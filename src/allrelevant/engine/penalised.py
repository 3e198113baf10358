"""The reference model: the minimum of ‖w‖₁ + C·loss, for one C after another."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from allrelevant.engine.equivalent import Budget, Reference, offset_bound, uneven_columns
from allrelevant.engine.optimum import SolverError
from allrelevant.engine.pieces import Floats, Ints, Pieces
from allrelevant.engine.reduced import ReducedProgram
from allrelevant.engine.simplex import INFINITY, Method
from allrelevant.engine.simplex_path import FEATURES_PER_ROUND
from allrelevant.engine.working_set import WorkingSet

_GAP = 1e-7  # relative: how far the minimum may be from its proven bound
_SMALL = 300  # rows that are solved at once; more are approached through a sample
_MOST_ROUNDS = 1000


@dataclass(frozen=True, eq=False)
class Penalised:
    """A minimum of ``‖w‖₁ + C·loss`` with its multipliers summed per sample."""

    C: float
    weights: Floats
    offsets: Floats
    row_duals: Floats
    norm: float
    loss: float

    @property
    def objective(self) -> float:
        """The minimum."""
        return self.norm + self.C * self.loss

    def as_reference(self) -> Reference:
        """The same as a reference for equivalent models."""
        return Reference(self.weights, self.offsets, self.row_duals, self.C, self.objective)


class PenalisedPath:
    """Solves ``min ‖w‖₁ + C·loss`` for a sequence of C, each from the last solution.

    Parameters
    ----------
    X : array of shape (n_samples, n_features)
    pieces : Pieces
    start : Penalised, optional
        A solution to begin near.
    """

    def __init__(self, X: Floats, pieces: Pieces, start: Penalised | None = None) -> None:
        self.X, self.pieces = X, pieces
        self.columns = np.asfortranarray(X)
        self._latest = start
        self._reduced: ReducedProgram | None = None
        # A weight too small to move any score is a rounding error.
        largest = max(float(np.abs(X).max(initial=0.0)), 1e-300)
        self._nothing = 1e-11 * (1.0 + float(np.abs(pieces.target).max(initial=0.0))) / largest
        self._is_uneven = uneven_columns(X)
        self._zero_loss = pieces.loss(np.zeros(len(X)), np.zeros(pieces.n_offsets))
        self.iterations = 0

    def solve(self, C: float) -> Penalised:
        """The minimum for this C."""
        if self._latest is None and len(self.X) > _SMALL:
            self._latest = self._from_sample(C)
        if self._reduced is None or self._is_stale():
            self._reduced = self._around(self._latest, C)
        answer = self._optimise(self._reduced, C)
        self._latest = answer
        return answer

    def _from_sample(self, C: float) -> Penalised:
        """The solution on a quarter of the rows, which is close and cheap."""
        rows = np.sort(np.random.default_rng(0).permutation(len(self.X))[: len(self.X) // 4])
        sample = PenalisedPath(self.X[rows], self.pieces.take(rows, len(self.X)))
        factor = float(self.pieces.weight.sum() / max(sample.pieces.weight.sum(), 1e-300))
        answer = sample.solve(C * factor)
        self.iterations += sample.iterations
        return answer

    def _is_stale(self) -> bool:
        """Whether pieces that have long been decided again outweigh the others."""
        assert self._reduced is not None
        latest = self._latest
        assert latest is not None
        n_undecided = len(self._reduced.working_set.undecided)
        return n_undecided > max(150, 6 * (int(np.count_nonzero(latest.weights)) + 10))

    def _around(self, near: Penalised | None, C: float) -> ReducedProgram:
        """A reduced program around a known model, or with every piece where none is known."""
        n_features = self.X.shape[1]
        if near is None:
            weights, offsets = np.zeros(n_features), np.zeros(self.pieces.n_offsets)
            features: Ints = self._steepest(50)
            band = np.inf
        else:
            weights, offsets = near.weights, near.offsets
            gradient = np.abs(self._row_duals_gradient(near))
            features = np.flatnonzero((weights != 0) | (gradient > 0.9))
            band = 0.1
        working_set = WorkingSet(
            self.X, self.columns, self.pieces, weights, offsets, features=features, band=band
        )
        budgets = (Budget(norm=1.0, loss=0.0, limit=self._largest_norm(C)),)
        return ReducedProgram(working_set, budgets, self._largest_offset(C), scaled=self._is_uneven)

    def _largest_norm(self, C: float) -> float:
        """No minimum has a larger norm than the objective of the model that is zero throughout."""
        return C * self._zero_loss * (1.0 + 1e-6) + 1e-6

    def _largest_offset(self, C: float) -> float:
        return offset_bound(self.X, self.pieces, self._largest_norm(C))

    def _row_duals_gradient(self, near: Penalised) -> Floats:
        if len(near.row_duals) != len(self.X):
            return np.zeros(self.X.shape[1])
        return near.row_duals @ self.X

    def _steepest(self, most: int) -> Ints:
        """Features whose gradient at zero weights is largest."""
        if self.X.shape[1] <= most:
            return np.arange(self.X.shape[1])
        pull = np.bincount(
            self.pieces.row, self.pieces.weight * self.pieces.sign, minlength=len(self.X)
        )
        return np.argsort(-np.abs(pull @ self.X), kind="stable")[:most]

    def _optimise(self, reduced: ReducedProgram, C: float) -> Penalised:
        if len(reduced.working_set.undecided) == len(self.pieces):
            reduced.set_limits([INFINITY], INFINITY)  # the pieces themselves stop the model
        else:
            reduced.set_limits([self._largest_norm(C)], self._largest_offset(C))
        before = reduced.program.iterations
        answer = self._until_nothing_changes(reduced, C) or self._until_nothing_changes(
            reduced, C, cold=True
        )
        if answer is None:
            # Costs that span many orders of magnitude are met better from the middle.
            scale = 1.0 / np.sqrt(C * self.pieces.weight.max())
            answer = self._until_nothing_changes(reduced, C, cold=True, scale=scale)
        self.iterations += reduced.program.iterations - before
        if answer is None:
            raise SolverError(f"the baseline model could not be found for C={C:g}")
        return answer

    def _until_nothing_changes(
        self, reduced: ReducedProgram, C: float, *, cold: bool = False, scale: float = 1.0
    ) -> Penalised | None:
        """Solve, take in what the answer shows to be missing; None if the optimum is doubtful.

        The solver is given the objective times `scale`.
        """
        reduced.minimise_objective(norm=scale, loss=scale * C)
        working_set, program = reduced.working_set, reduced.program
        method: Method = "dual" if cold or not program.iterations else "primal"
        for _ in range(_MOST_ROUNDS):
            if not program.solve(method, cold=cold):
                return None
            cold = False
            values, duals = program.solution()
            weights, offsets, _ = reduced.model(values)
            weights[np.abs(weights) <= self._nothing] = 0.0
            residuals = self.pieces.residuals(working_set.scores(weights), offsets)
            changed = working_set.changed_side(residuals)
            duals /= scale
            multipliers = np.maximum(duals[reduced.piece_rows], 0.0)
            if len(changed):
                working_set.add_pieces(changed)
                method = "dual"
            else:
                gradient = np.abs(working_set.gradient(multipliers, C))
                wanted = np.flatnonzero((gradient > 1.0 + 1e-9) & (working_set.position < 0))
                if not len(wanted):
                    break
                wanted = wanted[np.argsort(-gradient[wanted], kind="stable")]
                working_set.add_features(wanted[:FEATURES_PER_ROUND])
                method = "primal"
            reduced.follow()
        loss = float(self.pieces.weight @ np.maximum(residuals, 0.0))
        answer = Penalised(
            C=C,
            weights=weights,
            offsets=offsets,
            row_duals=working_set.row_multipliers(multipliers, C),
            norm=float(np.abs(weights).sum()),
            loss=loss,
        )
        lower = C * working_set.constant + float(multipliers @ working_set.target)
        # A minimum has no larger norm than the objective of any model, this one's included.
        lower -= max(float(gradient.max(initial=0.0)) - 1.0, 0.0) * answer.objective
        order = np.concatenate([[0.0], -duals[reduced.order_rows], [0.0]])
        imbalance = working_set.offset_gradient(multipliers, C) + order[:-1] - order[1:]
        lower -= float(np.abs(imbalance).sum()) * offset_bound(
            self.X, self.pieces, answer.objective
        )
        rounding = 1e-13 * C * float(self.pieces.weight @ (1.0 + np.abs(self.pieces.target)))
        gap = abs(answer.objective - lower)
        return answer if gap <= _GAP * (1.0 + answer.objective) + rounding else None
