"""Offsets in the middle of those that are as good."""

from __future__ import annotations

import numpy as np

from allrelevant.base.arrays import Floats, Mask
from allrelevant.linear.engine.program.pieces import Pieces

_NO_PULL = 1e-9  # of all weights: what is left of an offset's slope by rounding


def central_offsets(pieces: Pieces, scores: Floats, offsets: Floats) -> Floats:
    """The best offsets for these scores, in the middle where a whole stretch of them is as good.

    That is so where as much weight pulls an offset up as down; which end of it a solver meets would
    hang on the last digit of the data. Where the middles are not in order the offsets stay as they
    are.
    """
    found = offsets.copy()
    for k in range(pieces.n_offsets):
        low, high = _best_stretch(pieces, pieces.offset == k, scores)
        if low <= high:
            found[k] = 0.5 * (low + high)
    return found if (np.diff(found) >= 0).all() else offsets


def _best_stretch(pieces: Pieces, own: Mask, scores: Floats) -> tuple[float, float]:
    """Where the loss of some pieces is least as their offset moves; nowhere if it has no end."""
    rising_by = 0.0
    if pieces.linear is not None:  # these have no kink
        own, linear = own & ~pieces.linear, own & pieces.linear
        rising_by = -float(pieces.weight[linear] @ pieces.offset_sign[linear])
    sign, weight = pieces.offset_sign[own], pieces.weight[own]
    kinks = (pieces.target[own] - pieces.sign[own] * scores[pieces.row[own]]) * sign
    order = np.argsort(kinks)
    # A piece that pulls up does so before its kink, one that pulls down after it.
    slope = np.cumsum(weight[order]) - float(weight[sign > 0].sum()) + rising_by
    even = _NO_PULL * float(weight.sum())
    rising, risen = slope >= -even, slope > even
    if not risen.any():
        return np.inf, -np.inf
    return float(kinks[order][rising.argmax()]), float(kinks[order][risen.argmax()])
