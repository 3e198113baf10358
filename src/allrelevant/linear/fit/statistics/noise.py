"""How far noise reaches, and how often as far as a feature: p-values from the reach of probes.

A probe is a permuted column; its *reach* is the largest relevance it could have beside the real
features. How far noise reaches depends on the shape of a column: rare binary or heavy-tailed ones
reach farther. So all reaches are divided by what is usual for their shape, and beyond the largest
quarter of the probes the tail is taken for an exponential one, which it is found to be. How long it
is only these probes tell, so p-values are predictive: that of one more value beyond a sample from
an exponential tail is (1 + x/k)^−k where x is its distance in mean excesses and k their number.

Where there are more features than rows nearly all of these are noise. Then they speak for
themselves, and there are so many that a smaller part, farther out, can tell of the tail.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from allrelevant.base.arrays import Floats, Ints
from allrelevant.data import Matrix
from allrelevant.data.scaling import moments

_SHARE = 0.25  # of the probes: the part the tail is fitted to
_FEWEST = 10  # probes to fit it to, where there are that many
_FAR_SHARE, _FEWEST_FAR = 0.05, 50  # the same where features tell as well
_PERHAPS_MORE = 0.015  # of noise reaches as far as features that are not taken for noise
_NOTHING = 1e-12  # of a norm: a reach this small is none


@dataclass(frozen=True, eq=False)
class Shapes:
    """What of a column decides how far it reaches as noise: its shape and its scale."""

    shape: Floats
    scale: Floats

    @classmethod
    def of(cls, X: Matrix, count: Floats) -> Shapes:
        """Mean absolute deviation of the standardised columns, and their standard deviations."""
        share = count / count.sum()
        (_, away, deviation), (low, high) = moments(X, share), X.ends
        # What is left of a constant column is rounding error.
        scale = np.where(high > low, deviation, 0.0)
        sizes = away.map(np.abs).pull(share)
        shape = np.divide(sizes, scale, out=np.zeros_like(scale), where=scale > 0)
        return cls(shape, scale)

    def take(self, columns: Ints) -> Shapes:
        """The shapes of some columns."""
        return Shapes(self.shape[columns], self.scale[columns])


@dataclass(frozen=True, eq=False)
class Tail:
    """How far noise reaches, in units of what is usual for a column of its shape.

    Parameters
    ----------
    slope, level : float
        The logarithm of a usual reach is ``level + slope · shape``.
    bounds : (float, float)
        Shapes of the probes; beyond them the line is not followed.
    ordered : array
        The reaches of all probes in these units, ascending.
    exact : array
        Those that are exact below the tail, too.
    part : (float, int)
        The share of the reaches that the tail is fitted to, and the fewest of them.
    n_beyond : int
        How many of the reaches stand for noise that reaches even farther.
    least : float
        The smallest p-value that there can be.
    """

    slope: float
    level: float
    bounds: tuple[float, float]
    ordered: Floats
    exact: Floats
    part: tuple[float, int] = (_SHARE, _FEWEST)
    n_beyond: int = 0
    least: float = 0.0

    @classmethod
    def of(cls, reach: Floats, shapes: Shapes, n_exact: int | None = None) -> Tail:
        """The tail of probes with these reaches.

        Only the first `n_exact` reaches have to be exact; those of the others only in the tail.
        """
        logs = np.log(np.maximum(reach * shapes.scale, _NOTHING))[:n_exact]
        shape = shapes.shape[:n_exact]
        slope, level = 0.0, float(logs.mean())
        if np.ptp(shape) > 1e-6:
            slope, level = np.polyfit(shape, logs, 1).tolist()
        bounds = (float(shape.min()), float(shape.max()))
        tail = cls(slope, level, bounds, np.zeros(0), np.zeros(0))
        scaled = reach / tail.usual(shapes)
        return cls(slope, level, bounds, np.sort(scaled), np.sort(scaled[:n_exact]))

    def usual(self, shapes: Shapes) -> Floats:
        """What a column of this shape reaches as noise; infinite for a constant one."""
        clipped = np.clip(shapes.shape, *self.bounds)
        reach = np.exp(self.level + self.slope * clipped)
        nothing = np.full_like(reach, np.inf)
        return np.divide(reach, shapes.scale, out=nothing, where=shapes.scale > 0)

    def with_features(self, reach: Floats, shapes: Shapes) -> Tail:
        """The same where features, nearly all of which are noise, tell as well as probes.

        Those that reach very far may be more than that. As many as noise would have there take
        their places.
        """
        far = self._scaled_reach_at(_PERHAPS_MORE)
        scaled = reach / self.usual(shapes)
        noise = scaled[scaled <= far]
        n_beyond = round(len(noise) * _PERHAPS_MORE / (1.0 - _PERHAPS_MORE))
        noise = np.concatenate([noise, np.full(n_beyond, far)])
        return replace(
            self,
            ordered=np.sort(np.concatenate([self.ordered, noise])),
            exact=np.sort(np.concatenate([self.exact, noise])),
            part=(_FAR_SHARE, _FEWEST_FAR),
            n_beyond=n_beyond,
        )

    def shifted_to(self, reach: Floats, shapes: Shapes) -> Tail:
        """The same tail where noise reaches as far as these probes do, on the whole."""
        logs = np.log(np.maximum(reach, _NOTHING) / self.usual(shapes))
        return replace(self, level=self.level + float(logs.mean()))

    @property
    def n_fitted(self) -> int:
        """How many probes make up the tail."""
        m, (share, fewest) = len(self.ordered), self.part
        return max(1, min(max(fewest, round(share * m)), m - 1))

    @property
    def start(self) -> float:
        """Where the tail begins."""
        return float(self.ordered[-self.n_fitted - 1])

    @property
    def n_known(self) -> int:
        """How many of these are where they are."""
        return max(1, self.n_fitted - self.n_beyond)

    @property
    def excess(self) -> float:
        """The mean distance of noise in the tail from where it begins."""
        total = np.sum(self.ordered[-self.n_fitted :] - self.start)
        return max(float(total) / self.n_known, _NOTHING)

    @property
    def share(self) -> float:
        """The share of noise that is in the tail: of one more value among these."""
        return (self.n_fitted + 1) / (len(self.ordered) + 1)

    def p_values(self, reach: Floats, shapes: Shapes) -> tuple[Floats, Floats]:
        """The probability that noise of the same shape reaches as far.

        Returns
        -------
        p, error : arrays
            The second has the standard errors of log p, by the number of probes.
        """
        scaled = reach / self.usual(shapes)
        m, k, n = len(self.ordered), self.n_known, len(self.exact)
        beyond = np.maximum((scaled - self.start) / self.excess, 0.0)
        counted = (1 + n - np.searchsorted(self.exact, scaled, side="left")) / (n + 1.0)
        # Few exact probes can be fewer above than the tail has.
        counted = np.maximum(counted, self.share)
        p = np.where(scaled > self.start, self.share * (1.0 + beyond / k) ** -k, counted)
        slope = beyond / (1.0 + beyond / k)  # of log p, as the mean excess grows
        error = np.sqrt(slope**2 / k + (1.0 - k / m) / k)
        return np.clip(p, max(self.least, 1e-300), 1.0), np.where(p < self.least, 0.0, error)

    def reach_at(self, p: float, shapes: Shapes) -> Floats:
        """How far noise of these shapes reaches with this probability: beyond, p is smaller.

        Infinite where no p can be as small.
        """
        if p < self.least:
            return np.full(len(shapes.scale), np.inf)
        return self.usual_reach_at(p, shapes)

    def usual_reach_at(self, p: float, shapes: Shapes) -> Floats:
        """The same by the tail alone, whatever the smallest p."""
        return self._scaled_reach_at(p) * self.usual(shapes)

    def _scaled_reach_at(self, p: float) -> float:
        if p < self.share:
            k = self.n_known
            return self.start + self.excess * k * float((self.share / p) ** (1.0 / k) - 1.0)
        n_below = int(np.ceil((1.0 - p) * (len(self.exact) + 1) - 1e-9))
        return min(float(self.exact[max(n_below, 1) - 1]), self.start)


@dataclass(frozen=True, eq=False)
class NoiseAlike:
    """Noise that is all of one shape, by the reaches of its probes."""

    tail: Tail

    @classmethod
    def of(cls, reach: Floats, least: float = 0.0) -> NoiseAlike:
        """Noise by the reaches of some probes; no p-value is smaller than `least`."""
        ones = np.ones(len(reach))
        return cls(replace(Tail.of(reach, Shapes(ones, ones)), least=least))

    def p_value(self, reach: float) -> tuple[float, float]:
        """The probability that noise reaches as far, and the standard error of its logarithm."""
        p, error = self.tail.p_values(np.array([reach]), _ONE)
        return float(p[0]), float(error[0])

    def reach_at(self, p: float, own: float = 0.0) -> float:
        """How far noise reaches with this probability; at least as far as `own` if no p is less."""
        reach = float(self.tail.usual_reach_at(p, _ONE)[0])
        return max(reach, own) if p < self.tail.least else reach


_ONE = Shapes(np.ones(1), np.ones(1))
