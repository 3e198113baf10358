"""For whom the prediction depends on which of the equivalent models is used."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from allrelevant import backends
from allrelevant.base.arrays import Floats, Ints, Mask
from allrelevant.base.progress import Progress
from allrelevant.data import matrix_of
from allrelevant.linear.engine.batch.solver import ManySolver
from allrelevant.linear.engine.program.direction import Direction
from allrelevant.linear.engine.program.equivalent import EquivalentModels
from allrelevant.linear.engine.ranges.solver import RangeSolver
from allrelevant.linear.questions.fitted_set import FittedSet
from allrelevant.linear.questions.predictions.decisions import (
    DecisionWorker,
    Sides,
    SideWorker,
    known_models,
    tour,
)
from allrelevant.linear.questions.predictions.of_classes import find_class_ranges
from allrelevant.linear.questions.predictions.offset_room import with_all_offsets
from allrelevant.linear.questions.predictions.prediction_range import PredictionRange

_CHUNK = 250  # samples that are put in a good order, and share a solver
_PIECE = 10  # of these, after which there is something to tell
_TOGETHER = 250  # the same, times offsets, where many are found together
_APART = 1e-6  # thresholds of the reference that differ


def find_prediction_range(
    fitted: FittedSet,
    table: Any,
    *,
    ends: bool = True,
    n_jobs: int | None,
    progress: Progress,
    **asked: Any,
) -> PredictionRange:
    """Decision values and labels of samples, in the units of the columns as they came.

    Without `ends` decision values are looked for only as far as labels need them.
    """
    samples, decoder = fitted.scaling.of_matrix(matrix_of(table)).dense(), fitted.decoder
    if fitted.model.n_scores > 1:
        how: dict[str, Any] = {"ends": ends, "n_jobs": n_jobs, "progress": progress}
        return find_class_ranges(fitted, samples, asked, **how)
    sides = (
        None if ends or not decoder.outcomes else Sides.of(fitted, is_free=not any(asked.values()))
    )
    parts = [
        _part(fitted, models, samples, sides, n_jobs=n_jobs, progress=progress)
        for models in models_that_keep(fitted, asked)
    ]
    low = decoder.in_target_units(np.min([part[0] for part in parts], axis=0))
    high = decoder.in_target_units(np.max([part[1] for part in parts], axis=0))
    # What lies between two parts, no model predicts.
    allowed = np.any([part[2] for part in parts], axis=0)
    if sides is not None:
        low, high = np.full_like(low, np.nan), np.full_like(high, np.nan)
    if low.shape[1] == 1:
        low, high = low[:, 0].copy(), high[:, 0].copy()
    return PredictionRange(low, high, decoder.outcomes if allowed.shape[1] else (), allowed)


def models_that_keep(
    fitted: FittedSet, asked: Mapping[str, Any]
) -> Sequence[EquivalentModels | None]:
    """The models that keep the constraints, in convex parts; None for a constant."""
    return fitted.parts(**asked) or [None]


def _part(
    fitted: FittedSet,
    models: EquivalentModels | None,
    samples: Floats,
    sides: Sides | None,
    *,
    n_jobs: int | None,
    progress: Progress,
) -> tuple[Floats, Floats, Mask]:
    """Both ends of the engine's decision values over convex models, and the outcomes there are."""
    factor, shift = fitted.model.offset_sign * fitted.placing.scale, fitted.placing.shift
    if models is None:  # the baseline, a constant, is the only model
        _, offsets = fitted.constant
        low = high = np.tile(factor * offsets, (len(samples), 1))
        gaps = np.diff(offsets)
    else:
        low, high = find_decision_ranges(
            models,
            samples,
            factor,
            names=fitted.features.columns,
            known=known_models(fitted),
            sides=sides,
            n_jobs=n_jobs,
            progress=progress,
        )
        gaps = gaps_between_thresholds(models)
    low, high = low + shift, high + shift
    allowed = fitted.model.outcomes(low, high, gaps)
    if allowed is None or not fitted.decoder.outcomes:
        allowed = np.zeros((len(samples), 0), dtype=bool)
    return low, high, allowed


def find_decision_ranges(
    models: EquivalentModels,
    samples: Floats,
    offset_factor: float,
    *,
    names: Sequence[str],
    known: Floats | None = None,
    sides: Sides | None = None,
    n_jobs: int | None,
    progress: Progress,
) -> tuple[Floats, Floats]:
    """Smallest and largest ``x·w + offset_factor·b_t`` of every sample x and offset t.

    Parameters
    ----------
    samples : array of shape (n_samples, n_main)
        In the engine's units; equal ones are solved for once.
    known : array of shape (n_models, n_features + n_offsets), optional
        Models that are far apart, which say what can be left out.
    sides : Sides, optional
        Where only the sides of some levels matter; then ends are what some model attains, and exact
        where that does not decide.
    """
    models = with_all_offsets(models)
    distinct, where = np.unique(samples, axis=0, return_inverse=True)
    q = models.pieces.n_offsets
    chunks = _chunks(distinct, models.reference.weights[: samples.shape[1]])
    ends = np.empty((2, len(distinct), q))
    if sides is not None:
        progress.stage("prediction ranges", len(chunks))
        make = partial(SideWorker, models, offset_factor, names, sides, progress.within())
        found = backends.run(make, [distinct[own] for own in chunks], n_jobs, progress.advance)
        for chunk, both in zip(chunks, found, strict=True):
            ends[:, chunk] = both
        return ends[0][where.ravel()], ends[1][where.ravel()]
    n_together = max(_TOGETHER // q, 1) if ManySolver.takes(models) else _PIECE
    n_pieces = -(-max(map(len, chunks), default=1) // n_together)
    pieces = [np.array_split(own[tour(distinct[own])], n_pieces) for own in chunks]
    # One worker does all pieces of a chunk, one after the other: it takes every k-th task.
    tasks = [piece for same in zip(*pieces, strict=True) for piece in same]
    progress.stage("prediction ranges", len(tasks))
    work = partial(DecisionWorker, models, offset_factor, names, known)
    values = backends.run(
        work, [distinct[own] for own in tasks], n_jobs, progress.advance, n_batches=len(chunks)
    )
    for piece, both in zip(tasks, values, strict=True):
        ends[:, piece] = both
    return ends[0][where.ravel()], ends[1][where.ravel()]


def gaps_between_thresholds(models: EquivalentModels) -> Floats:
    """How far each threshold is from the next in some model; 0 where that is so in none.

    The distances are those of the reference, and the largest there are where it has none.
    """
    q, known = models.pieces.n_offsets, models.reference.offsets
    gaps = np.diff(known) if models.has_reference else np.zeros(q - 1)
    gaps[gaps <= _APART * (1.0 + np.abs(known[:-1]))] = 0.0
    if (gaps > 0.0).all():
        return gaps
    solver = RangeSolver(models)
    for t in np.flatnonzero(gaps == 0.0):
        factors = np.zeros(q)
        factors[t], factors[t + 1] = -1.0, 1.0
        nothing = np.zeros(0, dtype=np.intp)
        direction = Direction(
            nothing, np.zeros(0), offset_factors=factors, label="the distance of two thresholds"
        )
        optimum = solver.maximise(direction)
        gaps[t] = optimum.value if optimum.value > max(optimum.gap, models.accuracy) else 0.0
    return gaps


def _chunks(samples: Floats, reference: Floats) -> list[Ints]:
    """Samples in groups of similar score, so that one's best model is good for the next.

    The order depends on the samples alone, and so does the work.
    """
    order = np.argsort(samples @ reference, kind="stable")
    return list(np.array_split(order, -(-len(order) // _CHUNK)))
