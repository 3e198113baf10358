"""Half of the rows, fitted as all of them were: all that stability asks of the steps of a fit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from allrelevant.base.arrays import Floats, Ints
from allrelevant.base.features import Features
from allrelevant.base.three_classes import ACCURACY, IRRELEVANT, STRONG, WEAK
from allrelevant.data import matrix_of
from allrelevant.data.scaling import Scaling
from allrelevant.linear.engine.program.reference import Penalised
from allrelevant.linear.engine.ranges.decide import RangeDecider
from allrelevant.linear.engine.ranges.solver import RangeSolver
from allrelevant.linear.fit.analysis import Analysis
from allrelevant.linear.fit.baseline.best import equivalent_models, holding, standing_of
from allrelevant.linear.fit.baseline.tolerance import make_budgets, tolerance_of_some
from allrelevant.linear.fit.problem.problem import Problem, problem_of
from allrelevant.linear.fit.ranges.norms import largest_norm, smallest_norm
from allrelevant.linear.fit.ranges.probes import (
    Probe,
    draw_probes,
    normal_thresholds,
    replaced_relevance,
)
from allrelevant.linear.fit.ranges.relevance import ProbeReaches
from allrelevant.linear.fit.ranges.several import Several, tests_of
from allrelevant.linear.fit.ranges.slopes import largest_slopes, slope_factors
from allrelevant.linear.fit.ranges.spreads import largest_spread, smallest_spread
from allrelevant.linear.fit.rows.sample import Sample
from allrelevant.linear.fit.statistics.classes import PAPERS_CONFIDENCE
from allrelevant.linear.fit.statistics.noise import Shapes
from allrelevant.linear.fit.statistics.verdict import Rest, level_of_each, limits_at
from allrelevant.results.stability.ask import Half

_MOST_PROBES = 30  # of a half: they are most of its cost, and there are many halves
_MOST_DRAWN = 20  # observations of one row that are drawn one by one
_MOST_PATTERNS = 20  # of signs that are bounded; the best model found is near the largest norm
_FEWEST_USABLE = 10  # probes in the place of features; with fewer they stand beside them


def half_classes(
    analysis: Analysis,
    features: Features,
    several: Mapping[int, Several],
    half: Half,
    standardize: bool = True,
) -> Ints:
    """The class of every feature, by a fit of some rows with what was chosen on all of them.

    Model, C·n and γ stay as they are, so that nothing is searched for, and so does the level that
    p-values have to keep. The tolerance follows the rule of the fit: with fewer rows more models
    are equivalent.
    """
    problem, baseline, plan = analysis.problem, analysis.baseline, analysis.plan
    rows, some = some_observations(problem.sample, half.rows)
    scaled, scaling = _scaled(some, standardize)
    own = problem_of(problem.model, scaled)
    times = float(problem.sample.weight.sum() / own.sample.weight.sum())
    C = baseline.C * times
    start = _start(own, analysis.reference, rows, times)
    path = plan.baseline.rescaled(scaling).path(own, start, chosen=False)
    fitted = path.solve(C, baseline.side_price)
    if fitted.norm <= 0:
        return np.full(len(features), IRRELEVANT)
    standing = standing_of(own, fitted, plan)
    fitted, reference = standing.baseline, standing.reference
    room = tolerance_of_some(plan.tolerance, own, reference, times * analysis.tolerance[0])
    budgets = make_budgets(plan.budget, fitted, room, privileged=own.n_privileged > 0)
    solver = RangeDecider(equivalent_models(own, reference, holding(budgets, reference)))
    # The rule of `classify`, in the engine's units.
    random = np.random.RandomState(half.seed)
    rest = None if analysis.unexplained is None else analysis.unexplained.rest_of(own)
    limits = _limits(analysis, features, solver, own, random, rest) / fitted.norm
    limits = np.maximum(limits, ACCURACY)
    classes = (
        _decided(solver, limits * fitted.norm, features)
        if own.model.n_scores == 1
        else _decided_spreads(solver, own, limits * fitted.norm)
    )
    found = features.largest(classes)
    for j, columns in features.several.items():
        if own.model.n_scores > 1:
            places = np.array([own.places_of(k, False) for k in columns.tolist()], dtype=np.intp)
            needed = smallest_norm(solver, places.ravel()).value > 0.0
            found[j] = found[j] and (STRONG if needed else WEAK)
            continue
        varied = columns[solver.models.largest_by_feature[columns] > 0]  # others have no weight
        if not len(varied):
            found[j] = IRRELEVANT
            continue
        alone = IRRELEVANT
        if j not in features.by_norm and _slope_passes(solver, own, varied, limits * fitted.norm):
            alone = WEAK
        limit = _limit_together(analysis, several[j], tests_of(columns), varied, limits, rest)
        ends = np.array([ACCURACY, limit]) * fitted.norm
        found[j] = _decided_together(solver, varied, alone, ends)
    return found


def observations_to_draw(sample: Sample) -> Ints:
    """The row of each observation to draw halves from; of very many, as many as show no grain."""
    return np.repeat(np.arange(len(sample)), np.minimum(sample.numbers, _MOST_DRAWN).astype(int))


def some_observations(sample: Sample, drawn: Ints) -> tuple[Ints, Sample]:
    """The rows of those that were drawn, and the sample they make."""
    row = observations_to_draw(sample)
    share = np.bincount(row[drawn], minlength=len(sample)) / np.bincount(row)
    rows = np.flatnonzero(share)
    return rows, sample.take(rows, np.rint(share * sample.numbers)[rows])


def _limits(
    analysis: Analysis,
    features: Features,
    solver: RangeSolver,
    own: Problem,
    random: np.random.RandomState,
    rest: Rest | None,
) -> Floats:
    """What noise reaches among some rows: for the smallest and the largest relevance of each.

    Few probes say where noise is; what its tail looks like all rows have told.
    """
    plan, in_place = analysis.plan, analysis.plan.probes == "replace"
    n_probes = min(plan.n_probes or _MOST_PROBES, _MOST_PROBES)
    probes = draw_probes(n_probes, own.useful_columns(False), random)
    noise = _noise(solver, own, probes, in_place)
    if in_place:
        common = normal_thresholds(noise.values, plan.confidence or PAPERS_CONFIDENCE)
        return np.tile(common, (own.n_features, 1))
    shapes = Shapes.of(own.sample.X, own.sample.count)
    if analysis.tail is not None:
        permuted = np.array([probe.feature for probe in noise.probes], dtype=np.intp)
        tail = analysis.tail.shifted_to(noise.values[:, 1], shapes.take(permuted))
        tail = replace(tail, least=own.sample.least_p_value)
    else:
        tail = noise.tail(shapes)
    level = analysis.compared.level
    upper = limits_at(level, tail, shapes, rest)
    own_level = level_of_each(level, two_tests=rest is not None)
    for columns in features.several.values():
        upper[columns] = tail.reach_at(own_level / tests_of(columns), shapes.take(columns))
    return np.column_stack([np.zeros(own.n_features), upper])


def _decided(solver: RangeDecider, limits: Floats, features: Features) -> Ints:
    """Classes by limits for the smallest and the largest relevance of features of one column."""
    classes = np.full(len(limits), IRRELEVANT)
    single = [own[0] for own in features.places if len(own) == 1]
    for k in solver.models.in_order(single):
        if solver.can_exceed(k, limits[k, 1]):
            classes[k] = STRONG if solver.must_exceed(k, limits[k, 0]) else WEAK
    return classes


def _decided_spreads(solver: RangeSolver, own: Problem, limits: Floats) -> Ints:
    """Classes of features that have a weight for each of several classes."""
    classes = np.full(len(limits), IRRELEVANT)
    for k, (lower, upper) in enumerate(limits):
        places = np.array(own.places_of(k, False), dtype=np.intp)
        most, seen = largest_spread(solver, places, upper)
        if most.value > upper:
            needed = smallest_spread(solver, places[None, :], seen).value > lower
            classes[k] = STRONG if needed else WEAK
    return classes


def _slope_passes(solver: RangeDecider, own: Problem, columns: Ints, limits: Floats) -> bool:
    """Whether a feature's slope along one of its columns exceeds the limit of the column."""
    factors = slope_factors(own.table(False), columns, own.sample.count)
    least = limits[columns, 1]
    return bool((largest_slopes(solver, columns[:, None], factors, least) > least).any())


def _limit_together(
    analysis: Analysis,
    one: Several,
    n_tests: float,
    columns: Ints,
    limits: Floats,
    rest: Rest | None,
) -> float:
    """What the norm of several columns has to exceed: nothing where what others leave is enough.

    Noise reaches as much farther with all of these columns as it does among all rows.
    """
    own_level = level_of_each(analysis.compared.level, two_tests=rest is not None)
    if rest is not None and rest.p_values[columns[0]] <= own_level:
        return ACCURACY
    usual = analysis.compared.limits(columns, own_level / n_tests)
    farther = one.noise / (float(usual.mean()) or 1.0)
    return max(farther * float(limits[columns, 1].mean()), ACCURACY)


def _decided_together(solver: RangeDecider, columns: Ints, alone: int, limits: Floats) -> int:
    """The class of several columns; `alone` is weak where one of them is enough."""
    if alone == IRRELEVANT:
        far = np.full(len(columns), solver.models.largest_norm)
        most = largest_norm(solver, columns, -far, far, most_programs=_MOST_PATTERNS)
        if most.attained.value <= limits[1]:
            return IRRELEVANT
    needed = smallest_norm(solver, columns).value > limits[0]
    return STRONG if needed else WEAK


def _scaled(sample: Sample, standardize: bool) -> tuple[Sample, Scaling]:
    """The rows with columns of scales of their own; what is constant among them becomes 0."""
    make = partial(Scaling.for_models, standardize=standardize)
    scaling = make(sample.X, sample.count)
    scaled = replace(sample, X=scaling.of_matrix(sample.X))
    if sample.privileged is not None:
        own = make(matrix_of(sample.privileged), sample.count)
        scaled = replace(scaled, privileged=own.apply(sample.privileged))
    return scaled, scaling


def _start(own: Problem, reference: Penalised, rows: Ints, times: float) -> Penalised | None:
    """The model of all rows, which is near that of a half.

    Where slacks are functions it would have to keep every row, and in other scales it does not.
    """
    if own.n_privileged:
        return None
    return replace(reference, row_duals=own.part_of(reference.row_duals, rows, times))


def _noise(
    solver: RangeSolver, own: Problem, probes: Sequence[Probe], in_place: bool
) -> ProbeReaches:
    """Smallest and largest relevance of probes."""
    if in_place:
        found = [replaced_relevance(solver.models, own, probe) for probe in probes]
        usable = [one for one in found if one is not None]
        if len(usable) >= min(_FEWEST_USABLE, len(probes)):
            return ProbeReaches((), np.array(usable))
    reaches = {probe: probe.ask(solver, own) for probe in probes}
    proven = {probe: value for probe, value in reaches.items() if value is not None}
    values = np.array(list(proven.values())).reshape(-1, 2)
    return ProbeReaches(tuple(proven), values, len(values))
