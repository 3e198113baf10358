"""How often a column whose values change places at random goes with given numbers as much.

The product of a column and the numbers is a sum of many terms, but not always nearly normal: a
column that is 1 in ten rows takes ten of the numbers. So tails are found by the saddlepoint
approximation (Lugannani and Rice), which knows the shapes of both. Places are drawn independently,
which for sums of centred numbers is near enough to a permutation.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.interpolate import CubicHermiteSpline
from scipy.optimize import brentq
from scipy.special import gammaln, log_ndtr, logsumexp
from scipy.stats import norm

from allrelevant.base.arrays import Floats, Ints

_NODES, _CURVED = 201, 5.0
_NUMBERS_AT_ONCE = 100_000  # nodes times rows, for memory
_FAR = 60.0  # the largest exponent that is looked at; beyond, sums are at their ends
_NEAR = 1e-3  # standard deviations from the mean where the formula has no value


def one_in_all_orders(alike: Floats | Ints) -> float:
    """One in the number of different orders of numbers; so many of them are alike.

    So often noise goes with them as well as anything can: no p-value is smaller.
    """
    return float(np.exp(gammaln(alike + 1.0).sum() - gammaln(alike.sum() + 1.0)))


def least_p_value(values: Floats, times: Floats) -> float:
    """The same of values of which each is there `times` times."""
    _, value = np.unique(values, return_inverse=True)
    return one_in_all_orders(np.bincount(value.ravel(), times))


@dataclass(frozen=True, eq=False)
class Chance:
    """What sums of numbers in random places are, by their cumulant function.

    Parameters
    ----------
    spline : CubicHermiteSpline
        The logarithm of the mean of ``exp(s · number)``.
    farthest : float
        The largest ``s`` it knows.
    """

    spline: CubicHermiteSpline
    farthest: float

    @classmethod
    def of(cls, numbers: Floats, times: Floats) -> Chance:
        """Chance among numbers of which each is there `times` times."""
        share = times / times.sum()
        numbers = numbers - share @ numbers
        farthest = _FAR / (float(np.abs(numbers).max(initial=0.0)) or 1.0)
        s = farthest * np.sinh(np.linspace(-_CURVED, _CURVED, _NODES)) / np.sinh(_CURVED)
        values, slopes = np.empty((2, _NODES))
        n_at_once = max(_NUMBERS_AT_ONCE // len(numbers), 1)
        for some in (slice(k, k + n_at_once) for k in range(0, _NODES, n_at_once)):
            logs = s[some, None] * numbers
            values[some] = logsumexp(logs, axis=1, b=share)
            slopes[some] = (np.exp(logs - values[some, None]) * share) @ numbers
        return cls(CubicHermiteSpline(s, values, slopes), farthest)

    def p_value(self, product: float, column: Floats, times: Floats) -> float:
        """The probability of so large a product with the column, of either sign."""
        column = column - times @ column / times.sum()
        size = abs(product)
        return min(1.0, sum(self._beyond(size, side * column, times) for side in (1.0, -1.0)))

    def _beyond(self, product: float, column: Floats, times: Floats) -> float:
        """The probability of a sum that is as large or larger."""
        most = self.farthest / (float(np.abs(column).max(initial=0.0)) or 1.0)
        deviation = float(np.sqrt(self._cumulant(0.0, column, times, 2)))
        if product <= _NEAR * deviation:
            return 0.5
        if self._cumulant(most, column, times, 1) <= product:
            return float(np.exp(-most * product + self._cumulant(most, column, times, 0)))
        t = brentq(lambda t: self._cumulant(t, column, times, 1) - product, 0.0, most, rtol=1e-6)
        root = float(np.sqrt(max(2.0 * (t * product - self._cumulant(t, column, times, 0)), 0.0)))
        curvature = self._cumulant(t, column, times, 2)  # 0 at the end, but for rounding
        slope = t * float(np.sqrt(max(curvature, 0.0)))
        if root <= _NEAR or slope <= 0:
            return float(norm.sf(product / deviation))
        # By the form of Barndorff-Nielsen, which cannot leave 0 to 1.
        return float(np.exp(log_ndtr(-(root + np.log(slope / root) / root))))

    def _cumulant(self, t: float, column: Floats, times: Floats, order: int) -> float:
        """The cumulant function of the sum, or one of its derivatives."""
        return float(times @ (column**order * self.spline(t * column, order)))
