"""From an interior point to the vertex it is heading for."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from allrelevant.base.arrays import Floats, Mask
from allrelevant.linear.engine.interior.barrier import DenseProgram, Point
from allrelevant.linear.engine.program.optimum import Multipliers

_LEAST_SPACING = 1e-5  # of the largest distance
_SEVERAL = 10  # times as many pieces as can be at their kinks tell how dense they are


@dataclass(frozen=True, eq=False)
class Face:
    """Which inequalities hold with equality: a guess.

    `kink` pieces are at their kink and `linear` ones beyond it; `used` columns (offsets and
    weights that are not zero) are free; `spent` budgets and `tied` thresholds are at their limit.
    """

    kink: Mask
    linear: Mask
    used: Mask
    spent: Mask
    tied: Mask

    @property
    def is_square(self) -> bool:
        """Whether there are as many equations as unknowns: then it is a vertex, most likely."""
        equations = int(self.kink.sum()) + int(self.spent.sum()) + int(self.tied.sum())
        return equations == int(self.used.sum())

    def same(self, other: Face | None) -> bool:
        """Whether another guess is the same."""
        return (
            other is not None
            and np.array_equal(self.kink, other.kink)
            and np.array_equal(self.used, other.used)
            and np.array_equal(self.spent, other.spent)
        )


@dataclass(frozen=True, eq=False)
class Vertex:
    """A solution on a face: the model, and multipliers of pieces, budgets and order."""

    z: Floats
    pieces: Floats
    budgets: Floats
    order: Floats

    @property
    def multipliers(self) -> Multipliers:
        """The multipliers of the vertex; negative ones, which are none, as 0."""
        every = (self.pieces, self.budgets, self.order)
        return Multipliers(*(np.maximum(values, 0.0) for values in every))

    def is_optimal(self, program: DenseProgram, direction: Floats) -> bool:
        """Whether it is optimal on the working set (the full data may still object)."""
        w = self.z[program.n_offsets :]
        tau, nu = float(program.loss @ self.budgets), float(program.norm @ self.budgets)
        slack = np.maximum(program.target - program.A @ self.z, 0.0)
        loss = program.constant - float(program.slope @ self.z) + float(program.cost @ slack)
        spent = program.norm * float(np.abs(w).sum()) + program.loss * loss
        price = program.A.T @ self.pieces + tau * program.slope + direction
        size = float(np.abs(direction).max())
        return bool(
            np.all(spent <= program.limit * (1.0 + 1e-8) + 1e-9)
            and np.all(self.pieces >= -1e-8 * size)
            and np.all(self.pieces <= tau * program.cost * (1.0 + 1e-8) + 1e-10)
            and np.all(np.abs(price[program.n_offsets :]) <= nu * (1.0 + 1e-8) + 1e-10)
        )


def multipliers_of(program: DenseProgram, point: Point) -> Multipliers:
    """What an interior point says of multipliers."""
    y1, _, _, _, y5, y6 = program.parts(point.y)
    return Multipliers(y1, y5, y6)


def face_near(program: DenseProgram, direction: Floats, point: Point) -> Face:
    """Guess the face an interior point is heading for.

    A piece is at its kink where both its slacks are smaller than their (scaled) multipliers, a
    weight is zero where both its bounds are; a budget is spent where its slack is.

    With μ = s·y and τ the most a multiplier can be, pieces nearer to their kink than √(μu/τ) are
    said to be there, and those that are there and have less than the √(μ/(τu))-th part of τ are
    not: u is a unit of slacks. Of n pieces in a unit and k at their kinks, √u·n and k/√u are wrong
    in this proportion, fewest for u = k/n.
    """
    q = program.n_offsets
    s1, s2, s3, s4, s5, s6 = program.parts(point.s)
    y1, y2, y3, y4, y5, y6 = program.parts(point.y)
    tau, nu = float(program.loss @ y5), float(program.norm @ y5)
    per_piece = tau * program.cost
    near = _spacing(s1 - s2, len(point.z)) / per_piece
    kink = (s1 < near * y1) & (s2 < near * y2)
    unit = float(np.abs(point.z[q:]).max(initial=0.0)) or 1.0
    zero = (s3 * nu < y3 * unit) & (s4 * nu < y4 * unit)
    return Face(
        kink=kink,
        linear=~kink & (y1 > y2),
        used=np.concatenate([np.ones(q, dtype=bool), ~zero]),
        spent=s5 * float(np.abs(direction).max()) < y5 * program.limit,
        tied=s6 * tau < y6,
    )


def _spacing(slack: Floats, k: int) -> float:
    """How far from their kinks there are about k pieces, by those that are nearest."""
    some = min(_SEVERAL * k, len(slack)) - 1
    sizes = np.abs(slack)
    nearest = float(np.partition(sizes, some)[some]) if some >= 0 else 1.0
    # Where rows are alike, so many pieces can be at their kinks that none is left to tell.
    return max(nearest / _SEVERAL, _LEAST_SPACING * float(sizes.max(initial=0.0)), 1e-12)


def vertex_on(face: Face, program: DenseProgram, direction: Floats, point: Point) -> Vertex | None:
    """The vertex of a face, or the point of a larger face that is nearest to the given one."""
    matrix, right = _equations(face, program, point)
    z, used = np.zeros(len(point.z)), face.used
    solved = _at_vertex(matrix, right, direction[used]) if face.is_square else None
    if solved is None:
        solved = _nearest(face, program, point, matrix, right, direction[used])
    if solved is None:
        return None
    z[used], dual = solved
    of_kinks, of_ties, of_budgets = np.split(
        dual, np.cumsum([int(face.kink.sum()), int(face.tied.sum())])
    )
    budgets = np.zeros(len(program.limit))
    budgets[face.spent] = of_budgets
    pieces = np.where(face.linear, float(program.loss @ budgets) * program.cost, 0.0)
    pieces[face.kink] = -of_kinks
    order = np.zeros(program.n_ordered - 1)
    order[face.tied] = -of_ties
    return Vertex(z, pieces, budgets, order)


def _at_vertex(matrix: Floats, right: Floats, aim: Floats) -> tuple[Floats, Floats] | None:
    """Model and multipliers where they are determined; None where rows or columns are alike."""
    try:
        z, dual = np.linalg.solve(matrix, right), np.linalg.solve(matrix.T, aim)
    except np.linalg.LinAlgError:
        return None
    return np.asarray(z, dtype=float), np.asarray(dual, dtype=float)


def _nearest(
    face: Face, program: DenseProgram, point: Point, matrix: Floats, right: Floats, aim: Floats
) -> tuple[Floats, Floats] | None:
    """The vertex and multipliers nearest to a point, for faces that many would do for."""
    of_pieces, _, _, _, of_budgets, of_order = program.parts(point.y)
    kinks, ties = -of_pieces[face.kink], -of_order[face.tied]
    z, dual = point.z[face.used], np.concatenate([kinks, ties, of_budgets[face.spent]])
    try:
        return (
            z + np.linalg.lstsq(matrix, right - matrix @ z, rcond=None)[0],
            dual + np.linalg.lstsq(matrix.T, aim - matrix.T @ dual, rcond=None)[0],
        )
    except np.linalg.LinAlgError:
        return None


def _equations(face: Face, program: DenseProgram, point: Point) -> tuple[Floats, Floats]:
    """What holds on a face, as a linear system for its used columns."""
    q, loss = program.n_offsets, program.loss[face.spent]
    slope = program.slope + (program.cost * face.linear) @ program.A
    constant = program.constant + float(program.cost[face.linear] @ program.target[face.linear])
    sign = np.concatenate([np.zeros(q), np.sign(point.z[q:])])
    budgets = np.outer(program.norm[face.spent], sign) - np.outer(loss, slope)
    order = np.diff(np.eye(program.n_ordered, len(point.z)), axis=0)[face.tied]
    matrix = np.vstack([program.A[face.kink], order, budgets])[:, face.used]
    right = [program.target[face.kink], np.zeros(len(order))]
    return matrix, np.concatenate([*right, program.limit[face.spent] - loss * constant])
