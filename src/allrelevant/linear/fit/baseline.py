"""The values of C among which that of the reference model is chosen, and how far to go."""

from __future__ import annotations

import numpy as np

from allrelevant.base.arrays import Floats, sums_by
from allrelevant.linear.engine.penalised import PenalisedPath
from allrelevant.linear.engine.pieces import Pieces
from allrelevant.linear.fit.central import central_offsets
from allrelevant.linear.fit.problem import problem_of
from allrelevant.linear.fit.sample import Sample
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
    pieces = model.pieces(sample.target, sample.weight)
    null = PenalisedPath(sample.X, pieces).solve(1e-3 / size)
    offsets = central_offsets(pieces, np.zeros(len(sample)), null.offsets)
    multipliers = _null_multipliers(pieces, offsets, len(sample))
    return float(np.abs(sample.X.pull(multipliers)).max(initial=0.0))


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


def _null_multipliers(pieces: Pieces, offsets: Floats, n_rows: int) -> Floats:
    """Multipliers of the model without features, summed over each sample with their signs.

    They are not unique; here the pieces at their kink share what balances an offset evenly.
    """
    residuals = pieces.residuals(np.zeros(n_rows), offsets)
    linear, kink = residuals > 1e-9, np.abs(residuals) <= 1e-9
    pull = pieces.weight * pieces.offset_sign
    given = sums_by(pieces.offset[linear], pull[linear], pieces.n_offsets)
    can_give = sums_by(pieces.offset[kink], pull[kink], pieces.n_offsets)
    # Pulls that cancel leave rounding errors, which have nothing to say.
    least = 1e-9 * sums_by(pieces.offset, np.abs(pull), pieces.n_offsets)
    given, can_give = (np.where(np.abs(sums) > least, sums, 0.0) for sums in (given, can_give))
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.clip(np.nan_to_num(-given / can_give), 0.0, 1.0)
    multipliers = pieces.weight * np.where(linear, 1.0, kink * share[pieces.offset])
    return sums_by(pieces.row, multipliers * pieces.sign, n_rows)
