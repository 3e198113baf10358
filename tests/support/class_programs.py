"""Equivalent models of several classes as one full linear program, written from the formula."""

from dataclasses import dataclass, replace
from itertools import permutations, product

import numpy as np
from scipy.optimize import linprog

from allrelevant import RelevanceClassifier
from allrelevant.datasets import make_classification
from allrelevant.linear.models import Logistic

TIGHT = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}


@dataclass(frozen=True, eq=False)
class ClassPrograms:
    """Variables are W⁺ and W⁻ (a line for each class), all offsets, slacks per sample and class.

    There is a slack for each of the kinks; the loss is the mean of what they cost.

    Limits are those of norm and loss; nothing of the library is used to solve them.
    """

    X: np.ndarray
    codes: np.ndarray
    n_classes: int
    weight: np.ndarray
    norm_limit: float
    loss_limit: float
    limits: tuple = ()
    kinks: tuple = (1.0,)

    @property
    def size(self):
        d, K, n = self.X.shape[1], self.n_classes, len(self.X)
        return d, K, n, 2 * K * d + K + n * (K - 1) * len(self.kinks)

    def rows(self):
        d, K, n, size = self.size
        rows, p = [], 2 * K * d + K
        for _ in self.kinks:
            for i, k in product(range(n), range(K)):
                y = int(self.codes[i])
                if k == y:
                    continue
                row = np.zeros(size)
                for sign, c in ((1.0, y), (-1.0, k)):
                    row[c * d : (c + 1) * d] += sign * self.X[i]
                    row[K * d + c * d : K * d + (c + 1) * d] -= sign * self.X[i]
                    row[2 * K * d + c] += sign
                row[p] = 1.0
                rows.append(-row)
                p += 1
        norm, loss = np.zeros(size), np.zeros(size)
        norm[: 2 * K * d] = 1.0
        m = len(self.kinks)
        loss[2 * K * d + K :] = np.tile(np.repeat(self.weight, K - 1) / m, m)
        limits = [*np.repeat(-np.array(self.kinks), n * (K - 1)), self.norm_limit, self.loss_limit]
        return np.array([*rows, norm, loss]), np.array(limits), norm, loss

    def least(self, cost, more=None, extra=0):
        """The least cost; `more` are further rows over all variables and `extra` free ones."""
        A, b, _, _ = self.rows()
        _, K, _, size = self.size
        d = self.X.shape[1]
        A = np.hstack([A, np.zeros((len(A), extra))])
        if more is not None:
            A, b = np.vstack([A, more]), np.append(b, np.zeros(len(more)))
        for row, limit in self.limits:
            A, b = np.vstack([A, np.append(row, np.zeros(extra))]), np.append(b, limit)
        bounds = [(0, None)] * (2 * K * d) + [(None, None)] * K
        bounds += [(0, None)] * (size - len(bounds)) + [(None, None)] * extra
        found = linprog(cost, A, b, bounds=bounds, method="highs", options=TIGHT)
        assert found.status == 0, found.message
        return found.fun

    def difference(self, feature, k, other):
        """The cost vector of ``w_k − w_other``."""
        d, K, _, size = self.size
        cost = np.zeros(size)
        for sign, c in ((1.0, k), (-1.0, other)):
            cost[c * d + feature] += sign
            cost[K * d + c * d + feature] -= sign
        return cost

    def pair_interval(self, feature, k, other):
        return self.ends(self.difference(feature, k, other))

    def spread_interval(self, feature):
        """The least and the largest ``max_k w_k − min_k w_k``."""
        pairs = list(permutations(range(self.n_classes), 2))
        largest = max(-self.least(-self.difference(feature, *pair)) for pair in pairs)
        more = np.array([np.append(self.difference(feature, *pair), -1.0) for pair in pairs])
        return self.least(np.append(np.zeros(self.size[3]), 1.0), more, extra=1), largest

    def score(self, sample, k, other):
        """The cost vector of ``s_k − s_other`` of a sample."""
        d, K, _, size = self.size
        cost = np.zeros(size)
        for sign, c in ((1.0, k), (-1.0, other)):
            cost[c * d : (c + 1) * d] += sign * sample
            cost[K * d + c * d : K * d + (c + 1) * d] -= sign * sample
            cost[2 * K * d + c] += sign
        return cost

    def ends(self, cost):
        """The least and the largest value of a cost vector."""
        return self.least(cost), -self.least(-cost)

    def at_most(self, feature, k, other, limit):
        """The same models where ``w_k − w_other`` of a feature is at most this."""
        row = self.difference(feature, k, other)
        return replace(self, limits=(*self.limits, (row, limit)))

    def without(self, features):
        """The same where some features are columns of zeros."""
        X = self.X.copy()
        X[:, features] = 0.0
        return replace(self, X=X)

    def largest_lead(self, sample, k):
        """The least and the most by which class k can be ahead of all others."""
        d, K, _, size = self.size
        rows = []
        for other in range(K):
            if other != k:
                row = np.zeros(size + 1)
                for sign, c in ((-1.0, k), (1.0, other)):
                    row[c * d : (c + 1) * d] += sign * sample
                    row[K * d + c * d : K * d + (c + 1) * d] -= sign * sample
                    row[2 * K * d + c] += sign
                row[size] = 1.0
                rows.append(row)
        smallest = min(self.least(-row[:size]) for row in rows)
        return smallest, -self.least(np.append(np.zeros(size), -1.0), np.array(rows), extra=1)

    def least_tolerance(self, norm, loss):
        """The least t for which some model keeps ``norm · (1 + t)`` and ``loss · (1 + t)``."""
        anything = replace(self, norm_limit=1e6, loss_limit=1e6)
        _, _, of_norm, of_loss = self.rows()
        more = np.array([np.append(of_norm, -norm), np.append(of_loss, -loss)])
        grown = anything.least(np.append(np.zeros(self.size[3]), 1.0), more, extra=1)
        return max(0.0, grown - 1.0)

    def least_objective(self, C):
        A, b, norm, loss = self.rows()
        d, K, _, size = self.size
        bounds = [(0, None)] * (2 * K * d) + [(None, None)] * K
        bounds += [(0, None)] * (size - len(bounds))
        found = linprog(
            norm + C * loss, A[:-2], b[:-2], bounds=bounds, method="highs", options=TIGHT
        )
        return found.fun


def three_classes():
    """A table whose full programs are quickly solved."""
    X, y, _ = make_classification(
        60, n_strong=1, n_weak=3, n_irrelevant=1, noise=0.2, n_classes=3, random_state=1
    )
    return X, y


def fitted_to(X, y):
    """A model with few probes, for what is asked of the equivalent ones."""
    return RelevanceClassifier(C=0.5, tolerance=0.1, n_probes=20, random_state=0).fit(X, y)


def programs_of(model):
    """The full programs of the models that are equivalent to a fit."""
    sample, models = model.fitted_set_.analysis.problem.sample, model.equivalent_models_
    limits = [budget.limit for budget in models.budgets]
    K = len(model.classes_)
    kinks = tuple(Logistic().kinks) if model.loss_ == "logistic" else (1.0,)
    found = ClassPrograms(sample.X.dense(), sample.target, K, sample.weight, *limits)
    return replace(found, kinks=kinks)
