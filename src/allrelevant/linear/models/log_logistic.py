"""Times until an event with the loss of a log-logistic model, in straight pieces."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit

from allrelevant.base.arrays import Floats
from allrelevant.linear.engine.program.pieces import Pieces
from allrelevant.linear.models.base import paired_pieces
from allrelevant.linear.models.survival import Survival

# Where hinges begin, in scales. Where few events are seen all samples are far on one side of
# their predictions, so there have to be hinges there, too.
_KINKS = np.array([-3.5, -1.75, 0.0, 1.75, 3.5])
_BETWEEN = (_KINKS[1:] + _KINKS[:-1]) / 2.0
_SHARES = np.diff(expit(np.concatenate([[-np.inf], _BETWEEN, [np.inf]])))
_SMALLEST_SCALE, _FAR = 1e-3, 20.0  # where times are all equal; spreads beyond the data


@dataclass(frozen=True)
class LogLogistic(Survival):
    """Linear regression of the logarithm of a time whose errors have a logistic distribution.

    Its loss, the negative logarithm of the likelihood, is ``log(1 + exp z)`` for a censored sample,
    with ``z = (log t − w·x − b)/scale``, and ``log(1 + exp z) + log(1 + exp(−z))`` for an event. It
    bends most at 0 and less and less far away, as much as the logistic distribution has there. Here
    it bends at the kinks k only, by the share p_k of that distribution that is nearest to each.
    ::

        loss = Σ weight_i · Σ_k p_k·(χ_ik + ξ_ik)
        w·x_i + b ≥ log t_i − scale·k − χ_ik      for all samples
        w·x_i + b ≤ log t_i + scale·k + ξ_ik      for those with an event

    Parameters
    ----------
    scale : float
        That of the logistic distribution of log times.
    """

    epsilon: float = 0.0
    scale: float = 1.0
    # Losses of a few hundred samples, many of them censored, tell too little for the sparsest
    # model that could be as good, or even the best one, to order times well.
    rule: ClassVar[Literal["paired", "best", "one-se", "ordered"]] = "ordered"

    def pieces(self, target: Floats, weight: Floats) -> Pieces:
        """For every kink a piece per sample for what is too early, and one per event."""
        time, late = target[:, 0], np.flatnonzero(target[:, 1])
        row = np.concatenate([np.arange(len(time)), late])
        sign = np.repeat([1.0, -1.0], [len(time), len(late)])
        kinks = np.repeat(self.scale * _KINKS, len(row))
        return paired_pieces(
            np.tile(row, len(_KINKS)),
            np.tile(sign, len(_KINKS)),
            np.tile(sign * time[row], len(_KINKS)) - kinks,
            np.outer(_SHARES, weight[row]).ravel(),
            np.zeros(len(kinks)),
        )


def logistic_scale(time: Floats, event: Floats, weight: Floats) -> float:
    """The scale of log times that are all alike, some of them censored, by maximum likelihood."""

    def loss(at: Floats) -> tuple[float, Floats]:
        z = (time - at[0]) * np.exp(-at[1])
        losses = np.logaddexp(0.0, z) + event * (np.logaddexp(0.0, -z) + at[1])
        by_z = expit(z) - event * expit(-z)
        slopes = np.column_stack([losses, -by_z * np.exp(-at[1]), event - z * by_z])
        mean = np.average(slopes, axis=0, weights=weight)
        return float(mean[0]), mean[1:]

    spread = max(float(time.std()), _SMALLEST_SCALE)
    ends = float(time.min()) - _FAR * spread, float(time.max()) + _FAR * spread
    sizes = np.log(_SMALLEST_SCALE), np.log(_FAR * spread)
    start = np.array([float(np.median(time)), np.log(spread)])
    found = minimize(
        loss,
        start,
        jac=True,
        method="L-BFGS-B",
        bounds=(ends, sizes),
        options={"ftol": 1e-15, "gtol": 1e-10},  # so that others who look for it find the same
    )
    return float(np.exp(found.x[1]))
