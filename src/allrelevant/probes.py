"""What relevance noise reaches: permuted columns asked the same questions as real ones."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from allrelevant.engine.equivalent import EquivalentModels
from allrelevant.engine.nearest import nearest_member
from allrelevant.engine.pieces import Floats
from allrelevant.engine.ranges import RangeSolver
from allrelevant.problem import Problem

_SKEWED = 5.0  # how much rarer normal values would have to be


@dataclass(frozen=True)
class Probe:
    """One permuted column: which feature it comes from and the seed of its permutation."""

    feature: int
    seed: int
    is_privileged: bool = False


def draw_probes(
    n_probes: int, n_features: int, random: np.random.RandomState, *, is_privileged: bool = False
) -> list[Probe]:
    """Probes with one seed each, drawn before any work is handed out."""
    features = random.randint(n_features, size=n_probes)
    seeds = random.randint(np.iinfo(np.int32).max, size=n_probes)
    return [
        Probe(int(feature), int(seed), is_privileged)
        for feature, seed in zip(features, seeds, strict=True)
    ]


def permuted(problem: Problem, probe: Probe) -> Floats:
    """The probe's column; standardised anew where rows count differently."""
    sample = problem.sample
    table = sample.privileged if probe.is_privileged else sample.X
    assert table is not None
    order = np.random.default_rng(probe.seed).permutation(len(table))
    column = table[order, probe.feature]
    if np.ptp(sample.count) > 0:
        share = sample.count / sample.count.sum()
        column = column - share @ column
        scale = float(np.sqrt(share @ column**2))
        column = column / scale if scale > 0 else column
    return column


def appended_relevance(solver: RangeSolver, problem: Problem, probe: Probe) -> tuple[float, float]:
    """Relevance of the probe's column beside all real ones."""
    reach = 0.0  # the reference does without it, so its smallest relevance is 0
    for column, kind in problem.columns_of(permuted(problem, probe), probe.is_privileged):
        reach = solver.guest_reach(column, reach, kind=kind)
    return 0.0, reach


def replaced_relevance(
    models: EquivalentModels, problem: Problem, probe: Probe
) -> tuple[float, float] | None:
    """Relevance of the probe's column in place of its feature; None where no model is left."""
    features = problem.places_of(probe.feature, probe.is_privileged)
    columns = problem.columns_of(permuted(problem, probe), probe.is_privileged)
    X = models.X.copy()
    for feature, (column, _) in zip(features, columns, strict=True):
        X[:, feature] = column
    reference = replace(models.reference, row_duals=None)
    replaced = EquivalentModels(X, models.pieces, models.budgets, reference, kinds=models.kinds)
    if models.reference.weights[features].any():
        near = nearest_member(replaced)
        if not near.is_member:
            return None
        reference = replace(reference, weights=near.weights, offsets=near.offsets, objective=np.inf)
        replaced = replace(replaced, reference=reference)
    solver = RangeSolver(replaced)
    found = [solver.weight_range(k, signed=False).relevance for k in features]
    return max(low for low, _ in found), max(high for _, high in found)


def thresholds(relevances: ArrayLike, confidence: float) -> Floats:
    """Upper ends of the prediction intervals for one more value of noise: minrel and maxrel."""
    values = np.asarray(relevances, dtype=float).reshape(-1, 2)
    if len(values) < 2:
        return values.max(axis=0, initial=0.0)
    return np.array([_upper_end(values[:, k], confidence) for k in range(2)])


def _upper_end(values: Floats, confidence: float) -> float:
    """The upper end of an interval that holds one more value with about this probability.

    As for normal values, which these are not: how far noise can get is skewed to the right, much
    like the absolute value of a normal variable. With the quantile of normal values too many would
    pass, so the share outside is taken for a fifth of what was asked for.
    """
    n = len(values)
    outside = (1.0 - confidence) / _SKEWED
    reach = float(stats.t.isf(outside, n - 1)) * np.sqrt(1.0 + 1.0 / n)
    return float(values.mean() + reach * values.std(ddof=1))
