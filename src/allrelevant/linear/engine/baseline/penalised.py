"""The reference model: the minimum of ‖w‖₁ + C·loss, for one C after another."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

import numpy as np

from allrelevant.base.arrays import Floats, Ints, sums_by
from allrelevant.data import Matrix, matrix_of
from allrelevant.linear.engine.baseline.boxed_path import BoxedPath
from allrelevant.linear.engine.baseline.null import NullModel
from allrelevant.linear.engine.program.direction import Direction
from allrelevant.linear.engine.program.equivalent import EquivalentModels
from allrelevant.linear.engine.program.limits import Budget, joint_budget
from allrelevant.linear.engine.program.optimum import Candidate, SolverError
from allrelevant.linear.engine.program.pieces import Pieces
from allrelevant.linear.engine.program.reach import FREE, MAIN, SIDE, norms_by_kind
from allrelevant.linear.engine.program.reference import Penalised, Reference
from allrelevant.linear.engine.program.refine import refined
from allrelevant.linear.engine.program.working_set import WorkingSet
from allrelevant.linear.engine.simplex.growth import solve_growing
from allrelevant.linear.engine.simplex.highs import INFINITY, Method
from allrelevant.linear.engine.simplex.reduced import ReducedProgram

_GAP = 1e-7  # relative: how far the minimum may be from its proven bound
_SMALL = 300  # rows that are solved at once; more are approached through a sample
_FEW_PIECES = 400  # a program of so many is not made anew to get rid of some: that takes longer


class PenalisedPath:
    """Solves ``min ‖w‖₁ + C·loss`` for a sequence of C, each from the last solution.

    With side information the objective has a third term, ``side_price·‖w*‖₁``.

    Parameters
    ----------
    X : Matrix or array of shape (n_samples, n_features)
    start : Penalised, optional
        A solution to begin near.
    kinds : array of int, optional
        Which norm each column counts in; that of the main ones by default.
    """

    def __init__(
        self,
        X: Matrix | Floats,
        pieces: Pieces,
        start: Penalised | None = None,
        kinds: Ints | None = None,
    ) -> None:
        self.X = X = matrix_of(X)
        self.pieces = pieces
        self.kinds = np.full(X.shape[1], MAIN) if kinds is None else kinds
        self._has_side = bool((self.kinds == SIDE).any())
        self._norms = [MAIN, SIDE] if self._has_side else [MAIN]
        self._latest = start
        self._reduced: ReducedProgram | None = None
        self._first_size = 0  # of the reduced program, when it was made around a known model
        # A weight too small to move any score is a rounding error.
        largest = max(float(X.sizes.max(initial=0.0)), 1e-300)
        self._nothing = 1e-11 * (float(np.abs(pieces.target).max(initial=0.0)) or 1.0) / largest
        self._zero_loss = pieces.loss(np.zeros(len(X)), np.zeros(pieces.n_offsets))
        self._boxed: BoxedPath | None = None
        if pieces.hard is None and (self.kinds == MAIN).all():
            self._boxed = BoxedPath(X, pieces, nothing=self._nothing)

    def solve(self, C: float, side_price: float = 1.0) -> Penalised:
        """The minimum for this C."""
        if self._latest is None or not self._latest.weights.any():
            null = self._null
            if null is not None:
                self._latest = found = null.as_minimum(C, side_price)
                if null.is_best(C, self._prices(side_price)):
                    return found
            # Some of the rows say little about a model that has to keep them all.
            if len(self.X) > _SMALL and self.pieces.hard is None:
                self._latest = self._from_sample(C)
        if self._boxed is not None and self._latest is not None:
            candidate = self._boxed.solve(self._latest.as_reference(), C)
            proven = None if candidate is None else self._proven(candidate, C, side_price)
            if proven is not None:
                self._latest = proven
                return proven
        if self._reduced is None or self._is_stale():
            self._reduced = self._around(self._latest, C, side_price)
            if self._latest is not None:
                self._first_size = len(self._reduced.working_set.undecided)
        try:
            answer = self._optimise(self._reduced, C, side_price)
        except SolverError:
            if self._reduced.working_set.is_complete:
                raise
            # Bounds in the place of the pieces left out can be too large for the solver.
            self._reduced, self._first_size = self._around(None, C, side_price), 0
            answer = self._optimise(self._reduced, C, side_price)
        self._latest = answer
        return answer

    @cached_property
    def _null(self) -> NullModel | None:
        return NullModel.of(self.X, self.pieces)

    def _from_sample(self, C: float) -> Penalised:
        """The solution on a quarter of the rows, which is close and cheap."""
        rows = np.sort(np.random.default_rng(0).permutation(len(self.X))[: len(self.X) // 4])
        sample = PenalisedPath(self.X.take(rows), self.pieces.take(rows, len(self.X)))
        factor = float(self.pieces.weight.sum() / max(sample.pieces.weight.sum(), 1e-300))
        return sample.solve(C * factor)

    def _is_stale(self) -> bool:
        """Whether pieces that have long been decided again outweigh the others."""
        assert self._reduced is not None
        latest = self._latest
        assert latest is not None
        many = max(
            _FEW_PIECES, 6 * (int(np.count_nonzero(latest.weights)) + 10), self._first_size + 50
        )
        return len(self._reduced.working_set.undecided) > many

    def _around(self, near: Penalised | None, C: float, side_price: float) -> ReducedProgram:
        """A reduced program around a known model, or with every piece where none is known."""
        n_features = self.X.shape[1]
        if near is None:
            weights, offsets = np.zeros(n_features), np.zeros(self.pieces.n_offsets)
            features: Ints = self._steepest(50)
            band = np.inf
        else:
            weights, offsets = near.weights, near.offsets
            gradient = np.abs(self._row_duals_gradient(near))
            features = np.flatnonzero((weights != 0) | (gradient > 0.9 * self._prices(side_price)))
            band = 0.1
        working_set = WorkingSet(
            self.X, self.pieces, weights, offsets, features=features, band=band
        )
        # Limits of norms follow once it is solved.
        budgets = tuple(Budget(norm=1.0, loss=0.0, limit=INFINITY) for _ in self._norms)
        return ReducedProgram(
            working_set,
            np.equal.outer(self._norms, self.kinds).astype(float),
            budgets,
            INFINITY,
            largest_free=INFINITY,
        )

    def _prices(self, side_price: float) -> Floats:
        """What a unit of each weight costs."""
        return np.array([1.0, side_price, 0.0])[self.kinds]

    def _least_known(self, C: float, side_price: float) -> float:
        """An objective that some model is known to have.

        The model that is zero throughout has one, unless it breaks hard pieces.
        """
        if self.pieces.hard is None:
            least = C * self._zero_loss
        elif self._latest is None:
            return np.inf
        else:
            least = self._latest.objective_at(C, side_price)
        return least * (1.0 + 1e-6) + 1e-6

    def _row_duals_gradient(self, near: Penalised) -> Floats:
        if len(near.row_duals) != len(self.X):
            return np.zeros(self.X.shape[1])
        return self.X.pull(near.row_duals)

    def _steepest(self, most: int) -> Ints:
        """Features whose gradient at zero weights is largest."""
        if self.X.shape[1] <= most:
            return np.arange(self.X.shape[1])
        weight = self.pieces.weight
        if self.pieces.hard is not None:
            weight = np.where(self.pieces.hard, weight.sum() / len(weight), weight)
        pull = sums_by(self.pieces.row, weight * self.pieces.sign, len(self.X))
        steepest = np.abs(self.X.pull(pull))
        steepest[self.kinds == FREE] = np.inf
        return np.argsort(-steepest, kind="stable")[:most]

    def _optimise(self, reduced: ReducedProgram, C: float, side_price: float) -> Penalised:
        largest, largest_offset = np.full(3, INFINITY), INFINITY
        least = self._least_known(C, side_price)
        # With every piece there, the pieces themselves stop the model.
        if not reduced.working_set.is_complete and np.isfinite(least):
            some = self._as_good(least, C, side_price)
            largest, largest_offset = some.largest_norms, some.largest_offset
        reduced.set_limits(largest[self._norms], largest_offset, float(largest[FREE]))
        # Between columns that nearly agree, of very different sizes, either method may come to no
        # end that it is sure of. Of 17,000 such programs 302 needed another attempt than the first:
        # the dual simplex from scratch settled 158, the primal one 96, another scale some of the
        # rest.
        warm: Method = "primal" if reduced.program.iterations else "dual"
        attempts: list[tuple[Method, bool, float]] = [(warm, False, 1.0)]
        attempts += [("dual", True, 1.0), ("primal", True, 1.0), ("dual", True, self._middle(C))]
        for method, cold, scale in attempts:
            answer = self._attempt(reduced, C, side_price, method, cold=cold, scale=scale)
            if answer is not None:
                return answer
        raise SolverError(
            f"the baseline model could not be found for C={C:g}: a smaller C, or columns that "
            "differ less in scale, would be easier to compute with"
        )

    def _middle(self, C: float) -> float:
        """What else to multiply the objective by: the solver's tolerances are absolute.

        Costs that span many orders of magnitude are met better from the middle.
        """
        return 1.0 / float(np.sqrt(C * self.pieces.weight.max()))

    def _attempt(
        self,
        reduced: ReducedProgram,
        C: float,
        side_price: float,
        method: Method,
        *,
        cold: bool,
        scale: float,
    ) -> Penalised | None:
        """The minimum, or None where it is in doubt. The solver has the objective times `scale`."""
        prices = self._prices(side_price)
        direction = Direction.least_objective(prices, C)
        everything = self._as_good(INFINITY, C, side_price)

        def propose() -> Candidate:
            found = reduced.candidate(everything, direction, scale=scale)
            found.weights[np.abs(found.weights) <= self._nothing] = 0.0
            # Limits of norms only keep the model from running off: they have no part in the proof.
            return replace(found, multipliers=replace(found.multipliers, budgets=np.zeros(1)))

        reduced.minimise_objective(scale * prices, scale * C)
        candidate = solve_growing(reduced, propose, method, cold=cold)
        return None if candidate is None else self._proven(candidate, C, side_price)

    def _proven(self, candidate: Candidate, C: float, side_price: float) -> Penalised | None:
        """The answer that a candidate is; None where that is in doubt."""
        # A minimum is as good as any model, this one included, and its norm accordingly small.
        some = self._as_good(-candidate.value, C, side_price)
        candidate = replace(candidate, models=some)
        enough = _GAP * (1.0 - candidate.value) + self._rounding(candidate, C)
        if candidate.doubt > enough:
            candidate = refined(candidate)
        if candidate.doubt > enough:
            return None
        norm, side_norm, _ = norms_by_kind(candidate.weights, self.kinds)
        return Penalised(
            C=C,
            weights=candidate.weights,
            offsets=candidate.offsets,
            row_duals=candidate.working_set.row_multipliers(candidate.pieces, C),
            norm=float(norm),
            loss=self.pieces.loss_of(candidate.residuals),
            side_norm=float(side_norm),
            side_price=side_price,
        )

    def _rounding(self, candidate: Candidate, C: float) -> float:
        """What sums of floating-point numbers may be off by."""
        rounding = 1e-13 * C * float(self.pieces.weight @ (1.0 + np.abs(self.pieces.target)))
        if self._has_side:
            # Side information that costs next to nothing could have weights beyond all measure,
            # for which a gradient's last digit counts.
            size = float(self.X.sizes.max(initial=0.0)) * float(candidate.pieces.sum())
            largest = float(candidate.models.largest_norms.sum())
            rounding += 16.0 * float(np.finfo(float).eps) * size * largest
        return rounding

    def _as_good(self, objective: float, C: float, side_price: float) -> EquivalentModels:
        """All models with an objective that is not larger."""
        zero = Reference(np.zeros(self.X.shape[1]), np.zeros(self.pieces.n_offsets), None, C, 0.0)
        budgets = joint_budget(C, objective, side_price if self._has_side else 0.0)
        return EquivalentModels(self.X, self.pieces, budgets, zero, kinds=self.kinds)
