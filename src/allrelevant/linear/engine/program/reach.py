"""How far norms, offsets and weights can get, from the data and the limits alone."""

from __future__ import annotations

import numpy as np

from allrelevant.base.arrays import Floats, Ints
from allrelevant.data import Matrix
from allrelevant.linear.engine.program.pieces import Pieces

# Kinds of features: their weights count in the norm, in the norm of side information, in none.
MAIN, SIDE, FREE = 0, 1, 2


def norms_by_kind(weights: Floats, kinds: Ints) -> Floats:
    """The norm of the main features, that of the side information, and 0."""
    sizes = np.abs(weights)
    return np.array([float(sizes[kinds == MAIN].sum()), float(sizes[kinds == SIDE].sum()), 0.0])


def offset_bound(pieces: Pieces, reach: float) -> float:
    """Bound the offsets worth considering where no score is farther from zero than `reach`."""
    farthest = reach + float(np.abs(pieces.target).max(initial=0.0)) + 1.0
    # Where pieces hold differences of offsets, it is these that need be no larger.
    return farthest if pieces.second is None else pieces.n_offsets * farthest


def free_bound(X: Matrix, pieces: Pieces, kinds: Ints, side: float, loss: float) -> float:
    """Bound the weights that count in no norm: constants of functions of the side information.

    The functions are nowhere negative and their sums make up the loss. So none of the sums exceeds
    it, and somewhere each function is as small as the side information can make it.
    """
    assert pieces.linear is not None
    (k,) = np.flatnonzero(pieces.linear)
    (row,) = X.block(pieces.row[[k]], np.arange(X.shape[1]))
    sums = -pieces.sign[k] * pieces.weight[k] * row
    constants = sums[kinds == FREE]
    reach = float(X.sizes[kinds == SIDE].max(initial=0.0)) * side
    swing = float(np.abs(sums[kinds == SIDE]).max(initial=0.0)) * side
    return (loss + swing) / float(constants.min()) + reach
