"""From vertices near the optima of many functions to the optima, one equation exchanged at a time.

The simplex method on a program of hinges (`hinges`). A vertex has as many equations as there are
columns: hinges at their kinks, and rows that are zero. Their multipliers say which of them to
leave, and to which side: a kink whose multiplier is negative is left to where the hinge is zero,
one whose multiplier is more than its slack costs to where it is linear. The way ends at the next
kink or row. Everything is done for many functions at once, so that an exchange costs a fraction of
what it costs alone.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from allrelevant.base.arrays import Floats, Ints, Mask
from allrelevant.linear.engine.batch.hinges import Hinges

_OPTIMAL = 1e-9  # of the largest cost: how wrong a multiplier may be
_LEAST = 1e-11  # of a way: how fast a kink has to come nearer


@dataclass(frozen=True, eq=False)
class Found:
    """Models and multipliers, a line for each function."""

    z: Floats
    hinges: Floats
    rows: Floats


@dataclass(frozen=True, eq=False)
class Vertices:
    """Feasible vertices, a line for each.

    Parameters
    ----------
    which : array of int of shape (n_lines, n_columns)
        The equations, hinges before rows.
    z : array of shape (n_lines, n_columns)
    linear : array of bool of shape (n_lines, n_hinges)
        The hinges beyond their kinks.
    inverse : array of shape (n_lines, n_columns, n_columns)
        Of the matrices of equations.
    """

    which: Ints
    z: Floats
    linear: Mask
    inverse: Floats

    def found(self, hinges: Hinges, costs: Floats) -> Found:
        """The models and their multipliers."""
        n = hinges.n_hinges
        every = np.zeros((len(costs), n + len(hinges.prices)))
        multipliers = -(costs[:, None, :] @ self.inverse)[:, 0]
        np.put_along_axis(every, self.which, multipliers, axis=1)
        rows = every[:, n:]
        of_hinges = every[:, :n] + self.linear * (rows @ hinges.prices)
        return Found(self.z, of_hinges, rows)


def optimal(hinges: Hinges, costs: Floats, vertices: Vertices, most: int) -> tuple[Ints, Vertices]:
    """The best vertices, and whose they are; those that take more exchanges are left out."""
    walk = _Walk(hinges, costs, vertices)
    lines, ended = [], []
    for _ in range(most):
        is_best = walk.choose()
        lines.append(walk.lines[is_best])
        ended.append(walk.vertices(is_best))
        walk.keep(~is_best)
        if not len(walk.lines):
            break
        walk.exchange()
    arrays = zip(*(vars(own).values() for own in ended), strict=True)
    return np.concatenate(lines), Vertices(*(np.concatenate(own) for own in arrays))


class _Walk:
    """Where many walks are: at a vertex each, with one equation that is about to be left."""

    def __init__(self, hinges: Hinges, costs: Floats, vertices: Vertices) -> None:
        n, m = hinges.n_hinges, len(hinges.prices)
        self._hinges, self._n = hinges, n
        self._prices = np.concatenate([hinges.prices.T, np.zeros((m, m))])
        self.lines = np.arange(len(costs))
        self._costs, self._enough = costs, _OPTIMAL * np.abs(costs).max(axis=1)
        self._which, self._z = vertices.which.copy(), vertices.z.copy()
        self._inverse = vertices.inverse.copy()
        # How far hinges are from their kinks, and on which side; at their kinks they are not asked.
        self._side = np.where(vertices.linear, -1.0, 1.0)
        residuals = hinges.scores(self._z) - hinges.target
        self._distance = np.abs(residuals)
        slack = np.maximum(-residuals, 0.0)
        self._room = np.maximum(hinges.rows(self._z, slack), 0.0)
        every = np.concatenate([self._distance, self._room], axis=1)
        np.put_along_axis(every, self._which, np.inf, axis=1)
        self._distance, self._room = np.ascontiguousarray(every[:, :n]), every[:, n:].copy()

    def vertices(self, some: Mask) -> Vertices:
        """The vertices of some walks."""
        return Vertices(self._which[some], self._z[some], self._side[some] < 0, self._inverse[some])

    def keep(self, some: Mask) -> None:
        """Go on with some walks only."""
        if some.all():
            return
        for name, value in vars(self).items():
            if name not in ("_hinges", "_n", "_prices"):
                setattr(self, name, value[some])
        self._hinges = self._hinges.lines(some)

    def choose(self) -> Mask:
        """Find what equation to leave, and to which side; says which walks have none to leave."""
        is_row = self._which >= self._n
        multipliers = -(self._costs[:, None, :] @ self._inverse)[:, 0]
        # What rows that are equations pay for each hinge.
        rows = np.zeros((len(self.lines), self._room.shape[1]))
        line, place = np.nonzero(is_row)
        rows[line, self._which[line, place] - self._n] = multipliers[line, place]
        paid = (self._prices[self._which] @ rows[:, :, None])[:, :, 0]
        paid[is_row] = np.inf
        wrong = np.maximum(-multipliers, multipliers - paid)
        # The steepest way is taken.
        sizes = np.sqrt(np.einsum("bij,bij->bj", self._inverse, self._inverse))
        self._left = (wrong / sizes).argmax(axis=1)
        own = np.arange(len(self.lines)), self._left
        self._to_linear = multipliers[own] > 0.0
        return wrong[own] <= self._enough

    def exchange(self) -> None:
        """Leave an equation of each walk, and go to the next."""
        hinges, n, line = self._hinges, self._n, np.arange(len(self.lines))
        left, to_linear = self._which[line, self._left], self._to_linear
        # Rows pay for a hinge that becomes linear.
        gone = np.flatnonzero(to_linear)
        self._combine(gone, left[gone], -1.0)
        way = self._inverse[line, :, self._left]
        way[to_linear] *= -1.0
        of_hinge = np.flatnonzero(left < n)
        self._side[of_hinge, left[of_hinge]] = np.where(to_linear[of_hinge], -1.0, 1.0)
        self._distance[of_hinge, left[of_hinge]] = 0.0
        of_row = np.flatnonzero(left >= n)
        self._room[of_row, left[of_row] - n] = 0.0

        change = hinges.scores(way)
        signed = change * self._side
        slopes = hinges.along(way) + np.where(self._side < 0, change, 0.0) @ hinges.prices.T
        least = -_LEAST * np.abs(way).max(axis=1, keepdims=True)
        to_kinks, to_rows = (
            _ways_to(self._distance, signed, least),
            _ways_to(self._room, slopes, least),
        )
        kink, row = to_kinks.argmin(axis=1), to_rows.argmin(axis=1)
        is_row = to_rows[line, row] < to_kinks[line, kink]
        far = np.minimum(to_kinks[line, kink], to_rows[line, row])[:, None]
        self._z += far * way
        signed *= far
        self._distance += signed
        self._room += far * slopes

        entered = np.where(is_row, n + row, kink)
        self._which[line, self._left] = entered
        equations = hinges.equations(kink[:, None])[:, 0]
        some = np.flatnonzero(is_row)
        if len(some):
            counted = hinges.prices[row[some]] * (self._side[some] < 0)
            equations[some] = hinges.lines(some).gradients(row[some], counted)
            self._room[some, row[some]] = np.inf
        changes = (equations[:, None, :] @ self._inverse)[:, 0]
        pivots = changes[line, self._left]
        changes[line, self._left] -= 1.0
        changes /= pivots[:, None]
        columns = self._inverse[line, :, self._left]
        self._inverse -= columns[:, :, None] * changes[:, None, :]

        some = np.flatnonzero(~is_row)
        was = some[self._side[some, kink[some]] < 0]
        self._combine(was, kink[was], 1.0)
        self._side[some, kink[some]] = 1.0
        self._distance[some, kink[some]] = np.inf

    def _combine(self, lines: Ints, hinge: Ints, sign: float) -> None:
        """Have rows that are equations pay (or not) for the hinge that is exchanged."""
        which = self._which[lines]
        is_row = which >= self._n
        prices = np.zeros(which.shape)
        line, place = np.nonzero(is_row)
        prices[line, place] = self._hinges.prices[which[line, place] - self._n, hinge[line]]
        added = (self._inverse[lines] @ prices[:, :, None])[:, :, 0]
        self._inverse[lines, :, self._left[lines]] += sign * added


def _ways_to(distance: Floats, change: Floats, least: Floats) -> Floats:
    """How far it is to where distances become zero; infinite for those that do not get less."""
    with np.errstate(divide="ignore", invalid="ignore"):
        ways: Floats = distance / -change
    ways[change >= least] = np.inf
    return ways
