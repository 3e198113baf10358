"""What features tell that others tell as well: many measurements of one thing, each of them poor.

None of these adds to the others, and equivalent models need none of them, so that each reaches
hardly farther than noise. But each goes with the target by itself, and the features that were
found do not explain why. So a feature is also compared with the target alone, and with what the
found ones leave of it. Noise goes with either by chance only: its values might stand in any order.
A feature that goes with the target only because it is like a found one goes with the first.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from allrelevant.base.arrays import Floats, Mask
from allrelevant.linear.fit.conditional.lasso import Lasso
from allrelevant.linear.fit.conditional.residuals import Residuals
from allrelevant.linear.fit.rows.sample import Sample
from allrelevant.linear.fit.statistics.verdict import SUPPORTS, combined

_PENALTY = 1e-4  # of the largest: hardly any
_FEW_ROWS = 2  # for each found feature: with fewer they leave next to nothing


def p_values_if_shared(samples: Sequence[Sample], scale: Floats, found: Mask) -> Floats:
    """How well columns go with the target, alone and beside those that were found.

    Either has to be rare, and the latter not likely by chance.

    Parameters
    ----------
    samples : sequence of Sample
        With numbers to explain; of several classes one for each question.
    found : array of bool
        The columns that pass already.
    """
    if samples[0].n_groups < _FEW_ROWS * found.sum():
        return np.ones(len(scale))
    columns = np.flatnonzero(scale > 0)
    alone, beside = np.ones((2, len(samples), len(scale)))
    for k, sample in enumerate(samples):
        lasso = Lasso.of(sample, scale)
        alone[k, columns] = Residuals(lasso, sample, lasso.empty).p_values(columns)
        left = lasso.solve(_PENALTY * lasso.empty.penalty, lasso.empty, ~found)
        beside[k, columns] = Residuals(lasso, sample, left).p_values(columns)
    by_itself, unexplained = combined(alone), combined(beside)
    rarer = np.minimum(2.0 * np.minimum(by_itself, unexplained), 1.0)  # of the two
    return np.maximum(rarer, unexplained / SUPPORTS)
