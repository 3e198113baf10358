"""Features of several columns, such as a category: one interval for all of them, and one class."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from allrelevant import backends
from allrelevant.base.arrays import Floats, Ints, Mask
from allrelevant.base.features import Features
from allrelevant.base.progress import Progress
from allrelevant.base.three_classes import ACCURACY, classify
from allrelevant.linear.engine.equivalent import EquivalentModels
from allrelevant.linear.engine.ranges import RangeSolver
from allrelevant.linear.engine.weight_range import End, Witness
from allrelevant.linear.fit.analysis import Analysis
from allrelevant.linear.fit.noise import NoiseAlike
from allrelevant.linear.fit.norm_worker import NormWorker
from allrelevant.linear.fit.norms import LargestNorm, NormRange
from allrelevant.linear.fit.spreads import SpreadRange, smallest_spread
from allrelevant.linear.fit.verdict import passing_level

_MOST_PROBES = 20  # of a feature; each takes many programs
_MOST_SHARED = 60  # of features that are alike
_ALIKE = 0.15  # so much may the shapes of columns differ


@dataclass(frozen=True, eq=False)
class Several:
    """What a fit has found of a feature of several columns.

    Parameters
    ----------
    range : NormRange or SpreadRange
        Of the sum of their absolute weights, in the engine's units; of several classes the largest
        difference that one of the columns makes between two.
    noise : float
        What the same columns reach when their rows are permuted together, as a share.
    limits : array
        What noise reaches in each column, where one of them alone has to pass for all.
    p_value, p_error : float
        The probability that noise would pass as easily, and the standard error of its logarithm.
    """

    range: NormRange | SpreadRange
    noise: float
    limits: Floats
    p_value: float = 1.0
    p_error: float = 0.0

    def judged(self, interval: Floats, columns: Floats) -> tuple[int, float]:
        """The class of several columns, and their noise threshold; by what each is alone, too.

        Levels of a category that make up all samples can have any constant in common, and so can
        permuted ones: their largest sums say little. A column that passes its own limit is enough
        for the feature.

        Parameters
        ----------
        interval : array
            Relevance of all columns together.
        columns : array of shape (n_columns, 2)
            That of each.
        """
        limit = self.noise
        if (columns[:, 1] > np.maximum(self.limits, ACCURACY)).any():
            limit = min(limit, float(self.limits.min()))
        return int(classify(interval[None], np.array([0.0, limit]))[0]), limit


class ColumnValues(NamedTuple):
    """What is known of all columns, each by itself; relevances and weights are shares.

    `limits` is what noise reaches in each, `weights` are those of the baseline; `is_bound` tells
    intervals that are not exact.
    """

    intervals: Floats
    signed_intervals: Floats
    classes: Ints
    limits: Floats
    weights: Floats
    is_bound: Mask


def by_feature(
    features: Features,
    columns: ColumnValues,
    several: Mapping[int, Several],
    ranges: Mapping[int, NormRange | SpreadRange],
    norm: float,
) -> dict[str, Any]:
    """The fields of a result: a feature of one column is that column.

    Parameters
    ----------
    several : mapping from int to Several
        What the fit has found of features of several columns.
    ranges : mapping from int to NormRange
        Their norms; under constraints these are others than the fit's.
    norm : float
        The baseline's, of which relevances are shares.
    """
    known = {name: values[features.first] for name, values in columns._asdict().items()}
    for j, own in features.several.items():
        interval = np.array(ranges[j].relevance) / norm
        known["intervals"][j], known["signed_intervals"][j] = interval, ranges[j].ends
        label, limit = several[j].judged(interval, columns.intervals[own])
        known["classes"][j], known["limits"][j] = label, limit
        known["weights"][j] = np.abs(columns.weights[own]).sum()
        known["is_bound"][j] = not ranges[j].is_exact
    known["noise_thresholds"] = known.pop("limits")
    known["is_bound"] = known["is_bound"] if known["is_bound"].any() else known["is_bound"][:0]
    shown = {
        features.names[j]: {
            "names": [features.columns[k] for k in own],
            "intervals": columns.intervals[own],
            "signed_intervals": columns.signed_intervals[own],
            "weights": columns.weights[own],
            "noise_thresholds": columns.limits[own],
            "is_exact": ranges[j].is_exact,
        }
        for j, own in features.several.items()
    }
    return known | {"columns": shown}


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
    if analysis.models is None:
        # The baseline is the only model, and a witness of everything.
        nothing = End(0.0, Witness.of(np.zeros(0), analysis.baseline.offsets))
        point = NormRange(nothing, LargestNorm(nothing, 0.0))
        only = {j: Several(point, 0.0, np.zeros(len(own))) for j, own in features.several.items()}
        return analysis, only
    if analysis.problem.model.n_scores > 1:
        return _of_classes(features, analysis, analysis.models)
    drawn = _draw(features, analysis, random)
    tasks: list[tuple[Ints, int | None]] = [(own, None) for own in features.several.values()]
    tasks += [(features.several[j], seed) for probes in drawn.values() for j, seed in probes]
    progress.stage("features of several columns", len(tasks))
    ends = np.array([r.ends for r in analysis.found.ranges])
    has_curves = bool(features.curves)
    make = partial(
        NormWorker, analysis.models, analysis.problem, ends, features.columns, has_curves
    )
    answers = iter(backends.run(make, tasks, n_jobs, progress.advance))
    found = {j: next(answers) for j in features.several}
    ranges = {j: range_ for j, (range_, _) in found.items()}
    reaches = {j: reach for j, (_, reach) in found.items()}
    noise: dict[int, NoiseAlike] = {}
    for alike, probes in drawn.items():
        shared = NoiseAlike.of(np.array([next(answers) for _ in probes]) / analysis.norm)
        noise |= dict.fromkeys(alike, shared)
    return _compared(features, analysis, ranges, reaches, noise)


def _draw(
    features: Features, analysis: Analysis, random: np.random.RandomState
) -> dict[tuple[int, ...], list[tuple[int, int]]]:
    """Probes, each a feature and a seed, for features whose noise is alike: such as curves."""
    problem = analysis.problem
    shapes = problem.shapes.shape
    alike: list[list[int]] = []
    for j, own in features.several.items():
        for others in alike:
            first = features.several[others[0]]
            if len(first) == len(own) and np.abs(shapes[own] - shapes[first]).max() <= _ALIKE:
                others.append(j)
                break
        else:
            alike.append([j])
    each = min(analysis.plan.n_probes or _MOST_PROBES, _MOST_PROBES)
    found = {}
    for members in alike:
        n_probes = min(each * len(members), max(each, _MOST_SHARED))
        seeds = random.randint(np.iinfo(np.int32).max, size=n_probes).tolist()
        turns = np.resize(members, n_probes).tolist()
        found[tuple(members)] = list(zip(turns, seeds, strict=True))
    return found


def _compared(
    features: Features,
    analysis: Analysis,
    ranges: Mapping[int, NormRange],
    reaches: Mapping[int, float],
    noise: Mapping[int, NoiseAlike],
) -> tuple[Analysis, dict[int, Several]]:
    """All features compared with noise, by one level.

    Of many columns a probe's largest norm is found by climbing alone, which ends below it now and
    then; so a feature's own is compared as climbing finds it, and its threshold is so much higher.

    A feature of several columns passes by the norm of all of them or by a single one; so its level
    is shared, half and half, and the second half among its columns. That is Bonferroni's rule.
    Where there are curves only the norm counts.
    """
    p, error = analysis.classes.p_values, analysis.p_errors()
    of_features = p[features.first]
    own_error = {}
    for j, own in features.several.items():
        together, its_error = noise[j].p_value(reaches[j] / analysis.norm)
        if j in features.by_norm:
            of_features[j], own_error[j] = together, its_error
            continue
        best = own[np.argmin(p[own])]
        both = [(2.0 * together, its_error), (tests_of(own) * p[best], error[best])]
        smaller, own_error[j] = min(both)
        of_features[j] = min(smaller, 1.0)
    level = passing_level(of_features, *analysis.plan.rates)
    analysis = replace(analysis, level_of_features=level)
    found = {}
    for j, own in features.several.items():
        share, limits = level / 2.0, analysis.limits(own, level / tests_of(own))
        if j in features.by_norm:
            share, limits = level, np.full(len(own), np.inf)
        threshold = noise[j].reach_at(share) * _farther(ranges[j], reaches[j])
        found[j] = Several(ranges[j], threshold, limits, float(of_features[j]), float(own_error[j]))
    return analysis, found


def _farther(range_: NormRange, reach: float) -> float:
    """How much more the largest norm is than what climbing finds."""
    return max(range_.relevance[1] / reach, 1.0) if reach > 0 else 1.0


def tests_of(columns: Ints) -> float:
    """How many tests each of a feature's columns is one of."""
    return 2.0 * len(columns)


def _of_classes(
    features: Features, analysis: Analysis, models: EquivalentModels
) -> tuple[Analysis, dict[int, Several]]:
    """The largest difference that one of a feature's columns makes between two classes.

    Its largest value is that of one column. So a feature passes by a single one, and its level is
    shared among them.
    """
    p, error = analysis.classes.p_values, analysis.p_errors()
    of_features = p[features.first]
    for j, own in features.several.items():
        of_features[j] = min(len(own) * float(p[own].min()), 1.0)
    level = passing_level(of_features, *analysis.plan.rates)
    analysis = replace(analysis, level_of_features=level)
    found, solver = {}, RangeSolver(models)
    for j, own in features.several.items():
        farthest = max((analysis.found.ranges[k] for k in own), key=lambda one: one.relevance[1])
        assert isinstance(farthest, SpreadRange)
        places = [analysis.problem.places_of(k, False) for k in own.tolist()]
        smallest = smallest_spread(solver, np.array(places, dtype=np.intp))
        limits = analysis.limits(own, level / len(own))
        found[j] = Several(
            SpreadRange(smallest, farthest.largest),
            float(limits.max()),
            limits,
            float(of_features[j]),
            float(error[own[np.argmin(p[own])]]),
        )
    return analysis, found
