"""One Newton system of the interior point, with everything but weights and offsets eliminated.

The program in full, for ``z = (b, w)`` and a cost ``c`` to be maximised::

    s₁ = A z + ξ − target ≥ 0        one per undecided piece
    s₂ = ξ ≥ 0
    s₃ = v − w ≥ 0,  s₄ = v + w ≥ 0  one each per feature, so that v ≥ |w|
    s₅ = limit − loss·(constant − slope·z + cost·ξ) − norm·Σv ≥ 0   one per budget
    s₆ = b_{t+1} − b_t ≥ 0

ξ and v each occur in few rows, so they leave the system by hand. What is left is a symmetric
matrix as large as the number of weights and offsets, bordered by one line per budget.
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from scipy.linalg import lapack

from allrelevant.base.arrays import Floats
from allrelevant.linear.engine.interior.factor import Factor, factorise
from allrelevant.linear.engine.interior.paired import PairedPieces

# Corrections: how much longer steps are to become, by how much they do at least, and between which
# multiples of the mean product of slack and multiplier all are brought.
_LONGER, _GAIN = 0.3, 0.02
_LEAST, _MOST = 0.1, 10.0
_NO_ROOM = 1e-7  # of a budget
_NOT_WHOLE = float(np.nextafter(1.0, 0.0))


@dataclass(frozen=True, eq=False)
class DenseProgram:
    """The numbers of the program above; the first `n_offsets` columns are offsets."""

    A: Floats
    target: Floats
    cost: Floats
    slope: Floats
    constant: float
    n_offsets: int
    n_ordered: int  # of them; one is in order by itself
    norm: Floats
    loss: Floats
    limit: Floats

    @cached_property
    def paired(self) -> PairedPieces | None:
        """The pieces by the two classes they are about, where that saves much."""
        is_of_classes = self.n_ordered < self.n_offsets and self.n_pieces > self.n_weights
        return PairedPieces.of(self.A, self.n_offsets) if is_of_classes else None

    def scores(self, z: Floats) -> Floats:
        """The product of every piece with a model."""
        return self.A @ z if self.paired is None else self.paired.scores(z)

    def pull(self, values: Floats) -> Floats:
        """The product of every column with a value for each piece, or with several."""
        return self.A.T @ values if self.paired is None else self.paired.pull(values)

    @property
    def n_pieces(self) -> int:
        """How many undecided pieces there are."""
        return self.A.shape[0]

    @property
    def n_weights(self) -> int:
        """How many weights there are."""
        return self.A.shape[1] - self.n_offsets

    def parts(self, vector: Floats) -> tuple[Floats, ...]:
        """A vector over all inequalities as its six parts."""
        return tuple([vector[own] for own in self._slices])

    @cached_property
    def _slices(self) -> tuple[slice, ...]:
        u, f, m = self.n_pieces, self.n_weights, len(self.limit)
        ends = [0, u, 2 * u, 2 * u + f, 2 * (u + f), 2 * (u + f) + m, None]
        return tuple(slice(*pair) for pair in pairwise(ends))

    @cached_property
    def in_order(self) -> Floats:
        """The differences of neighbouring offsets, a line for each."""
        return np.diff(np.eye(self.n_ordered, self.n_offsets), axis=0)

    def slacks(self, z: Floats, xi: Floats, v: Floats, scores: Floats, *, full: bool) -> Floats:
        """All inequalities' values at a point, or (not `full`) their change along a direction."""
        w, b = z[self.n_offsets :], z[: self.n_offsets]
        budget = self.loss * (self.slope @ z - self.cost @ xi) - self.norm * v.sum()
        pieces = scores + xi
        if full:
            pieces -= self.target
            budget += self.limit - self.loss * self.constant
        order = b[1 : self.n_ordered] - b[: self.n_ordered - 1]
        return np.concatenate([pieces, xi, v - w, v + w, budget, order])

    def room_at(self, z: Floats) -> Floats | None:
        """What a model leaves of each budget; None where of one nearly nothing is left."""
        scores = self.A @ z
        xi, v = np.maximum(self.target - scores, 0.0), np.abs(z[self.n_offsets :])
        room = self.parts(self.slacks(z, xi, v, scores, full=True))[4]
        return room if np.all(room > _NO_ROOM * np.maximum(self.limit, 1e-3)) else None


@dataclass(frozen=True, eq=False)
class Point:
    """An interior point: model z, slacks ξ and v, inequalities' values s and multipliers y."""

    z: Floats
    xi: Floats
    v: Floats
    s: Floats
    y: Floats

    @property
    def complementarity(self) -> float:
        """s·y, the duality gap where the point is feasible."""
        return float(self.s @ self.y)

    def moved(self, step: Step, primal: float, dual: float) -> Point:
        """The point after a step of these lengths."""
        return Point(
            self.z + primal * step.z,
            self.xi + primal * step.xi,
            self.v + primal * step.v,
            self.s + primal * step.s,
            self.y + dual * step.y,
        )


@dataclass(frozen=True, eq=False)
class Step:
    """A Newton direction."""

    z: Floats
    xi: Floats
    v: Floats
    s: Floats
    y: Floats


class NewtonSystem:
    """The linear system at one point, factorised once for several right-hand sides."""

    def __init__(self, program: DenseProgram, direction: Floats, point: Point) -> None:
        self.program, self.point = program, point
        q = program.n_offsets
        theta = point.y / point.s
        self._theta = theta
        th1, th2, th3, th4, _, th6 = program.parts(theta)
        s5, y5 = program.parts(point.s)[4], program.parts(point.y)[4]
        self._pieces = th1 + th2
        self._bounds = th3 + th4
        self._lean = th4 - th3
        share = th1 / self._pieces

        order = (program.in_order.T * th6) @ program.in_order
        diagonal = 4.0 * th3 * th4 / self._bounds
        self._factor: Factor
        if program.paired is not None:
            self._factor = program.paired.factorise(share * th2, order, diagonal)
        else:
            self._factor = factorise(program.A, share * th2, order, diagonal)
        y1 = program.parts(point.y)[0]
        products = program.pull(np.column_stack([y1, share * program.cost]))
        loss_border = program.slope + products[:, 1]
        norm_border = np.concatenate([np.zeros(q), self._lean / self._bounds])
        self._border = loss_border[:, None] * program.loss + norm_border[:, None] * program.norm
        self._solved_border = self._factor.solve(self._border)
        loss_sum = float(program.cost**2 @ (1.0 / self._pieces))
        norm_sum = float((1.0 / self._bounds).sum())
        self._schur = (
            program.loss[:, None] * program.loss * loss_sum
            + program.norm[:, None] * program.norm * norm_sum
            + np.diag(s5 / y5)
            + self._border.T @ self._solved_border
        )
        self._share, self._pull = share, products[:, 0]
        self._set_residuals(direction)

    def towards(self, direction: Floats) -> NewtonSystem:
        """The system at the same point for another direction, which needs no other factor."""
        other = copy(self)
        other._set_residuals(direction)
        return other

    def _set_residuals(self, direction: Floats) -> None:
        program, point, q = self.program, self.point, self.program.n_offsets
        y1, y2, y3, y4, y5, y6 = program.parts(point.y)
        tau, nu = float(program.loss @ y5), float(program.norm @ y5)
        self.primal_residual = point.s - program.slacks(
            point.z, point.xi, point.v, program.scores(point.z), full=True
        )
        dual = -direction - self._pull - tau * program.slope
        dual[q:] += y3 - y4
        dual[: program.n_ordered] -= _order_transposed(y6)
        self.dual_residual = dual
        self._slack_residual = tau * program.cost - y1 - y2
        self._bound_residual = nu - y3 - y4

    @property
    def dual_infeasibility(self) -> float:
        """The largest violation of the dual equations."""
        return max(
            float(np.abs(self.dual_residual).max(initial=0.0)),
            float(np.abs(self._slack_residual).max(initial=0.0)),
            float(np.abs(self._bound_residual).max(initial=0.0)),
        )

    def step(self, aim: Floats) -> Step:
        """The direction that brings s·y to ``s·y + aim``, to first order."""
        program, point, q = self.program, self.point, self.program.n_offsets
        pull = aim / point.s + self._theta * self.primal_residual
        g1, g2, g3, g4, _, g6 = program.parts(pull)
        aim5, y5 = program.parts(aim)[4], program.parts(point.y)[4]
        gx = g1 + g2 - self._slack_residual
        gv = g3 + g4 - self._bound_residual

        right = program.pull(g1 - self._share * gx) - self.dual_residual
        right[q:] -= g3 - g4 + self._lean * gv / self._bounds
        right[: program.n_ordered] += _order_transposed(g6)
        budgets = (
            aim5 / y5
            + program.parts(self.primal_residual)[4]
            + program.loss * float(program.cost @ (gx / self._pieces))
            + program.norm * float((gv / self._bounds).sum())
        )
        solved = self._factor.solve(right)
        t = _solved(self._schur, budgets - self._border.T @ solved)
        dz = solved + self._solved_border @ t
        dtau, dnu = float(program.loss @ t), float(program.norm @ t)
        scores = program.scores(dz)
        dxi = (gx - dtau * program.cost) / self._pieces - self._share * scores
        dv = (gv - self._lean * dz[q:] - dnu) / self._bounds
        ds = program.slacks(dz, dxi, dv, scores, full=False) - self.primal_residual
        return Step(dz, dxi, dv, ds, (aim - point.y * ds) / point.s)

    def advanced(self, n_corrections: int = 0) -> Point:
        """The point after one predictor–corrector step.

        Corrections that make longer steps possible (Gondzio's) take a solution each, which pays
        where the factor is dear.
        """
        point, n = self.point, len(self.point.s)
        product = point.s * point.y
        mean = float(product.sum()) / n
        ahead = self.step(-product)
        primal, dual = longest(point.s, ahead.s), longest(point.y, ahead.y)
        reached = float((point.s + primal * ahead.s) @ (point.y + dual * ahead.y)) / n
        centre = (reached / mean) ** 3 * mean
        aim = centre - product - ahead.s * ahead.y
        step = self.step(aim)
        primal, dual = longest(point.s, step.s), longest(point.y, step.y)
        for _ in range(n_corrections):
            further = min(primal + _LONGER, 1.0), min(dual + _LONGER, 1.0)
            there = (point.s + further[0] * step.s) * (point.y + further[1] * step.y)
            wanted = np.clip(there, _LEAST * centre, _MOST * centre)
            aim = aim + np.maximum(wanted - there, -_MOST * centre)
            other = self.step(aim)
            longer = longest(point.s, other.s), longest(point.y, other.y)
            if sum(longer) < primal + dual + _GAIN:
                break
            step, (primal, dual) = other, longer
        keep = min(max(0.9, 1.0 - centre / mean), 0.9995)
        return point.moved(
            step,
            primal if primal == 1.0 else keep * primal,
            dual if dual == 1.0 else keep * dual,
        )


def _solved(matrix: Floats, right: Floats) -> Floats:
    """The solution of one or two equations, for which numpy takes longer to check than to solve."""
    _, _, solution, info = lapack.dgesv(matrix, right)
    if info:
        raise np.linalg.LinAlgError("the budgets' equations are singular")
    return np.asarray(solution)


def longest(values: Floats, change: Floats) -> float:
    """The longest step up to 1 that keeps all values positive; less than 1 where one would be 0."""
    ratio = float((change / values).min(initial=0.0))
    return 1.0 if ratio > -1.0 else min(-1.0 / ratio, _NOT_WHOLE)


def _order_transposed(values: Floats) -> Floats:
    """Multipliers of ``b_{t+1} − b_t ≥ 0`` as seen by the offsets."""
    padded = np.concatenate([[0.0], values, [0.0]])
    return padded[:-1] - padded[1:]
