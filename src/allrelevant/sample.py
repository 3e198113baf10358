"""Training data as the engine sees it: distinct rows with counts, standardised columns."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from allrelevant.engine.pieces import Floats, Ints, sums_by


@dataclass(frozen=True, eq=False)
class Sample:
    """Rows, encoded targets, and what each row counts.

    Parameters
    ----------
    X : array of shape (n_samples, n_features)
    target : array of shape (n_samples,)
    count : array of shape (n_samples,)
        How often each row was observed (its sample weight).
    weight : array of shape (n_samples,)
        How much its loss weighs: the count, times the weight of its class.
    """

    X: Floats
    target: Floats
    count: Floats
    weight: Floats

    def take(self, rows: Ints) -> Sample:
        """Some of the rows."""
        return Sample(self.X[rows], self.target[rows], self.count[rows], self.weight[rows])


@dataclass(frozen=True, eq=False)
class Scaling:
    """Centre and scale of every column. A constant column becomes 0."""

    centre: Floats
    scale: Floats

    @classmethod
    def of(cls, X: Floats, count: Floats) -> Scaling:
        """Mean and standard deviation, weighted by the counts."""
        share = count / count.sum()
        centre = share @ X
        scale = np.sqrt(share @ (X - centre) ** 2)
        # What is left of a constant column is rounding error, not information.
        magnitude = np.abs(X).max(axis=0, initial=0.0)
        constant = scale <= 10.0 * np.finfo(float).eps * np.sqrt(len(X)) * magnitude
        return cls(centre, np.where(constant, np.inf, scale))

    @classmethod
    def none(cls, n_features: int) -> Scaling:
        """Leave the columns as they are."""
        return cls(np.zeros(n_features), np.ones(n_features))

    def apply(self, X: Floats) -> Floats:
        """Standardised columns."""
        return (X - self.centre) / self.scale

    def original(self, weights: Floats) -> tuple[Floats, float]:
        """Weights for the columns as they were, and what their centres add to every score."""
        coefficients = weights / self.scale
        return coefficients, -float(coefficients @ self.centre)


def gather(X: Floats, target: Floats, count: Floats) -> Sample:
    """Merge equal rows, drop those that count nothing, and put the rest into a fixed order.

    A row of weight 2 is then the same as a row given twice, to the last step of the analysis,
    and neither the order of the rows nor that of the columns can change a fold.
    """
    kept = np.flatnonzero(count > 0)
    X, target, count = X[kept] + 0.0, target[kept] + 0.0, count[kept]  # + 0.0: no negative zeros
    rows = _as_bytes(np.column_stack([target, X]))
    _, first, group = np.unique(rows, return_index=True, return_inverse=True)
    counts = sums_by(group.ravel(), count, len(first))
    X, target = X[first], target[first]
    key = _as_bytes(np.column_stack([target, np.sort(np.round(X, 9), axis=1) + 0.0]))
    order = np.argsort(key, kind="stable")
    return Sample(X[order], target[order], counts[order], counts[order])


def with_class_weights(sample: Sample, factors: dict[float, float]) -> Sample:
    """Weigh the loss of each class by a factor."""
    weight = sample.count * np.array([factors[float(code)] for code in sample.target])
    return replace(sample, weight=weight)


def _as_bytes(table: Floats) -> np.ndarray:
    """Each row as one comparable item."""
    table = np.ascontiguousarray(table)
    return table.view(np.dtype((np.void, table.dtype.itemsize * table.shape[1]))).ravel()
