"""Training data as the engine sees it: standardised columns, rows in an order of their own."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from allrelevant.base.arrays import Floats, Ints, sums_by
from allrelevant.base.rows import distinct_rows

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
    first, kind = distinct_rows(target, X, *(block for block in apart if block is not None))
    counts = sums_by(kind, count, len(first))
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
