"""An independent formulation: every linear program in full, solved by scipy from scratch."""

from __future__ import annotations

import itertools
from copy import copy

import numpy as np
import scipy.sparse as sparse
from scipy.optimize import linprog

TIGHT = {
    "primal_feasibility_tolerance": 1e-10,
    "dual_feasibility_tolerance": 1e-10,
    "presolve": False,  # it takes longer than it saves in programs as small as these
}


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
        # A column of zeros changes no score: by definition its weight is none.
        weights = [(0, None if used else 0) for used in X.any(axis=0)]
        self.bounds = 2 * weights + [(None, None)] * q + [(0, None)] * n_pieces

    def baseline(self, C):
        """Norm and loss of a minimum of ‖w‖₁ + C·loss."""
        solution = self._solve(self.norm + C * self.loss, self.rows, self.limits)
        return self.norm @ solution.x, self.loss @ solution.x

    def signed_interval(self, feature, budgets):
        """Smallest and largest weight of a feature over the models within the budgets."""
        return self._ends(feature, *self._with(budgets))

    def signed_intervals(self, budgets):
        rows, limits = self._with(budgets)
        return np.array([self._ends(j, rows, limits) for j in range(self.d)])

    def _with(self, budgets):
        extra = np.array([b.norm * self.norm + b.loss * self.loss for b in budgets])
        rows = sparse.vstack([self.rows, sparse.csr_matrix(extra)], format="csr")
        return rows, np.append(self.limits, [b.limit for b in budgets])

    def _ends(self, feature, rows, limits):
        ends = []
        for sign in (1.0, -1.0):
            cost = np.zeros(rows.shape[1])
            cost[feature], cost[self.d + feature] = sign, -sign
            ends.append(sign * self._solve(cost, rows, limits).fun)
        return tuple(ends)

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
        return _solved(cost, rows, limits, self.bounds)


def _solved(cost, rows, limits, bounds):
    solution = linprog(
        cost,
        A_ub=rows,
        b_ub=limits,
        bounds=bounds,
        method="highs",
        options=TIGHT,
    )
    assert solution.status == 0, solution.message
    return solution


def relevance(signed):
    """Relevance intervals of signed intervals."""
    low, high = np.asarray(signed).T
    return np.column_stack(
        [np.maximum(0, np.maximum(low, -high)), np.maximum(np.abs(low), np.abs(high))]
    )


class PrivilegedOracle:
    """Slacks as functions of privileged features, written down from the definition.

    Columns: w⁺, w⁻ (d each), then v⁺, v⁻ (p each) for every slack function, the functions'
    constants, the offsets. `demands` are (sample, factor of its score, factors of the offsets,
    what is asked for, slack function), meaning::

        factor·w·x + factors·b + v·x* + constant ≥ asked,     v·x* + constant ≥ 0

    Functions are numbered 0 (too high) and 1 (too low); a classification has one only.
    """

    def __init__(self, demands, n_functions, q, X, privileged, weight):
        n_demands, d, p = len(demands), X.shape[1], privileged.shape[1]
        self.d, self.p, self.n_functions = d, p, n_functions
        self.first_side, self.first_free = 2 * d, 2 * d + 2 * p * n_functions
        n_columns = self.first_free + n_functions + q
        slack, score = np.zeros((n_demands, n_columns)), np.zeros((n_demands, n_columns))
        asked = np.zeros(n_demands)
        self.loss = np.zeros(n_columns)
        for k, (i, factor, offsets, wanted, function) in enumerate(demands):
            score[k, : 2 * d] = factor * np.concatenate([X[i], -X[i]])
            score[k, n_columns - q :] = offsets
            begin = self.first_side + 2 * p * function
            slack[k, begin : begin + 2 * p] = np.concatenate([privileged[i], -privileged[i]])
            slack[k, self.first_free + function] = 1.0
            asked[k] = wanted
            self.loss += weight[i] * slack[k]
        order = np.zeros((q - 1, n_columns))
        for t in range(q - 1):
            order[t, n_columns - q + t], order[t, n_columns - q + t + 1] = 1.0, -1.0
        self.rows = np.vstack([-(score + slack), -slack, order])
        self.limits = np.concatenate([-asked, np.zeros(n_demands + q - 1)])
        self.norm = (np.arange(n_columns) < self.first_side).astype(float)
        self.side = (np.arange(n_columns) < self.first_free) - self.norm
        free = n_functions + q
        used = [X.any(axis=0)] * 2 + [privileged.any(axis=0)] * (2 * n_functions)
        weights = [(0, None if some else 0) for some in np.concatenate(used)]
        self.bounds = weights + [(None, None)] * free

    @classmethod
    def classification(cls, X, privileged, y, weight):
        demands = [(i, y[i], [y[i]], 1.0, 0) for i in range(len(y))]
        return cls(demands, 1, 1, X, privileged, weight)

    @classmethod
    def regression(cls, X, privileged, y, weight, epsilon):
        too_high = [(i, -1.0, [-1.0], -y[i] - epsilon, 0) for i in range(len(y))]
        too_low = [(i, 1.0, [1.0], y[i] - epsilon, 1) for i in range(len(y))]
        return cls(too_high + too_low, 2, 1, X, privileged, weight)

    @classmethod
    def ordinal(cls, X, privileged, y, weight, n_classes, both=False):
        """With `both`, a sample that nothing compares pays for its slack all the same."""
        demands, thresholds = [], np.eye(n_classes - 1)
        for i, label in enumerate(y.astype(int)):
            if label < n_classes - 1:  # w·x ≤ b − 1 + χ
                demands.append((i, -1.0, thresholds[label], 1.0, 0))
            if label > 0:  # w·x ≥ b + 1 − ξ
                demands.append((i, 1.0, -thresholds[label - 1], 1.0, 1))
            if both and label in (0, n_classes - 1):
                demands.append((i, 0.0, 0.0 * thresholds[0], 0.0, int(label == 0)))
        return cls(demands, 2, n_classes - 1, X, privileged, weight)

    def baseline(self, C, gamma):
        """The least ‖w‖₁ + γ·‖w*‖₁ + C·loss."""
        return self._solve(self.norm + gamma * self.side + C * self.loss).fun

    def signed_intervals(self, budgets):
        """Of all weights: those of X, then the privileged ones, function by function."""
        starts = [(j, j + self.d) for j in range(self.d)]
        for function in range(self.n_functions):
            begin = self.first_side + 2 * self.p * function
            starts += [(begin + j, begin + j + self.p) for j in range(self.p)]
        ends = []
        for plus, minus in starts:
            cost = np.zeros(len(self.norm))
            cost[plus], cost[minus] = 1.0, -1.0
            ends.append([sign * self._solve(sign * cost, budgets).fun for sign in (1.0, -1.0)])
        return np.array(ends)

    def norm_range(self, columns, function, budgets, barred=()):
        """Smallest and largest Σ|v_c| of privileged columns in one function; some may be barred."""
        begin, bounds = self.first_side + 2 * self.p * function, list(self.bounds)
        for k in range(self.n_functions):
            for c in barred:
                start = self.first_side + 2 * self.p * k + c
                bounds[start] = bounds[start + self.p] = (0, 0)
        plus = begin + np.array(columns)
        cost = np.zeros(len(self.norm))
        cost[plus] = cost[plus + self.p] = 1.0
        least, most = _solved(cost, *self._with(budgets), bounds).fun, 0.0
        for signs in itertools.product((1.0, -1.0), repeat=len(plus)):
            cost[plus], cost[plus + self.p] = signs, -np.array(signs)
            most = max(most, -_solved(-cost, *self._with(budgets), bounds).fun)
        return least, most

    def least_excess(self, budgets, units):
        """By how many of their units all budgets have to grow for any model to keep them."""
        rows, limits = self._with(budgets)
        column = np.concatenate([np.zeros(len(self.limits)), -units])
        cost = np.zeros(len(self.norm) + 1)
        cost[-1] = 1.0
        return _solved(cost, np.column_stack([rows, column]), limits, [*self.bounds, (0, None)]).fun

    def _with(self, budgets):
        extra = [b.norm * self.norm + b.side * self.side + b.loss * self.loss for b in budgets]
        rows = np.vstack([self.rows, *extra])
        return rows, np.append(self.limits, [b.limit for b in budgets])

    def _solve(self, cost, budgets=()):
        return _solved(cost, *self._with(budgets), self.bounds)


def units_of(models):
    """By how much each budget is widened unless told otherwise."""
    weights = 0.01 * models.pieces.weight.sum() * models.loss_factors
    return np.maximum.reduce(
        [models.limits, weights, np.full(len(weights), 1e-3 * max(models.limits))]
    )


def elastic(models, least=None):
    """The least common widening of all budgets of a plain model, and its least weights if any."""
    full = FullProblem(models.X.dense(), models.pieces)
    budgets = models.budgets
    extra = np.array([b.norm * full.norm + b.loss * full.loss for b in budgets])
    rows = np.vstack([full.rows.toarray(), extra])
    column = np.concatenate([np.zeros(len(full.limits)), -units_of(models)])
    limits = np.append(full.limits, [b.limit for b in budgets])
    cost = np.append(np.zeros(rows.shape[1]), 1.0)
    bounds = [*full.bounds, (0, None)]
    for feature, low in (least or {}).items():
        bounds[feature], bounds[full.d + feature] = (low, None), (0, 0)
    return _solved(cost, np.column_stack([rows, column]), limits, bounds).fun
