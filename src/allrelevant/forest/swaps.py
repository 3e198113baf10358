"""How a model's losses change when the values of some columns are exchanged for others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats

from allrelevant.base.arrays import Floats, Ints
from allrelevant.forest.models import Model
from allrelevant.forest.sample import Table


def rises(model: Model, table: Table, other: Floats) -> Floats:
    """By how much the losses of all rows rise when one column at a time is taken from `other`."""
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


@dataclass(frozen=True, eq=False)
class MeanRises:
    """Mean rises over all rows with their standard errors, one for each of some features."""

    mean: Floats
    error: Floats
    freedom: int

    @property
    def p_values(self) -> Floats:
        """How likely means as large are if none were expected."""
        return np.asarray(stats.t.sf(self.mean / self.error, self.freedom))

    def limits(self, p: Floats | float) -> Floats:
        """The means beyond which p-values are smaller than these."""
        return np.asarray(self.error * stats.t.isf(np.minimum(p, 1.0), self.freedom))


def mean_rises(rise: Floats, weight: Floats) -> MeanRises:
    """The means of rises of shape (n_features, n_samples), by what the rows weigh."""
    share = weight / weight.sum()
    mean = rise @ share
    error = np.sqrt(((rise - mean[:, None]) ** 2) @ share**2)
    return MeanRises(mean, np.maximum(error, 1e-12), max(len(weight) - 1, 1))


def holm(p_values: Floats) -> Floats:
    """p-values adjusted for their number by Holm's procedure."""
    order = np.argsort(p_values)
    k = len(p_values)
    stepped = np.maximum.accumulate(p_values[order] * (k - np.arange(k)))
    adjusted = np.empty(k)
    adjusted[order] = np.minimum(stepped, 1.0)
    return adjusted
