"""Features of several columns, such as a category: one interval for all of them, and one class."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from allrelevant import backends
from allrelevant.base.arrays import Floats, Ints
from allrelevant.base.features import Features
from allrelevant.base.progress import Progress
from allrelevant.base.three_classes import classify
from allrelevant.linear.engine.equivalent import EquivalentModels
from allrelevant.linear.engine.ranges import End, RangeSolver, Witness
from allrelevant.linear.fit.analysis import Analysis
from allrelevant.linear.fit.noise import reach_of_noise
from allrelevant.linear.fit.norms import (
    LargestNorm,
    NormRange,
    climbed_norm,
    largest_norm,
    smallest_norm,
)
from allrelevant.linear.fit.probes import Probe, permuted
from allrelevant.linear.fit.problem import Problem
from allrelevant.linear.fit.spreads import SpreadRange, smallest_spread

_MOST_PROBES = 20  # of a feature; each takes many programs


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
    """

    range: NormRange | SpreadRange
    noise: float


class ColumnValues(NamedTuple):
    """What is known of all columns, each by itself; relevances and weights are shares.

    `limits` is what noise reaches in each, `weights` are those of the baseline.
    """

    intervals: Floats
    signed_intervals: Floats
    classes: Ints
    limits: Floats
    weights: Floats


def by_feature(
    features: Features,
    columns: ColumnValues,
    ranges: Mapping[int, NormRange | SpreadRange],
    noise: Mapping[int, float],
    norm: float,
) -> dict[str, Any]:
    """The fields of a result: a feature of one column is that column.

    Parameters
    ----------
    ranges, noise : mapping from int
        The norm of each feature of several columns, and what noise reaches in it.
    norm : float
        The baseline's, of which relevances are shares.
    """
    known = {name: values[features.first] for name, values in columns._asdict().items()}
    for j, own in features.several.items():
        interval = np.array(ranges[j].relevance) / norm
        known["intervals"][j], known["signed_intervals"][j] = interval, ranges[j].ends
        label, limit = judged(interval, noise[j], columns.classes[own], columns.limits[own])
        known["classes"][j], known["limits"][j] = label, limit
        known["weights"][j] = np.abs(columns.weights[own]).sum()
    known["noise_thresholds"] = known.pop("limits")
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


def judged(interval: Floats, noise: float, classes: Ints, limits: Floats) -> tuple[int, float]:
    """The class of several columns, and their noise threshold; by what each is by itself, too.

    Levels of a category that make up all samples can have any constant in common, and so can
    permuted ones: their largest sums say little. A column that passes the threshold of single
    columns is enough for the feature.
    """
    limit = min(noise, float(limits.min())) if classes.any() else noise
    return int(classify(interval[None], np.array([0.0, limit]))[0]), limit


def find_several(
    features: Features,
    analysis: Analysis,
    *,
    n_jobs: int | None,
    random: np.random.RandomState,
    progress: Progress,
) -> dict[int, Several]:
    """The relevance of every feature of several columns, by its position."""
    if not features.several:
        return {}
    if analysis.models is None:
        # The baseline is the only model, and a witness of everything.
        nothing = End(0.0, Witness.of(np.zeros(0), analysis.baseline.offsets))
        only = Several(NormRange(nothing, LargestNorm(nothing, 0.0)), 0.0)
        return dict.fromkeys(features.several, only)
    if analysis.problem.model.n_scores > 1:
        return {
            j: _of_classes(analysis.models, analysis, own) for j, own in features.several.items()
        }
    n_probes = min(analysis.plan.n_probes or _MOST_PROBES, _MOST_PROBES)
    tasks: list[tuple[Ints, int | None]] = []
    for columns in features.several.values():
        seeds = random.randint(np.iinfo(np.int32).max, size=n_probes).tolist()
        tasks += [(columns, None), *((columns, seed) for seed in seeds)]
    progress.stage("features of several columns", len(tasks))
    ends = np.array([r.ends for r in analysis.found.ranges])
    make = partial(NormWorker, analysis.models, analysis.problem, ends, features.columns)
    answers = backends.run(make, tasks, n_jobs, progress.advance)
    found = {}
    for k, j in enumerate(features.several):
        whole, *probes = answers[k * (n_probes + 1) : (k + 1) * (n_probes + 1)]
        found[j] = Several(whole, reach_of_noise(np.array(probes) / analysis.norm, analysis.level))
    return found


def _of_classes(models: EquivalentModels, analysis: Analysis, columns: Ints) -> Several:
    """The largest difference that one of the columns makes between two classes.

    Its largest value is that of one column, and noise in each is known already.
    """
    problem, known = analysis.problem, [analysis.found.ranges[k].relevance[1] for k in columns]
    best = analysis.found.ranges[int(columns[int(np.argmax(known))])]
    assert isinstance(best, SpreadRange)
    places = np.array([problem.places_of(k, False) for k in columns.tolist()], dtype=np.intp)
    smallest = smallest_spread(RangeSolver(models), places)
    return Several(
        SpreadRange(smallest, best.largest), float(analysis.classes.upper[columns].max())
    )


class NormWorker:
    """Finds the range of the norm of columns, or the largest of their permuted copies."""

    def __init__(
        self, models: EquivalentModels, problem: Problem, ends: Floats, names: Sequence[str]
    ) -> None:
        self._models, self._problem, self._ends, self._names = models, problem, ends, names

    def __call__(self, task: tuple[Ints, int | None]) -> Any:  # a NormRange, or a number
        """Do one task: columns, and the seed of a permutation or None."""
        columns, seed = task
        columns = columns[self._models.largest_by_feature[columns] > 0]  # constants have no weight
        if seed is not None:
            return self._of_probe(columns, seed)
        solver = RangeSolver(self._models, self._names)
        largest = largest_norm(solver, columns, *self._ends[columns].T)
        return NormRange(smallest_norm(solver, columns), largest)

    def _of_probe(self, columns: Ints, seed: int) -> float:
        """The same columns beside the data, their rows permuted together."""
        models = self._models
        problem, copies = self._problem, []
        for feature in columns.tolist():
            ((copy, _),) = problem.columns_of(permuted(problem, Probe(feature, seed)), False)
            copies.append(copy)
        if not copies:
            return 0.0
        larger = models.beside(np.column_stack(copies))
        places = models.n_features + np.arange(len(columns))
        # The reference does without the copies.
        return climbed_norm(RangeSolver(larger), places, np.random.default_rng(seed))
