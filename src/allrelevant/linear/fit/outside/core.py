"""Exact answers for all rows from a few of them.

The loss is Σ a_p·max(0, r_p). Rows *in the core* are kept as they are. Of all others each piece is
on its linear or on its zero side at a model that is known. The linear ones are summed up to one
piece that counts below zero, too; the others are left out. As max(0, r) is neither below r nor
below 0, the core's loss is at most the loss, and it is the loss where all pieces outside keep
their sides. So the best of all models that keep the core's budgets is at least as good as the
best of those that keep the true ones; and where no piece outside changes its side, it is one of
these. The engine runs on the core as it is. What it finds is looked at on all rows, all models in
one pass; rows that changed sides join the core, and what they concern is solved again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import copy
from dataclasses import dataclass, replace

import numpy as np

from allrelevant.base.arrays import Floats, Mask, sums_by
from allrelevant.data.core import CoreMatrix
from allrelevant.linear.engine.program.equivalent import EquivalentModels, Noted
from allrelevant.linear.engine.program.pieces import Pieces
from allrelevant.linear.engine.program.reference import Reference
from allrelevant.linear.fit.outside.looks import Finding, Picked, Question, linear_sums, look
from allrelevant.linear.fit.outside.outside import Noise, Outside
from allrelevant.linear.models import LinearModel

_ENOUGH = 1e-10  # of a loss: a model's, on all rows, is that on the core


@dataclass(frozen=True, eq=False)
class Seen:
    """A model that was found on the core, perhaps with noise as a guest."""

    weights: Floats
    offsets: Floats
    noise: Noise | None = None
    guest_weight: float = 0.0

    @classmethod
    def of(cls, noted: Noted, noise: Noise | None = None) -> Seen:
        """A model that a solver has noted."""
        return cls(noted.weights, noted.offsets, noise, noted.guest_weight)

    def moved(self, weights: Floats, offsets: Floats) -> Seen:
        """The model moved by these weights and offsets."""
        return replace(self, weights=self.weights + weights, offsets=self.offsets + offsets)


class Core:
    """Rows that programs see, and the sum of all others; it grows.

    Parameters
    ----------
    outside : Outside
        All rows.
    weights, offsets : array
        The model at which sides are decided.
    band : float
        Rows with a residual there that is no larger are in the core from the start.
    """

    def __init__(
        self, outside: Outside, model: LinearModel, weights: Floats, offsets: Floats, band: float
    ) -> None:
        self.outside, self.model, self.band = outside, model, band
        self.first = Seen(weights, offsets)
        self._guests: dict[Noise, int] = {}
        self._matrix: CoreMatrix | None = None
        nothing = np.zeros(0)
        no_rows = np.zeros(0, dtype=np.intp)
        self.rows = Picked(no_rows, np.zeros((0, len(weights))), nothing, nothing)
        found = self._look([], band=band, sums=True)
        self._sums = found.sums
        # Sums of the losses at that model, and of their squares.
        self.first_loss, self.first_squares = float(found.losses[0]), found.squares
        self.rows = Picked.joined([self.rows, *found.picked])

    def apart(self) -> Core:
        """A copy of the core, which grows by itself."""
        other = copy(self)
        other._sums, other._guests = copy(self._sums), dict(self._guests)
        return other

    # What the engine sees

    @property
    def matrix(self) -> CoreMatrix:
        """The rows of the core, and then the mean of the linear pieces of all others."""
        if self._matrix is None:
            values = np.vstack([self.rows.X, self._sums.row / self._whole])
            self._matrix = CoreMatrix(values, self.outside.low, self.outside.high)
            self.rows = replace(self.rows, X=values[:-1])  # which are there once
        return self._matrix

    @property
    def _whole(self) -> float:
        return self._sums.weight if self._sums.weight > 0 else 1.0

    @property
    def pieces(self) -> Pieces:
        """Their loss."""
        own = self.model.pieces(self.rows.target, self.rows.weight)
        q, n, whole = own.n_offsets, len(self.rows), self._whole
        first = np.eye(1, q)[0]
        # The last piece is never positive. It knows how far targets are from zero, and offsets.
        return Pieces(
            row=np.concatenate([own.row, np.full(q + 1, n)]),
            sign=np.concatenate([own.sign, first, [0.0]]),
            offset=np.concatenate([own.offset, np.arange(q), [0]]),
            offset_sign=np.concatenate([own.offset_sign, self._sums.offsets / whole, [0.0]]),
            target=np.concatenate(
                [own.target, self._sums.target / whole * first, [-self.outside.farthest]]
            ),
            weight=np.concatenate([own.weight, np.full(q, whole), [1.0]]),
            n_offsets=q,
            linear=np.repeat([False, True, False], [len(own), q, 1]),
        )

    def column(self, noise: Noise) -> Floats:
        """A column of noise as the engine sees it."""
        if noise not in self._guests:
            self.welcome([noise])
        values = self.outside.guest(*noise).values(self.rows.numbers)
        return np.append(values, self._sums.guests[self._guests[noise]] / self._whole)

    def duals(self, known: Floats, C: float) -> Floats:
        """Multipliers where the core was smaller, for the rows that have joined as well.

        Outside the core a piece's multiplier is all or nothing, by the side that it is on.
        """
        some = Picked(*(getattr(self.rows, name)[len(known) - 1 :] for name in _ARRAYS))
        pieces = self.model.pieces(some.target, some.weight)
        linear = self._is_linear(some, pieces)
        joined = sums_by(pieces.row, pieces.weight * linear * pieces.sign, len(some))
        return np.concatenate([known[:-1], C * joined, [C * self._whole]])

    def multipliers(self, of: Core, known: Floats, C: float) -> Floats:
        """Multipliers of the rows of this core, from those of another one with other rows."""
        pieces = self.model.pieces(self.rows.target, self.rows.weight)
        linear = self._is_linear(self.rows, pieces)
        duals = C * sums_by(pieces.row, pieces.weight * linear * pieces.sign, len(self.rows))
        _, mine, its = np.intersect1d(self.rows.numbers, of.rows.numbers, return_indices=True)
        duals[mine] = known[its]
        return np.append(duals, C * self._whole)

    def present(self, models: EquivalentModels) -> EquivalentModels:
        """A set of models that was made when the core was smaller, on the core as it is now."""
        models = replace(models, band=np.inf)
        if len(models.X) == len(self.rows) + 1:
            return models

        def grown(one: Reference | None) -> Reference | None:
            if one is None or one.row_duals is None:
                return one
            return replace(one, row_duals=self.duals(one.row_duals, one.C))

        reference = grown(models.reference)
        assert reference is not None
        return replace(
            models,
            X=self.matrix,
            pieces=self.pieces,
            reference=reference,
            steeper=grown(models.steeper),
        )

    # Growing

    def welcome(self, noise: Iterable[Noise]) -> None:
        """Get to know columns of noise."""
        new = [one for one in dict.fromkeys(noise) if one not in self._guests]
        if not new:
            return
        found = self._look([], guests=new, sums=True)
        self._guests.update({one: len(self._guests) + k for k, one in enumerate(new)})
        self._sums.guests = np.append(self._sums.guests, found.sums.guests)

    def widen(self, models: Sequence[Seen]) -> None:
        """Take in rows that change sides on the way to some models, or a little beyond."""
        if models:
            self._take_in(self._look(models, stretch=_FAR_BEYOND, all_of_them=True))

    def lacks(self, models: Sequence[Seen]) -> Mask:
        """Which models have other losses on all rows; the core has grown by what they lack."""
        if not models:
            return np.zeros(0, dtype=bool)
        found = self._look(models, stretch=_BEYOND)
        lacks: Mask = found.excess[1:] > _ENOUGH * (1.0 + found.losses[1:])
        if lacks.any():
            self._take_in(found)
        return lacks

    def _take_in(self, found: Finding) -> None:
        if not found.picked:
            return
        some = Picked.joined(found.picked)
        pieces = self.model.pieces(some.target, some.weight)
        by_place = sorted(self._guests, key=lambda key: self._guests[key])
        guests = np.empty((len(some), len(by_place)))
        for k, noise in enumerate(by_place):
            guests[:, k] = self.outside.guest(*noise).values(some.numbers)
        self._sums.add(linear_sums(pieces, some.X, self._is_linear(some, pieces), guests), -1.0)
        self.rows, self._matrix = Picked.joined([self.rows, some]), None

    def _is_linear(self, rows: Picked, pieces: Pieces) -> Mask:
        """Which pieces of some rows are on their linear side at the model that decides."""
        scores = rows.X @ self.first.weights
        return pieces.residuals(scores, self.first.offsets) > 0

    def _look(
        self,
        models: Sequence[Seen],
        *,
        guests: Sequence[Noise] = (),
        band: float = -1.0,
        stretch: float = 1.0,
        all_of_them: bool = False,
        sums: bool = False,
    ) -> Finding:
        """One pass."""
        used = [one.noise for one in models if one.noise is not None]
        place = {noise: k for k, noise in enumerate(dict.fromkeys([*guests, *used]))}
        every = [self.first, *models]
        guest_weights = np.zeros((len(place), len(every)))
        for k, one in enumerate(every):
            if one.noise is not None:
                guest_weights[place[one.noise], k] = one.guest_weight
        question = Question(
            self.outside.reading,
            self.model,
            np.column_stack([one.weights for one in every]),
            np.column_stack([one.offsets for one in every]),
            [self.outside.guest(*noise) for noise in place],
            guest_weights if used else None,
            band,
            stretch,
            all_of_them,
            sums,
        )
        return self.outside.look(look, question, np.sort(self.rows.numbers))


_ARRAYS = ("numbers", "X", "target", "weight")
_BEYOND = 1.1  # times as far as models go
# The same for models of some rows. A program looks at few of the core's rows, so that these cost
# little; one that lacks a row is solved again.
_FAR_BEYOND = 1.5
