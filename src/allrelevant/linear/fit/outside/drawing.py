"""Numbers drawn for rows by their numbers alone: the same however the rows are stored.

Noise for rows that live elsewhere cannot be a permutation, which would have to move them. Each row
gets one of the column's values, drawn from many of them. It is never the values of one block that
change places: in sorted files they would keep what they tell.
"""

from __future__ import annotations

import numpy as np

from allrelevant.base.arrays import Floats, Ints

_GOLDEN = 0x9E3779B97F4A7C15
_STEPS = ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB))


def _mixed(seed: int, numbers: Ints) -> np.ndarray:
    """64 random bits for each number, by SplitMix64."""
    with np.errstate(over="ignore"):
        z = numbers.astype(np.uint64) * np.uint64(_GOLDEN)
        z += np.uint64((seed * 0xD1342543DE82EF95 + _GOLDEN) % 2**64)
        for shift, factor in _STEPS:
            z = (z ^ (z >> np.uint64(shift))) * np.uint64(factor)
        return z ^ (z >> np.uint64(31))


def shares(seed: int, numbers: Ints) -> Floats:
    """A number between 0 and 1 for each row."""
    return (_mixed(seed, numbers) >> np.uint64(11)).astype(np.float64) * 2.0**-53


def drawn_values(pool: Floats, seed: int, numbers: Ints) -> Floats:
    """One of the values for each row."""
    return pool[(shares(seed, numbers) * len(pool)).astype(np.intp)]
