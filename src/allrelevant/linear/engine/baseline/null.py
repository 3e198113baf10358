"""The model without features, which is the best one where the loss counts little.

No program is needed for it. Its offsets are quantiles, one by one, and multipliers that prove it
are quickly found: pieces at their kinks share evenly what balances an offset.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from allrelevant.base.arrays import Floats, sums_by
from allrelevant.data import Matrix
from allrelevant.linear.engine.baseline.central import central_offsets
from allrelevant.linear.engine.program.pieces import Pieces
from allrelevant.linear.engine.program.reference import Penalised

_AT_KINK = 1e-9
_BALANCED = 1e-9  # of all pulls at an offset: what is left of them by rounding
_BELOW = 1.0 - 1e-9  # of its price: a gradient at which a weight is surely zero


@dataclass(frozen=True, eq=False)
class NullModel:
    """The model without features, with even multipliers; those and the gradient are for C = 1.

    Multipliers are summed over each sample with their signs. They are not unique, so that others
    can prove it for larger C. They prove nothing where they leave an offset out of balance.
    """

    offsets: Floats
    loss: float
    row_duals: Floats
    gradient: Floats
    is_balanced: bool

    @classmethod
    def of(cls, X: Matrix, pieces: Pieces) -> NullModel | None:
        """With multipliers that are in balance; None where there are none so simple."""
        offsets = null_offsets(pieces, len(X))
        if offsets is None:
            return None
        for one_sided in (False, True):
            found = cls.at(X, pieces, offsets, one_sided=one_sided)
            if found.is_balanced:
                return found
        return None

    @classmethod
    def at(
        cls, X: Matrix, pieces: Pieces, offsets: Floats, *, one_sided: bool = False
    ) -> NullModel:
        """The model with these offsets.

        All pieces at their kinks share what balances an offset or, if `one_sided`, those that pull
        it the right way.
        """
        residuals = pieces.residuals(np.zeros(len(X)), offsets)
        shares, is_balanced = _shares(pieces, residuals, one_sided=one_sided)
        row_duals = sums_by(pieces.row, pieces.weight * shares * pieces.sign, len(X))
        return cls(offsets, pieces.loss_of(residuals), row_duals, X.pull(row_duals), is_balanced)

    def is_best(self, C: float, prices: Floats) -> bool:
        """Whether it is seen that no other model is as good, where weights cost this."""
        return self.is_balanced and bool((C * np.abs(self.gradient) <= _BELOW * prices).all())

    def as_minimum(self, C: float, side_price: float) -> Penalised:
        """The same as the minimum for this C, which it is where it is best."""
        none = np.zeros_like(self.gradient)
        return Penalised(
            C, none, self.offsets, C * self.row_duals, 0.0, self.loss, side_price=side_price
        )


def null_offsets(pieces: Pieces, n_rows: int) -> Floats | None:
    """The best offsets without features; None where they hold one another, or pieces are others."""
    if not (pieces.hard is None and pieces.linear is None and pieces.second is None):
        return None
    offsets = central_offsets(pieces, np.zeros(n_rows), np.full(pieces.n_offsets, np.nan))
    return None if np.isnan(offsets).any() else offsets


def _shares(pieces: Pieces, residuals: Floats, *, one_sided: bool) -> tuple[Floats, bool]:
    """Multipliers as shares of what pieces weigh, and whether they balance the offsets."""
    linear, kink = residuals > _AT_KINK, np.abs(residuals) <= _AT_KINK
    pull, offset, n = pieces.weight * pieces.offset_sign, pieces.offset, pieces.n_offsets
    # Pulls that cancel leave rounding errors, which have nothing to say.
    least = _BALANCED * sums_by(offset, np.abs(pull), n)
    given = _beyond(least, sums_by(offset[linear], pull[linear], n))
    if one_sided:
        kink &= pull * given[offset] < 0.0
    can_give = _beyond(least, sums_by(offset[kink], pull[kink], n))
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.clip(np.nan_to_num(-given / can_give), 0.0, 1.0)
    shares: Floats = np.where(linear, 1.0, kink * share[offset])
    return shares, bool((np.abs(given + share * can_give) <= least).all())


def _beyond(least: Floats, sums: Floats) -> Floats:
    """Sums; zero where they are no larger than this."""
    return np.where(np.abs(sums) > least, sums, 0.0)
