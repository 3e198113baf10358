"""What several of the engine's tests build on: equivalent models, data, losses by formula."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from oracle import FullProblem, relevance

from allrelevant.data import ClassMatrix, DenseMatrix
from allrelevant.linear.engine.baseline.penalised import PenalisedPath
from allrelevant.linear.engine.program.equivalent import EquivalentModels
from allrelevant.linear.engine.program.limits import Boxes, joint_budget, split_budgets
from allrelevant.linear.engine.ranges.solver import RangeSolver
from allrelevant.linear.fit.baseline.kinds import Sparsest
from allrelevant.linear.models import (
    Classification,
    Huber,
    Logistic,
    LogLogistic,
    Multiclass,
    OrderedLogistic,
    Ordinal,
    Quantile,
    Regression,
    RejectOption,
    Survival,
)

MODELS = {
    "classification": Classification(),
    "regression-eps0": Regression(0.0),
    "regression-eps0.3": Regression(0.3),
    "ordinal-explicit": Ordinal(4, "explicit"),
    "ordinal-implicit": Ordinal(4, "implicit"),
    "reject": RejectOption(0.2),
    "quantile": Quantile(quantile=0.8),
    "survival": Survival(0.1),
    "logistic": Logistic(),
    "log-logistic": LogLogistic(scale=0.4),
    "ordered-logistic": OrderedLogistic(4),
    "huber": Huber(n_kinks=2),
}
#: Four pieces for every row or more: with half of the rows programs are as large as others.
MANY_PIECES = ("logistic", "log-logistic", "ordered-logistic", "huber")


def encode(model, score):
    """A target for the model that follows a score."""
    if model.task in ("regression", "survival"):
        spread = score.std()
        target = (score - score.mean()) / (spread if spread > 0 else 1.0)
        if model.task == "regression":
            return target
        return np.column_stack([target, np.arange(len(target)) % 3 > 0])
    if model.task == "ordinal":
        inner = np.linspace(0, 1, model.n_classes + 1)[1:-1]
        return np.searchsorted(np.quantile(score, inner), score).astype(float)
    return np.where(score > np.median(score), 1.0, -1.0)


def equivalent_models(
    model, X, target, C, tolerance, budget="split", weight=None, *, floor=0.0
) -> EquivalentModels:
    """Baseline and budgets, put together the way a fit does it."""
    X = np.ascontiguousarray(X, dtype=float)
    weight = np.ones(len(X)) if weight is None else np.asarray(weight, dtype=float)
    pieces = model.pieces(np.asarray(target, dtype=float), weight)
    path = PenalisedPath(X, pieces)
    baseline = path.solve(C)
    norm_limit = (1.0 + tolerance) * baseline.norm
    loss_limit = (1.0 + tolerance) * baseline.loss + floor
    if budget == "joint":
        budgets = joint_budget(C, norm_limit + C * loss_limit)
    else:
        budgets = split_budgets(norm_limit, loss_limit)
    steeper = path.solve(2.0 * C).as_reference() if budget == "joint" else None
    return EquivalentModels(X, pieces, budgets, baseline.as_reference(), steeper)


def class_models(n_classes) -> EquivalentModels:
    """Several classes without an order, with a column of noise for each beside the data."""
    random = np.random.default_rng(0)
    X = random.normal(size=(120, 4))
    scores = 2.0 * X @ random.normal(size=(4, n_classes)) + random.normal(size=(120, n_classes))
    codes = scores.argmax(axis=1)
    table = ClassMatrix.of(DenseMatrix(X), codes, n_classes)
    pieces = Multiclass(n_classes).pieces(codes.astype(float), np.ones(len(X)))
    best = PenalisedPath(table, pieces).solve(1.0)
    budgets = split_budgets(1.1 * best.norm, 1.1 * best.loss)
    models = EquivalentModels(table, pieces, budgets, best.as_reference())
    return models.beside(table.expanded(random.normal(size=len(X))))


def with_columns(models, X, weights=None) -> EquivalentModels:
    """The same budgets over other columns; the reference's weights go with them."""
    weights = models.reference.weights if weights is None else weights
    reference = replace(models.reference, weights=weights)
    return EquivalentModels(np.ascontiguousarray(X), models.pieces, models.budgets, reference)


def reference_norm(models) -> float:
    """What accuracy is measured by: the reference's norm, 1 where it uses no feature."""
    return float(np.abs(models.reference.weights).sum()) or 1.0


def signed_ends(ranges):
    return np.array([(r.low.value, r.high.value) for r in ranges])


def solved_ranges(models, solver="auto", *, signed=True):
    found = RangeSolver(models, solver=solver).ranges(range(models.n_features), signed=signed)
    return found, signed_ends(found), np.array([r.relevance for r in found])


def guest_reach(solver, column, *args, **settings):
    """The largest absolute weight a column would have beside the data."""
    return solver.ask(solver.guest_question(column, *args, **settings))


def oracle_ends(models):
    """Signed and absolute intervals of all weights by the full linear programs."""
    signed = FullProblem(models.X.dense(), models.pieces).signed_intervals(models.budgets)
    return signed, relevance(signed)


def least_objective(models, norm, loss, norm_limit=None):
    """The least ``norm·‖w‖₁ + loss·loss`` by the full program, with a limit on the norm if any."""
    full = FullProblem(models.X.dense(), models.pieces)
    rows, limits = full.rows, full.limits
    if norm_limit is not None:
        rows = np.vstack([rows.toarray(), full.norm])
        limits = np.append(limits, norm_limit)
    return full._solve(norm * full.norm + loss * full.loss, rows, limits).fun


def loss_by_formula(model, X, target, weight, w, b):
    """The loss as the model's docstring has it, without pieces."""
    f = X @ w
    positive = lambda values: np.maximum(values, 0.0)  # noqa: E731
    if isinstance(model, LogLogistic):
        (time, event), edges = target.T, [-np.inf, -2.625, -0.875, 0.875, 2.625, np.inf]
        shares = np.diff(1.0 / (1.0 + np.exp(-np.array(edges))))
        by_row = np.zeros(len(X))
        for share, kink in zip(shares, model.scale * np.arange(-3.5, 4.0, 1.75), strict=True):
            early, late = positive(time - kink - f - b[0]), positive(f + b[0] - time - kink)
            by_row += share * (early + event * late)
        return weight @ by_row
    if model.task == "survival":
        time, event = target.T
        late = event * positive(f + b[0] - time - model.epsilon)
        return weight @ (positive(time - model.epsilon - f - b[0]) + late)
    if isinstance(model, Quantile):
        off = target - f - b[0]
        return weight @ np.maximum(model.quantile * off, (model.quantile - 1.0) * off)
    if isinstance(model, Huber):  # slices of 0 to δ have these middles
        off, kinks = np.abs(target - f - b[0]), model.straight_from * np.array([0.25, 0.75])
        return weight @ np.mean([positive(off - kink) for kink in kinks], axis=0)
    if model.task == "regression":
        return weight @ positive(np.abs(target - f - b[0]) - model.epsilon)
    if model.task == "ordinal":
        total = 0.0
        kinks = Logistic().kinks if isinstance(model, OrderedLogistic) else np.ones(1)
        for i in range(len(X)):
            for t in range(model.n_classes - 1):
                below = target[i] <= t
                if model.order == "explicit" and target[i] not in (t, t + 1):
                    continue
                beyond = f[i] - b[t] if below else b[t] - f[i]
                total += weight[i] * positive(beyond + kinks).mean()
        return total
    margin = target * (f + b[0])
    if model.task == "reject":
        steeper = (1.0 - 2.0 * model.cost) / model.cost
        return weight @ (positive(1.0 - margin) + steeper * positive(-margin))
    if isinstance(model, Logistic):
        return weight @ np.mean([positive(kink - margin) for kink in model.kinks], axis=0)
    return weight @ positive(1.0 - margin)


def boxes_of(ranges):
    features = np.array(sorted(ranges), dtype=np.intp)
    low, high = np.array([ranges[k] for k in features], dtype=float).reshape(-1, 2).T
    return Boxes(features, low, high)


def fit_baseline(problem, C, gamma=1.0):
    """The minimum of ‖w‖₁ + C·loss on all the data, with γ‖w*‖₁ where there is a w*."""
    return Sparsest().fit(problem, C, gamma, chosen=True)
