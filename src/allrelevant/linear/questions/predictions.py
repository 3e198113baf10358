"""For whom the prediction depends on which of the equivalent models is used."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from allrelevant import backends
from allrelevant.base.arrays import Floats, Ints, Mask
from allrelevant.base.progress import Progress
from allrelevant.linear.engine.direction import Direction
from allrelevant.linear.engine.equivalent import MAIN, EquivalentModels
from allrelevant.linear.engine.ranges import RangeSolver

_CHUNK = 250  # samples of one task, which are put in a good order


@dataclass(frozen=True, eq=False, repr=False)
class PredictionRange:
    """Smallest and largest decision value of each sample over all equivalent models.

    Attributes
    ----------
    low, high : array of shape (n_samples,) or (n_samples, n_thresholds)
        The ends. With three or more ordered classes there is one column per threshold: the
        distance of the score to it.
    outcomes : tuple
        What can be predicted: the classes, in their order; with a reject option a rejection
        between them. Empty for a regression.
    allowed : array of bool of shape (n_samples, n_outcomes)
        Which outcomes some equivalent model predicts.
    """

    low: Floats
    high: Floats
    outcomes: tuple[Any, ...]
    allowed: Mask

    def __post_init__(self) -> None:
        for array in (self.low, self.high, self.allowed):
            array.flags.writeable = False

    # numpy forgets that an array was read-only.
    def __reduce__(self) -> tuple[type[PredictionRange], tuple[Any, ...]]:
        return type(self), (self.low, self.high, self.outcomes, self.allowed)

    def __len__(self) -> int:
        return len(self.low)

    @property
    def width(self) -> Floats:
        """Distance between both ends."""
        return self.high - self.low

    @property
    def settled(self) -> Mask:
        """Samples for which all equivalent models predict the same."""
        self._need_outcomes()
        return self.allowed.sum(axis=1) == 1

    @property
    def ambiguity(self) -> float:
        """The share of samples whose prediction depends on the model."""
        return 1.0 - float(self.settled.mean())

    @property
    def labels(self) -> list[tuple[Any, ...]]:
        """For each sample the outcomes that some equivalent model predicts."""
        self._need_outcomes()
        return [
            tuple(label for label, can in zip(self.outcomes, row, strict=True) if can)
            for row in self.allowed
        ]

    def can_be(self, outcome: Any) -> Mask:
        """Samples for which some equivalent model predicts this outcome."""
        self._need_outcomes()
        if outcome not in self.outcomes:
            known = ", ".join(repr(label) for label in self.outcomes)
            raise ValueError(f"outcome must be one of {known}, got {outcome!r}.")
        return self.allowed[:, self.outcomes.index(outcome)]

    def depends_on(self, outcome: Any) -> Mask:
        """Samples for which some equivalent models predict this outcome and others do not.

        With a reject option ``depends_on("reject")`` are the samples that some equivalent model
        rejects and another does not.
        """
        return self.can_be(outcome) & ~self.settled

    def to_frame(self) -> pd.DataFrame:
        """One row per sample: *low, high*, and for classes *settled* and *labels*."""
        if self.low.ndim == 1:
            frame = pd.DataFrame({"low": self.low, "high": self.high})
        else:
            frame = pd.DataFrame(
                {
                    f"{name}_{t}": end[:, t]
                    for t in range(self.low.shape[1])
                    for name, end in (("low", self.low), ("high", self.high))
                }
            )
        if self.outcomes:
            frame["settled"] = self.settled
            frame["labels"] = self.labels
        return frame

    def to_dict(self) -> dict[str, Any]:
        """The ranges as plain values."""
        return {
            "low": self.low.tolist(),
            "high": self.high.tolist(),
            "outcomes": np.asarray(self.outcomes, dtype=object).tolist(),
            "allowed": self.allowed.tolist(),
        }

    def to_json(self, indent: int | None = None) -> str:
        """The ranges as JSON; labels that JSON does not know become text."""
        return json.dumps(self.to_dict(), indent=indent, default=_as_json)

    def __repr__(self) -> str:
        n = len(self)
        head = f"PredictionRange of {n} sample{'' if n == 1 else 's'}"
        if not self.outcomes:
            return (
                f"{head}: width {self.width.mean():.3g} on average, {self.width.max():.3g} at most"
            )
        settled = int(self.settled.sum())
        return f"{head}: {settled} settled, {n - settled} depend on the model"

    def _need_outcomes(self) -> None:
        if not self.outcomes:
            raise ValueError(
                "a regression predicts numbers, not labels: look at low, high and width instead."
            )


def _as_json(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else str(value)


# Solving


def find_decision_ranges(
    models: EquivalentModels,
    samples: Floats,
    offset_sign: float,
    *,
    names: Sequence[str],
    n_jobs: int | None,
    progress: Progress,
) -> tuple[Floats, Floats]:
    """Smallest and largest ``x·w + offset_sign·b_t`` of every sample x and offset t.

    Parameters
    ----------
    samples : array of shape (n_samples, n_main)
        In the engine's units; equal ones are solved for once.
    """
    models = with_all_offsets(models)
    distinct, where = np.unique(samples, axis=0, return_inverse=True)
    q = models.pieces.n_offsets
    chunks = _chunks(distinct, models.reference.weights[: samples.shape[1]])
    make = partial(DecisionWorker, models, offset_sign, names)
    progress.stage("prediction ranges", len(chunks))
    tasks = [distinct[chunk] for chunk in chunks]
    found = backends.run(make, tasks, n_jobs, progress.advance)
    ends = np.empty((2, len(distinct), q))
    for chunk, part in zip(chunks, found, strict=True):
        ends[:, chunk] = part
    return ends[0][where.ravel()], ends[1][where.ravel()]


def with_all_offsets(models: EquivalentModels) -> EquivalentModels:
    """The same models, and those whose offsets are so far off that all samples are on one side.

    Where the loss may be that large, a prediction can get as far as the offset can. Beyond the
    kinks of all pieces the loss grows by their weights, and the budgets end that.
    """
    pieces, farthest = models.pieces, models.largest_offset
    if pieces.hard is not None:  # an offset is as far from its kinks as slacks are large
        return models
    limit = min(budget.limit / budget.loss for budget in models.budgets if budget.loss > 0)
    scores = float(models.largest[MAIN]) * np.abs(models.X).max(axis=1, initial=0.0)
    least = pieces.weight * (pieces.target + farthest - scores[pieces.row])
    room = 0.0
    for t in range(pieces.n_offsets):
        for side in (1.0, -1.0):
            counted = (pieces.offset == t) & (pieces.offset_sign == side)
            weight = float(pieces.weight[counted].sum())
            if weight > 0.0:
                room = max(room, (limit - float(least[counted].sum())) / weight)
    return replace(models, offset_room=room)


def largest_gaps(models: EquivalentModels) -> Floats:
    """How far each threshold can be from the next."""
    q = models.pieces.n_offsets
    solver = RangeSolver(models)
    gaps = np.zeros(q - 1)
    for t in range(q - 1):
        factors = np.zeros(q)
        factors[t], factors[t + 1] = -1.0, 1.0
        nothing = np.zeros(0, dtype=np.intp)
        direction = Direction(
            nothing, np.zeros(0), offset_factors=factors, label="the distance of two thresholds"
        )
        optimum = solver.maximise(direction)
        gaps[t] = optimum.value if optimum.value > max(optimum.gap, models.accuracy) else 0.0
    return gaps


class DecisionWorker:
    """Finds the decision ranges of one chunk of samples after the other."""

    def __init__(self, models: EquivalentModels, offset_sign: float, names: Sequence[str]) -> None:
        self._solver = RangeSolver(models, names)
        self._offset_sign = offset_sign

    def __call__(self, samples: Floats) -> Floats:
        """Both ends of all decision values, of shape (2, n_samples, n_offsets)."""
        q = self._solver.models.pieces.n_offsets
        ends = np.empty((2, len(samples), q))
        order = tour(samples)
        for t in range(q):
            for end, sign in ((1, 1.0), (0, -1.0)):
                for i in order:
                    ends[end, i, t] = sign * self._largest(sign * samples[i], sign, t)
        return ends

    def _largest(self, sample: Floats, sign: float, t: int) -> float:
        models = self._solver.models
        # Far from the data the numbers are large; what is proven then is their leading digits.
        scale = max(1.0, float(np.abs(sample).max(initial=0.0)))
        offsets = np.zeros(models.pieces.n_offsets)
        offsets[t] = sign * self._offset_sign / scale
        used = np.flatnonzero(sample)
        optimum = self._solver.maximise(
            Direction(
                used, sample[used] / scale, offset_factors=offsets, label="a prediction's range"
            )
        )
        return scale * optimum.value


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


def _chunks(samples: Floats, reference: Floats) -> list[Ints]:
    """Samples in groups of similar score, so that one's best model is good for the next.

    The order depends on the samples alone, and so does the work.
    """
    order = np.argsort(samples @ reference, kind="stable")
    return list(np.array_split(order, -(-len(order) // _CHUNK)))
