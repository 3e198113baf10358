"""Passes that look at the sides of pieces: what the rows of a block say of some models."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from allrelevant.base.arrays import Floats, Ints, Mask, sums_by
from allrelevant.data.rows import Block
from allrelevant.data.scaling import Scaling
from allrelevant.linear.engine.program.pieces import Pieces
from allrelevant.linear.fit.outside.drawing import drawn_values
from allrelevant.linear.models import LinearModel

_SIDE = 1e-9  # how far a piece may be on the wrong side unnoticed
_VALUES = 400_000  # residuals that are looked at together
_FEW, _SHARE = 16, 0.05  # rows that a model brings into the core at most, of those looked at


@dataclass(frozen=True, eq=False)
class TargetCodes:
    """Targets as they came, and the engine's codes of them.

    Labels have one each. Numbers have those of two of them, and all others are in line.
    """

    labels: np.ndarray
    codes: Floats
    are_numbers: bool = False

    def of(self, y: Any) -> Floats:
        """The codes of some targets."""
        if self.are_numbers:
            (low, high), (first, last) = self.labels, self.codes
            away = (np.asarray(y, dtype=np.float64) - low) / (high - low)
            return first + away * (last - first)
        places = np.searchsorted(self.labels, np.asarray(y, dtype=self.labels.dtype))
        return self.codes[places]


@dataclass(frozen=True, eq=False)
class Reading:
    """From the values of a block to the engine's columns, targets and weights."""

    scaling: Scaling
    coding: TargetCodes
    factors: dict[float, float] | None = None

    def columns(self, X: Floats) -> Floats:
        """Standardised columns."""
        return self.scaling.apply(X)

    def targets(self, y: Any) -> tuple[Floats, Floats]:
        """Codes, and what the loss of each row weighs."""
        target = self.coding.of(y)
        if self.factors is None:
            return target, np.ones(len(target))
        weight = np.ones(len(target))
        for code, factor in self.factors.items():
            weight[target == code] = factor
        return target, weight


@dataclass(frozen=True, eq=False)
class Guest:
    """A column of noise, by the values it is drawn from and the seed."""

    pool: Floats
    seed: int

    def values(self, numbers: Ints) -> Floats:
        """The values of some rows, by their numbers."""
        return drawn_values(self.pool, self.seed, numbers)


@dataclass(frozen=True, eq=False)
class Question:
    """Models to look at, one per column; the first is the one at which sides are decided.

    Parameters
    ----------
    weights, offsets : array of shape (n_features or n_offsets, n_models)
    guests : sequence of Guest
        Columns of noise that some of the models use.
    guest_weights : array of shape (n_guests, n_models)
    band : float
        Rows with a residual that is no larger join the core, whatever the models say.
    stretch : float
        Rows are picked that change sides so much farther away from the first model.
    all_of_them : bool
        Whether all such rows are picked, however many there are.
    sums : bool
        Whether the pieces outside the core are to be summed up.
    """

    reading: Reading
    model: LinearModel
    weights: Floats
    offsets: Floats
    guests: Sequence[Guest] = ()
    guest_weights: Floats | None = None
    band: float = -1.0
    stretch: float = 1.0
    all_of_them: bool = False
    sums: bool = False


@dataclass(frozen=True, eq=False)
class Picked:
    """Rows of the core, and what their linear pieces pull at the model that decides sides."""

    numbers: Ints
    X: Floats
    target: Floats
    weight: Floats

    @classmethod
    def joined(cls, parts: Sequence[Picked]) -> Picked:
        """All rows of several."""
        names = [entry.name for entry in fields(cls)]
        return cls(*(np.concatenate([getattr(one, name) for one in parts]) for name in names))

    def __len__(self) -> int:
        return len(self.numbers)


@dataclass(eq=False)
class Sums:
    """The linear pieces of rows, as one function of weights, offsets and guests."""

    weight: float
    target: float
    row: Floats
    offsets: Floats
    guests: Floats

    def add(self, other: Sums, sign: float = 1.0) -> None:
        """Add those of other rows, or take them away."""
        self.weight += sign * other.weight
        self.target += sign * other.target
        self.row = self.row + sign * other.row
        self.offsets = self.offsets + sign * other.offsets
        self.guests = self.guests + sign * other.guests


@dataclass(eq=False)
class Finding:
    """What rows say of models.

    `losses` and the `excess` by which they are above those of the core, for each model; of the
    first one the sum of `squares` of the rows' losses; rows to `pick`; `sums` of all others.
    """

    losses: Floats
    excess: Floats
    squares: float
    picked: list[Picked]
    sums: Sums

    def add(self, other: Finding) -> None:
        """Add what other rows say."""
        self.losses = self.losses + other.losses
        self.excess = self.excess + other.excess
        self.squares += other.squares
        self.picked += other.picked
        self.sums.add(other.sums)


def linear_sums(pieces: Pieces, X: Floats, linear: Mask, guests: Floats) -> Sums:
    """The sum of those pieces that are linear."""
    counted = pieces.weight * linear
    pull = sums_by(pieces.row, counted * pieces.sign, len(X))
    return Sums(
        float(counted.sum()),
        float(counted @ pieces.target),
        pull @ X,
        sums_by(pieces.offset, counted * pieces.offset_sign, pieces.n_offsets),
        pull @ guests,
    )


def look(block: Block, question: Question, known: Ints | None) -> Finding:
    """What the rows of a block say; `known` are the numbers of those in the core."""
    n_models = question.weights.shape[1]
    nothing = np.zeros(n_models)
    d, q = len(question.weights), len(question.offsets)
    sums = Sums(0.0, 0.0, np.zeros(d), np.zeros(q), np.zeros(len(question.guests)))
    whole = Finding(nothing, nothing, 0.0, [], sums)
    known = np.zeros(0, dtype=np.intp) if known is None else known
    for piece in block.pieces(int(np.clip(_VALUES // n_models, 256, 8192))):
        whole.add(_look(piece, question, known))
    if whole.picked:
        whole.picked = [Picked.joined(whole.picked)]
    return whole


def _look(block: Block, question: Question, known: Ints) -> Finding:
    n = len(block)
    X = question.reading.columns(block.X)
    target, weight = question.reading.targets(block.y)
    pieces = question.model.pieces(target, weight)
    guests = np.empty((n, len(question.guests)))
    for k, guest in enumerate(question.guests):
        guests[:, k] = guest.values(block.numbers)
    scores = X @ question.weights
    if question.guest_weights is not None:
        scores += guests @ question.guest_weights
    residuals = _residuals(pieces, scores, question.offsets)
    first = residuals[:, 0].copy()
    linear = first > 0
    counted = np.maximum(residuals, 0.0)
    losses = pieces.weight @ counted
    squares = float((sums_by(pieces.row, pieces.weight * counted[:, 0], n) ** 2).sum())
    inside = np.zeros(n, dtype=bool)
    low, high = np.searchsorted(known, [block.first, block.first + n])
    inside[known[low:high] - block.first] = True
    outside = ~inside[pieces.row]
    # How far each piece is on the other side than at the first model.
    wrong = np.where(linear[:, None], -residuals, residuals)
    wrong[~outside] = -np.abs(first[~outside])[:, None]
    excess = pieces.weight @ np.maximum(wrong, 0.0)
    chosen = _chosen(question, first, wrong) & outside
    new = np.zeros(n, dtype=bool)
    new[pieces.row[chosen]] = True
    rows = np.flatnonzero(new)
    picked = [Picked(block.first + rows, X[rows], target[rows], weight[rows])] if len(rows) else []
    some = np.zeros(guests.shape[1])
    sums = Sums(0.0, 0.0, np.zeros(X.shape[1]), np.zeros(pieces.n_offsets), some)
    if question.sums:
        sums = linear_sums(pieces, X, linear & outside & ~new[pieces.row], guests)
    return Finding(losses, excess, squares, picked, sums)


def _residuals(pieces: Pieces, scores: Floats, offsets: Floats) -> Floats:
    residuals: Floats = scores[pieces.row]
    residuals *= -pieces.sign[:, None]
    residuals += pieces.target[:, None]
    residuals -= pieces.offset_sign[:, None] * offsets[pieces.offset]
    return residuals


def _chosen(question: Question, first: Floats, wrong: Floats) -> Mask:
    """Pieces that are to be decided by programs: those that change sides in some model.

    Where very many do so on the way to a model, only the first ones are taken: a model that lacks
    pieces can be anywhere, and most of those that changed sides there never do so near the best.
    """
    near: Mask = np.abs(first) <= question.band
    distance = np.abs(first)[:, None]
    beyond = question.stretch * (wrong + distance) - distance
    changed = beyond > _SIDE
    many = max(_FEW, int(_SHARE * len(first)))
    is_crowded = changed.sum(axis=0) > (np.inf if question.all_of_them else many)
    for k in np.flatnonzero(is_crowded):
        own = np.flatnonzero(changed[:, k])
        way = distance[own, 0] / (distance[own, 0] + beyond[own, k])
        changed[own[np.argpartition(way, many)[many:]], k] = False
    return near | changed.any(axis=1)
