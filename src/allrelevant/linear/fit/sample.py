"""Training data as the engine sees it: standardised columns, rows in an order of their own."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from allrelevant.linear.engine.pieces import Floats, Ints, sums_by

_FAR = 3.0  # standard deviations between a column's mean and zero
_MOST_ROWS = 20_000  # up to which rows that count several times are told apart


@dataclass(frozen=True, eq=False)
class Observations:
    """What each row counts, and which rows belong together."""

    count: Floats
    group: Ints | None = None

    def take(self, rows: Ints) -> Observations:
        """Those of some rows."""
        return Observations(self.count[rows], None if self.group is None else self.group[rows])

    @property
    def n_groups(self) -> int:
        """How many groups the rows are in; each row is one where none are given."""
        return len(self.count) if self.group is None else int(self.group.max(initial=-1)) + 1

    def mean_and_error(self, values: Floats) -> tuple[float, float]:
        """The mean of a value per observation, and its standard error.

        A row that counts twice is two observations; rows of one group are one.
        """
        n = float(self.count.sum())
        mean = float(self.count @ values) / n
        away = values - mean
        if self.group is None:
            square = float(self.count @ away**2)
        else:
            square = float((sums_by(self.group, self.count * away, self.n_groups) ** 2).sum())
        return mean, float(np.sqrt(square)) / n


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
    privileged : array of shape (n_samples, n_privileged), optional
        Features that are known in training only.
    group : array of int of shape (n_samples,), optional
        Which rows belong together, such as those of one patient; numbered from 0.
    source : array of int of shape (n_samples,), optional
        Where each row was in the caller's data; None where equal rows were merged.
    """

    X: Floats
    target: Floats
    count: Floats
    weight: Floats
    privileged: Floats | None = None
    group: Ints | None = None
    source: Ints | None = None

    def take(self, rows: Ints) -> Sample:
        """Some of the rows."""
        arrays: dict[str, Any] = {entry.name: getattr(self, entry.name) for entry in fields(self)}
        chosen: dict[str, Any] = {k: None if a is None else a[rows] for k, a in arrays.items()}
        return Sample(**chosen)

    @property
    def observations(self) -> Observations:
        """What the rows count, without their values."""
        return Observations(self.count, self.group)

    def mean_and_error(self, values: Floats) -> tuple[float, float]:
        """The mean of a value per observation, and its standard error."""
        return self.observations.mean_and_error(values)

    @property
    def n_groups(self) -> int:
        """How many groups the rows are in; each row is one where none are given."""
        return self.observations.n_groups

    def plain(self) -> Sample:
        """The same without what is privileged."""
        return replace(self, privileged=None)

    def without_columns(self) -> Sample:
        """The same with no privileged column left."""
        return replace(self, privileged=np.zeros((len(self.X), 0)))


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
    def of_far_columns(cls, X: Floats, count: Floats) -> Scaling:
        """Leave the scales as they are, and bring columns that lie far from zero there.

        Offsets make up for it, so that no weight changes; but a product of a weight with values
        near 10,000 that differ by 1 has lost four digits.
        """
        every = cls.of(X, count)
        spread = np.where(np.isinf(every.scale), 0.0, every.scale)
        is_far = np.abs(every.centre) > _FAR * spread
        return cls(np.where(is_far, every.centre, 0.0), np.ones(X.shape[1]))

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


def merged(
    X: Floats,
    target: Floats,
    count: Floats,
    privileged: Floats | None = None,
    group: Ints | None = None,
    source: Ints | None = None,
) -> Sample:
    """Equal rows as one that counts for all of them, in an order that is not the caller's.

    Rows of different groups are different, and so are all rows whose place is to be remembered.
    """
    apart: tuple[Any, ...] = (privileged, group, source)
    blocks = [target, X, *(block for block in apart if block is not None)]
    rows = np.ascontiguousarray(np.column_stack(blocks) + 0.0)  # + 0.0: no negative zeros
    items = rows.view(np.dtype((np.void, rows.dtype.itemsize * rows.shape[1]))).ravel()
    _, first, place = np.unique(items, return_index=True, return_inverse=True)
    counts = sums_by(place.ravel(), count, len(first))
    kept = (None if block is None else block[first] for block in apart)
    return Sample(X[first], target[first], counts, counts, *kept)


def arranged(sample: Sample) -> Sample:
    """The same sample as single observations, in an order that depends on the data alone.

    A row that counts c times becomes ⌊c⌋ rows, so that its copies can be in different folds and
    a permutation can tell them apart. Thus a row of weight 2 is the same as a row given twice, to
    the last step of the analysis, and neither the order of the rows nor that of the columns, nor a
    sign, can change a fold. Where that would make too many rows each stands for several of them.
    """
    order = _order(sample)
    count = sample.count[order]
    most = max(_MOST_ROWS, 2 * len(order))
    share = min(1.0, most / float(np.floor(count).sum() or 1.0))
    copies = np.maximum(np.floor(count * share), 1.0).astype(np.intp)
    rows = np.repeat(order, copies)
    counts = np.repeat(count / copies, copies)
    group = None if sample.group is None else _numbered(sample.group[rows])
    return replace(sample.take(rows), count=counts, weight=counts, group=group)


def _numbered(group: Ints) -> Ints:
    """Groups by numbers in the order in which they come, whatever they are called."""
    _, first, place = np.unique(group, return_index=True, return_inverse=True)
    ranks = np.empty(len(first), dtype=np.intp)
    ranks[np.argsort(first)] = np.arange(len(first))
    return ranks[place.ravel()]


def _order(sample: Sample) -> Ints:
    """Rows by target, then by a combination of the columns whose factors the columns determine.

    Factors come from the rows' keys and keys from the columns' factors, in turns, which tells
    apart all rows and columns that do not mirror one another. All of it is odd in every column and
    in the target, and the order goes by size: neither the sign of a column nor which of two classes
    comes first can change it. Signs only tell rows apart that are of one size.
    """
    share = sample.count / sample.count.sum()
    target = sample.target - share @ sample.target
    target = target / (float(np.sqrt(share @ target**2)) or 1.0)
    keys = [np.round(target, 9), _key(sample.X, target, share)]
    if sample.privileged is not None:
        keys.append(_key(sample.privileged, target, share))
    sizes = [np.abs(key) for key in keys]
    return np.lexsort([*reversed(keys), *reversed(sizes)])


def _key(X: Floats, target: Floats, share: Floats) -> Floats:
    key, cubes = target, X * X * X
    for _ in range(4):
        moments = (share * key) @ X + 0.5 * (share * key**3) @ cubes
        # What differs in the sixth digit is far apart here; rounding errors are not.
        factors = np.sin(1e6 * np.round(moments, 10))
        key = np.sin(X @ factors + target)
    return np.round(key, 8)


def with_class_weights(sample: Sample, factors: dict[float, float]) -> Sample:
    """Weigh the loss of each class by a factor."""
    weight = sample.count * np.array([factors[float(code)] for code in sample.target])
    return replace(sample, weight=weight)
