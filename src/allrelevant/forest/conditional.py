"""What the other features say about a feature, and values it could have had instead.

A feature is exchanged for values drawn from its distribution given all the others. What the
others know about it stays in place, so a rise of the loss is owed to what only it knows.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from allrelevant.base.arrays import Floats, Ints
from allrelevant.forest.learners import boosted_trees
from allrelevant.forest.linear import linear
from allrelevant.forest.models import Learner
from allrelevant.forest.preparation import preparation_of, ridge
from allrelevant.forest.sample import Table, folds
from allrelevant.forest.task import Task
from allrelevant.forest.work import Work

_FEW_VALUES = 6  # up to which a number is drawn like a category
_EXACT = 0.95  # known this well by a linear model, trees need not be asked
_GAIN = 0.05  # of R² that trees must bring
_FOLDS = 3


@dataclass(frozen=True, eq=False)
class Numbers:
    """A column as prediction plus error; errors are exchangeable."""

    expected: Floats
    error: Floats  # NaN where the value is missing
    r2: float

    def draw(self, rows: Ints, rng: np.random.Generator) -> Floats:
        """Other values for these rows."""
        donors = rng.permutation(len(self.error))[: len(rows)]
        return self.expected[rows] + self.error[donors]


@dataclass(frozen=True, eq=False)
class Levels:
    """A column of few values, with their probabilities in every row."""

    values: Floats
    cumulated: Floats
    r2: float

    def draw(self, rows: Ints, rng: np.random.Generator) -> Floats:
        """Other values for these rows."""
        below = rng.random(len(rows))[:, None] > self.cumulated[rows]
        return self.values[np.minimum(below.sum(axis=1), len(self.values) - 1)]


Conditional = Numbers | Levels


def conditionals(table: Table, work: Work) -> list[Conditional]:
    """The distribution of every column given all others."""
    tasks = [(j, work.seed()) for j in range(table.n_features)]
    return work.stage("features from features", partial(Predictor, table), tasks)


@dataclass(frozen=True, eq=False)
class Predictor:
    """Predicts columns from the others; one in every process."""

    table: Table

    def __call__(self, task: tuple[int, int]) -> Conditional:
        """The distribution of one column."""
        j, seed = task
        others = self.table.columns(np.delete(np.arange(self.table.n_features), j))
        column = self.table.X[:, j]
        values = np.unique(column)  # NaN last, as one value
        if self.table.categorical[j] or len(values) <= _FEW_VALUES:
            return _levels(column, values, others, seed)
        return _numbers(column, others, seed)


def _numbers(column: Floats, others: Table, seed: int) -> Numbers:
    missing = np.isnan(column)
    filled = np.where(missing, np.nanmedian(column), column)
    spread = filled.std() or 1.0
    z = (filled - filled.mean()) / spread
    expected, r2 = _linear(z, others)
    if others.n_features and r2 < _EXACT:
        kept = expected if r2 > 0.1 else 0.0 * z
        bent = kept + _cross_fitted(z - kept, others, Task("regression"), seed, boosted_trees())
        r2_bent = 1.0 - float(np.mean((z - bent) ** 2))
        if r2_bent > r2 + _GAIN:
            expected, r2 = bent, r2_bent
    error = np.where(missing, np.nan, z - expected)
    return Numbers(filled.mean() + spread * expected, spread * error, max(r2, 0.0))


def _linear(z: Floats, others: Table) -> tuple[Floats, float]:
    """Ridge regression, and its R² with a penalty for the number of columns."""
    n, d = others.X.shape
    if not d:
        return np.zeros(n), 0.0
    Z = preparation_of(others.categorical).fit_transform(others.X)
    model, r2 = ridge(Z, z)
    return model.predict(Z), max(0.0, r2)


def _levels(column: Floats, values: Floats, others: Table, seed: int) -> Levels:
    codes = np.searchsorted(values, column).astype(float)
    codes[np.isnan(column)] = len(values) - 1
    task = Task("classification", max(len(values), 2))
    known = np.eye(task.n_classes)[codes.astype(int)]
    shares = known.mean(axis=0)
    best = np.tile(shares, (len(column), 1))
    start = float(np.mean((known - best) ** 2)) or 1.0
    least = start
    for learner in (linear, boosted_trees()) if others.n_features else ():
        guess = _cross_fitted(codes, others, task, seed, learner)
        error = float(np.mean((known - guess) ** 2))
        if error < least - 0.01 * start:
            best, least = guess, error
    return Levels(values, np.cumsum(best, axis=1), 1.0 - least / start)


def _cross_fitted(target: Floats, others: Table, task: Task, seed: int, learner: Learner) -> Floats:
    """Predictions by models that have not seen the row."""
    table = replace(others, target=target, task=task)
    shape = (len(target), task.n_classes) if task.has_probabilities else (len(target),)
    result = np.zeros(shape)
    for k, (learn, guess) in enumerate(folds(table, _FOLDS, seed)):
        result[guess] = learner(table.rows(learn), seed + k).predict(table.X[guess])
    return result
