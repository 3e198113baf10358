"""Rows drawn anew, by their keys: bootstrap samples, and the order of rows in a permutation."""

from __future__ import annotations

import numpy as np

from allrelevant.base.arrays import Floats, Ints, sums_by
from allrelevant.linear.fit.rows.sample import Sample

_MOST_WAVES = 40  # within a standard deviation of the keys, or they would magnify rounding errors
_MOST_DRAWS = 16  # values that a part of a row is the mean of


def draw_again(sample: Sample, seed: int) -> Floats:
    """How often each row is drawn in a bootstrap sample, relative to how often it was there.

    One observation is drawn 0 times with probability ⅓ and else between 0 and 3 times, evenly: once
    in the mean, with a variance of 1, as in a bootstrap of whole observations. Groups are drawn as
    one. How often is a wave over the keys that goes up and down with every few rows, so that what
    goes with the keys averages out, but a key that changes in the seventh digit changes nothing.
    """
    key, times = _units(sample)
    random = np.random.default_rng(seed)
    spread = float(np.std(key)) or 1.0
    phase = random.random() + key * (min(len(key), _MOST_WAVES) * random.uniform(0.5, 1.5) / spread)
    height = 2.0 * np.abs(phase - np.round(phase))  # evenly between 0 and 1
    one = np.maximum(4.5 * height - 1.5, 0.0)
    drawn = 1.0 + (one - 1.0) / np.sqrt(times)  # of many observations about as many
    total = float(times @ drawn)
    # Of two or three rows none may be drawn: they are left as they are.
    drawn = drawn * (times.sum() / total) if total > 0 else np.ones(len(times))
    return drawn if sample.group is None else drawn[sample.group]


def _units(sample: Sample) -> tuple[Floats, Floats]:
    """What is drawn: keys of rows and how many observations they are, or keys of groups."""
    key: Floats = np.arange(len(sample), dtype=float) if sample.key is None else sample.key
    if sample.group is None:
        return key, sample.numbers
    size = sums_by(sample.group, np.ones(len(key)), sample.n_groups)
    return sums_by(sample.group, key, sample.n_groups) / np.maximum(size, 1.0), np.ones(len(size))


def shuffled_rows(sample: Sample, random: np.random.Generator) -> Ints:
    """For each row the row whose values it gets; whole groups change places."""
    if sample.group is None:
        return random.permutation(len(sample))
    return _group_order(sample.group, random)


def shuffled(
    column: Floats, sample: Sample, random: np.random.Generator, by: Floats | None = None
) -> Floats:
    """A column whose values have changed places, those of observations that are one row as well.

    A row of many observations would get many values. What they do to a loss is told by their mean,
    and near a kink by how far they are apart: the parts of a row get the mean of the smallest of
    them, of the next ones, and so on. Columns that belong together, such as the levels of a
    category, stay so where all of them go `by` the values of one.
    """
    times = sample.numbers
    if sample.group is not None or sample.row is None or (times == 1).all():
        return column[shuffled_rows(sample, random)]
    draws = np.minimum(times, _MOST_DRAWS).astype(np.intp)
    n, upto = int(draws.sum()), np.cumsum(times)
    source = np.searchsorted(upto, (np.arange(n) + 0.5) * (upto[-1] / n))
    source = random.permutation(source)
    part = np.repeat(np.arange(len(times)), draws)
    row = np.unique(sample.row, return_inverse=True)[1].ravel()
    leading = column if by is None else by
    values = column[source[np.lexsort([leading[source], row[part]])]]
    means = sums_by(part, values, len(times)) / draws
    # The mean of all observations of a row varies less than that of those that were drawn.
    middle = float(times @ column / upto[-1])
    drawn, there = np.bincount(row, draws), np.bincount(row, times)
    away = np.bincount(row, draws * means) / drawn - middle
    return means + (away * (np.sqrt(drawn / there) - 1.0))[row]


def _group_order(group: Ints, random: np.random.Generator) -> Ints:
    """For each row the row whose value it gets: whole groups change places.

    A group that is larger than the one whose values it gets takes them several times.
    """
    names, group = np.unique(group, return_inverse=True)  # some rows lack some groups
    n_groups = len(names)
    giver = random.permutation(n_groups)
    # Rows by group, in random order within each.
    rows = np.lexsort([random.random(len(group)), group])
    sizes = np.bincount(group, minlength=n_groups)
    first = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    within = np.arange(len(group)) - np.repeat(first, sizes)
    source = np.repeat(giver, sizes)
    order = np.empty(len(group), dtype=np.intp)
    order[rows] = rows[first[source] + within % sizes[source]]
    return order
