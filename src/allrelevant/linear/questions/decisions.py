"""How far the decision values of samples go, and on which sides of thresholds they can be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from allrelevant.base.arrays import Floats, Ints
from allrelevant.linear.engine.direction import Direction
from allrelevant.linear.engine.equivalent import EquivalentModels
from allrelevant.linear.engine.optimum import Optimum
from allrelevant.linear.engine.ranges import RangeSolver
from allrelevant.linear.questions.fitted_set import FittedSet

_SURELY = 1e-7  # how far beyond a level a known model has to be


@dataclass(frozen=True, eq=False)
class Part:
    """Some of the work on a chunk of samples: one end, at one offset, of a piece of its tour."""

    samples: Floats
    offset: int
    end: int
    piece: int
    n_pieces: int


def parts_of(samples: Floats, n_offsets: int, n_pieces: int) -> list[Part]:
    """All of the work on a chunk, in the order in which each part is a good start for the next."""
    return [
        Part(samples, t, end, piece, n_pieces)
        for t in range(n_offsets)
        for end in (1, 0)
        for piece in range(n_pieces)
    ]


class DecisionWorker:
    """Finds the decision ranges of one chunk of samples, part by part, whoever does it."""

    def __init__(
        self, models: EquivalentModels, offset_factor: float, names: Sequence[str]
    ) -> None:
        self._models, self._names = models, names
        self._offset_factor = offset_factor
        self._solver: RangeSolver | None = None
        self._order: Ints | None = None

    def __call__(self, part: Part) -> tuple[Ints, Floats]:
        """Which samples of the chunk, and one end of their decision values."""
        if self._solver is None or self._order is None:
            self._solver = RangeSolver(self._models, self._names)
            self._order = tour(part.samples)
        which = np.array_split(self._order, part.n_pieces)[part.piece]
        sign = 1.0 if part.end else -1.0
        how = self._solver, self._offset_factor
        found = [_largest(*how, sign * part.samples[i], sign, part.offset)[0] for i in which]
        return which, sign * np.array(found, dtype=float)


def _largest(
    solver: RangeSolver, offset_factor: float, sample: Floats, sign: float, t: int
) -> tuple[float, Optimum]:
    """The largest decision value of a sample at an offset, or of its opposite."""
    # Far from the data the numbers are large; what is proven then is their leading digits.
    scale = max(1.0, float(np.abs(sample).max(initial=0.0)))
    offsets = np.zeros(solver.models.pieces.n_offsets)
    offsets[t] = sign * offset_factor / scale
    used = np.flatnonzero(sample)
    optimum = solver.maximise(
        Direction(used, sample[used] / scale, offset_factors=offsets, label="a prediction's range")
    )
    return scale * optimum.value, optimum


@dataclass(frozen=True, eq=False)
class Sides:
    """What is to be known of decision values where only labels matter.

    Parameters
    ----------
    levels : (float, float)
        The lowest and the highest value, in the engine's units, at which labels change.
    known : array of shape (n_models, n_features + n_offsets)
        Some equivalent models, which settle most samples that are open.
    """

    levels: tuple[float, float]
    known: Floats

    @classmethod
    def of(cls, fitted: FittedSet, *, is_free: bool) -> Sides:
        """Those of a fit, whose witnesses are known where there are no constraints."""
        low, high = fitted.model.levels
        shift = fitted.placing.shift
        found = [
            end.witness
            for one in (fitted.weight_ranges if is_free and fitted.models is not None else ())
            for end in (one.low, one.high)
            if end.witness is not None
        ]
        n = 0 if fitted.models is None else fitted.models.n_features
        models = [np.append(one.weights(n), one.offsets) for one in found]
        size = n + len(fitted.analysis.baseline.offsets)
        return cls((low - shift, high - shift), np.array(models).reshape(-1, size))


class SideWorker:
    """Finds on which sides of levels decision values can be, from one model to the next.

    A sample that two known models put on both sides is settled to be open. Where thresholds are
    in order one that no model passes settles those behind it.
    """

    def __init__(
        self,
        models: EquivalentModels,
        offset_factor: float,
        names: Sequence[str],
        sides: Sides,
    ) -> None:
        self._models, self._names = models, names
        self._offset_factor, self._sides = offset_factor, sides

    def __call__(self, samples: Floats) -> Floats:
        """Both ends as far as they matter, of shape (2, n_samples, n_offsets)."""
        solver, models = RangeSolver(self._models, self._names), self._models
        q, reference = models.pieces.n_offsets, models.reference
        ends = np.stack([np.full((len(samples), q), np.inf), np.full((len(samples), q), -np.inf)])
        self._see(ends, samples, reference.weights, reference.offsets)
        for known in self._sides.known:
            self._see(ends, samples, known[:-q], known[-q:])
        in_order = models.pieces.n_ordered == q and self._offset_factor < 0
        for end, sign in ((1, 1.0), (0, -1.0)):
            level = sign * self._sides.levels[end]
            for i in tour(samples):
                for t in range(q) if sign > 0 else range(q - 1, -1, -1):
                    if sign * ends[end, i, t] > level + _SURELY:
                        continue
                    sample = sign * samples[i]
                    value, found = _largest(solver, self._offset_factor, sample, sign, t)
                    self._see(ends, samples, found.weights, found.offsets)
                    ends[end, i, t] = sign * value
                    if in_order and value <= level:
                        break
        return ends

    def _see(self, ends: Floats, samples: Floats, weights: Floats, offsets: Floats) -> None:
        """Take in what one more model decides."""
        scores = samples @ weights[: samples.shape[1]]
        values = scores[:, None] + self._offset_factor * offsets
        np.minimum(ends[0], values, out=ends[0])
        np.maximum(ends[1], values, out=ends[1])


def tour(samples: Floats) -> Ints:
    """An order in which neighbours follow one another: always to the nearest that is left."""
    points = np.column_stack([samples, np.ones(len(samples))])
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    left = np.ones(len(points), dtype=bool)
    order = np.zeros(len(points), dtype=np.intp)
    for k in range(1, len(points)):
        left[order[k - 1]] = False
        order[k] = np.argmax(np.where(left, points @ points[order[k - 1]], -np.inf))
    return order
