"""The reference model: the minimum of ‖w‖₁ + C·loss, for one C after another."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from allrelevant.base.arrays import Floats, Ints
from allrelevant.linear.engine.equivalent import (
    FREE,
    MAIN,
    SIDE,
    Budget,
    Reference,
    free_bound,
    norms_by_kind,
    offset_bound,
    uneven_columns,
)
from allrelevant.linear.engine.optimum import SolverError
from allrelevant.linear.engine.pieces import Pieces
from allrelevant.linear.engine.reduced import ReducedProgram
from allrelevant.linear.engine.simplex import INFINITY, Method
from allrelevant.linear.engine.simplex_path import FEATURES_PER_ROUND
from allrelevant.linear.engine.working_set import WorkingSet

_GAP = 1e-7  # relative: how far the minimum may be from its proven bound
_SMALL = 300  # rows that are solved at once; more are approached through a sample
_MOST_ROUNDS = 1000


@dataclass(frozen=True, eq=False)
class Penalised:
    """A minimum of ``‖w‖₁ + C·loss`` with its multipliers summed per sample.

    With side information the minimum is that of ``‖w‖₁ + side_price·‖w*‖₁ + C·loss``.
    """

    C: float
    weights: Floats
    offsets: Floats
    row_duals: Floats
    norm: float
    loss: float
    side_norm: float = 0.0
    side_price: float = 1.0

    @property
    def objective(self) -> float:
        """The minimum."""
        return self.objective_at(self.C, self.side_price)

    def objective_at(self, C: float, side_price: float) -> float:
        """What this model would cost at other prices."""
        return self.norm + side_price * self.side_norm + C * self.loss

    def as_reference(self) -> Reference:
        """The same as a reference for equivalent models."""
        return Reference(
            self.weights, self.offsets, self.row_duals, self.C, self.objective, self.side_price
        )


class PenalisedPath:
    """Solves ``min ‖w‖₁ + C·loss`` for a sequence of C, each from the last solution.

    With side information the objective has a third term, ``side_price·‖w*‖₁``.

    Parameters
    ----------
    X : array of shape (n_samples, n_features)
    pieces : Pieces
    start : Penalised, optional
        A solution to begin near.
    kinds : array of int, optional
        The kind of each feature, where not all are of the main kind.
    """

    def __init__(
        self,
        X: Floats,
        pieces: Pieces,
        start: Penalised | None = None,
        kinds: Ints | None = None,
    ) -> None:
        self.X, self.pieces, self.kinds = X, pieces, kinds
        self.columns = np.asfortranarray(X)
        self._latest = start
        self._reduced: ReducedProgram | None = None
        self._first_size = 0  # of the reduced program, when it was made around a known model
        # A weight too small to move any score is a rounding error.
        largest = max(float(np.abs(X).max(initial=0.0)), 1e-300)
        self._nothing = 1e-11 * (float(np.abs(pieces.target).max(initial=0.0)) or 1.0) / largest
        self._is_uneven = uneven_columns(X)
        self._zero_loss = pieces.loss(np.zeros(len(X)), np.zeros(pieces.n_offsets))
        self.iterations = 0

    def solve(self, C: float, side_price: float = 1.0) -> Penalised:
        """The minimum for this C."""
        # Some of the rows say little about a model that has to keep them all.
        if self._latest is None and len(self.X) > _SMALL and self.pieces.hard is None:
            self._latest = self._from_sample(C)
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
        many = max(150, 6 * (int(np.count_nonzero(latest.weights)) + 10), self._first_size + 50)
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
            self.X, self.columns, self.pieces, weights, offsets, features=features, band=band
        )
        largest = self._largest(self._least_known(C, side_price), C, side_price)
        budgets = [Budget(norm=1.0, loss=0.0, limit=largest[MAIN])]
        if self.kinds is not None:
            budgets.append(Budget(norm=0.0, loss=0.0, limit=largest[SIDE], side=1.0))
        return ReducedProgram(
            working_set,
            tuple(budgets),
            offset_bound(self.X, self.pieces, largest, self.kinds),
            scaled=self._is_uneven,
            kinds=self.kinds,
            largest_free=largest[FREE],
        )

    def _prices(self, side_price: float) -> Floats:
        """What a unit of each weight costs (one number where it is the same for all)."""
        by_kind = np.array([1.0, side_price, 0.0])
        return by_kind[MAIN] if self.kinds is None else by_kind[self.kinds]

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

    def _largest(self, objective: float, C: float, side_price: float) -> Floats:
        """No minimum has larger norms and weights than these if some model has this objective."""
        if not np.isfinite(objective):
            return np.full(3, INFINITY)
        side = free = 0.0
        if self.kinds is not None:
            side = objective / side_price
            free = free_bound(self.X, self.pieces, self.kinds, side, objective / C)
        return np.array([objective, side, free])

    def _row_duals_gradient(self, near: Penalised) -> Floats:
        if len(near.row_duals) != len(self.X):
            return np.zeros(self.X.shape[1])
        return near.row_duals @ self.X

    def _steepest(self, most: int) -> Ints:
        """Features whose gradient at zero weights is largest."""
        if self.X.shape[1] <= most:
            return np.arange(self.X.shape[1])
        weight = self.pieces.weight
        if self.pieces.hard is not None:
            weight = np.where(self.pieces.hard, weight.sum() / len(weight), weight)
        pull = np.bincount(self.pieces.row, weight * self.pieces.sign, minlength=len(self.X))
        steepest = np.abs(pull @ self.X)
        if self.kinds is not None:
            steepest[self.kinds == FREE] = np.inf
        return np.argsort(-steepest, kind="stable")[:most]

    def _optimise(self, reduced: ReducedProgram, C: float, side_price: float) -> Penalised:
        largest = self._largest(self._least_known(C, side_price), C, side_price)
        largest_offset = offset_bound(self.X, self.pieces, largest, self.kinds)
        if reduced.working_set.is_complete:  # then the pieces themselves stop the model
            largest[:] = largest_offset = INFINITY
        limits = largest[: 1 if self.kinds is None else 2]
        reduced.set_limits(limits, largest_offset, float(largest[FREE]))
        before = reduced.program.iterations
        answer = self._until_nothing_changes(reduced, C, side_price) or self._until_nothing_changes(
            reduced, C, side_price, cold=True
        )
        for scale in self._other_scales(C, side_price):
            if answer is not None:
                break
            answer = self._until_nothing_changes(reduced, C, side_price, cold=True, scale=scale)
        self.iterations += reduced.program.iterations - before
        if answer is None:
            raise SolverError(
                f"the baseline model could not be found for C={C:g}: a smaller C, or columns that "
                "differ less in scale, would be easier to compute with"
            )
        return answer

    def _other_scales(self, C: float, side_price: float) -> list[float]:
        """What else to multiply the objective by: the solver's tolerances are absolute.

        Costs that span many orders of magnitude are met better from the middle. Where side
        information costs next to nothing its price has to be met all the more exactly.
        """
        middle = 1.0 / np.sqrt(C * self.pieces.weight.max())
        if self.kinds is None:
            return [middle]
        return [middle, 1.0 / np.sqrt(side_price), 1.0 / side_price]

    def _until_nothing_changes(
        self,
        reduced: ReducedProgram,
        C: float,
        side_price: float,
        *,
        cold: bool = False,
        scale: float = 1.0,
    ) -> Penalised | None:
        """Solve, take in what the answer shows to be missing; None if the optimum is doubtful.

        The solver is given the objective times `scale`.
        """
        reduced.minimise_objective(norm=scale, loss=scale * C, side=scale * side_price)
        prices = self._prices(side_price)
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
                excess = gradient - prices
                wanted = np.flatnonzero((excess > 1e-9) & (working_set.position < 0))
                if not len(wanted):
                    break
                wanted = wanted[np.argsort(-excess[wanted], kind="stable")]
                working_set.add_features(wanted[:FEATURES_PER_ROUND])
                method = "primal"
            reduced.follow()
        norm, side_norm, _ = norms_by_kind(weights, self.kinds)
        answer = Penalised(
            C=C,
            weights=weights,
            offsets=offsets,
            row_duals=working_set.row_multipliers(multipliers, C),
            norm=float(norm),
            loss=self.pieces.loss_of(residuals),
            side_norm=float(side_norm),
            side_price=side_price,
        )
        # A minimum has no larger norm than the objective of any model, this one's included.
        largest = self._largest(answer.objective, C, side_price)
        lower = C * working_set.constant + float(multipliers @ working_set.target)
        lower -= self._overpriced(np.maximum(gradient - prices, 0.0), largest)
        order = np.concatenate([[0.0], -duals[reduced.order_rows], [0.0]])
        imbalance = working_set.offset_gradient(multipliers, C) + order[:-1] - order[1:]
        largest_offset = offset_bound(self.X, self.pieces, largest, self.kinds)
        lower -= float(np.abs(imbalance).sum()) * largest_offset
        rounding = 1e-13 * C * float(self.pieces.weight @ (1.0 + np.abs(self.pieces.target)))
        if self.kinds is not None:
            # Side information that costs next to nothing could have weights beyond all measure,
            # for which a gradient's last digit counts.
            size = float(np.abs(self.X).max(initial=0.0)) * float(multipliers.sum())
            rounding += 16.0 * float(np.finfo(float).eps) * size * float(largest.sum())
        gap = abs(answer.objective - lower) + self.pieces.violation(residuals) * multipliers.sum()
        return answer if gap <= _GAP * (1.0 + answer.objective) + rounding else None

    def _overpriced(self, excess: Floats, largest: Floats) -> float:
        """What weights of these sizes could gain where multipliers price features too low."""
        if self.kinds is None:
            return float(excess.max(initial=0.0) * largest[MAIN])
        by_norm = sum(
            excess[self.kinds == kind].max(initial=0.0) * largest[kind] for kind in (MAIN, SIDE)
        )
        return float(by_norm + excess[self.kinds == FREE].sum() * largest[FREE])
