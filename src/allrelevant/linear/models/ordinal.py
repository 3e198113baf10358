"""Ordinal regression."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Literal

import numpy as np

from allrelevant.base.arrays import Floats, Ints, Mask
from allrelevant.base.metrics import macro_mean
from allrelevant.linear.engine.program.pieces import Pieces
from allrelevant.linear.models.base import Curve, LinearModel, Scores, Scoring

Order = Literal["explicit", "implicit"]
Slacks = Literal["compared", "all"]


@dataclass(frozen=True)
class Ordinal(LinearModel):
    """Ordered classes 0 … K−1, separated by thresholds ``b_1 ≤ … ≤ b_{K−1}``.

    ::

        loss = Σ weight_i · (χ + ξ)
        w·x ≤ b_t − 1 + χ   for samples that belong below threshold t
        w·x ≥ b_t + 1 − ξ   for samples that belong above it

    With the *explicit* order each class is compared with its neighbouring thresholds only; with
    the *implicit* order every sample is compared with every threshold.

    Parameters
    ----------
    order : {"explicit", "implicit"}
    slacks : {"compared", "all"}
        Which slack functions of privileged features a sample pays for: those of the thresholds it
        is compared with, or both, so that the lowest class has a ξ and the highest a χ.
    """

    n_classes: int
    order: Order = "explicit"
    slacks: Slacks = "compared"
    task: ClassVar[str] = "ordinal"
    score_name: ClassVar[str] = "1 − MMAE/(K−1)"
    offset_sign: ClassVar[float] = -1.0
    class_power: ClassVar[float] = 0.5
    scoring: ClassVar[Scoring] = "score"
    loss_name: ClassVar[str | None] = "hinge"
    curve: ClassVar[Curve | None] = "line"

    @property
    def n_offsets(self) -> int:  # type: ignore[override]
        """One threshold between each class and the next."""
        return self.n_classes - 1

    def pieces(self, target: Floats, weight: Floats) -> Pieces:
        """One piece per sample and threshold it is compared with."""
        rows, signs, thresholds = [], [], []
        for t in range(self.n_classes - 1):
            near = np.ones(len(target), dtype=bool)
            if self.order == "explicit":
                near = (target == t) | (target == t + 1)
            chosen = np.flatnonzero(near)
            rows.append(chosen)
            signs.append(np.where(target[chosen] > t, 1.0, -1.0))
            thresholds.append(np.full(len(chosen), t))
        row, sign = np.concatenate(rows), np.concatenate(signs)
        return Pieces(
            row=row,
            sign=sign,
            offset=np.concatenate(thresholds),
            offset_sign=-sign,
            target=np.ones(len(row)),
            weight=weight[row],
            n_offsets=self.n_classes - 1,
        )

    def slack_functions(self, pieces: Pieces) -> Ints:
        """One for scores that are too high, one for those that are too low."""
        return (pieces.sign > 0).astype(np.intp)

    def idle_slacks(self, target: Floats) -> tuple[Ints, Ints]:
        """Of the highest class those of scores that are too high; of the lowest the others."""
        if self.slacks == "compared":
            return super().idle_slacks(target)
        highest = np.flatnonzero(target == self.n_classes - 1)
        lowest = np.flatnonzero(target == 0)
        functions = np.repeat(np.array([0, 1], dtype=np.intp), [len(highest), len(lowest)])
        return np.concatenate([highest, lowest]), functions

    def predict(self, scores: Floats, offsets: Floats) -> Floats:
        """The number of thresholds below the score."""
        return np.searchsorted(offsets, scores, side="left").astype(float)

    def without_features(self, offsets: Floats, target: Floats, weight: Floats) -> Floats:
        """Thresholds around the median class, whose distance to all classes is least.

        The explicit order compares neighbours alone: its thresholds of least loss have the score
        in the lowest class that is larger than the next.
        """
        below = np.array([weight[target <= t].sum() for t in range(self.n_offsets)])
        return np.where(2.0 * below < weight.sum(), -1.0, 1.0)

    def outcomes(self, low: Floats, high: Floats, gaps: Floats) -> Mask:
        """One column per class.

        A class between two thresholds is predicted by some model if one model has the score above
        the lower threshold, another has it below the upper one, and in some model the thresholds
        are apart: on the way from the first to the second, by way of the third, the score passes
        between them.
        """
        n = len(low)
        above = np.column_stack([np.ones(n, dtype=bool), high > 0])
        below = np.column_stack([low <= 0, np.ones(n, dtype=bool)])
        apart = np.concatenate([[True], gaps > 0, [True]])
        return above & below & apart

    def all_scores(
        self, target: Floats, predicted: Floats, decision: Floats, count: Floats
    ) -> Scores:
        """The score, which is that of classes of equal size, and the share of right answers."""
        right = target == predicted
        own = super().all_scores(target, predicted, decision, count)
        return own | {"accuracy": float(np.average(right, weights=count))}

    def coarser(self, target: Floats, times: Floats, least: int) -> tuple[LinearModel, Floats]:
        """Rare classes join the smaller of their neighbours; two classes are always left."""
        sizes = [float(times[target == code].sum()) for code in range(self.n_classes)]
        new = list(range(self.n_classes))  # where each class goes
        while len(sizes) > 2 and min(sizes) < least:
            k = int(np.argmin(sizes))
            beside = [j for j in (k - 1, k + 1) if 0 <= j < len(sizes)]
            low = min(k, min(beside, key=lambda j: sizes[j]))
            sizes[low : low + 2] = [sizes[low] + sizes[low + 1]]
            new = [code - (code > low) for code in new]
        if len(sizes) == self.n_classes:
            return self, target
        return replace(self, n_classes=len(sizes)), np.array(new, float)[target.astype(np.intp)]

    def score(self, target: Floats, predicted: Floats, count: Floats) -> float:
        """1 − MMAE/(K−1): every class counts the same, however rare."""
        error = macro_mean(target.astype(np.intp), np.abs(target - predicted), count)
        return 1.0 - error / (self.n_classes - 1)
