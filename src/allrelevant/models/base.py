"""What every linear model says about itself; none knows how it is solved."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

import numpy as np

from allrelevant.engine.pieces import Floats, Ints, Mask, Pieces


class LinearModel(ABC):
    """A linear model over encoded targets.

    A model has scores ``f = X @ w`` and offsets ``b``. It states its loss as hinge pieces and
    turns scores and offsets into predictions; targets and predictions are numbers (*codes*), the
    estimators translate labels.
    """

    task: ClassVar[str]
    score_name: ClassVar[str]
    n_offsets: int = 1
    #: The decision values of a sample are its score plus this sign times each offset.
    offset_sign: ClassVar[float] = 1.0

    @abstractmethod
    def pieces(self, target: Floats, weight: Floats) -> Pieces:
        """The loss on samples with these targets and weights."""

    def slack_functions(self, pieces: Pieces) -> Ints:
        """Which function of privileged features takes the place of each piece's slack."""
        return np.zeros(len(pieces), dtype=np.intp)

    @abstractmethod
    def predict(self, scores: Floats, offsets: Floats) -> Floats:
        """Predicted codes."""

    @abstractmethod
    def score(self, target: Floats, predicted: Floats, count: Floats) -> float:
        """Quality of predictions, higher is better; rows count as often as they were observed."""

    def outcomes(self, low: Floats, high: Floats, gaps: Floats) -> Mask | None:
        """Which codes some model predicts, one column each; None where there are no classes.

        Parameters
        ----------
        low, high : array of shape (n_samples, n_offsets)
            Smallest and largest decision values over a convex set of models.
        gaps : array of shape (n_offsets − 1,)
            The largest distance of each threshold to the next.
        """
        return None


def paired_pieces(
    row: np.ndarray, sign: Floats, target: Floats, weight: Floats, offset: np.ndarray, n: int = 1
) -> Pieces:
    """Pieces in which the offset enters as the score does: ``sign · (f + b)``."""
    return Pieces(
        row=np.asarray(row, dtype=np.intp),
        sign=np.asarray(sign, dtype=float),
        offset=np.asarray(offset, dtype=np.intp),
        offset_sign=np.asarray(sign, dtype=float),
        target=np.asarray(target, dtype=float),
        weight=np.asarray(weight, dtype=float),
        n_offsets=n,
    )
