"""All equivalent models at once, as one full linear program for scipy: an independent formulation.

Columns are w⁺, w⁻, the offsets and one slack per piece; nothing is left out or added lazily.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from helpers import MANY_PIECES, MODELS, encode, equivalent_models
from oracle import TIGHT
from scipy.optimize import Bounds, LinearConstraint, linprog, milp
from scipy.sparse import csr_array, vstack

from allrelevant.linear.engine.baseline.penalised import PenalisedPath
from allrelevant.linear.engine.program.equivalent import EquivalentModels
from allrelevant.linear.engine.program.limits import Budget
from allrelevant.linear.engine.program.pieces import Pieces
from allrelevant.linear.engine.program.reach import FREE, MAIN, SIDE


@dataclass(frozen=True)
class EveryModel:
    """Rows ``A x ≤ b`` and bounds that hold for the equivalent models and no others."""

    models: EquivalentModels

    @property
    def size(self):
        d, q = self.models.n_features, self.models.pieces.n_offsets
        return d, q, 2 * d + q + len(self.models.pieces)

    @property
    def kinds(self):
        return self.models.kinds

    def rows(self):
        """The matrix, not to be changed, and the limits."""
        A, b = self._made
        return A, b.copy()

    @cached_property
    def _sparse(self):
        return csr_array(self._made[0])

    @cached_property
    def _made(self):
        models, pieces = self.models, self.models.pieces
        d, q, n = self.size
        data = pieces.sign[:, None] * models.X.dense()[pieces.row]
        offsets = np.zeros((len(pieces), q))
        offsets[np.arange(len(pieces)), pieces.offset] = pieces.offset_sign
        # A slack is what a piece costs; a linear piece may cost less than nothing.
        hinge = np.hstack([-data, data, -offsets, -np.eye(len(pieces))])
        order = np.zeros((q - 1, n))
        for t in range(q - 1):
            order[t, 2 * d + t], order[t, 2 * d + t + 1] = 1.0, -1.0
        table = np.array([[b.norm, b.side, 0.0] for b in models.budgets])
        norms = table[:, self.kinds]
        losses = np.outer([b.loss for b in models.budgets], pieces.weight)
        budgets = np.hstack([norms, norms, np.zeros((len(table), q)), losses])
        limits = [b.limit for b in models.budgets]
        return np.vstack([hinge, order, budgets]), np.concatenate(
            [-pieces.target, np.zeros(q - 1), limits]
        )

    def bounds(self, allowed=None):
        pieces = self.models.pieces
        d, q, n = self.size
        low, high = np.zeros(n), np.full(n, np.inf)
        low[2 * d : 2 * d + q] = -np.inf
        if pieces.linear is not None:
            low[2 * d + q :][pieces.linear] = -np.inf
        if pieces.hard is not None:
            high[2 * d + q :][pieces.hard] = 0.0
        if allowed is not None:
            closed = ~np.asarray(allowed) & (self.kinds == MAIN)
            high[:d][closed] = high[d : 2 * d][closed] = 0.0
        return np.column_stack([low, high])

    def cost(self, weights=(), offsets=(), sizes=()):
        """A cost vector of factors before weights, offsets and absolute weights."""
        d, _, n = self.size
        cost = np.zeros(n)
        cost[: len(weights)] += weights
        cost[d : d + len(weights)] -= weights
        cost[2 * d : 2 * d + len(offsets)] += offsets
        cost[: len(sizes)] += sizes
        cost[d : d + len(sizes)] += sizes
        return cost

    def least(self, cost, allowed=None, more=None):
        """The least cost over all models (that use allowed features only); None if there is none.

        `more` are further rows, as a pair (A, b).
        """
        A, b = self._sparse, self._made[1]
        if more is not None:
            A, b = vstack([A, csr_array(more[0])], format="csr"), np.append(b, more[1])
        found = linprog(cost, A, b, bounds=self.bounds(allowed), method="highs", options=TIGHT)
        return found.fun if found.status == 0 else None

    def least_tolerance(self, allowed, units):
        """The least t for which allowed features hold a model within ``units · (1 + t)``."""
        A, b = self.rows()
        column = np.zeros((len(A), 1))
        column[-len(units) :, 0] = -np.asarray(units)
        b[-len(units) :] = units
        cost = np.append(np.zeros(A.shape[1]), 1.0)
        bounds = [*self.bounds(allowed), (0.0, np.inf)]
        found = linprog(
            cost, np.hstack([A, column]), b, bounds=bounds, method="highs", options=TIGHT
        )
        return found.fun if found.status == 0 else np.inf

    def greatest(self, cost):
        return -self.least(-cost)

    def holds(self, allowed):
        """Whether the features hold an equivalent model."""
        return self.least(self.cost(), allowed) is not None

    def minimal_sets(self, n_main):
        """All sets of main features that hold a model and contain no other such set."""
        minimal = []
        for size in range(n_main + 1):
            for chosen in itertools.combinations(range(n_main), size):
                if any(set(known) <= set(chosen) for known in minimal):
                    continue
                allowed = np.zeros(self.models.n_features, dtype=bool)
                allowed[list(chosen)] = True
                if self.holds(allowed):
                    minimal.append(chosen)
        return minimal

    def largest_norm(self, columns):
        """The largest Σ|w_c|, one linear program for each pattern of signs."""
        best = 0.0
        for signs in itertools.product((1.0, -1.0), repeat=len(columns)):
            factors = np.zeros(self.models.n_features)
            factors[list(columns)] = signs
            best = max(best, self.greatest(self.cost(factors)))
        return best

    def cheapest_by_big_m(self, costs):
        """The least total cost of features, by one mixed-integer program with big-M rows."""
        A, b = self.rows()
        d, _, n = self.size
        largest = float(self.models.largest_norm)
        main = np.flatnonzero(self.kinds == MAIN)
        use = np.zeros((len(main), n + len(main)))
        for row, k in enumerate(main):
            use[row, k] = use[row, d + k] = 1.0
            use[row, n + row] = -largest
        wide = np.hstack([A, np.zeros((len(A), len(main)))])
        low, high = self.bounds().T
        found = milp(
            np.append(np.zeros(n), np.asarray(costs, dtype=float)[: len(main)]),
            integrality=np.append(np.zeros(n), np.ones(len(main))),
            bounds=Bounds(np.append(low, np.zeros(len(main))), np.append(high, np.ones(len(main)))),
            constraints=[LinearConstraint(wide, ub=b), LinearConstraint(use, ub=0.0)],
            options={"mip_rel_gap": 0.0},
        )
        assert found.status == 0, found.message
        return found.fun


def simulated_models(model, *, n=None, d=6, seed=0, C=1.0, tolerance=0.1, budget="split"):
    """Equivalent models over redundant features: some are noisy copies of others."""
    n = n or (20 if model in [MODELS[name] for name in MANY_PIECES] else 40)
    random = np.random.default_rng(seed)
    hidden = random.normal(size=(n, 3))
    X = hidden[:, np.arange(d) % 3] + 0.3 * random.normal(size=(n, d))
    score = hidden @ [1.0, -1.0, 0.5] + 0.5 * random.normal(size=n)
    return equivalent_models(model, X, encode(model, score), C, tolerance, budget)


def privileged_models(n=30, d=4, seed=0, tolerance=0.1):
    """Equivalent classifiers whose slacks are functions of side information.

    The slack of sample i is ``p(x*) = w*·x* + c ≥ 0``; the margin ``y (w·x + b) + p(x*) ≥ 1`` is
    kept by every model, and the loss is the sum of the slacks.
    """
    random = np.random.default_rng(seed)
    X = random.normal(size=(n, d))
    X[:, d - 1] = X[:, 0] + 0.1 * random.normal(size=n)
    noise = random.normal(size=n)
    y = np.where(X[:, 0] + 0.5 * X[:, 1] + 0.2 * noise > 0, 1.0, -1.0)
    side = np.column_stack([np.abs(noise), random.normal(size=n), np.ones(n)])
    margins = np.hstack([X, y[:, None] * side])
    slacks = np.hstack([np.zeros((n, d)), side])
    table = np.vstack([margins, slacks, np.append(np.zeros(d), side.sum(axis=0))])
    pieces = Pieces(
        row=np.arange(2 * n + 1),
        sign=np.concatenate([y, np.ones(n), [-1.0]]),
        offset=np.zeros(2 * n + 1, dtype=np.intp),
        offset_sign=np.concatenate([y, np.zeros(n + 1)]),
        target=np.concatenate([np.ones(n), np.zeros(n + 1)]),
        weight=np.append(np.zeros(2 * n), 1.0),
        hard=np.arange(2 * n + 1) < 2 * n,
        linear=np.arange(2 * n + 1) == 2 * n,
    )
    kinds = np.array([MAIN] * d + [SIDE] * 2 + [FREE])
    baseline = PenalisedPath(table, pieces, kinds=kinds).solve(2.0)
    more = 1.0 + tolerance
    budgets = (
        Budget(1.0, 0.0, more * baseline.norm),
        Budget(0.0, 0.0, more * baseline.side_norm + 0.01, side=1.0),
        Budget(0.0, 1.0, more * baseline.loss),
    )
    return EquivalentModels(table, pieces, budgets, baseline.as_reference(), kinds=kinds)
