"""What tells one class from another, over all equivalent models."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from allrelevant import backends
from allrelevant.base.arrays import Floats, Ints
from allrelevant.base.three_classes import classify
from allrelevant.linear.engine.program.direction import Direction
from allrelevant.linear.engine.program.equivalent import EquivalentModels
from allrelevant.linear.engine.ranges.solver import RangeSolver
from allrelevant.linear.questions.fitted_set import FittedSet
from allrelevant.linear.questions.scores.contrast import class_positions
from allrelevant.results.relevance import RelevanceResult


def find_between(
    fitted: FittedSet, first: Any, second: Any, *, n_jobs: int | None = None
) -> RelevanceResult:
    """The range of the difference of every feature's weights for two classes."""
    k, other = class_positions(fitted, first, second)
    if fitted.model.n_scores == 1:
        return fitted.result if k < other else _turned(fitted.result)
    before, features = fitted.result, fitted.features
    norm, d = before.baseline["norm"] or 1.0, fitted.n_columns
    weights = fitted.analysis.baseline.weights
    ends = np.zeros((d, 2))
    if fitted.models is not None:
        make = partial(DifferenceWorker, fitted.models, (k * d, other * d))
        ends = np.array(backends.run(make, range(d), n_jobs, lambda n: None)) / norm
    least = np.maximum(0.0, np.maximum(ends[:, 0], -ends[:, 1]))
    sizes = np.column_stack([least, np.abs(ends).max(axis=1)])
    farthest = np.array([own[int(np.argmax(sizes[list(own), 1]))] for own in features.places])
    intervals = sizes[farthest]
    nothing = np.full(len(features), np.nan)
    return replace(
        before,
        intervals=intervals,
        signed_intervals=ends[farthest],
        classes=classify(intervals, before.thresholds, before.upper_thresholds),
        weights=((weights[other * d : (other + 1) * d] - weights[k * d : (k + 1) * d]) / norm)[
            farthest
        ],
        p_values=nothing,
        q_values=nothing,
        borderline=np.zeros(len(features), dtype=bool),
        needed_up_to=np.empty(0),
        columns={},
    )


def _turned(result: RelevanceResult) -> RelevanceResult:
    """The result with positive weights for the other class."""
    return replace(
        result, signed_intervals=-result.signed_intervals[:, ::-1], weights=-result.weights
    )


class DifferenceWorker:
    """Finds both ends of the difference of a column's weights in two blocks of columns."""

    def __init__(self, models: EquivalentModels, blocks: tuple[int, int]) -> None:
        self._solver, self._blocks = RangeSolver(models), np.array(blocks)

    def __call__(self, column: int) -> tuple[float, float]:
        """The least and the largest weight in the second block less that in the first."""
        places: Ints = self._blocks + column
        if not self._solver.models.largest_by_feature[places].any():
            return 0.0, 0.0
        return -self._most(places, np.array([1.0, -1.0])), self._most(places, np.array([-1.0, 1.0]))

    def _most(self, places: Ints, factors: Floats) -> float:
        found = self._solver.maximise(Direction(places, factors, label="two classes"))
        return self._solver.models.rounded(found.value, 0, found.gap)
