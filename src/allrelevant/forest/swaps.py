"""How a model's losses change when the values of some columns are exchanged for others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats

from allrelevant.engine.pieces import Floats, Ints
from allrelevant.forest.learners import Model
from allrelevant.forest.sample import Table

_MOST_ROWS = 60_000  # predicted at once


@dataclass(frozen=True, eq=False)
class Swap:
    """Values of shape (n_samples, len(columns)) to put in the place of these columns."""

    columns: Ints
    values: Floats


def rises(model: Model, table: Table, swaps: Sequence[Swap]) -> Floats:
    """By how much the loss of every row rises under each swap; shape (n_swaps, n_samples)."""
    n = table.n_samples
    base = table.task.losses(model.predict(table.X), table.target)
    result = np.zeros((len(swaps), n))
    matter = [k for k, swap in enumerate(swaps) if model.used[swap.columns].any()]
    for batch in _batches(matter, max(1, _MOST_ROWS // n)):
        X = np.tile(table.X, (len(batch), 1))
        for place, k in enumerate(batch):
            X[place * n : (place + 1) * n, swaps[k].columns] = swaps[k].values
        losses = table.task.losses(model.predict(X), np.tile(table.target, len(batch)))
        result[batch] = losses.reshape(len(batch), n) - base
    return result


def permutations(table: Table, seed: int) -> list[Swap]:
    """Every column by itself, shuffled."""
    rng = np.random.default_rng(seed)
    return [
        Swap(np.array([j]), table.X[rng.permutation(table.n_samples), j][:, None])
        for j in range(table.n_features)
    ]


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


def _batches(items: list[int], size: int) -> Iterator[list[int]]:
    for start in range(0, len(items), size):
        yield items[start : start + size]
