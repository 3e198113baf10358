"""How often some of many numbers, drawn at random, add up to as much: for columns of two values.

The product of such a column with numbers is the sum of those in the rows where it has its rarer
value, so a permutation draws as many of the numbers without replacement. Where these are few, or
have few values themselves, sums come in steps, and an approximation by a smooth distribution takes
what is as large for what is larger: probabilities of 0.003 become 0.001. So they are counted, on a
grid that is the same for equal numbers.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from scipy.stats import hypergeom

from allrelevant.base.arrays import Floats, Ints, Mask

_STEPS = 1000  # of the grid, from the least sum to the largest
_MOST_WORK = 40_000  # numbers times those drawn; where there are more, sums are smooth
_SAME = 1e-9  # of the range: numbers that differ by less are equal


@dataclass(frozen=True, eq=False)
class Draws:
    """Numbers, some of which are drawn without replacement."""

    numbers: Floats
    known: dict[int, Floats] = field(default_factory=dict)  # probabilities of sums, by how many

    @classmethod
    def of(cls, numbers: Floats, times: Floats) -> Draws:
        """Draws from numbers of which each is there `times` times."""
        return cls(np.repeat(numbers, times.astype(np.intp)))

    def p_value(self, drawn: Mask) -> float | None:
        """The probability of a sum as far from its mean as that of the drawn ones; None if many."""
        n, m = len(drawn), int(drawn.sum())
        low, high = float(self.numbers.min()), float(self.numbers.max())
        if high <= low or not 0 < m < n:
            return 1.0
        is_high = self.numbers > high - _SAME * (high - low)
        if (is_high | (self.numbers < low + _SAME * (high - low))).all():
            return _of_two_values(is_high, drawn)
        if n * m > _MOST_WORK:
            return None
        places = self._places(m)
        if m not in self.known:
            self.known[m] = _probabilities(places, m)
        return _as_far(self.known[m], int(places[drawn].sum()), m * float(places.mean()))

    def _places(self, m: int) -> Ints:
        """The numbers on a grid that holds all sums of so many."""
        ordered = np.sort(self.numbers)
        step = float(ordered[-m:].sum() - ordered[:m].sum()) / _STEPS
        return np.floor((self.numbers - ordered[0]) / step + 0.5).astype(np.intp)


def _of_two_values(is_high: Mask, drawn: Mask) -> float:
    """The p-value where the numbers have two values: the sum tells how many of each are drawn."""
    n, n_high, m = len(drawn), int(is_high.sum()), int(drawn.sum())
    counts = np.arange(min(m, n_high) + 1)
    p = hypergeom.pmf(counts, n, n_high, m)
    return _as_far(p, int((is_high & drawn).sum()), m * n_high / n)


def _as_far(p: Floats, place: int, mean: float) -> float:
    """The probability of all places as far from the mean as one is."""
    # Rounding errors must not decide what is as far on the other side.
    is_as_far = np.abs(np.arange(len(p)) - mean) >= abs(place - mean) - 1e-6
    return min(1.0, float(p[is_as_far].sum()))


def _probabilities(places: Ints, m: int) -> Floats:
    """The probability of every sum of places, for m that are drawn without replacement.

    One number after the other is drawn or not, with the probability that so many are still to come
    of those that are left.
    """
    n, ordered = len(places), np.sort(places)
    p = np.zeros((m + 1, int(ordered[-m:].sum()) + 1))
    p[0, 0] = 1.0
    to_come = m - np.arange(m + 1.0)[:, None]
    for k, place in enumerate(places.tolist()):
        drawn = p * np.minimum(to_come / (n - k), 1.0)
        p -= drawn
        p[1:, place:] += drawn[:-1, : p.shape[1] - place]
    return p[m]
