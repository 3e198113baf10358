"""Training data as the engine sees it: standardised columns, rows in an order of their own."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from allrelevant.base.arrays import Floats, Ints, sums_by
from allrelevant.data import Matrix, matrix_of
from allrelevant.linear.fit.rows.keys import row_keys
from allrelevant.linear.fit.statistics.chance import one_in_all_orders

if TYPE_CHECKING:
    from allrelevant.linear.fit.outside.outside import Outside

_MOST_ROWS = 300  # up to which a row that stands for several observations is told apart from itself
_FEWEST_ROWS = 20  # different ones that a table has
_LARGEST_COUNT = 2.0**53  # beyond which numbers are whole because they have no digits left
_APART = 0.38  # by which the keys of a row's parts grow, so that they are drawn independently


@dataclass(frozen=True, eq=False)
class Observations:
    """What each row counts, how many observations it is, and which rows belong together."""

    count: Floats
    group: Ints | None = None
    times: Floats | None = None

    def take(self, rows: Ints) -> Observations:
        """The observations of some rows."""
        group = None if self.group is None else self.group[rows]
        return Observations(
            self.count[rows], group, None if self.times is None else self.times[rows]
        )

    @property
    def n_groups(self) -> int:
        """How many groups the rows are in; each observation is one where none are given."""
        if self.group is None:
            return round(float(self.numbers.sum()))
        return int(self.group.max(initial=-1)) + 1

    @property
    def numbers(self) -> Floats:
        """How many observations each row is: as many as it counts, if that is a number of them."""
        if self.times is not None:
            return self.times
        return self.count if _are_whole(self.count) else np.ones(len(self.count))

    def mean_and_error(self, values: Floats) -> tuple[float, float]:
        """The mean of a value per observation, and its standard error.

        Observations of one group are one.
        """
        n = float(self.count.sum())
        mean = float(self.count @ values) / n
        away = self.count * (values - mean)
        if self.group is None:
            square = float((away**2 / self.numbers).sum())
        else:
            square = float((sums_by(self.group, away, self.n_groups) ** 2).sum())
        return mean, float(np.sqrt(square)) / n


@dataclass(frozen=True, eq=False)
class Sample:
    """Rows, encoded targets, and what each row counts.

    Parameters
    ----------
    X : Matrix or array of shape (n_samples, n_features)
    target : array of shape (n_samples,), or (n_samples, 2) for times and events
    count : array of shape (n_samples,)
        The sample weight of each row.
    weight : array of shape (n_samples,)
        How much its loss weighs: the count, times the weight of its class.
    privileged : array of shape (n_samples, n_privileged), optional
        Features that are known in training only.
    group : array of int of shape (n_samples,), optional
        Which rows belong together, such as those of one patient; numbered from 0.
    source : array of int of shape (n_samples,), optional
        Where each row was in the caller's data; None where equal rows were merged.
    times : array of shape (n_samples,), optional
        How many observations each row is, a whole number; by default as many as it counts.
    key : array of shape (n_samples,), optional
        The row's key (see :mod:`~allrelevant.linear.fit.rows.keys`).
    row : array of int of shape (n_samples,), optional
        Which rows are parts of the same one.
    outside : Outside, optional
        All rows, where these are some of them and the others are elsewhere.
    """

    X: Matrix
    target: Floats
    count: Floats
    weight: Floats
    privileged: Floats | None = None
    group: Ints | None = None
    source: Ints | None = None
    times: Floats | None = None
    key: Floats | None = None
    row: Ints | None = None
    outside: Outside | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "X", matrix_of(self.X))

    def __len__(self) -> int:
        return len(self.X)

    def take(self, rows: Ints, times: Floats | None = None) -> Sample:
        """Some of the rows, or some observations of each."""
        arrays: dict[str, Any] = {entry.name: getattr(self, entry.name) for entry in fields(self)}
        X = arrays.pop("X").take(rows)
        del arrays["outside"]
        chosen: dict[str, Any] = {k: None if a is None else a[rows] for k, a in arrays.items()}
        some = Sample(X, **chosen)
        if times is None:
            return some
        share = times / some.numbers
        return replace(some, count=some.count * share, weight=some.weight * share, times=times)

    @property
    def observations(self) -> Observations:
        """What the rows count, without their values."""
        return Observations(self.count, self.group, self.times)

    @property
    def numbers(self) -> Floats:
        """How many observations each row is."""
        return self.observations.numbers

    def mean_and_error(self, values: Floats) -> tuple[float, float]:
        """The mean of a value per observation, and its standard error."""
        return self.observations.mean_and_error(values)

    @property
    def n_groups(self) -> int:
        """How many groups the rows are in; each observation is one where none are given."""
        return self.observations.n_groups

    @property
    def least_p_value(self) -> float:
        """The smallest p-value that a permutation can tell: one in as many ways as there are.

        So often noise goes with the target as well as anything can. Where rows of one group differ
        in their targets, ways are not counted.
        """
        if self.outside is not None:
            return 0.0
        _, value = np.unique(self.target, axis=0, return_inverse=True)
        value, times = value.ravel(), self.numbers
        if self.group is not None:
            lowest, highest = np.full(self.n_groups, len(value)), np.full(self.n_groups, -1)
            np.minimum.at(lowest, self.group, value)
            np.maximum.at(highest, self.group, value)
            if (lowest < highest).any():
                return 0.0
            value, times = highest, np.ones(self.n_groups)
        return one_in_all_orders(np.bincount(value, times))

    @property
    def whole_weight(self) -> float:
        """What the losses of all rows weigh together, also where some are elsewhere."""
        return float(self.weight.sum()) if self.outside is None else self.outside.weight

    def plain(self) -> Sample:
        """The same without what is privileged."""
        return replace(self, privileged=None)

    def without_columns(self) -> Sample:
        """The same with no privileged column left."""
        return replace(self, privileged=np.zeros((len(self), 0)))


def merged(
    X: Matrix | Floats,
    target: Floats,
    count: Floats,
    privileged: Floats | None = None,
    group: Ints | None = None,
    source: Ints | None = None,
) -> Sample:
    """Equal rows as one that counts for all of them, in an order that is not the caller's.

    Rows of different groups are different, and so are all rows whose place is to be remembered.
    """
    X = matrix_of(X)
    apart: tuple[Any, ...] = (privileged, group, source)
    first, kind = X.distinct(target, *(block for block in apart if block is not None))
    counts = sums_by(kind, count, len(first))
    given = sums_by(kind, np.ones(len(kind)), len(first))
    kept = [None if block is None else block[first] for block in apart]
    times = _without_divisor(counts) if _are_whole(count) else given
    some = Sample(X.take(first), target[first], counts, counts, *kept)
    return replace(some, times=times)


def _are_whole(count: Floats) -> bool:
    """Whether weights are numbers of rows; others say how much a row tells, which is one."""
    return bool((count % 1.0 == 0).all()) and float(count.sum()) < _LARGEST_COUNT


def _without_divisor(counts: Floats) -> Floats:
    """Numbers of rows; a table of which all rows are there twice, or three times, is that table.

    A few different rows are no table but a design, and what was done again was observed again.
    """
    if len(counts) < _FEWEST_ROWS:
        return counts
    return counts / float(np.gcd.reduce(counts.astype(np.int64)))


def arranged(sample: Sample, *, has_order: bool = True) -> Sample:
    """The same sample in an order that depends on the data alone.

    Nor does it depend on the names of classes: those without an order must not get one by their
    codes.

    A row that is several observations becomes several rows, so that a permutation can tell them
    apart. Two are enough where there are many: more would take time, and say no more.
    """
    seen = partial(row_keys, sample.target, sample.count, sample.X, has_order=has_order)
    keys = seen()
    order = np.argsort(keys, kind="stable")
    if sample.privileged is not None:
        # They tell equal rows apart, and change nothing else: they may turn out to be useless.
        order = np.lexsort([seen(sample.privileged), keys])
    most = max(2, _MOST_ROWS // len(order))
    copies = np.minimum(sample.numbers[order], most).astype(np.intp)
    row = np.repeat(np.arange(len(order)), copies)
    part = np.arange(len(row)) - np.repeat(np.cumsum(copies) - copies, copies)
    # Whole numbers that differ by one at most and add up to those of the row.
    upto = np.floor(sample.numbers[order][row] * ((part + 1) / copies[row]) + 0.5)
    since = np.floor(sample.numbers[order][row] * (part / copies[row]) + 0.5)
    key = keys[order][row]
    group = None if sample.group is None else _numbered(sample.group[order][row], key)
    parts = replace(sample.take(order[row], upto - since), outside=sample.outside)
    return replace(parts, group=group, key=key * (1.0 + _APART * part), row=row)


def _numbered(group: Ints, key: Floats) -> Ints:
    """Groups by numbers in the order of their mean keys, whatever they are called."""
    _, place = np.unique(group, return_inverse=True)
    place = place.ravel()
    size = sums_by(place, np.ones(len(place)), int(place.max()) + 1)
    means = np.round(sums_by(place, key, len(size)) / size, 9)
    ranks = np.empty(len(size), dtype=np.intp)
    ranks[np.lexsort([_first(place), means])] = np.arange(len(size))
    return ranks[place]


def _first(place: Ints) -> Ints:
    return np.unique(place, return_index=True)[1]


def with_class_weights(sample: Sample, factors: dict[float, float]) -> Sample:
    """Weigh the loss of each class by a factor."""
    weight = sample.count * np.array([factors[float(code)] for code in sample.target])
    return replace(sample, weight=weight)
