"""An independent formulation: every linear program in full, solved by scipy from scratch."""

from __future__ import annotations

from copy import copy

import numpy as np
import scipy.sparse as sparse
from scipy.optimize import linprog


class FullProblem:
    """All pieces, all features, no working set.

    Columns: w⁺ (d), w⁻ (d), offsets (q), one slack per piece.
    """

    def __init__(self, X, pieces):
        n_pieces, q = len(pieces), pieces.n_offsets
        self.d, self.q, self.pieces = X.shape[1], q, pieces
        data = pieces.sign[:, None] * X[pieces.row]
        offsets = np.zeros((n_pieces, q))
        offsets[np.arange(n_pieces), pieces.offset] = pieces.offset_sign
        hinge = sparse.hstack([-data, data, -offsets, -sparse.identity(n_pieces)])
        order = np.zeros((q - 1, 2 * self.d + q + n_pieces))
        for t in range(q - 1):
            order[t, 2 * self.d + t], order[t, 2 * self.d + t + 1] = 1.0, -1.0
        self.rows = sparse.vstack([hinge, sparse.csr_matrix(order)], format="csr")
        self.limits = np.concatenate([-pieces.target, np.zeros(q - 1)])
        self.norm = np.concatenate([np.ones(2 * self.d), np.zeros(q + n_pieces)])
        self.loss = np.concatenate([np.zeros(2 * self.d + q), pieces.weight])
        self.bounds = [(0, None)] * (2 * self.d) + [(None, None)] * q + [(0, None)] * n_pieces

    def baseline(self, C):
        """Norm and loss of a minimum of ‖w‖₁ + C·loss."""
        solution = self._solve(self.norm + C * self.loss, self.rows, self.limits)
        return self.norm @ solution.x, self.loss @ solution.x

    def signed_interval(self, feature, budgets):
        """Smallest and largest weight of a feature over the models within the budgets."""
        extra = np.array([b.norm * self.norm + b.loss * self.loss for b in budgets])
        rows = sparse.vstack([self.rows, sparse.csr_matrix(extra)], format="csr")
        limits = np.append(self.limits, [b.limit for b in budgets])
        ends = []
        for sign in (1.0, -1.0):
            cost = np.zeros(rows.shape[1])
            cost[feature], cost[self.d + feature] = sign, -sign
            ends.append(sign * self._solve(cost, rows, limits).fun)
        return tuple(ends)

    def signed_intervals(self, budgets):
        return np.array([self.signed_interval(j, budgets) for j in range(self.d)])

    def within(self, boxes):
        """The same where some weights have to stay within boxes."""
        some = copy(self)
        rows = np.zeros((2 * len(boxes.features), self.rows.shape[1]))
        for k, feature in enumerate(boxes.features):
            rows[2 * k, [feature, self.d + feature]] = 1.0, -1.0
            rows[2 * k + 1, [feature, self.d + feature]] = -1.0, 1.0
        limits = np.column_stack([boxes.high, -boxes.low]).ravel()
        some.rows = sparse.vstack([self.rows, sparse.csr_matrix(rows)], format="csr")
        some.limits = np.append(self.limits, limits)
        return some

    def least_excess(self, budgets, units):
        """The least e for which some model keeps all budgets `limit + e·unit`."""
        extra = np.array([b.norm * self.norm + b.loss * self.loss for b in budgets])
        rows = np.vstack([self.rows.toarray(), extra])
        column = np.concatenate([np.zeros(len(self.limits)), -np.asarray(units, dtype=float)])
        elastic = copy(self)
        elastic.bounds = [*self.bounds, (0, None)]
        cost = np.append(np.zeros(rows.shape[1]), 1.0)
        limits = np.append(self.limits, [b.limit for b in budgets])
        return elastic._solve(cost, np.column_stack([rows, column]), limits).fun

    def _solve(self, cost, rows, limits):
        solution = linprog(
            cost,
            A_ub=rows,
            b_ub=limits,
            bounds=self.bounds,
            method="highs",
            options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
        )
        assert solution.status == 0, solution.message
        return solution


def relevance(signed):
    """Relevance intervals of signed intervals."""
    low, high = np.asarray(signed).T
    return np.column_stack(
        [np.maximum(0, np.maximum(low, -high)), np.maximum(np.abs(low), np.abs(high))]
    )
