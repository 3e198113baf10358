"""What is known of all rows from passes over them: centres, scales, shapes, ends, targets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from allrelevant.base.arrays import Floats, Ints
from allrelevant.data import matrix_of
from allrelevant.data.rows import Block
from allrelevant.data.scaling import Scaling, are_levels
from allrelevant.linear.fit.outside.drawing import shares

_MOST_LABELS = 1000  # different targets that are counted one by one


@dataclass(frozen=True, eq=False)
class Summary:
    """Number, means, squared deviations and ends of rows, and their targets.

    `y_moments` are those of targets that are numbers. `labels` are counted unless there are many.
    `gaps` has how many values of each column are no finite numbers.
    """

    part: int
    n: int
    mean: Floats
    squares: Floats
    low: Floats
    high: Floats
    gaps: Ints
    y_gaps: int
    y_moments: tuple[float, float, float, float] | None
    labels: Counter[Any] | None

    def and_(self, other: Summary) -> Summary:
        """The summary of the rows of both."""
        n = self.n + other.n
        share = other.n / n if n else 0.0
        away = other.mean - self.mean
        moments = None
        if self.y_moments is not None and other.y_moments is not None:
            moments = _joined_moments(self.n, self.y_moments, other.n, other.y_moments)
        labels = None
        if self.labels is not None and other.labels is not None:
            labels = self.labels + other.labels
            labels = labels if len(labels) <= _MOST_LABELS else None
        with np.errstate(over="ignore", invalid="ignore"):  # what cannot be used is named later
            squares = self.squares + other.squares + away**2 * (self.n * share)
        return Summary(
            self.part,
            n,
            self.mean + share * away,
            squares,
            np.minimum(self.low, other.low),
            np.maximum(self.high, other.high),
            self.gaps + other.gaps,
            self.y_gaps + other.y_gaps,
            moments,
            labels,
        )


def _joined_moments(
    n: int, one: tuple[float, ...], m: int, other: tuple[float, ...]
) -> tuple[float, float, float, float]:
    """Mean, squared deviations, and ends of two lots of numbers."""
    share = m / (n + m) if n + m else 0.0
    away = other[0] - one[0]
    squares = one[1] + other[1] + away**2 * n * share
    return one[0] + share * away, squares, min(one[2], other[2]), max(one[3], other[3])


def summarise(block: Block, shared: None, own: None) -> Summary:
    """The summary of a block."""
    d = block.X.shape[1]
    nothing = np.zeros(d)
    found = Summary(
        block.part, 0, nothing, nothing, nothing + np.inf, nothing - np.inf,
        np.zeros(d, dtype=np.intp), 0, (0.0, 0.0, np.inf, -np.inf), Counter(),
    )  # fmt: skip
    for piece in block.pieces():
        found = found.and_(_summary(piece))
    return found


def _summary(block: Block) -> Summary:
    X, y = block.X, block.y
    gaps = (~np.isfinite(X)).sum(axis=0)
    with np.errstate(invalid="ignore", over="ignore"):
        mean = X.mean(axis=0)
        squares = ((X - mean) ** 2).sum(axis=0)
    moments: tuple[float, float, float, float] | None = None
    labels: Counter[Any] | None = None
    if y.dtype.kind in "biuf":
        numbers = y.astype(np.float64)
        y_gaps = int((~np.isfinite(numbers)).sum())
        with np.errstate(invalid="ignore"):
            centre = float(numbers.mean())
            away = float(((numbers - centre) ** 2).sum())
            moments = centre, away, float(numbers.min()), float(numbers.max())
    else:
        y_gaps = sum(label is None or label != label for label in y.tolist())
    if not y_gaps:
        values, counts = np.unique(y, return_counts=True)
        if len(values) <= _MOST_LABELS:
            labels = Counter(dict(zip(values.tolist(), counts.tolist(), strict=True)))
    return Summary(
        block.part, len(X), mean, squares, X.min(axis=0), X.max(axis=0), gaps, y_gaps,
        moments, labels,
    )  # fmt: skip


def levels_in(block: Block, shared: Sequence[Ints], own: None) -> list[bool]:
    """Which groups of columns are all levels of a category, in a block."""
    X = matrix_of(block.X)
    return [are_levels(X, columns) for columns in shared]


def of_all_blocks(summaries: Sequence[Summary]) -> Summary:
    """The summary of all rows."""
    whole = summaries[0]
    for one in summaries[1:]:
        whole = whole.and_(one)
    return whole


@dataclass(frozen=True, eq=False)
class Drawn:
    """Rows that were drawn, and what all rows of the block say of shapes."""

    numbers: Ints
    X: Floats
    y: Any
    deviations: Floats


def draw(block: Block, shared: tuple[Scaling, float, int], own: None) -> Drawn:
    """A share of the rows, by their numbers, and sums of absolute deviations of all."""
    scaling, share, seed = shared
    chosen = np.flatnonzero(shares(seed, block.numbers) < share)
    deviations = np.zeros(block.X.shape[1])
    for piece in block.pieces():
        deviations += np.abs(scaling.apply(piece.X)).sum(axis=0)
    y = np.asarray(block.y)
    return Drawn(block.first + chosen, block.X[chosen], y[chosen], deviations)
