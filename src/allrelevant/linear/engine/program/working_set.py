"""The few pieces and features that matter near a reference model, and the check of the rest.

At the reference every piece is on its linear side or on its zero side, and most pieces stay there
over all the models of interest. Those count with one fixed linear function. Only the *undecided*
pieces U get a slack of their own, only the *resident* features F a weight. Whatever is solved on
(U, F) is an outer relaxation as far as pieces go: once no other piece has changed its side and no
other feature prices in, the answer is exact.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from allrelevant.base.arrays import Floats, Ints, Mask, sums_by
from allrelevant.data import Matrix
from allrelevant.linear.engine.program.equivalent import EquivalentModels
from allrelevant.linear.engine.program.pieces import Pieces

_FEW = 64  # features, of which picking those in use saves nothing
SIDE_TOLERANCE = 1e-9  # how far a piece may be on the wrong side unnoticed


class WorkingSet:
    """Undecided pieces, resident features, and the linear function of all decided pieces.

    With ``z = (b, w_F)`` the reduced loss is ``constant − slope·z + cost·ξ`` with ``ξ ≥ 0`` and
    ``matrix @ z + ξ ≥ target`` for the undecided pieces. Pieces that were linear at the reference
    are written with the opposite sign (their slack corrects what the linear function counts too
    much or too little), so the linear function never changes.

    Parameters
    ----------
    weights, offsets : array
        The reference model.
    features : array of int
        The features to begin with.
    band : float
        Pieces whose residual at the reference is at most this are undecided from the start.
    """

    @classmethod
    def around(cls, models: EquivalentModels, features: ArrayLike) -> WorkingSet:
        """The working set near the reference of equivalent models."""
        return cls(
            models.X,
            models.pieces,
            models.reference.weights,
            models.reference.offsets,
            features=features,
            band=models.band,
        )

    def __init__(
        self,
        X: Matrix,
        pieces: Pieces,
        weights: Floats,
        offsets: Floats,
        *,
        features: ArrayLike,
        band: float,
    ) -> None:
        self.X, self.pieces = X, pieces
        residuals = pieces.residuals(self.scores(weights), offsets)
        self.linear: Mask = residuals > 0
        if pieces.hard is not None:
            self.linear &= ~pieces.hard
        if pieces.linear is not None:
            self.linear |= pieces.linear
        lin = self.linear
        self.linear_rows = sums_by(pieces.row[lin], pieces.weight[lin] * pieces.sign[lin], len(X))
        self.feature_slope: Floats = X.pull(self.linear_rows)
        self.offset_slope = pieces.offset_sums(pieces.weight[lin], lin)
        self.constant = float(pieces.weight[lin] @ pieces.target[lin])
        self.is_undecided: Mask = np.zeros(len(pieces), dtype=bool)
        # +1 where a piece must not become positive, −1 where not negative, 0 where it may.
        self._side = np.where(lin, -1.0, 1.0)
        if pieces.linear is not None:
            self._side[pieces.linear] = 0.0
        self.position: Ints = np.full(X.shape[1], -1, dtype=np.intp)
        self.undecided: Ints = np.zeros(0, dtype=np.intp)
        self.features: Ints = np.zeros(0, dtype=np.intp)
        self._describe()
        self._entries: Floats = np.zeros((64, 64))
        self.add_features(features)
        near = np.abs(residuals) <= max(band, SIDE_TOLERANCE)
        self.add_pieces(np.flatnonzero(near if pieces.linear is None else near & ~pieces.linear))

    # What is in the set

    @property
    def is_complete(self) -> bool:
        """Whether every piece that could change its side has a slack."""
        always = 0 if self.pieces.linear is None else int(self.pieces.linear.sum())
        return len(self.undecided) + always == len(self.pieces)

    @property
    def n_offsets(self) -> int:
        """How many offsets the model has."""
        return self.pieces.n_offsets

    @property
    def entries(self) -> Floats:
        """Signed data of the undecided pieces, one column per resident feature."""
        return self._entries[: len(self.undecided), : len(self.features)]

    @property
    def offset_entries(self) -> Floats:
        """Factors of the offsets in the undecided pieces, one column per offset."""
        return self.flip[:, None] * self.pieces.offset_entries(self.undecided)

    def column(self, values: Floats) -> Floats:
        """A column of the data as the undecided pieces see it."""
        return self.signs * values[self.rows]

    def slope(self, values: Floats) -> float:
        """The factor of a column of the data in the decided pieces' linear function."""
        return float(self.linear_rows @ values)

    def add_features(self, features: ArrayLike) -> Ints:
        """Make features resident; gives those that were not."""
        new = np.asarray(features, dtype=np.intp)
        new = new[self.position[new] < 0]
        if not len(new):
            return new
        n_pieces, n_old = len(self.undecided), len(self.features)
        self._reserve(n_pieces, n_old + len(new))
        self.position[new] = n_old + np.arange(len(new))
        self.features = np.append(self.features, new)
        if n_pieces:
            block = self.X.block(self.rows, new)
            self._entries[:n_pieces, n_old : n_old + len(new)] = self.signs[:, None] * block
        return new

    def learn_from(self, other: WorkingSet) -> None:
        """Take in what another one has, of the same pieces and of more or fewer features."""
        self.add_features(other.features[other.features < len(self.position)])
        self.add_pieces(other.undecided)

    def drop_features(self, n_kept: int) -> None:
        """Forget the features that were added last, down to this number."""
        self.position[self.features[n_kept:]] = -1
        self.features = self.features[:n_kept]

    def add_pieces(self, pieces: Ints) -> Ints:
        """Give pieces a slack of their own; gives those that had none."""
        new = pieces[~self.is_undecided[pieces]]
        n_old, n_features = len(self.undecided), len(self.features)
        self._reserve(n_old + len(new), n_features)
        flip = np.where(self.linear[new], -1.0, 1.0)
        block = self.X.block(self.pieces.row[new], self.features)
        block *= (flip * self.pieces.sign[new])[:, None]
        self._entries[n_old : n_old + len(new), :n_features] = block
        self.undecided = np.append(self.undecided, new)
        self.is_undecided[new] = True
        self._side[new] = 0.0
        self._describe()
        return new

    def _describe(self) -> None:
        """What programs ask of the undecided pieces again and again.

        `flip` is −1 for those that were linear at the reference; `rows` and `signs` say which
        sample each has and with which sign; `target` and `cost` are its right-hand side and what
        a unit of its slack costs; `offsets` and `offset_factors` say which offset it has, and
        `second_offsets` which other one.
        `is_hard` tells those that must not have any slack.
        """
        pieces, undecided = self.pieces, self.undecided
        self.flip = np.where(self.linear[undecided], -1.0, 1.0)
        self.rows = pieces.row[undecided]
        self.signs = self.flip * pieces.sign[undecided]
        self.target = self.flip * pieces.target[undecided]
        self.cost = pieces.weight[undecided]
        self.is_hard: Mask = np.zeros(len(undecided), dtype=bool)
        if pieces.hard is not None:
            self.is_hard = pieces.hard[undecided]
        self.offsets = pieces.offset[undecided]
        self.offset_factors = self.flip * pieces.offset_sign[undecided]
        self.second_offsets: tuple[Ints, Floats] | None = None
        if pieces.second is not None and pieces.second_sign is not None:
            factors = self.flip * pieces.second_sign[undecided]
            self.second_offsets = pieces.second[undecided], factors

    def most(self, loss_multiplier: float) -> Floats:
        """The largest multipliers the undecided pieces can have: those of hard ones can be any."""
        most = loss_multiplier * self.cost
        if self.pieces.hard is not None:
            most[self.is_hard] = np.inf
        return most

    def _reserve(self, n_pieces: int, n_features: int) -> None:
        """Make the entries at least this large, growing geometrically."""
        have_pieces, have_features = self._entries.shape
        if n_pieces <= have_pieces and n_features <= have_features:
            return
        larger = np.zeros(
            (
                _capacity(n_pieces, have_pieces, len(self.pieces)),
                _capacity(n_features, have_features, self.X.shape[1]),
            )
        )
        larger[: len(self.undecided), : len(self.features)] = self.entries
        self._entries = larger

    # What is outside

    def scores(
        self, weights: Floats, guest: Floats | None = None, guest_weight: float = 0.0
    ) -> Floats:
        """Scores of all samples, from the features that are used."""
        scores: Floats
        if len(weights) > _FEW and 2 * np.count_nonzero(weights) < len(weights):
            used = np.flatnonzero(weights)
            scores = self.X.scores_from(used, weights[used])
        else:
            scores = self.X.scores(weights)
        if guest is not None and guest_weight:
            scores += guest_weight * guest
        return scores

    def changed_side(self, residuals: Floats, tolerance: float = SIDE_TOLERANCE) -> Ints:
        """Decided pieces that are not on the side they are counted on."""
        return np.flatnonzero(self._side * residuals > tolerance)

    def row_multipliers(self, multipliers: Floats, loss_multiplier: float) -> Floats:
        """Multipliers of all pieces, summed over each sample with their signs.

        Undecided pieces have the given ones (of their rows ``matrix @ z + ξ ≥ target``);
        decided pieces have `loss_multiplier` times their weight, or 0.
        """
        return self._undecided_rows(multipliers) + loss_multiplier * self.linear_rows

    def _undecided_rows(self, multipliers: Floats) -> Floats:
        return sums_by(self.rows, multipliers * self.signs, len(self.X))

    def gradient(self, multipliers: Floats, loss_multiplier: float) -> Floats:
        """Σ multiplier · sign · x over all pieces, for every feature, resident or not."""
        rows = self._undecided_rows(multipliers)
        used = np.flatnonzero(rows)
        few = 4 * len(used) < len(rows)
        picked = self.X.pull_of(used, rows[used]) if few else self.X.pull(rows)
        return picked + loss_multiplier * self.feature_slope

    def offset_gradient(self, multipliers: Floats, loss_multiplier: float) -> Floats:
        """Σ multiplier · factor over all pieces, for every offset."""
        summed = sums_by(self.offsets, multipliers * self.offset_factors, self.n_offsets)
        if self.second_offsets is not None:
            others, factors = self.second_offsets
            summed += sums_by(others, multipliers * factors, self.n_offsets)
        return summed + loss_multiplier * self.offset_slope


def _capacity(needed: int, present: int, limit: int) -> int:
    """Room to grow: doubled until it suffices, never more than can be needed."""
    if needed <= present:
        return present
    return max(needed, min(2 * present, limit))
