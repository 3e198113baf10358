"""What relevance noise reaches: permuted columns asked the same questions as real ones."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from allrelevant.base.arrays import Floats, Ints
from allrelevant.linear.engine.batch.foresight import Question
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

    def column(self, problem: Problem) -> Floats:
        """The permuted column."""
        return problem.noise(self.feature, self.seed, self.is_privileged)

    def columns(self, problem: Problem) -> list[tuple[Floats, int]]:
        """What stands for it in programs: columns, each with one that costs the same."""
        return problem.columns_of(self.column(problem), self.is_privileged)

    def ask(
        self, solver: RangeSolver, problem: Problem, prospects: Prospects | None = None
    ) -> tuple[float, float] | None:
        """Its relevance beside the features; None where it could not be proven.

        Of several classes only pairs with `prospects` are solved.
        """
        if problem.model.n_scores == 1:
            return solver.ask(self.question(solver, problem))
        try:
            return 0.0, _reach_of_classes(solver, problem, self, prospects)
        except UnprovenError:
            return None

    def question(
        self, solver: RangeSolver, problem: Problem
    ) -> Question[tuple[float, float] | None]:
        """How to find the relevance of its column beside all real ones.

        It is `least` where that is more, and None where it could not be proven.
        """
        reach = self.least  # the reference does without it, so its smallest relevance is 0
        try:
            for column, like in self.columns(problem):
                reach = yield from solver.guest_question(
                    column, reach, like, one_sided=self.one_sided
                )
        except UnprovenError:
            return None
        return 0.0, reach


def draw_probes(
    n_probes: int, features: Ints, random: np.random.RandomState, *, is_privileged: bool = False
) -> list[Probe]:
    """Probes of some of the features with one seed each, drawn before any work is handed out."""
    chosen = features[random.randint(len(features), size=n_probes)]
    seeds = random.randint(np.iinfo(np.int32).max, size=n_probes)
    pairs = zip(chosen.tolist(), seeds.tolist(), strict=True)
    return [Probe(feature, seed, is_privileged) for feature, seed in pairs]


def _reach_of_classes(
    solver: RangeSolver, problem: Problem, probe: Probe, prospects: Prospects | None
) -> float:
    """How far the probe can set two classes apart beside the features, or its `least` if more."""
    beside, places = _beside(solver.models, probe.columns(problem))
    if beside.is_large:  # it would take many programs to find out what they need
        beside.working_set.learn_from(solver.working_set)
    reach = reach_of_noise(beside, places, probe.least, prospects)
    if beside.is_large and not solver.solved:  # what one calls in most others would
        solver.working_set.learn_from(beside.working_set)
    solver.count(beside)
    return reach


def surveyed(
    models: EquivalentModels, problem: Problem, probe: Probe
) -> tuple[Floats, Floats] | None:
    """How the probe's weights are pulled, and how far it sets every pair of classes apart.

    None where that could not be proven.
    """
    solver, places = _beside(models, probe.columns(problem))
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
    columns = probe.columns(problem)
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
