"""What a fitted learner is asked for, and what is left where there is nothing to learn from."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.special import expit, softmax

from allrelevant.base.arrays import Floats, Mask
from allrelevant.forest.sample import Table
from allrelevant.forest.task import Task

_MOST_ROWS = 60_000  # predicted at once


class Model(ABC):
    """A fitted learner; `used` are the columns that can change a prediction."""

    used: Mask

    @abstractmethod
    def predict(self, X: Floats) -> Floats:
        """Probabilities of shape (n, n_classes), or numbers."""

    def exchanged(self, X: Floats, other: Floats) -> Floats:
        """Predictions with one column at a time taken from `other`, one after the other."""
        return one_by_one(self.predict, X, other, self.used)


def one_by_one(predict: Callable[[Floats], Floats], X: Floats, other: Floats, used: Mask) -> Floats:
    """What is predicted with one column at a time, of those that are used, taken from `other`."""
    n, d = X.shape
    base = predict(X)
    result = np.repeat(base[None], d, axis=0)
    which = np.flatnonzero(used)
    for columns in np.array_split(which, len(which) * n // _MOST_ROWS + 1):
        tiles = np.tile(X, (len(columns), 1))
        for place, j in enumerate(columns):
            tiles[place * n : (place + 1) * n, j] = other[:, j]
        if len(columns):
            result[columns] = predict(tiles).reshape(len(columns), *base.shape)
    return result


Learner = Callable[[Table, int], Model]  # learns from a table, with a seed


def is_learnable(table: Table) -> bool:
    """Whether the rows differ in target at all, and there is a column to tell them apart."""
    return table.n_features > 0 and bool(np.ptp(table.target) > 0)


@dataclass(frozen=True)
class Constant(Model):
    """Predicts the same for all."""

    row: Floats
    used: Mask

    def predict(self, X: Floats) -> Floats:
        """The one prediction, repeated."""
        return np.repeat(self.row, len(X), axis=0)


def constant(table: Table) -> Constant:
    """The best constant prediction."""
    used = np.zeros(table.n_features, dtype=bool)
    return Constant(table.task.constant(table.target, table.weight), used)


def link(raw: Floats, task: Task) -> Floats:
    """Predictions from scores, whose last axis is that of the classes if there are many."""
    if not task.has_probabilities:
        return raw
    if task.n_classes > 2:
        return np.asarray(softmax(raw, axis=-1))
    upper = expit(raw)
    return np.stack([1.0 - upper, upper], axis=-1)
