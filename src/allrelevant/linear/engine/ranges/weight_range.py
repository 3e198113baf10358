"""The range of one weight over the equivalent models, and the models at its ends."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from allrelevant.base.arrays import Floats, Ints


@dataclass(frozen=True, eq=False)
class Witness:
    """An equivalent model, stored by the features it uses."""

    features: Ints
    values: Floats
    offsets: Floats

    @classmethod
    def of(cls, weights: Floats, offsets: Floats) -> Witness:
        """A model that is given by all of its weights."""
        used = np.flatnonzero(weights)
        return cls(used, weights[used], offsets)

    def weights(self, n_features: int) -> Floats:
        """The weights of all features."""
        weights = np.zeros(n_features)
        weights[self.features] = self.values
        return weights

    def without(self, features: Ints) -> Witness:
        """The same model where some weights, no more than rounding errors, are zero."""
        kept = ~np.isin(self.features, features)
        return Witness(self.features[kept], self.values[kept], self.offsets)

    def mixed(self, other: Witness, part: float) -> Witness:
        """The model between this and another; equivalent, because the set of them is convex."""
        features = np.union1d(self.features, other.features)
        n = int(features.max(initial=-1)) + 1
        mine, its = self.weights(n)[features], other.weights(n)[features]
        return Witness(
            features,
            (1.0 - part) * mine + part * its,
            (1.0 - part) * self.offsets + part * other.offsets,
        )


@dataclass(frozen=True, eq=False)
class End:
    """One end of a weight's range: its value and the model that attains it.

    Where the linear program was skipped the value is only a bound, and there is no witness. It is
    `unproven` where the program was solved, but no proof of its answer could be found.
    """

    value: float
    witness: Witness | None = None
    unproven: bool = False

    @property
    def is_exact(self) -> bool:
        """Whether the value is what it is said to be, as far as that matters."""
        return not self.unproven

    @property
    def is_bound(self) -> bool:
        """Whether the value was bounded, not solved for."""
        return self.witness is None


@dataclass(frozen=True, eq=False)
class WeightRange:
    """Smallest and largest value of one weight over the equivalent models."""

    low: End
    high: End
    contains_zero: bool

    @classmethod
    def of_nothing(cls, offsets: Floats) -> WeightRange:
        """No weight at all: the model with these offsets alone attains both ends."""
        end = End(0.0, Witness.of(np.zeros(0), offsets))
        return cls(end, end, contains_zero=True)

    @property
    def witnesses(self) -> list[Witness]:
        """The models at the ends that were solved for."""
        return [end.witness for end in (self.low, self.high) if end.witness is not None]

    @property
    def is_exact(self) -> bool:
        """Whether both ends are what they are said to be, as far as that matters."""
        return not (self.low.unproven or self.high.unproven)

    @property
    def ends(self) -> tuple[float, float]:
        """Smallest and largest weight."""
        return self.low.value, self.high.value

    @property
    def is_bound(self) -> bool:
        """Whether an end of it was bounded, not solved for."""
        return self.low.is_bound or self.high.is_bound

    @property
    def is_screened(self) -> bool:
        """Whether neither end was solved for, because both are known to be small enough."""
        return self.is_exact and self.low.is_bound and self.high.is_bound

    @property
    def is_half(self) -> bool:
        """Whether one end was solved for, and the other left a bound, as it is no farther out."""
        return self.is_exact and self.low.is_bound != self.high.is_bound

    @property
    def relevance(self) -> tuple[float, float]:
        """Smallest and largest absolute value; bounds on them where the range is not exact."""
        low, high = self.low.value, self.high.value
        smallest = 0.0 if self.contains_zero else max(0.0, low, -high)
        return smallest, max(abs(low), abs(high))

    @property
    def largest_witness(self) -> Witness | None:
        """A model in which the weight is as far from zero as it can be; None for a bound."""
        return max(self.low, self.high, key=lambda end: abs(end.value)).witness

    @property
    def smallest_witness(self) -> Witness | None:
        """A model in which the weight is as near to zero as it can be; None for a bound.

        Where both signs occur it is the mixture of both ends in which they cancel.
        """
        low, high = self.low, self.high
        if low.value * high.value >= 0:
            return min(low, high, key=lambda end: abs(end.value)).witness
        if low.witness is None or high.witness is None:
            return None
        return low.witness.mixed(high.witness, -low.value / (high.value - low.value))
