"""Models of least Euclidean norm: the minimum of ½‖w‖₂² + C·loss, and of ‖w‖₂ + C·loss.

The first is a quadratic program over hinges, solved by a primal-dual interior point after Mehrotra.
Its multipliers give a bound on the minimum, so that an answer is known to be right. The second has
the same minima: where the first has the model w for a factor c, the second has it for c/‖w‖₂.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve, lstsq, qr
from scipy.optimize import brentq

from allrelevant.base.arrays import Floats, Mask
from allrelevant.linear.engine.program.optimum import SolverError
from allrelevant.linear.engine.program.pieces import Pieces

EXACT = 1e-12  # relative gap between a model and the bound on all models
_ENOUGH = 1e-9  # the same: what is accepted where rounding allows no more
_NEAR = 1e-6  # the same: from here on it is known which pieces are at their kink
_MOST_STEPS, _MOST_POLISHED = 100, 10
_STAY_INSIDE = 0.995  # of the way to the boundary
_DECADE = float(np.log(10.0))
_MOST_DECADES = 15  # of a factor of the loss
_TINY = 1e-5  # scores that no model is known to have yet


@dataclass(frozen=True, eq=False)
class Euclidean:
    """A minimum of ``½‖w‖₂² + factor·loss``, and how far it may be above the true one."""

    factor: float
    weights: Floats
    offsets: Floats
    loss: float
    gap: float

    @property
    def norm(self) -> float:
        """The Euclidean norm."""
        return float(np.linalg.norm(self.weights))


class EuclideanProgram:
    """Solves ``min ½‖w‖₂² + c·loss`` for any c.

    Parameters
    ----------
    X : array of shape (n_samples, n_features)
    pieces : Pieces
        The loss. Its offsets are kept in ascending order.
    """

    def __init__(self, X: Floats, pieces: Pieces) -> None:
        # The best weights are combinations of rows, so no more dimensions are needed than rows.
        self._basis = qr(X.T, mode="economic")[0] if X.shape[1] > len(X) else None
        table = X if self._basis is None else X @ self._basis
        self._X, self._pieces = table, pieces
        n, q, d = len(pieces), pieces.n_offsets, table.shape[1]
        rows = np.zeros((n + q - 1, d + q))
        rows[:n, :d] = pieces.sign[:, None] * table[pieces.row]
        rows[np.arange(n), d + pieces.offset] = pieces.offset_sign
        for k in range(q - 1):
            rows[n + k, [d + k, d + k + 1]] = -1.0, 1.0
        self._rows, self._target = rows, np.append(pieces.target, np.zeros(q - 1))
        self._soft: Mask = np.arange(n + q - 1) < n
        self._squared = (np.arange(d + q) < d).astype(float)

    def solve(self, factor: float, gap: float = EXACT) -> Euclidean:
        """The minimum for this factor of the loss."""
        price = factor * self._pieces.weight
        point = _Point.first(self._rows, self._target, self._soft, price)
        best, n_left = self._answer(point.model, factor, np.inf), _MOST_POLISHED
        for _ in range(_MOST_STEPS):
            if best.gap <= gap:
                break
            try:
                point = point.step(self._squared)
            except LinAlgError:
                break
            answer = self._answer(point.model, factor, self._bound(point.multipliers))
            if not answer.gap < best.gap and best.gap < _NEAR:
                # Which pieces are at their kink may take some steps more to be seen.
                best = min(best, self._polished(point, factor, price), key=lambda one: one.gap)
                n_left -= 1
                if best.gap <= _ENOUGH or not n_left:
                    break
            best = min(answer, best, key=lambda one: one.gap)
        if best.gap > max(gap, _ENOUGH):
            raise SolverError(f"no model of least Euclidean norm was found for C={factor:g}")
        return best

    def solve_plain(self, C: float) -> Euclidean:
        """The minimum of ``‖w‖₂ + C·loss``, as one of the other problem."""

        def excess(log_factor: float) -> float:
            found = self.solve(float(np.exp(log_factor)))
            return log_factor - np.log(max(found.norm, 1e-300)) - np.log(C)

        length = float(np.square(self._X).sum(axis=1).max(initial=0.0)) or 1.0
        low = high = float(np.log(_TINY / (length * self._pieces.weight.sum())))
        if excess(low) >= 0.0:  # even a model whose scores are next to nothing costs too much
            least = self.solve(float(np.exp(low)))
            return Euclidean(0.0, np.zeros_like(least.weights), least.offsets, least.loss, 0.0)
        while excess(high) < 0.0:
            low, high = high, high + 2.0 * _DECADE
            if high > _MOST_DECADES * _DECADE:
                raise SolverError(f"no model of least Euclidean norm was found for C={C:g}")
        return self.solve(float(np.exp(brentq(excess, low, high, xtol=1e-14, rtol=1e-14))))

    def _answer(self, model: Floats, factor: float, bound: float) -> Euclidean:
        d = self._X.shape[1]
        weights, offsets = model[:d], np.maximum.accumulate(model[d:])
        loss = self._pieces.loss(self._X @ weights, offsets)
        value = 0.5 * float(weights @ weights) + factor * loss
        whole = weights if self._basis is None else self._basis @ weights
        return Euclidean(factor, whole, offsets, loss, abs(value - bound) / (1e-300 + abs(value)))

    def _bound(self, multipliers: Floats) -> float:
        """No model is better, as far as the multipliers balance the offsets."""
        pull = (multipliers @ self._rows) * self._squared
        return float(multipliers @ self._target) - 0.5 * float(pull @ pull)

    def _polished(self, point: _Point, factor: float, price: Floats) -> Euclidean:
        """The model for which pieces are at their kink, or beyond it, as they seem to be here."""
        full = np.append(price, np.full(len(self._target) - len(price), np.inf))
        is_paid = self._soft & (point.rest < point.slack)
        kink = np.flatnonzero((point.multipliers > point.surplus) & ~is_paid)
        multipliers = np.where(is_paid, full, 0.0)
        rows, m = self._rows[kink], self._rows.shape[1]
        system = np.zeros((m + len(kink), m + len(kink)))
        system[:m, :m] = np.diag(self._squared)
        system[:m, m:], system[m:, :m] = -rows.T, rows
        right = np.concatenate([multipliers @ self._rows, self._target[kink]])
        model = lstsq(system, right)[0][:m]
        # Multipliers need not be unique; those near the ones at hand are within their prices.
        multipliers[kink] = point.multipliers[kink]
        off = self._squared * model - multipliers @ self._rows
        multipliers[kink] = np.clip(multipliers[kink] + lstsq(rows.T, off)[0], 0.0, full[kink])
        return self._answer(model, factor, self._bound(multipliers))


@dataclass(frozen=True, eq=False)
class _Point:
    """A point inside: ``rows·model + slack − surplus = target``, multipliers within their prices.

    ``multiplier·surplus`` and ``rest·slack`` go to zero together, where ``rest`` is what is left of
    the price. Rows that are not soft have neither slack nor price.
    """

    rows: Floats
    target: Floats
    soft: Mask
    model: Floats
    multipliers: Floats
    rest: Floats
    surplus: Floats
    slack: Floats

    @classmethod
    def first(cls, rows: Floats, target: Floats, soft: Mask, price: Floats) -> _Point:
        """Without any feature, in the middle of all prices."""
        half = np.append(price / 2.0, np.full(int((~soft).sum()), price.mean() / 2.0))
        ones = np.ones(len(target))
        model = np.zeros(rows.shape[1])
        return cls(rows, target, soft, model, half, half.copy(), ones, ones.copy())

    def step(self, squared: Floats) -> _Point:
        """One step of Mehrotra's predictor and corrector."""
        rigid = ~self.soft
        ratio = self.surplus / self.multipliers + np.where(rigid, 0.0, self.slack / self.rest)
        matrix = (self.rows.T / ratio) @ self.rows + np.diag(squared)
        factors = cho_factor(matrix + np.diag(1e-14 * np.diag(matrix)))
        balance = squared * self.model - self.multipliers @ self.rows
        missing = self.rows @ self.model + np.where(rigid, 0.0, self.slack)
        missing = missing - self.surplus - self.target

        def solve(tight: Floats, loose: Floats) -> _Change:
            right = -missing - np.where(rigid, 0.0, loose / self.rest) + tight / self.multipliers
            wanted = (right / ratio) @ self.rows - balance
            model = cho_solve(factors, wanted)
            model += cho_solve(factors, wanted - matrix @ model)
            change = (right - self.rows @ model) / ratio
            surplus = (tight - self.surplus * change) / self.multipliers
            slack = np.where(rigid, 0.0, (loose + self.slack * change) / self.rest)
            return _Change(model, change, surplus, slack)

        tight, loose = -self.multipliers * self.surplus, -self.rest * self.slack
        ahead = solve(tight, loose)
        size = ahead.longest(self, 1.0)
        now = self._mean()
        centre = now * (ahead.taken(self, size)._mean() / now) ** 3
        tight = tight + centre - ahead.multipliers * ahead.surplus
        loose = loose + centre + ahead.multipliers * ahead.slack
        change = solve(tight, loose)
        return change.taken(self, change.longest(self, _STAY_INSIDE))

    def _mean(self) -> float:
        products = self.multipliers @ self.surplus + self.rest[self.soft] @ self.slack[self.soft]
        return float(products) / (len(self.soft) + int(self.soft.sum()))


@dataclass(frozen=True, eq=False)
class _Change:
    """Where a step leads to."""

    model: Floats
    multipliers: Floats
    surplus: Floats
    slack: Floats

    def longest(self, point: _Point, share: float) -> float:
        """How much of the step can be taken, at most all of it, with all numbers positive."""
        soft = point.soft
        pairs = [
            (point.multipliers, self.multipliers),
            (point.rest[soft], -self.multipliers[soft]),
            (point.surplus, self.surplus),
            (point.slack[soft], self.slack[soft]),
        ]
        shrinking = [(-change / value).max(initial=0.0) for value, change in pairs]
        return min(1.0, share / max(max(shrinking), 1e-300))

    def taken(self, point: _Point, size: float) -> _Point:
        """The point after so much of the step."""
        return _Point(
            point.rows,
            point.target,
            point.soft,
            point.model + size * self.model,
            point.multipliers + size * self.multipliers,
            np.where(point.soft, point.rest - size * self.multipliers, point.rest),
            point.surplus + size * self.surplus,
            np.where(point.soft, point.slack + size * self.slack, point.slack),
        )
