"""Features of several columns: their ranges are found, and compared with noise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from allrelevant import backends
from allrelevant.base.arrays import Floats, Ints
from allrelevant.base.features import Features
from allrelevant.base.progress import Progress
from allrelevant.linear.engine.program.equivalent import EquivalentModels
from allrelevant.linear.engine.ranges.solver import RangeSolver
from allrelevant.linear.fit.analysis import Analysis
from allrelevant.linear.fit.compared import Compared
from allrelevant.linear.fit.judge_several import (
    Norms,
    by_both,
    judged_several,
    limits_along,
    passes_by_rest_alone,
)
from allrelevant.linear.fit.ranges.norm_worker import NormWorker
from allrelevant.linear.fit.ranges.relevance import beyond_spare
from allrelevant.linear.fit.ranges.several import Several, none_of, tests_of
from allrelevant.linear.fit.ranges.slopes import largest_slopes, slope_factors
from allrelevant.linear.fit.ranges.spreads import SpreadRange, smallest_spread
from allrelevant.linear.fit.statistics.noise import NoiseAlike
from allrelevant.linear.fit.statistics.verdict import level_of_each, passing_level

_MOST_PROBES = 20  # of a feature; each takes many programs
_MOST_SHARED = 60  # of features that are alike
_ALIKE = 0.15  # so much may the shapes of columns differ


def find_several(
    features: Features,
    analysis: Analysis,
    *,
    n_jobs: int | None,
    random: np.random.RandomState,
    progress: Progress,
) -> tuple[Analysis, dict[int, Several]]:
    """The relevance of every feature of several columns, by its position.

    Also gives the analysis in which all columns are judged by the level that features agree on.
    """
    if not features.several:
        return analysis, {}
    models = analysis.models
    if models is None:
        return analysis, none_of(features, analysis.baseline.offsets)
    if analysis.problem.model.n_scores > 1:
        level, found = _of_classes(features, analysis, models)
    else:
        norms = _norms(features, analysis, features.columns, n_jobs, random, progress)
        level, found = judged_several(features, analysis.compared, norms)
    return replace(analysis, level_of_features=level), found


def with_privileged_several(
    features: Features,
    analysis: Analysis,
    names: Sequence[str],
    *,
    random: np.random.RandomState,
    progress: Progress,
) -> Analysis:
    """The same of privileged features, before it is asked whether these are of any use.

    Parameters
    ----------
    features : Features
        The privileged ones.
    names : sequence of str
        Names of the engine's columns.
    """
    if not features.several:
        return analysis
    n_jobs = analysis.plan.n_jobs
    norms = _norms(features, analysis, names, n_jobs, random, progress, is_privileged=True)
    level, found = judged_several(features, analysis.privileged, norms)
    return replace(analysis, privileged_level=level, privileged_several=found)


def _norms(
    features: Features,
    analysis: Analysis,
    names: Sequence[str],
    n_jobs: int | None,
    random: np.random.RandomState,
    progress: Progress,
    *,
    is_privileged: bool = False,
) -> Norms:
    """Ranges of the norms, and what noise reaches of them."""
    assert analysis.models is not None
    compared = analysis.privileged if is_privileged else analysis.compared
    drawn = _draw(features, compared, random)
    tasks: list[tuple[Ints, int | None]] = [(own, None) for own in features.several.values()]
    tasks += [(features.several[j], seed) for probes in drawn.values() for j, seed in probes]
    progress.stage("features of several columns", len(tasks))
    make = partial(
        NormWorker,
        analysis.models,
        analysis.problem,
        _ends_of_weights(analysis),
        names,
        least=None if features.curves else _least_slopes(features, compared),
        is_privileged=is_privileged,
    )
    answers = iter(backends.run(make, tasks, n_jobs, progress.advance))
    ranges = {j: next(answers) for j in features.several}
    noise: dict[int, NoiseAlike] = {}
    for alike, probes in drawn.items():
        reach = np.array([next(answers) for _ in probes]) / compared.norm
        if not is_privileged:
            reach = beyond_spare(reach, analysis.spare)
        noise |= dict.fromkeys(alike, NoiseAlike.of(reach, compared.least))
    return Norms(ranges, noise)


def _least_slopes(features: Features, compared: Compared) -> Floats:
    """For each column the slope up to which its share of the level makes its p-value 1."""
    least = np.zeros(len(features.columns))
    for own in features.several.values():
        reach = compared.reach_at(1.0 / tests_of(own))[own]
        least[own] = np.where(np.isfinite(reach), reach * compared.norm, 0.0)
    return least


def _ends_of_weights(analysis: Analysis) -> Floats:
    """Ends of the weights of the engine's columns, or bounds on them where signs were not asked."""
    found = analysis.found
    ends = np.array([r.ends for r in found.ranges])
    if not analysis.problem.n_privileged:
        return ends
    most = np.array([[one.relevance[1] for one in ranges] for ranges in found.privileged])
    side = np.column_stack([-most.T.ravel(), most.T.ravel()])
    return np.concatenate([ends, side])


def _draw(
    features: Features, compared: Compared, random: np.random.RandomState
) -> dict[tuple[int, ...], list[tuple[int, int]]]:
    """Probes, each a feature and a seed, for features whose noise is alike: such as curves."""
    shapes = compared.shapes.shape
    alike: list[list[int]] = []
    for j, own in features.several.items():
        for others in alike:
            first = features.several[others[0]]
            if len(first) == len(own) and np.abs(shapes[own] - shapes[first]).max() <= _ALIKE:
                others.append(j)
                break
        else:
            alike.append([j])
    each = min(compared.plan.n_probes or _MOST_PROBES, _MOST_PROBES)
    found = {}
    for members in alike:
        n_probes = min(each * len(members), max(each, _MOST_SHARED))
        seeds = random.randint(np.iinfo(np.int32).max, size=n_probes).tolist()
        turns = np.resize(members, n_probes).tolist()
        found[tuple(members)] = list(zip(turns, seeds, strict=True))
    return found


def _of_classes(
    features: Features, analysis: Analysis, models: EquivalentModels
) -> tuple[float, dict[int, Several]]:
    """The largest difference that one of a feature's columns makes between two classes.

    Its largest value is that of one column. So a feature passes by its slope along a single one,
    and its level is shared among them.
    """
    compared, solver = analysis.compared, RangeSolver(models)
    of_features, rest = compared.classes.p_values[features.first], compared.rest
    slopes, by_reach, errors = {}, {}, {}
    for j, own in features.several.items():
        slopes[j] = _slopes_of_classes(analysis, solver, own)
        p, error = compared.p_values_of(own, slopes[j] / compared.norm)
        best = int(np.argmin(p))
        by_reach[j] = len(own) * float(p[best])
        of_features[j], errors[j] = by_both(rest, own, by_reach[j], error[best])
    level = passing_level(of_features, *analysis.plan.rates, two_tests=rest is not None)
    compared = replace(compared, level_of_features=level)
    own_level = level_of_each(level, two_tests=rest is not None)
    found = {}
    for j, own in features.several.items():
        farthest = max((analysis.found.ranges[k] for k in own), key=lambda one: one.relevance[1])
        assert isinstance(farthest, SpreadRange)
        places = [analysis.problem.places_of(k, False) for k in own.tolist()]
        smallest = smallest_spread(solver, np.array(places, dtype=np.intp))
        limits = limits_along(compared, own, own_level / len(own), slopes[j])
        found[j] = Several(
            SpreadRange(smallest, farthest.largest),
            float(limits.max()),
            limits,
            float(of_features[j]),
            float(errors[j]),
            by_rest=passes_by_rest_alone(rest, own, by_reach[j], own_level),
        )
    return level, found


def _slopes_of_classes(analysis: Analysis, solver: RangeSolver, own: Ints) -> Floats:
    """The largest difference of two classes' slopes along each column."""
    problem, compared = analysis.problem, analysis.compared
    slopes, varied = np.zeros(len(own)), compared.shapes.scale[own] > 0
    columns = own[varied]
    if len(columns):
        places = np.array([problem.places_of(k, False) for k in columns.tolist()], dtype=np.intp)
        factors = slope_factors(problem.table(False), columns, problem.sample.count)
        least = compared.reach_at(1.0 / len(own))[columns] * compared.norm
        slopes[varied] = largest_slopes(solver, places, factors, least)
    return slopes
