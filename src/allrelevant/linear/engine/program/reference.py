"""The model around which equivalent ones are sought: the best one at some price of the loss."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from allrelevant.base.arrays import Floats


@dataclass(frozen=True, eq=False)
class Reference:
    """The model around which the equivalent ones are sought, with its dual solution.

    Parameters
    ----------
    weights, offsets : array
        The model.
    row_duals : array of shape (n_samples,), or None
        Multipliers ``α`` of its pieces summed over each sample with their signs, so that
        ``row_duals @ x`` is the gradient a column ``x`` would have. None where the reference
        does not minimise ``‖w‖₁ + C·loss``; then nothing can be bounded beforehand.
    C : float
        The factor of the loss in the problem the reference solves.
    objective : float
        ``‖w‖₁ + C·loss`` of the reference, plus `side_price` times the norm of side information.
    side_price : float
        The factor before that norm in the problem the reference solves.
    """

    weights: Floats
    offsets: Floats
    row_duals: Floats | None
    C: float
    objective: float
    side_price: float = 1.0

    @cached_property
    def prices(self) -> Floats:
        """What a unit of weight costs in that problem, for each kind of feature."""
        return np.array([1.0, self.side_price, 0.0])


@dataclass(frozen=True, eq=False)
class Penalised:
    """A minimum of ``‖w‖₁ + C·loss`` with its multipliers summed per sample.

    With side information the minimum is that of ``‖w‖₁ + side_price·‖w*‖₁ + C·loss``.
    """

    C: float
    weights: Floats
    offsets: Floats
    row_duals: Floats
    norm: float
    loss: float
    side_norm: float = 0.0
    side_price: float = 1.0

    @property
    def objective(self) -> float:
        """The minimum."""
        return self.objective_at(self.C, self.side_price)

    def objective_at(self, C: float, side_price: float) -> float:
        """What this model would cost at other prices."""
        return self.norm + side_price * self.side_norm + C * self.loss

    def as_reference(self) -> Reference:
        """The same as a reference for equivalent models."""
        return Reference(
            self.weights, self.offsets, self.row_duals, self.C, self.objective, self.side_price
        )
