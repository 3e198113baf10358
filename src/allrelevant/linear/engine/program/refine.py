"""A model and its multipliers, made to fit each other to the last digit.

The simplex method's answers solve square systems, with errors that grow with their condition:
columns that differ by a millionth leave errors of 1e-7, which a proof has to count with the largest
weights there can be. Here the least changes are made for which the equations hold: the price of
every weight in use is its cost, offsets gain nothing, pieces with multipliers are at their kinks.
What cannot be mended so is still in doubt.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from allrelevant.base.arrays import Floats, Mask

if TYPE_CHECKING:
    from allrelevant.linear.engine.program.optimum import Candidate

_ROUNDS = 4  # each leaves multipliers alone that have come to an end of their range
_AT_KINK, _NEAR_KINK = (1e-9, 1e-12), 1e-6
_AT_END = 1e-9


def refined(candidate: Candidate) -> Candidate:
    """The candidate with changes that leave least in doubt."""
    best = candidate
    for at_kink in _AT_KINK:
        candidate, face = best, _Face.of(best, at_kink)
        for _ in range(_ROUNDS):
            try:
                candidate, moved = face.corrected(candidate)
            except np.linalg.LinAlgError:
                break
            best = min(best, candidate, moved, key=lambda one: one.doubt)
            if best.is_proven:
                return best
            low, high = _at_ends(candidate)
            settled = face.movable & (low | high)
            linear = face.linear | settled & high
            face = replace(face, movable=face.movable & ~settled, linear=linear)
    return best


def _at_ends(candidate: Candidate) -> tuple[Mask, Mask]:
    """Undecided pieces whose multipliers are as small, or as large, as they can be."""
    most = candidate.working_set.most(candidate.loss)
    margin = _AT_END * candidate.loss * candidate.working_set.cost
    return candidate.pieces <= margin, candidate.pieces >= most - margin


def _of_columns(candidate: Candidate) -> tuple[Floats, Floats, Floats, Floats]:
    """Price, cost, factors in budgets' norms and slope of resident features and the guest."""
    models, working_set, direction = candidate.models, candidate.working_set, candidate.direction
    features, guest = working_set.features, direction.guest
    return (
        np.append(candidate.price[features], candidate.guest_price),
        np.append(candidate.costs[features], candidate.guest_cost),
        models.prices[:, np.append(features, direction.guest_like)],
        np.append(
            working_set.feature_slope[features], 0.0 if guest is None else working_set.slope(guest)
        ),
    )


def _entries(candidate: Candidate) -> Floats:
    """Signed data of the undecided pieces, for resident features and the guest."""
    guest, working_set = candidate.direction.guest, candidate.working_set
    column = 0.0 * candidate.pieces if guest is None else working_set.column(guest)
    return np.column_stack([working_set.entries, column])


def _at_box_end(candidate: Candidate) -> Mask:
    """Features whose weight is at an end of its box, where it may have any price."""
    at_end = np.zeros(len(candidate.weights), dtype=bool)
    boxes = candidate.models.boxes
    if boxes is not None:
        chosen = candidate.weights[boxes.features]
        at_end[boxes.features] = (chosen <= boxes.low) | (chosen >= boxes.high)
    return at_end


@dataclass(frozen=True, eq=False)
class _Face:
    """What can be changed: multipliers of pieces at their kink, of budgets, of tied thresholds.

    `weights` are those of the resident features, and the guest's.
    """

    movable: Mask
    linear: Mask
    spent: Mask
    tied: Mask
    weights: Floats
    may_move: Mask

    @classmethod
    def of(cls, candidate: Candidate, at_kink: float) -> _Face:
        """The face on which a candidate's model is."""
        working_set = candidate.working_set
        slack = working_set.flip * candidate.residuals[working_set.undecided]
        weights = candidate.weights[working_set.features]
        low, high = _at_ends(candidate)
        near = np.abs(slack) <= _NEAR_KINK
        movable = near & ((np.abs(slack) <= at_kink) | ~(low | high))
        return cls(
            movable=movable,
            linear=np.where(near, high & ~movable, (slack > 0) & ~working_set.is_hard),
            spent=candidate.multipliers.budgets > 0,
            tied=candidate.multipliers.order > 0,
            weights=np.append(weights, candidate.guest_weight),
            may_move=np.append(~_at_box_end(candidate)[working_set.features], True),
        )

    def corrected(self, candidate: Candidate) -> tuple[Candidate, Candidate]:
        """The least changes for which all equations hold, as far as multipliers' ranges allow.

        First of the multipliers alone, then of the model, too.
        """
        working_set, old = candidate.working_set, candidate.multipliers
        rest = np.where(self.linear, candidate.loss * working_set.cost, 0.0)
        pieces = np.where(self.movable, candidate.pieces, rest)
        begun = replace(candidate, multipliers=replace(old, pieces=pieces))
        holds = self._holds(begun)
        matrix = self._matrix(begun, holds)
        change = _least_change(matrix.T, self._missing_prices(begun, holds))
        parts = np.split(change, np.cumsum([self.movable.sum(), self.spent.sum()]))
        budgets, order = old.budgets.copy(), old.order.copy()
        pieces[self.movable] += parts[0]
        budgets[self.spent] = np.maximum(budgets[self.spent] + parts[1], 0.0)
        order[self.tied] = np.maximum(order[self.tied] + parts[2], 0.0)
        loss = candidate.direction.loss + float(budgets @ candidate.models.loss_factors)
        pieces[self.linear] = loss * working_set.cost[self.linear]
        moved = _least_change(matrix, self._missing_values(begun))
        multipliers = type(old)(np.maximum(pieces, 0.0), budgets, order)
        fitting = replace(candidate, multipliers=multipliers)
        return fitting, self._moved(fitting, holds, moved)

    def _holds(self, candidate: Candidate) -> Mask:
        """Resident features (and the guest) whose price has to be their cost."""
        prices, costs = _of_columns(candidate)[:2]
        in_use: Mask = (self.weights != 0) | (np.abs(prices) > costs)
        return in_use & self.may_move

    def _sign(self, candidate: Candidate, holds: Mask) -> Floats:
        prices = _of_columns(candidate)[0]
        return np.sign(np.where(self.weights != 0, self.weights, prices))[holds]

    def _matrix(self, candidate: Candidate, holds: Mask) -> Floats:
        """A line for every multiplier that can change, a column for every offset and weight."""
        working_set, sign = candidate.working_set, self._sign(candidate, holds)
        q, n_pieces = working_set.n_offsets, len(working_set.undecided)
        norms, slopes = _of_columns(candidate)[2:]
        full = np.zeros((n_pieces, q + len(sign)))
        full[:, :q] = working_set.offset_entries
        full[:, q:] = _entries(candidate)[:, holds]
        slope = np.concatenate([working_set.offset_slope, slopes[holds]])
        slope += (working_set.cost * self.linear) @ full
        budgets = np.outer(candidate.models.loss_factors[self.spent], slope)
        budgets[:, q:] -= norms[self.spent][:, holds] * sign
        ordered = working_set.pieces.n_ordered
        order = np.diff(np.eye(ordered, q + len(sign)), axis=0)[self.tied]
        return np.vstack([full[self.movable], budgets, order])

    def _missing_prices(self, candidate: Candidate, holds: Mask) -> Floats:
        prices, costs = _of_columns(candidate)[:2]
        missing = self._sign(candidate, holds) * costs[holds] - prices[holds]
        return np.append(-candidate.imbalance, missing)

    def _missing_values(self, candidate: Candidate) -> Floats:
        working_set = candidate.working_set
        slack = working_set.flip * candidate.residuals[working_set.undecided]
        ordered = candidate.offsets[: working_set.pieces.n_ordered]
        spent, tied = candidate.overspent[self.spent], -np.diff(ordered)[self.tied]
        return np.concatenate([slack[self.movable], spent, tied])

    @staticmethod
    def _moved(candidate: Candidate, holds: Mask, change: Floats) -> Candidate:
        """The candidate's model, changed in its offsets and in some of its weights."""
        q, features = candidate.working_set.n_offsets, candidate.working_set.features
        by_column = np.zeros(len(holds))
        by_column[holds] = change[q:]
        weights = candidate.weights.copy()
        weights[features] += by_column[:-1]
        return replace(
            candidate,
            weights=weights,
            offsets=candidate.offsets + change[:q],
            guest_weight=candidate.guest_weight + float(by_column[-1]),
        )


def _least_change(matrix: Floats, missing: Floats) -> Floats:
    """The smallest solution of equations, or what misses them least."""
    return np.asarray(np.linalg.lstsq(matrix, missing, rcond=None)[0], dtype=float)
