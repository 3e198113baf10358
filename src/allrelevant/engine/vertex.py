"""From an interior point to the vertex it is heading for."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from allrelevant.engine.barrier import DenseProgram, Point
from allrelevant.engine.pieces import Floats, Mask


@dataclass(frozen=True, eq=False)
class Vertex:
    """A basic solution: the model, and multipliers of all undecided pieces, budgets and order."""

    z: Floats
    pieces: Floats
    budgets: Floats
    order: Floats
    kink: Mask
    used: Mask

    def same_face(self, other: Vertex | None) -> bool:
        """Whether another guess named the same pieces and weights."""
        return (
            other is not None
            and np.array_equal(self.kink, other.kink)
            and np.array_equal(self.used, other.used)
        )

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


def vertex_near(program: DenseProgram, direction: Floats, point: Point) -> Vertex | None:
    """Guess which inequalities hold with equality and solve for the point where they do.

    A piece is at its kink where both its slacks are smaller than their (scaled) multipliers, a
    weight is zero where both its bounds are; a budget is spent where its slack is.
    """
    q = program.n_offsets
    s1, s2, s3, s4, s5, s6 = program.parts(point.s)
    y1, y2, y3, y4, y5, y6 = program.parts(point.y)
    tau, nu = float(program.loss @ y5), float(program.norm @ y5)
    if tau <= 0 or nu <= 0:
        return None
    per_piece = tau * program.cost
    kink = (s1 * per_piece < y1) & (s2 * per_piece < y2)
    linear = ~kink & (y1 > y2)
    unit = float(np.abs(point.z[q:]).max(initial=0.0)) or 1.0
    zero = (s3 * nu < y3 * unit) & (s4 * nu < y4 * unit)
    used = np.concatenate([np.ones(q, dtype=bool), ~zero])
    size = float(np.abs(direction).max())
    spent = s5 * size < y5 * np.maximum(program.limit, 1e-300) * 1.0
    tied = s6 * tau < y6

    slope = program.slope + (program.cost * linear) @ program.A
    constant = program.constant + float(program.cost[linear] @ program.target[linear])
    sign = np.concatenate([np.zeros(q), np.sign(point.z[q:])])
    rows = np.outer(program.norm[spent], sign) - np.outer(program.loss[spent], slope)
    order = np.diff(np.eye(q, len(point.z)), axis=0)[tied]
    matrix = np.vstack([program.A[kink], order, rows])[:, used]
    right = np.concatenate(
        [
            program.target[kink],
            np.zeros(int(tied.sum())),
            program.limit[spent] - program.loss[spent] * constant,
        ]
    )
    n_rows, n_columns = matrix.shape
    if not n_rows or not n_columns:
        return None
    z = np.zeros(len(point.z))
    try:
        if n_rows == n_columns:
            z[used] = np.linalg.solve(matrix, right)
            dual = np.linalg.solve(matrix.T, direction[used])
        else:
            if abs(n_rows - n_columns) > 12:
                return None
            start = point.z[used]
            z[used] = start + np.linalg.lstsq(matrix, right - matrix @ start, rcond=None)[0]
            dual = np.linalg.lstsq(matrix.T, direction[used], rcond=None)[0]
    except np.linalg.LinAlgError:
        return None
    n_kinks, n_tied = int(kink.sum()), int(tied.sum())
    budgets = np.zeros(len(program.limit))
    budgets[spent] = dual[n_kinks + n_tied :]
    pieces = np.where(linear, float(program.loss @ budgets) * program.cost, 0.0)
    pieces[kink] = -dual[:n_kinks]
    ordering = np.zeros(q - 1)
    ordering[tied] = -dual[n_kinks : n_kinks + n_tied]
    return Vertex(z, pieces, budgets, ordering, kink, used)
