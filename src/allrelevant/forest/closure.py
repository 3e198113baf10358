"""Features that only together make up a relevant one."""

from __future__ import annotations

import numpy as np

from allrelevant.base.arrays import Floats, Ints, Mask
from allrelevant.forest.preparation import Standardised, ridge
from allrelevant.forest.sample import Table

_DETERMINED, _BY_OTHERS, _PART = 0.9, 0.3, 0.25


def mixes(table: Table, confirmed: Mask, brings: Floats) -> Ints:
    """For every feature the confirmed one it is a part of, or −1.

    If a relevant feature is a sum of others, these can replace it together, even if none of them
    shows any importance as long as the sum is there. Needs more samples than features, or every
    column would be a mix of the others. A part of several goes with the one that `brings` most.
    """
    result = np.full(table.n_features, -1)
    numbers = ~table.categorical
    if table.n_features >= table.n_samples / 3:
        return result
    Z = Standardised().fit_transform(table.X)
    which = np.flatnonzero(confirmed & numbers)
    for j in which[np.argsort(brings[which], kind="stable")].tolist():
        others = np.flatnonzero(numbers & (np.arange(len(numbers)) != j))
        r2, parts = _mix(Z, j, others)
        if r2 > _DETERMINED and r2 - _mix(Z, j, which[which != j])[0] > _BY_OTHERS:
            result[others[parts > _PART * parts.max()]] = j
    result[confirmed] = -1
    return result


def _mix(Z: Floats, j: int, others: Ints) -> tuple[float, Floats]:
    """R² of a column as a mix of others, and the size of their parts."""
    if not len(others):
        return 0.0, np.zeros(0)
    model, r2 = ridge(Z[:, others], Z[:, j])
    return r2, np.abs(model.coef_)
