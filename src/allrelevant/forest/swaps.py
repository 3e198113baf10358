"""How a model's losses change when the values of some columns are exchanged for others."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy import stats

from allrelevant.base.arrays import Floats, Ints
from allrelevant.forest.learners import Model
from allrelevant.forest.sample import Table


def rises(model: Model, table: Table, other: Floats) -> Floats:
    """By how much the losses rise when one column at a time is taken from `other`.

    Returns
    -------
    array of shape (n_features, n_samples)
    """
    base = table.task.losses(model.predict(table.X), table.target)
    return table.task.losses(model.exchanged(table.X, other), table.target) - base


def joint_rises(model: Model, table: Table, groups: Sequence[Ints], donors: Ints) -> Floats:
    """By how much they rise when the columns of a group are taken from other rows, together."""
    base = table.task.losses(model.predict(table.X), table.target)
    result = np.empty((len(groups), table.n_samples))
    for k, columns in enumerate(groups):
        X = table.X.copy()
        X[:, columns] = table.X[np.ix_(donors, columns)]
        result[k] = table.task.losses(model.predict(X), table.target) - base
    return result


def shuffled(X: Floats, seed: int) -> Floats:
    """Every column by itself in another order."""
    return np.random.default_rng(seed).permuted(X, axis=0)


def means_and_p_values(rise: Floats, weight: Floats) -> tuple[Floats, Floats]:
    """Mean rise over all rows, and how likely a mean as large is if none were expected."""
    share = weight / weight.sum()
    mean = rise @ share
    error = np.sqrt(((rise - mean[:, None]) ** 2) @ share**2)
    freedom = max(len(weight) - 1, 1)
    return mean, stats.t.sf(mean / np.maximum(error, 1e-12), freedom)


def holm(p_values: Floats) -> Floats:
    """p-values adjusted for their number by Holm's procedure."""
    order = np.argsort(p_values)
    k = len(p_values)
    stepped = np.maximum.accumulate(p_values[order] * (k - np.arange(k)))
    adjusted = np.empty(k)
    adjusted[order] = np.minimum(stepped, 1.0)
    return adjusted
