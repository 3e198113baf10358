"""Logistic and ridge regression, of columns or of products of columns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression, Ridge

from allrelevant.base.arrays import Floats, Mask
from allrelevant.forest.models import Model, constant, is_learnable, link, one_by_one
from allrelevant.forest.preparation import Standardised, preparation_of
from allrelevant.forest.products import ProductTerms
from allrelevant.forest.sample import Table
from allrelevant.forest.task import Task


@dataclass(frozen=True, eq=False)
class LinearPart:
    """A linear score of standardised columns, of indicators of categories, or of products."""

    preparation: Any  # has `transform`
    model: Any
    used: Mask  # the columns that can change a score

    def raw(self, X: Floats) -> Floats:
        """The scores, of shape (n,) or (n, n_classes)."""
        scores = self.preparation.transform(X) @ self.model.coef_.T + self.model.intercept_
        return np.asarray(scores[:, 0] if scores.ndim == 2 and scores.shape[1] == 1 else scores)

    def changes(self, X: Floats, other: Floats) -> Floats:
        """Change of the scores when one column at a time is taken from `other`."""
        if not isinstance(self.preparation, Standardised):
            return one_by_one(self.raw, X, other, self.used) - self.raw(X)
        step = (self.preparation.transform(other) - self.preparation.transform(X)).T
        if self.model.coef_.ndim == 2 and len(self.model.coef_) > 1:
            return step[:, :, None] * self.model.coef_.T[:, None, :]
        return step * self.model.coef_.reshape(-1, 1)


PartMaker = Callable[[Table, int], LinearPart | None]


def linear_part(table: Table, seed: int) -> LinearPart | None:
    """Logistic or ridge regression; None where a class is missing."""
    if _lacks_class(table):
        return None
    preparation = preparation_of(table.categorical).fit(table.X)
    return LinearPart(preparation, _model(preparation, table), np.ones(table.n_features, bool))


def product_part(table: Table, seed: int) -> LinearPart | None:
    """A linear model of powers and products of columns; None where none of them matters."""
    if _lacks_class(table):
        return None
    preparation = ProductTerms.of(table, seed)
    if not preparation.terms:
        return None
    return LinearPart(preparation, _model(preparation, table), preparation.used(table.n_features))


def _lacks_class(table: Table) -> bool:
    return table.task.has_probabilities and len(np.unique(table.target)) < table.task.n_classes


def _model(preparation: Any, table: Table) -> Any:
    model = LogisticRegression(C=1.0, max_iter=300) if table.task.has_probabilities else Ridge(1.0)
    return model.fit(preparation.transform(table.X), table.target, sample_weight=table.weight)


def linear(table: Table, seed: int) -> Model:
    """Learn a linear model."""
    return _learned(linear_part, table, seed)


def products(table: Table, seed: int) -> Model:
    """Learn a linear model of products."""
    return _learned(product_part, table, seed)


def _learned(part_of: PartMaker, table: Table, seed: int) -> Model:
    part = part_of(table, seed) if is_learnable(table) else None
    return constant(table) if part is None else _LinearModel(part, table.task, part.used)


@dataclass(frozen=True, eq=False)
class _LinearModel(Model):
    part: LinearPart
    task: Task
    used: Mask

    def predict(self, X: Floats) -> Floats:
        return link(self.part.raw(X), self.task)

    def exchanged(self, X: Floats, other: Floats) -> Floats:
        return link(self.part.raw(X) + self.part.changes(X, other), self.task)
