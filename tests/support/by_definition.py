"""Equivalent models by their definition, for scipy: margins, slacks and budgets in full.

Nothing of the engine's pieces is used: demands are written down from the targets. Columns are w⁺,
w⁻, the offsets, and one slack per demand. With privileged features slacks are functions of these,
one for each direction: v⁺, v⁻ and a constant.
"""

from __future__ import annotations

import itertools

import numpy as np
from oracle import TIGHT
from scipy.optimize import linprog


class Definition:
    """What is allowed with a hinge loss of classes, ordered or not, or an absolute loss."""

    def __init__(self, estimator):
        fitted = estimator.fitted_set_
        sample, self.norm = fitted.analysis.problem.sample, fitted.result.baseline["norm"]
        X, target = sample.X.dense(), sample.target
        asked = list(_demands(fitted, target))
        side = sample.privileged if fitted.analysis.problem.n_privileged else None
        self.d, q = X.shape[1], len(asked[0][2])
        free = 2 * self.d + q
        n_slacks = len(asked) if side is None else 2 * (2 * side.shape[1] + 1)
        self.size = free + n_slacks
        rows, limits = [], []
        loss, lengths = np.zeros(self.size), np.zeros((2, self.size))
        lengths[0, : 2 * self.d] = 1.0
        self.bounds = [(0, None)] * (2 * self.d) + [(None, None)] * q + [(0, None)] * n_slacks
        for k, (i, sign, offsets, least, way) in enumerate(asked):
            slack, score = np.zeros((2, self.size))
            if side is None:
                slack[free + k] = 1.0
            else:
                start, p = free + way * (2 * side.shape[1] + 1), side.shape[1]
                slack[start : start + 2 * p + 1] = [*side[i], *-side[i], 1.0]
                lengths[1, start : start + 2 * p] = 1.0
                self.bounds[start + 2 * p] = (None, None)
                rows, limits = [*rows, -slack], [*limits, 0.0]
            score[:free] = [*sign * X[i], *-sign * X[i], *offsets]
            rows, limits = [*rows, -score - slack], [*limits, -least]
            loss += slack
        for k in range(q - 1):
            rows, limits = [*rows, np.eye(self.size)[2 * self.d + k]], [*limits, 0.0]
            rows[-1][2 * self.d + k + 1] = -1.0
        used, more = fitted.result.baseline, 1.0 + np.array(estimator.tolerance_)
        whole = [used[name] for name in ("norm", "loss", "privileged_norm") if name in used]
        self.exactly = np.array(whole)
        self.limits = self.exactly * [*more, more[0]][: len(whole)]
        self.A = np.vstack([*rows, lengths[0], loss, *lengths[1:][: side is not None]])
        self.b = np.array(limits)

    def weights(self, factors):
        """A cost: factors of the weights."""
        return np.concatenate([factors, -factors, np.zeros(self.size - 2 * self.d)])

    def least(self, cost, without=(), limits=None):
        """The least cost of all models, or None where there is none."""
        bounds = list(self.bounds)
        for k in without:
            bounds[k] = bounds[self.d + k] = (0, 0)
        b = np.append(self.b, self.limits if limits is None else limits)
        found = linprog(cost, self.A, b, bounds=bounds, method="highs", options=TIGHT)
        return found.fun if found.status == 0 else None

    def ends(self, cost, **how):
        """Both ends of a linear function."""
        return self.least(cost, **how), -self.least(-cost, **how)

    def relevance(self, columns, **how):
        """Smallest and largest sum of the columns' absolute weights, as shares."""
        sizes, most = np.zeros(self.size), 0.0
        sizes[[*columns, *(self.d + k for k in columns)]] = 1.0
        for signs in itertools.product((1.0, -1.0), repeat=len(columns)):
            factors = np.zeros(self.d)
            factors[list(columns)] = signs
            most = max(most, -self.least(-self.weights(factors), **how))
        return self.least(sizes, **how) / self.norm, most / self.norm

    def least_tolerance(self, without):
        """The smallest tolerance at which some model does without columns."""
        column = np.append(np.zeros(len(self.b)), -self.exactly)[:, None]
        bounds = [*self.bounds, (0, None)]
        for k in without:
            bounds[k] = bounds[self.d + k] = (0, 0)
        cost, b = np.eye(self.size + 1)[-1], np.append(self.b, self.exactly)
        table = np.hstack([self.A, column])
        found = linprog(cost, table, b, bounds=bounds, method="highs", options=TIGHT)
        return found.fun if found.status == 0 else np.inf


def _demands(fitted, target):
    """Row, sign of its score, factors of the offsets, what is asked for at least, direction."""
    task = fitted.result.task
    for i, y in enumerate(target):
        if task == "classification":
            yield i, y, [y], 1.0, 0
        elif task == "regression":
            yield i, -1.0, [-1.0], -y - fitted.model.epsilon, 0
            yield i, 1.0, [1.0], y - fitted.model.epsilon, 1
        else:
            steps = np.eye(fitted.model.n_classes - 1)
            if y < len(steps):
                yield i, -1.0, steps[int(y)], 1.0, 0
            if y > 0:
                yield i, 1.0, -steps[int(y) - 1], 1.0, 1
