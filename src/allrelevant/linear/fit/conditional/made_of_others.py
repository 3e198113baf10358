"""Columns that others make up: where they are noise, they reach farther than probes tell.

A column that is a sum of others, or nearly so, can have a large weight that theirs cancel. And what
hardly varies, such as the difference of two near copies, can go with the target by chance: a model
that wants it needs large weights of either sign. A probe is like no other column, so it can do
neither. So the reach of such a column is no rarer than what it and those that make it up explain,
all together, of what models without them leave.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from allrelevant.base.arrays import Floats, Ints
from allrelevant.linear.fit.conditional.lasso import Lasso, LassoModel
from allrelevant.linear.fit.conditional.leftover import at_least, correlations
from allrelevant.linear.fit.conditional.together import p_value_together, widened
from allrelevant.linear.fit.rows.sample import Sample

_INFLATED = 10.0  # the variance inflation factor from which on others make up a column
_PART = 0.1  # the partial correlation from which on a column is one of those that make up another
_MOST_COLUMNS = 1000  # to be looked at: that takes their number times as long as one product
_RIDGE = 1e-6  # of a variance: sums are told from others where they are exact, too


def made_of_others(lasso: Lasso, sample: Sample) -> dict[int, Ints]:
    """Columns that others make up, each with itself and those others.

    The fewer rows there are for each column, the more any column seems to be made of others, which
    is taken off. With fewer than two nothing can be told.
    """
    useful = np.flatnonzero(lasso.scale > 0)
    n_free = sample.n_groups - len(useful)
    if not 1 < len(useful) <= min(_MOST_COLUMNS, n_free):
        return {}
    alike = np.array([correlations(lasso, sample, k)[useful] for k in useful.tolist()])
    sizes, directions = np.linalg.eigh((alike + alike.T) / 2.0)
    inverse = (directions / (np.maximum(sizes, 0.0) + _RIDGE)) @ directions.T
    inflated = np.diag(inverse) * n_free / sample.n_groups >= _INFLATED
    found = {}
    root = np.sqrt(np.diag(inverse))
    # Differences of near copies all vary little, so weights say nothing: chance makes large ones.
    makes = np.abs(inverse) >= at_least(lasso, _PART) * np.outer(root, root)
    for k in np.flatnonzero(inflated).tolist():
        found[int(useful[k])] = useful[makes[k]]
    return found


def least_p_values(
    lasso: Lasso,
    sample: Sample,
    model: LassoModel,
    sets: dict[int, Ints],
    blocks: Sequence[Ints],
) -> Floats:
    """For every column that others make up the p-value of all together; 0 for other columns.

    Columns of a feature are never without its others.
    """
    p, known = np.zeros(len(lasso.scale)), dict[bytes, float]()
    for column, together in sets.items():
        own = np.zeros(len(p), dtype=bool)
        own[together] = True
        own = widened(own, blocks)
        if (key := own.tobytes()) not in known:
            columns = np.flatnonzero(own)
            known[key] = p_value_together(lasso, sample, model, columns, [*blocks, columns])
        p[column] = known[key]
    return p
