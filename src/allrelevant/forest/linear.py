"""Logistic and ridge regression."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.compose import ColumnTransformer
from sklearn.linear_model import LogisticRegression, Ridge

from allrelevant.base.arrays import Floats, Mask
from allrelevant.forest.models import Model, constant, is_learnable, link
from allrelevant.forest.preparation import prepared
from allrelevant.forest.sample import Table
from allrelevant.forest.task import Task


@dataclass(frozen=True, eq=False)
class LinearPart:
    """A linear score of imputed, standardised columns and of indicators of categories."""

    preparation: Any
    model: Any

    def raw(self, X: Floats) -> Floats:
        """The scores, of shape (n,) or (n, n_classes)."""
        scores = self.preparation.transform(X) @ self.model.coef_.T + self.model.intercept_
        return np.asarray(scores[:, 0] if scores.ndim == 2 and scores.shape[1] == 1 else scores)

    @property
    def is_numeric(self) -> bool:
        """Whether every column has one coefficient."""
        return not isinstance(self.preparation, ColumnTransformer)

    def changes(self, X: Floats, other: Floats) -> Floats:
        """Change of the scores when one column at a time is taken from `other`."""
        step = (self.preparation.transform(other) - self.preparation.transform(X)).T
        if self.model.coef_.ndim == 2 and len(self.model.coef_) > 1:
            return step[:, :, None] * self.model.coef_.T[:, None, :]
        return step * self.model.coef_.reshape(-1, 1)


def linear_part(table: Table) -> LinearPart | None:
    """Logistic or ridge regression; None where a class is missing."""
    if table.task.has_probabilities and len(np.unique(table.target)) < table.task.n_classes:
        return None
    preparation = prepared(table.categorical).fit(table.X)
    model = LogisticRegression(C=1.0, max_iter=300) if table.task.has_probabilities else Ridge(1.0)
    model.fit(preparation.transform(table.X), table.target, sample_weight=table.weight)
    return LinearPart(preparation, model)


def linear(table: Table, seed: int) -> Model:
    """Learn."""
    part = linear_part(table) if is_learnable(table) else None
    if part is None:
        return constant(table)
    return _LinearModel(part, table.task, np.ones(table.n_features, dtype=bool))


@dataclass(frozen=True, eq=False)
class _LinearModel(Model):
    part: LinearPart
    task: Task
    used: Mask

    def predict(self, X: Floats) -> Floats:
        return link(self.part.raw(X), self.task)

    def exchanged(self, X: Floats, other: Floats) -> Floats:
        if not self.part.is_numeric:
            return super().exchanged(X, other)
        return link(self.part.raw(X) + self.part.changes(X, other), self.task)
