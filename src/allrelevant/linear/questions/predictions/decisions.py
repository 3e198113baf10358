"""How far the decision values of samples go, and on which sides of thresholds they can be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from allrelevant.base.arrays import Floats, Ints
from allrelevant.base.progress import Progress
from allrelevant.linear.engine.batch.solver import ManySolver
from allrelevant.linear.engine.program.direction import Direction
from allrelevant.linear.engine.program.equivalent import EquivalentModels
from allrelevant.linear.engine.program.optimum import Optimum
from allrelevant.linear.engine.ranges.solver import RangeSolver
from allrelevant.linear.questions.fitted_set import FittedSet

_SURELY = 1e-7  # how far beyond a level a known model has to be


class _Asker:
    """Finds ends of decision values, many at once where it can be done."""

    def __init__(
        self,
        models: EquivalentModels,
        offset_factor: float,
        names: Sequence[str],
        known: Floats | None,
    ) -> None:
        self._offset_factor, q = offset_factor, models.pieces.n_offsets
        self._solver = RangeSolver(models, names)
        offsets_first = None if known is None else np.roll(known, q, axis=1)
        self._many = ManySolver(models, offsets_first) if ManySolver.takes(models) else None

    def together(self, samples: Floats, sign: Floats, offset: Ints) -> Floats:
        """One end of each sample's decision value at an offset; nan where it is not proven."""
        if self._many is None:
            return np.full(len(samples), np.nan)
        q = self._solver.models.pieces.n_offsets
        # Far from the data the numbers are large; what is proven then is their leading digits.
        scales = np.maximum(1.0, np.abs(samples).max(axis=1, initial=0.0))
        factors = np.zeros((len(samples), q + samples.shape[1]))
        factors[np.arange(len(samples)), offset] = self._offset_factor
        factors[:, q:] = samples
        return sign * scales * self._many.maximise(factors * (sign / scales)[:, None])

    def alone(self, sample: Floats, sign: float, offset: int) -> tuple[float, Optimum]:
        """One end of one sample's decision value, and the model that attains it."""
        scale = max(1.0, float(np.abs(sample).max(initial=0.0)))
        offsets = np.zeros(self._solver.models.pieces.n_offsets)
        offsets[offset] = sign * self._offset_factor / scale
        used = np.flatnonzero(sample)
        optimum = self._solver.maximise(
            Direction(
                used,
                sign * sample[used] / scale,
                offset_factors=offsets,
                label="a prediction's range",
            )
        )
        return sign * scale * optimum.value, optimum


class DecisionWorker(_Asker):
    """Finds the decision ranges of samples, the next ones with what the last ones have shown."""

    def __call__(self, samples: Floats) -> Floats:
        """Both ends of all decision values, of shape (2, n_samples, n_offsets)."""
        # One end of all samples after the other: then each is a good start for the next.
        q = self._solver.models.pieces.n_offsets
        offset, end, i = (own.ravel() for own in np.indices((q, 2, len(samples))))
        ends = self.together(samples[i], 2.0 * end - 1.0, offset)
        for k in np.flatnonzero(np.isnan(ends)):
            ends[k], _ = self.alone(samples[i[k]], 2.0 * end[k] - 1.0, int(offset[k]))
        return np.moveaxis(ends.reshape(q, 2, len(samples)), 0, 2)


def known_models(fitted: FittedSet) -> Floats:
    """The models at the ends of the features' ranges, a line for each: weights, then offsets."""
    n = 0 if fitted.models is None else fitted.models.n_features
    found = fitted.witnesses if n else []
    models = [np.append(one.weights(n), one.offsets) for one in found]
    return np.array(models).reshape(-1, n + len(fitted.analysis.baseline.offsets))


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
        """The levels of a fit; its witnesses are known models if there are no constraints."""
        low, high = fitted.model.levels
        shift = fitted.placing.shift
        known = known_models(fitted)
        return cls((low - shift, high - shift), known if is_free else known[:0])


class SideWorker(_Asker):
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
        progress: Progress,
    ) -> None:
        super().__init__(models, offset_factor, names, sides.known)
        self._sides, self._progress = sides, progress

    def __call__(self, samples: Floats) -> Floats:
        """Both ends as far as they matter, of shape (2, n_samples, n_offsets)."""
        models, reference = self._solver.models, self._solver.models.reference
        q, order = models.pieces.n_offsets, tour(samples)
        ends = np.stack([np.full((len(samples), q), np.inf), np.full((len(samples), q), -np.inf)])
        self._see(ends, samples, reference.weights, reference.offsets)
        for known in self._sides.known:
            self._see(ends, samples, known[:-q], known[-q:])
        in_order = models.pieces.n_ordered == q and self._offset_factor < 0
        self._progress.stage("sides of samples", 2 * q * len(samples))
        for end, sign in ((1, 1.0), (0, -1.0)):
            level = sign * self._sides.levels[end]
            left = np.ones(len(samples), dtype=bool)
            for t in range(q) if sign > 0 else range(q - 1, -1, -1):
                self._settle(ends, samples, order[left[order]], end, t)
                if in_order:
                    left &= sign * ends[end, :, t] > level
        return ends

    def _settle(self, ends: Floats, samples: Floats, which: Ints, end: int, t: int) -> None:
        """Find one end at one offset, of those samples that no known model settles."""
        sign = 2.0 * end - 1.0
        enough = sign * self._sides.levels[end] + _SURELY
        n_asked, which = len(which), which[sign * ends[end, which, t] <= enough]
        self._progress.advance(n_asked - len(which))
        many = np.ones(len(which))
        found = self.together(samples[which], sign * many, np.full(len(which), t))
        proven = ~np.isnan(found)
        ends[end, which[proven], t] = found[proven]
        self._progress.advance(int(proven.sum()))
        for i in which[~proven]:
            if sign * ends[end, i, t] <= enough:
                value, optimum = self.alone(samples[i], sign, t)
                self._see(ends, samples, optimum.weights, optimum.offsets)
                ends[end, i, t] = value
            self._progress.advance()

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
