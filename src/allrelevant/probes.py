"""What relevance noise reaches: permuted columns asked the same questions as real ones."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from allrelevant.engine.equivalent import EquivalentModels, Reference
from allrelevant.engine.penalised import Penalised, PenalisedPath
from allrelevant.engine.pieces import Floats
from allrelevant.engine.ranges import RangeSolver


@dataclass(frozen=True)
class Probe:
    """One permuted column: which feature it comes from and the seed of its permutation."""

    feature: int
    seed: int


def draw_probes(n_probes: int, n_features: int, random: np.random.RandomState) -> list[Probe]:
    """Probes with one seed each, drawn before any work is handed out."""
    features = random.randint(n_features, size=n_probes)
    seeds = random.randint(np.iinfo(np.int32).max, size=n_probes)
    return [Probe(int(feature), int(seed)) for feature, seed in zip(features, seeds, strict=True)]


def permuted(models: EquivalentModels, probe: Probe, count: Floats | None) -> Floats:
    """The probe's column; standardised anew where rows count differently (`count` is given)."""
    order = np.random.default_rng(probe.seed).permutation(len(models.X))
    column = models.columns[order, probe.feature]
    if count is not None:
        share = count / count.sum()
        column = column - share @ column
        scale = float(np.sqrt(share @ column**2))
        column = column / scale if scale > 0 else column
    return column


def appended_relevance(
    solver: RangeSolver, probe: Probe, count: Floats | None
) -> tuple[float, float]:
    """Relevance of the probe's column beside all real ones."""
    return solver.guest_range(permuted(solver.models, probe, count)).relevance


def replaced_relevance(
    models: EquivalentModels, probe: Probe, count: Floats | None
) -> tuple[float, float] | None:
    """Relevance of the probe's column in place of its feature; None where no model is left."""
    X = models.X.copy()
    X[:, probe.feature] = permuted(models, probe, count)
    reference: Reference | None = models.reference
    if models.reference.weights[probe.feature]:
        reference = _feasible(X, models)
        if reference is None:
            return None
    else:
        reference = replace(models.reference, row_duals=None)
    replaced = EquivalentModels(X, models.pieces, models.budgets, reference)
    solver = RangeSolver(replaced)
    return solver.weight_range(probe.feature, signed=False).relevance


def _feasible(X: Floats, models: EquivalentModels) -> Reference | None:
    """A model over other data that keeps the same budgets, or None where there is none.

    The budgets can be met iff no C gives a minimum of ‖w‖₁ + C·loss above what the budgets allow
    for that C. C is moved towards whichever budget is exceeded; two minima that each exceed one
    of them enclose a mixture that exceeds neither, or prove that there is none.
    """
    path = PenalisedPath(X, models.pieces)
    C, short, lossy = models.reference.C, None, None
    for _ in range(60):
        found = path.solve(C)
        over = _overdraft(models, found.norm, found.loss)
        if over.max() <= 0:
            return _reference(found.weights, found.offsets, C)
        if _exceeds_all(models, found):
            return None
        if len(over) == 1:
            return None  # a joint budget is met by the minimum at its own C, or not at all
        if over[0] > 0:
            lossy = found
        else:
            short = found
        mixture = _mixture(models, short, lossy)
        if mixture is not None:
            return mixture
        if short is not None and lossy is not None:
            C = float(np.sqrt(short.C * lossy.C))
            if abs(short.C - lossy.C) <= 1e-9 * C:
                return None
        else:
            C *= 4.0 if lossy is None else 0.25
    return None


def _overdraft(models: EquivalentModels, norm: float, loss: float) -> Floats:
    spent = models.norm_factors * norm + models.loss_factors * loss
    return spent - models.limits * (1.0 + 1e-9) - _rounding(models, models.loss_factors)


def _rounding(models: EquivalentModels, loss_factors: Floats) -> Floats:
    """What a loss of zero can come out as."""
    return 1e-10 * float(models.pieces.weight.sum()) * loss_factors


def _exceeds_all(models: EquivalentModels, found: Penalised) -> bool:
    """Whether the minimum at this C is above what any model within the budgets could have."""
    allowed = sum(
        budget.limit * (1.0 / budget.norm if budget.norm else found.C) for budget in models.budgets
    )
    allowed += float(_rounding(models, np.array([found.C]))[0])
    return len(models.budgets) > 1 and found.objective > allowed * (1.0 + 1e-9)


def _mixture(
    models: EquivalentModels, short: Penalised | None, lossy: Penalised | None
) -> Reference | None:
    """Mix a model within the norm's budget and one within the loss's, if that keeps both."""
    if short is None or lossy is None or lossy.norm <= short.norm:
        return None
    norm_limit = models.limits[0] / models.norm_factors[0]
    part = float(np.clip((norm_limit - short.norm) / (lossy.norm - short.norm), 0.0, 1.0))
    loss = (1.0 - part) * short.loss + part * lossy.loss
    if _overdraft(models, norm_limit, loss).max() > 0:
        return None
    return _reference(
        (1.0 - part) * short.weights + part * lossy.weights,
        (1.0 - part) * short.offsets + part * lossy.offsets,
        short.C,
    )


def _reference(weights: Floats, offsets: Floats, C: float) -> Reference:
    return Reference(weights, offsets, None, C, np.inf)


def thresholds(relevances: ArrayLike, confidence: float) -> Floats:
    """Upper ends of the prediction intervals for one more value of noise: minrel and maxrel."""
    values = np.asarray(relevances, dtype=float).reshape(-1, 2)
    if len(values) < 2:
        return values.max(axis=0, initial=0.0)
    return np.array([_upper_end(values[:, k], confidence) for k in range(2)])


def _upper_end(values: Floats, confidence: float) -> float:
    """The upper end of an interval that holds one more value with this probability.

    An interval to both sides of the mean reaches to the (1 + p)/2 quantile of Student's t. Values
    that are all positive are taken by their logarithms: how far noise can get is skewed to the
    right, much like the absolute value of a normal variable.
    """
    n = len(values)
    reach = float(stats.t.ppf((1.0 + confidence) / 2.0, n - 1)) * np.sqrt(1.0 + 1.0 / n)
    if values.min() > 0:
        logs = np.log(values)
        # Two or three probes can reach beyond all numbers; nothing passes such a threshold.
        return float(np.exp(min(logs.mean() + reach * logs.std(ddof=1), 700.0)))
    return float(values.mean() + reach * values.std(ddof=1))
