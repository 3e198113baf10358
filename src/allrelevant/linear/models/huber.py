"""Regression by a loss that is nearly the squared one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from allrelevant.base.arrays import Floats
from allrelevant.linear.engine.program.pieces import Pieces
from allrelevant.linear.models.base import paired_pieces
from allrelevant.linear.models.regression import Regression


@dataclass(frozen=True)
class Huber(Regression):
    """Linear regression with Huber's loss, made of straight lines.

    ::

        loss = Σ weight_i · mean_k ξ_ik      |y_i − w·x_i − b| ≤ t_k + ξ_ik,  ξ_ik ≥ 0

    Huber's loss is squared up to a deviation δ and straight beyond. Up to a factor it is the mean
    of losses of which deviations up to t are free, ``r²/2 = ∫₀ʳ (r − t) dt``, with t spread evenly
    from 0 to δ. Here t has `n_kinks` values: the means of as many equal slices.

    The absolute loss asks for the middle of the target. Where many rows have the same value (no
    visits, no claim), that value is the middle whatever the features say, and no model gains
    anything by using them. This loss asks for something near the mean, which they do change.

    Parameters
    ----------
    n_kinks : int
    straight_from : float
        The deviation δ.
    """

    epsilon: float = 0.0
    n_kinks: int = 5
    straight_from: float = 1.5
    loss_name: ClassVar[str | None] = "Huber"

    @property
    def kinks(self) -> Floats:
        """Deviations at which the loss has its kinks."""
        return self.straight_from * (np.arange(self.n_kinks) + 0.5) / self.n_kinks

    def pieces(self, target: Floats, weight: Floats) -> Pieces:
        """As many pieces per sample as there are kinks, too low and too high."""
        n, K = len(target), self.n_kinks
        free = np.repeat(self.kinks, n)
        return paired_pieces(
            np.tile(np.arange(n), 2 * K),
            np.repeat([1.0, -1.0], n * K),
            np.concatenate([np.tile(target, K) - free, np.tile(-target, K) - free]),
            np.tile(weight / K, 2 * K),
            np.zeros(2 * n * K),
        )
