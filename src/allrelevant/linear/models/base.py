"""What every linear model says about itself; none knows how it is solved."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar, Literal

import numpy as np

from allrelevant.base.arrays import Floats, Ints, Mask
from allrelevant.base.margins import interval_margins
from allrelevant.data.scaling import Scaling
from allrelevant.linear.engine.program.pieces import Pieces

Scores = dict[str, float]
Scoring = Literal["loss", "deviance", "score"]
Curve = Literal["logistic", "softmax", "line"]


class LinearModel(ABC):
    """A linear model over encoded targets.

    A model has scores ``f = X @ w`` and offsets ``b``. It states its loss as hinge pieces and
    turns scores and offsets into predictions; targets and predictions are numbers (*codes*), the
    estimators translate labels.
    """

    task: ClassVar[str]
    score_name: ClassVar[str]
    n_offsets: int = 1
    #: How many weights a feature has: one for each score.
    n_scores: int = 1
    has_classes: ClassVar[bool] = True
    #: Whether classes have an order; two are one the other way round.
    has_order: ClassVar[bool] = True
    #: Whether samples have numbers whose mean features can explain.
    has_numbers: ClassVar[bool] = True
    #: By which power of a class's size its samples are weighed down, unless weights are given:
    #: 1 gives all classes the same say, 0 every sample.
    class_power: ClassVar[float] = 1.0
    #: Whether the Euclidean norm of a baseline with that norm is squared, as the papers have it.
    squared_norm: ClassVar[bool] = False
    #: How C is chosen where nothing else is asked for.
    rule: ClassVar[Literal["paired", "best", "one-se", "ordered"]] = "paired"
    scoring: ClassVar[Scoring] = "loss"
    #: What the loss is called, where a task has several.
    loss_name: ClassVar[str | None] = None
    #: The curve through left-out decision values by which deviances are told, where there is one.
    curve: ClassVar[Curve | None] = None
    #: The decision values of a sample are its score plus this sign times each offset.
    offset_sign: ClassVar[float] = 1.0

    @abstractmethod
    def pieces(self, target: Floats, weight: Floats) -> Pieces:
        """The loss on samples with these targets and weights."""

    def slack_functions(self, pieces: Pieces) -> Ints:
        """Which function of privileged features takes the place of each piece's slack."""
        return np.zeros(len(pieces), dtype=np.intp)

    def idle_slacks(self, target: Floats) -> tuple[Ints, Ints]:
        """Samples and functions whose slack is paid for although no piece needs it."""
        return np.zeros(0, dtype=np.intp), np.zeros(0, dtype=np.intp)

    def idle_shift(self, balance: float, farthest: float) -> float:
        """How far decision values that tell nothing of two classes are moved.

        `balance` is the mean of the targets −1 and +1. So far that none is on the other side.
        """
        return float(np.copysign(farthest, balance))

    def explained(self, target: Floats, count: Floats) -> Floats:
        """The number of each sample whose mean features can explain: the code itself."""
        return target

    def n_telling(self, target: Floats, numbers: Floats) -> float:
        """How many observations tell how good a score is; of few, folds are dealt several times."""
        return float(numbers.sum())

    @abstractmethod
    def predict(self, scores: Floats, offsets: Floats) -> Floats:
        """Predicted codes."""

    @abstractmethod
    def score(self, target: Floats, predicted: Floats, count: Floats) -> float:
        """Quality of predictions, higher is better; rows count as often as they were observed."""

    def decisions(self, scores: Floats, offsets: Floats) -> Floats:
        """How far samples are inside each class; of two classes one distance."""
        return interval_margins(scores, -self.offset_sign * offsets)

    def original(self, scaling: Scaling, weights: Floats, offsets: Floats) -> tuple[Floats, Floats]:
        """Weights and offsets for columns as they were before they were scaled."""
        coefficients, shift = scaling.original(weights)
        return coefficients, self.shifted(offsets, shift)

    def errors(self, target: Floats, predicted: Floats) -> Floats:
        """How far each prediction is off, in units of the target."""
        return np.abs(target - predicted)

    def strata(self, target: Floats) -> Floats | None:
        """What is to be spread evenly over folds and halves; None where nothing is."""
        return target if self.has_classes else None

    def all_scores(
        self, target: Floats, predicted: Floats, decision: Floats, count: Floats
    ) -> Scores:
        """Quality by more than one measure, the model's own first.

        `decision` has the scores relative to the first offset.
        """
        return {self.score_name: self.score(target, predicted, count)}

    def coarser(self, target: Floats, times: Floats, least: int) -> tuple[LinearModel, Floats]:
        """The model where classes of fewer than `least` samples are merged, and the new codes.

        Each target is that of so many samples as `times` says.
        """
        return self, target

    def shifted(self, offsets: Floats, shift: float) -> Floats:
        """The offsets where every decision value is larger by this."""
        return offsets + self.offset_sign * shift

    def without_features(self, offsets: Floats, target: Floats, weight: Floats) -> Floats:
        """The offsets to predict with where no feature is used: those of least loss."""
        return offsets

    @property
    def levels(self) -> tuple[float, float]:
        """The lowest and the highest decision value at which outcomes change."""
        return 0.0, 0.0

    def outcomes(self, low: Floats, high: Floats, gaps: Floats) -> Mask | None:
        """Which codes some model predicts, one column each; None where there are no classes.

        Parameters
        ----------
        low, high : array of shape (n_samples, n_offsets)
            Smallest and largest decision values over a convex set of models.
        gaps : array of shape (n_offsets − 1,)
            A distance of each threshold to the next that some model has; 0 where none has.
        """
        return None


def paired_pieces(
    row: np.ndarray, sign: Floats, target: Floats, weight: Floats, offset: np.ndarray
) -> Pieces:
    """Pieces in which the offset enters as the score does: ``sign · (f + b)``."""
    return Pieces(
        row=np.asarray(row, dtype=np.intp),
        sign=np.asarray(sign, dtype=float),
        offset=np.asarray(offset, dtype=np.intp),
        offset_sign=np.asarray(sign, dtype=float),
        target=np.asarray(target, dtype=float),
        weight=np.asarray(weight, dtype=float),
    )


def two_class_scores(target: Floats, predicted: Floats, decision: Floats, count: Floats) -> Scores:
    """Balanced accuracy and the area under the ROC curve; nothing where one class is missing."""
    if np.ptp(target) == 0:
        return {}
    shares = [np.average(predicted[target == c] == c, weights=count[target == c]) for c in (-1, 1)]
    _, place = np.unique(decision, return_inverse=True)
    upper, lower = (np.bincount(place, count * (target == c)) for c in (1, -1))
    behind = np.cumsum(lower) - lower / 2.0  # equal values count one half
    area = upper @ behind / (upper.sum() * lower.sum())
    return {"balanced accuracy": float(np.mean(shares)), "AUC": float(area)}
