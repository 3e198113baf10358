"""The values of C among which that of the reference model is chosen, and how far to go."""

from __future__ import annotations

import numpy as np

from allrelevant.base.arrays import Floats
from allrelevant.linear.engine.baseline.central import central_offsets
from allrelevant.linear.engine.baseline.null import NullModel, null_offsets
from allrelevant.linear.engine.baseline.penalised import PenalisedPath
from allrelevant.linear.fit.problem.problem import problem_of
from allrelevant.linear.fit.rows.sample import Sample
from allrelevant.linear.models import LinearModel

_STEPS = 16
_PRIVILEGED_STEPS = 8
GAMMAS = (0.3, 3.0)  # the values of γ to try
_DECADES = 4.0
_FINE_UP_TO = 20.0  # times the C at which the first feature comes in
_SPARSE = 6  # rows for each feature a baseline may use where there are more features than rows
_RATHER_SPARSE = 3  # the same where there is a feature for every two rows, or more


def grid(model: LinearModel, sample: Sample) -> Floats:
    """The values of C to try: one at which no feature is used, then four decades from there.

    Slacks that are functions of privileged features tell less about C, so fewer do. Where there
    are more features than rows, dozens come in between one value and the next unless these are
    close to each other.
    """
    size = float(sample.weight.sum()) * (float(sample.X.sizes.max(initial=0.0)) or 1.0)
    start = 1.0 / max(_steepest(model, sample, size), 1e-9 * size)
    if is_wide(sample):
        fine = np.geomspace(1.2, _FINE_UP_TO, _STEPS)
        coarse = np.geomspace(2.0 * _FINE_UP_TO, 10.0**_DECADES, _STEPS // 2)
        return start * np.concatenate([[0.5], fine, coarse])
    steps = _STEPS if sample.privileged is None else _PRIVILEGED_STEPS
    return start * np.concatenate([[0.5], np.geomspace(1.2, 10.0**_DECADES, steps)])


def _steepest(model: LinearModel, sample: Sample, size: float) -> float:
    """The largest gradient of a feature where none is used."""
    if model.n_scores > 1:
        problem = problem_of(model, sample)
        null = problem.path().solve(1e-3 / size)
        return float(np.abs(problem.matrix.pull(null.row_duals)).max(initial=0.0)) / null.C
    X, pieces = sample.X, model.pieces(sample.target, sample.weight)
    offsets = null_offsets(pieces, len(X))
    if offsets is None:
        found = PenalisedPath(X, pieces).solve(1e-3 / size).offsets
        offsets = central_offsets(pieces, np.zeros(len(X)), found)
    return float(np.abs(NullModel.at(X, pieces, offsets).gradient).max(initial=0.0))


def most_features(sample: Sample) -> float:
    """How many features a baseline may use.

    Where there are more features than rows, dense baselines are slow to ask, and the noise in them
    reaches farther than probes tell. With half as many, paths would go on for long to models that
    hold little but noise.
    """
    if is_wide(sample):
        return sample.n_groups / _SPARSE
    is_rather_wide = sample.privileged is None and 2 * sample.X.shape[1] > sample.n_groups
    return sample.n_groups / _RATHER_SPARSE if is_rather_wide else np.inf


def is_wide(sample: Sample) -> bool:
    """Whether there are more features than rows, so that any of these can be fitted by noise."""
    return sample.privileged is None and sample.X.shape[1] > sample.n_groups
