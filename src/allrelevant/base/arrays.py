"""Kinds of arrays, and sums over groups of their entries."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
Mask = NDArray[np.bool_]


def sums_by(group: Ints, values: Floats, n_groups: int) -> Floats:
    """The sum of the values of each group."""
    return np.bincount(group, values, minlength=n_groups).astype(np.float64, copy=False)
