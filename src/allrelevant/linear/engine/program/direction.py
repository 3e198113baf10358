"""What is asked of the equivalent models: a function of a model, to be maximised."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from allrelevant.base.arrays import Floats, Ints
from allrelevant.linear.engine.program.equivalent import EquivalentModels

NO_FEATURES: Ints = np.zeros(0, dtype=np.intp)
_NO_FACTORS = np.zeros(0)


@dataclass(frozen=True, eq=False)
class Direction:
    """A linear (or, with penalties, concave) function of a model, to be maximised.

    Parameters
    ----------
    features, factors : array
        The features in it and the factors before their weights.
    guest : array of shape (n_samples,), or None
        A column that stands beside the data for this question only.
    guest_factor : float
        The factor before its weight.
    guest_like : int
        A column of the data whose prices it has.
    offset_factors : array, or None
        Factors before the offsets.
    penalties : array, or None
        Factors (not negative) before the features' absolute weights, which are subtracted.
    loss : float
        Factor (not negative) before the loss, which is subtracted.
    label : str
        How to call it in an error message.
    enough : float
        A proof that the largest value is not above this will do.
    """

    features: Ints
    factors: Floats
    guest: Floats | None = None
    guest_factor: float = 0.0
    guest_like: int = 0
    offset_factors: Floats | None = None
    penalties: Floats | None = None
    loss: float = 0.0
    label: str = ""
    enough: float = -np.inf

    @classmethod
    def weight(cls, feature: int, sign: int, label: str = "") -> Direction:
        """``sign`` times the weight of one feature."""
        return cls(np.array([feature]), np.array([float(sign)]), label=label)

    @classmethod
    def of_guest(cls, column: Floats, sign: int, label: str = "", like: int = 0) -> Direction:
        """``sign`` times the weight of a column that is not in the data."""
        return cls(NO_FEATURES, _NO_FACTORS, column, float(sign), like, label=label)

    def up_to(self, enough: float) -> Direction:
        """The same question, where only values above `enough` matter."""
        return replace(self, enough=enough)

    def without(self, features: Ints) -> Direction:
        """The same function of models in which some features have no weight."""
        if not len(features):
            return self
        kept = ~np.isin(self.features, features)
        penalties = None if self.penalties is None else self.penalties[kept]
        return replace(
            self, features=self.features[kept], factors=self.factors[kept], penalties=penalties
        )

    @property
    def visitor(self) -> int | None:
        """The feature this is the weight of, where it is of one feature alone."""
        alone = len(self.features) == 1 and self.guest is None
        alone = alone and self.offset_factors is None and self.penalties is None
        return int(self.features[0]) if alone else None

    def hosted(self, models: EquivalentModels) -> Direction:
        """The same with the one feature as a guest, so that it need not be resident."""
        feature = int(self.features[0])
        guest = Direction.of_guest(models.X.column(feature), 1, self.label, feature)
        return replace(guest, guest_factor=float(self.factors[0]), enough=self.enough)

    @property
    def like(self) -> int:
        """A column with the units of what is asked for; the first where that is of several."""
        if self.guest is not None:
            return self.guest_like
        return int(self.features[0]) if len(self.features) == 1 else 0

    @property
    def sign(self) -> int:
        """The sign of the one weight that this is about."""
        return int(np.sign(self.guest_factor if self.guest is not None else self.factors[0]))

    def value(self, weights: Floats, offsets: Floats, guest_weight: float) -> float:
        """The function's value at a model, the loss left out."""
        value = float(self.factors @ weights[self.features]) + self.guest_factor * guest_weight
        if self.offset_factors is not None:
            value += float(self.offset_factors @ offsets)
        if self.penalties is not None:
            value -= float(self.penalties @ np.abs(weights[self.features]))
        return value

    @classmethod
    def least_norm(cls, features: Ints, label: str = "") -> Direction:
        """Minus the sum of the absolute weights of some features."""
        n = len(features)
        return cls(features, np.zeros(n), penalties=np.ones(n), label=label)

    @classmethod
    def least_objective(cls, prices: Floats, loss: float) -> Direction:
        """Minus the sum of all absolute weights times their prices, and of the loss."""
        n = len(prices)
        return cls(np.arange(n), np.zeros(n), penalties=prices, loss=loss)


NOTHING = Direction(NO_FEATURES, _NO_FACTORS)
