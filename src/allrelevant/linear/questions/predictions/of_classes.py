"""Which classes equivalent models predict, where each has a score.

A class is predicted where it is ahead of all others: its lead is the least of its differences to
them. The smallest lead of a class is the least of as many linear programs; the largest is found by
cuts, as the smallest spread is: of mixtures of known models, which are models, the one that is most
ahead, and then a model that gets farther where that one is held back.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np
from scipy.optimize import linprog

from allrelevant import backends
from allrelevant.base.arrays import Floats, Ints
from allrelevant.base.progress import Progress
from allrelevant.linear.engine.program.direction import Direction
from allrelevant.linear.engine.program.equivalent import EquivalentModels
from allrelevant.linear.engine.program.optimum import SolverError
from allrelevant.linear.engine.ranges.solver import RangeSolver
from allrelevant.linear.questions.fitted_set import FittedSet
from allrelevant.linear.questions.predictions.offset_room import with_all_offsets
from allrelevant.linear.questions.predictions.prediction_range import PredictionRange

_MOST_CUTS = 200
_CHUNK = 5  # samples of one task


def find_class_ranges(
    fitted: FittedSet,
    samples: Floats,
    asked: Mapping[str, Any],
    *,
    ends: bool,
    n_jobs: int | None,
    progress: Progress,
) -> PredictionRange:
    """By how much each class can be ahead of all others, and behind.

    Without `ends` it is only found out which classes can be ahead at all.
    """
    K, found = fitted.model.n_scores, []
    distinct, where = np.unique(samples, axis=0, return_inverse=True)
    chunks = np.array_split(np.arange(len(distinct)), -(-len(distinct) // _CHUNK))
    for models in fitted.parts(**asked):
        progress.stage("prediction ranges", len(chunks))
        make = partial(LeadWorker, with_all_offsets(models), K, ends)
        leads = backends.run(make, [distinct[own] for own in chunks], n_jobs, progress.advance)
        found.append(np.concatenate(leads, axis=1)[:, where.ravel()])
    if not found:  # the baseline, a constant, is the only model
        scores = np.tile(np.append(0.0, fitted.constant[1]), (len(samples), 1))
        found.append(np.array([_leads(scores)] * 2))
    low, high = np.min([one[0] for one in found], axis=0), np.max([one[1] for one in found], axis=0)
    allowed = high >= 0.0
    if not ends:
        low, high = np.full_like(low, np.nan), np.full_like(high, np.nan)
    return PredictionRange(low.copy(), high.copy(), fitted.decoder.outcomes, allowed)


def _leads(scores: Floats) -> Floats:
    """By how much each class is ahead of the best other one."""
    others = np.stack([np.delete(scores, k, axis=1).max(axis=1) for k in range(scores.shape[1])])
    return scores - others.T


class LeadWorker:
    """Finds the smallest and the largest lead of every class, for one sample after the other.

    Without `ends` it only finds out whether a class can be ahead, which takes a program or none for
    most samples. What stands for the largest lead then has its sign.
    """

    def __init__(self, models: EquivalentModels, n_classes: int, ends: bool) -> None:
        self._solver, self._K, self._ends = RangeSolver(models), n_classes, ends
        self._d = models.n_features // n_classes

    def __call__(self, samples: Floats) -> Floats:
        """Both ends, of shape (2, n_samples, n_classes)."""
        ends = np.empty((2, len(samples), self._K))
        for i, sample in enumerate(samples):
            for k in range(self._K):
                ends[:, i, k] = self._lead(sample, k)
        return ends

    def _lead(self, sample: Floats, k: int) -> tuple[float, float]:
        others = np.delete(np.arange(self._K), k)
        models, reference = self._solver.models, self._solver.models.reference
        points = [self._differences(sample, k, reference.weights, reference.offsets)]
        lowest, most = np.inf, np.inf
        for place in range(len(others) if self._ends else 0):
            value, point = self._least(sample, k, others, np.eye(len(others))[place])
            lowest = min(lowest, value)
            points.append(point)
        for _ in range(_MOST_CUTS):
            ahead, factors = _best_lead(np.array(points))
            is_told = not self._ends and (ahead >= 0.0 or most < 0.0)
            exact = 10.0 * models.accuracy * max(1.0, float(np.abs(sample).max()))
            if is_told or most - ahead <= exact:
                return lowest, ahead
            value, point = self._least(sample, k, others, -factors)
            most = min(most, -value)
            points.append(point)
        raise SolverError("how far a class can be ahead could not be computed")

    def _least(self, sample: Floats, k: int, others: Ints, factors: Floats) -> tuple[float, Floats]:
        """The least ``Σ factors · (s_k − s_other)``, and all these differences where it is."""
        weights, offsets = np.zeros((self._K, self._d)), np.zeros(self._K)
        weights[k], offsets[k] = factors.sum() * sample, factors.sum()
        weights[others] -= np.outer(factors, sample)
        offsets[others] -= factors
        scale = max(1.0, float(np.abs(sample).max(initial=0.0)))
        used = np.flatnonzero(weights.ravel())
        found = self._solver.maximise(
            Direction(
                used,
                -weights.ravel()[used] / scale,
                offset_factors=-offsets[1:] / scale,
                label="a prediction's range",
            )
        )
        return -scale * found.value, self._differences(sample, k, found.weights, found.offsets)

    def _differences(self, sample: Floats, k: int, weights: Floats, offsets: Floats) -> Floats:
        scores = weights.reshape(self._K, self._d) @ sample + np.append(0.0, offsets)
        return scores[k] - np.delete(scores, k)


def _best_lead(points: Floats) -> tuple[float, Floats]:
    """The largest least difference of a mixture of models, and how much each one holds it back."""
    m, q = points.shape
    if m == 1:
        return float(points.min()), np.eye(q)[points[0].argmin()]
    rows = np.hstack([-points.T, np.ones((q, 1))])
    cost, whole = np.append(np.zeros(m), -1.0), np.append(np.ones(m), 0.0)[None, :]
    bounds = [(0.0, None)] * m + [(None, None)]
    found: Any = linprog(cost, rows, np.zeros(q), whole, [1.0], bounds, method="highs")
    return -float(found.fun), -np.asarray(found.ineqlin.marginals)
