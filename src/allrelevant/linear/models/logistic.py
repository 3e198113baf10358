"""Binary classification by the logistic loss."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from scipy.special import entr

from allrelevant.base.arrays import Floats
from allrelevant.linear.engine.program.pieces import Pieces
from allrelevant.linear.models.base import paired_pieces
from allrelevant.linear.models.classification import Classification


@dataclass(frozen=True)
class Logistic(Classification):
    """The linear classifier with the logistic loss, made of straight lines; targets −1 and +1.

    ::

        loss = Σ weight_i · mean_k ξ_ik      y_i (w·x_i + b) ≥ t_k − ξ_ik,  ξ_ik ≥ 0

    The logistic loss is a mean of hinges: ``log(1 + exp(−m)) = E max(0, T − m)`` where T has the
    logistic distribution, as both sides vanish for large m and have the slope −P(T > m). Here T has
    `n_kinks` values: the means of as many equally likely slices of that distribution. So the loss
    is that of the logistic model where slices meet, and below it in between, by 0.08 at most.

    The hinge loss asks only on which side a sample is. A feature that makes a class more or less
    likely, but nowhere the likelier one, gains nothing by it; by this loss it does.

    Parameters
    ----------
    n_kinks : int
    """

    n_kinks: int = 5
    loss_name: ClassVar[str | None] = "logistic"

    @property
    def kinks(self) -> Floats:
        """Margins at which the loss has its kinks."""
        return logistic_kinks(self.n_kinks)

    def pieces(self, target: Floats, weight: Floats) -> Pieces:
        """As many pieces per sample as there are kinks."""
        n, K = len(target), self.n_kinks
        return paired_pieces(
            np.tile(np.arange(n), K),
            np.tile(target, K),
            np.repeat(self.kinks, n),
            np.tile(weight / K, K),
            np.zeros(n * K),
        )


def with_kinks(one: Pieces, n_kinks: int) -> Pieces:
    """Hinges as often as there are kinks, one at each: a mean of them is the logistic loss."""

    def again(values: Any) -> Any:
        return None if values is None else np.tile(values, n_kinks)

    return Pieces(
        row=again(one.row),
        sign=again(one.sign),
        offset=again(one.offset),
        offset_sign=again(one.offset_sign),
        target=np.repeat(logistic_kinks(n_kinks), len(one)),
        weight=again(one.weight / n_kinks),
        n_offsets=one.n_offsets,
        second=again(one.second),
        second_sign=again(one.second_sign),
    )


def logistic_kinks(n_kinks: int) -> Floats:
    """Means of equally likely slices of the logistic distribution."""
    borders = np.arange(n_kinks + 1) / n_kinks
    # The entropy of (p, 1−p) has the derivative log((1−p)/p), which is minus the p-quantile.
    return -n_kinks * np.diff(entr(borders) + entr(1.0 - borders))
