"""What relevance noise reaches: permuted columns asked the same questions as real ones."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from allrelevant.base.arrays import Floats, Ints
from allrelevant.linear.engine.program.equivalent import EquivalentModels
from allrelevant.linear.engine.program.optimum import UnprovenError
from allrelevant.linear.engine.ranges.nearest import nearest_member
from allrelevant.linear.engine.ranges.solver import RangeSolver
from allrelevant.linear.fit.problem.problem import Problem
from allrelevant.linear.fit.ranges.prospects import Prospects
from allrelevant.linear.fit.ranges.spreads import (
    all_spreads,
    pulls_of,
    reach_of_noise,
    spread_range,
)


@dataclass(frozen=True)
class Probe:
    """One permuted column: which feature it comes from and the seed of its permutation.

    A reach of less than `least` need not be known exactly. `one_sided` probes are only asked for
    the side to which the baseline pulls them, which is nearly always the farther one.
    """

    feature: int
    seed: int
    is_privileged: bool = False
    least: float = 0.0
    one_sided: bool = False

    def ask(
        self, solver: RangeSolver, problem: Problem, prospects: Prospects | None
    ) -> tuple[float, float] | None:
        """Its relevance beside the features, as one task among others."""
        return appended_relevance(solver, problem, self, prospects)


def draw_probes(
    n_probes: int, features: Ints, random: np.random.RandomState, *, is_privileged: bool = False
) -> list[Probe]:
    """Probes of some of the features with one seed each, drawn before any work is handed out."""
    chosen = features[random.randint(len(features), size=n_probes)]
    seeds = random.randint(np.iinfo(np.int32).max, size=n_probes)
    pairs = zip(chosen.tolist(), seeds.tolist(), strict=True)
    return [Probe(feature, seed, is_privileged) for feature, seed in pairs]


def permuted(problem: Problem, probe: Probe) -> Floats:
    """The probe's column."""
    return problem.noise(probe.feature, probe.seed, probe.is_privileged)


def appended_relevance(
    solver: RangeSolver, problem: Problem, probe: Probe, prospects: Prospects | None = None
) -> tuple[float, float] | None:
    """Relevance of the probe's column beside all real ones, or `probe.least` where that is more.

    None where it could not be proven. Of several classes only pairs with `prospects` are solved.
    """
    reach = probe.least  # the reference does without it, so its smallest relevance is 0
    columns = problem.columns_of(permuted(problem, probe), probe.is_privileged)
    try:
        if problem.model.n_scores > 1:
            beside, places = _beside(solver.models, columns)
            if beside.is_large:  # it would take many programs to find out what they need
                beside.working_set.learn_from(solver.working_set)
            reach = reach_of_noise(beside, places, reach, prospects)
            if beside.is_large and not solver.solved:  # what one calls in most others would
                solver.working_set.learn_from(beside.working_set)
            solver.count(beside)
            return 0.0, reach
        for column, like in columns:
            reach = solver.guest_reach(column, reach, like=like, one_sided=probe.one_sided)
    except UnprovenError:
        return None
    return 0.0, reach


def surveyed(
    models: EquivalentModels, problem: Problem, probe: Probe
) -> tuple[Floats, Floats] | None:
    """How the probe's weights are pulled, and how far it sets every pair of classes apart.

    None where that could not be proven.
    """
    solver, places = _beside(models, problem.columns_of(permuted(problem, probe), False))
    try:
        return pulls_of(solver.models, places), all_spreads(solver, places)
    except UnprovenError:
        return None


def _beside(
    models: EquivalentModels, columns: list[tuple[Floats, int]]
) -> tuple[RangeSolver, Ints]:
    """A solver of the models that know more columns, one for each class, and their places."""
    larger = models.beside(np.column_stack([column for column, _ in columns]))
    return RangeSolver(larger), models.n_features + np.arange(len(columns))


def replaced_relevance(
    models: EquivalentModels, problem: Problem, probe: Probe
) -> tuple[float, float] | None:
    """Relevance of the probe's column in place of its feature; None where no model is left."""
    features = problem.places_of(probe.feature, probe.is_privileged)
    columns = problem.columns_of(permuted(problem, probe), probe.is_privileged)
    places = np.array(features, dtype=np.intp)
    X = models.X.replaced(places, np.column_stack([column for column, _ in columns]))
    reference = replace(models.reference, row_duals=None)
    replaced = EquivalentModels(X, models.pieces, models.budgets, reference, kinds=models.kinds)
    if models.reference.weights[features].any():
        near = nearest_member(replaced)
        if not near.is_member:
            return None
        reference = replace(reference, weights=near.weights, offsets=near.offsets, objective=np.inf)
        replaced = replace(replaced, reference=reference)
    solver = RangeSolver(replaced)
    if problem.model.n_scores > 1:
        return spread_range(solver, features).relevance
    found = [solver.weight_range(k, signed=False).relevance for k in features]
    return max(low for low, _ in found), max(high for _, high in found)


def normal_thresholds(relevances: ArrayLike, confidence: float) -> Floats:
    """The papers' thresholds: upper ends of prediction intervals for one more value of noise.

    As for normal values, mean + t·σ·√(1 + 1/n), for the smallest and the largest relevance. They
    are not normal but skewed to the right, so that more noise passes than the confidence says.
    """
    values = np.asarray(relevances, dtype=float).reshape(-1, 2)
    n = len(values)
    if n < 2:
        return values.max(axis=0, initial=0.0)
    reach = float(stats.t.ppf(confidence, n - 1)) * np.sqrt(1.0 + 1.0 / n)
    return values.mean(axis=0) + reach * values.std(axis=0, ddof=1)
