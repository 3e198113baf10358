"""The model around which equivalent ones are sought."""

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
