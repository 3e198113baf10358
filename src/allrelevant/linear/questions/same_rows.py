"""Whether two fits are of the same rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from allrelevant.base.arrays import Floats
from allrelevant.linear.questions.fitted_set import FittedSet

_CLOSE = 1e-9


def have_same_rows(one: FittedSet, other: FittedSet) -> bool:
    """Whether both have the same targets, and columns of the same mean, spread and size.

    They may have columns that the other has not; they need one that both have.
    """
    samples = [fitted.analysis.problem.sample for fitted in (one, other)]
    if len(samples[0]) != len(samples[1]):
        return False
    if not all(
        _alike(*(np.sort(getattr(sample, part), axis=0) for sample in samples))
        for part in ("target", "count")
    ):
        return False
    places = {name: k for k, name in enumerate(other.features.columns)}
    common = [(k, places[name]) for k, name in enumerate(one.features.columns) if name in places]
    if not common:
        return False
    first, second = np.array(common).T
    spread = np.where(np.isfinite(one.scaling.scale[first]), one.scaling.scale[first], 0.0)
    return (
        # Means are sums in which most may cancel: of standardised columns little but rounding.
        _alike(one.scaling.centre[first], other.scaling.centre[second], spread)
        and _alike(one.scaling.scale[first], other.scaling.scale[second], 0.0)
        and _alike(samples[0].X.sizes[first], samples[1].X.sizes[second], 0.0)
    )


def _alike(one: Floats, other: Floats, size: Any = None) -> bool:
    """Whether numbers differ by no more than sums in another order do, each beside its size."""
    room = np.abs(one).max(initial=0.0) if size is None else size
    return one.shape == other.shape and np.allclose(one, other, _CLOSE, _CLOSE * room)
