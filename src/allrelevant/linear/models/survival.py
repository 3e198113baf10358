"""Times until an event, some of which are only known to be later than a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from allrelevant.base.arrays import Floats
from allrelevant.base.censored import concordance, lateness
from allrelevant.linear.engine.program.pieces import Pieces
from allrelevant.linear.models.base import paired_pieces
from allrelevant.linear.models.regression import Regression


@dataclass(frozen=True)
class Survival(Regression):
    """Linear regression of the logarithm of a time that may be censored.

    The target has two columns: the logarithm of a time, and 1 where the event happened then, 0
    where it had not happened yet. Of a censored sample only what is too early is wrong. Predictions
    are of a quantile q of the times: of the median, unless that is beyond the data.
    ::

        loss = Σ weight_i · (2q·χ_i + 2(1−q)·ξ_i)
        w·x_i + b ≥ log t_i − ε − χ_i      for all samples
        w·x_i + b ≤ log t_i + ε + ξ_i      for those with an event

    Parameters
    ----------
    epsilon : float
        Deviations up to this are free.
    quantile : float
        The share of events that are to come before the predicted time.
    """

    quantile: float = 0.5
    task: ClassVar[str] = "survival"
    score_name: ClassVar[str] = "C-index"

    def pieces(self, target: Floats, weight: Floats) -> Pieces:
        """One piece per sample for what is too early, and one per event for what is too late."""
        time, late = target[:, 0], np.flatnonzero(target[:, 1])
        row = np.concatenate([np.arange(len(time)), late])
        sign = np.repeat([1.0, -1.0], [len(time), len(late)])
        price = np.where(sign > 0, 2.0 * self.quantile, 2.0 * (1.0 - self.quantile))
        return paired_pieces(
            row, sign, sign * time[row] - self.epsilon, weight[row] * price, np.zeros(len(row))
        )

    def errors(self, target: Floats, predicted: Floats) -> Floats:
        """Distances; none where a censored time is exceeded."""
        off = target[:, 0] - predicted
        return np.where(target[:, 1] > 0, np.abs(off), np.maximum(off, 0.0))

    def strata(self, target: Floats) -> Floats:
        """Whether there was an event."""
        return target[:, 1]

    def explained(self, target: Floats, count: Floats) -> Floats:
        """How late events are among all, from −1 to 1, whatever the unit of times."""
        return lateness(target[:, 0], target[:, 1], count)

    def n_telling(self, target: Floats, numbers: Floats) -> float:
        """Events: a pair of times has an order where the earlier one is that of an event."""
        return float(numbers @ target[:, 1])

    def score(self, target: Floats, predicted: Floats, count: Floats) -> float:
        """Harrell's C: the share of pairs, of those whose order is known, in the right order."""
        return concordance(target[:, 0], target[:, 1], predicted, count)
