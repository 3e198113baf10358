"""By how much budgets have to be widened for a model to keep them: one program for all who ask."""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from allrelevant.base.arrays import Floats, Ints
from allrelevant.linear.engine.program.direction import NOTHING
from allrelevant.linear.engine.program.equivalent import EquivalentModels
from allrelevant.linear.engine.program.optimum import Candidate
from allrelevant.linear.engine.program.working_set import WorkingSet
from allrelevant.linear.engine.simplex.growth import solve_growing
from allrelevant.linear.engine.simplex.highs import INFINITY, Method
from allrelevant.linear.engine.simplex.reduced import ReducedProgram


class ExcessProgram:
    """Minimises t over the models that keep the budgets ``limits + t · units``.

    Multipliers that bound the constant function 0 by less than 0 prove that no model keeps the
    budgets as they are, and by how much at least they are too narrow.

    Parameters
    ----------
    units : array
        By how much each budget is widened per unit of t.
    features : array of int
        The features to begin with.
    least : float
        No smaller t is looked for.
    largest_offset, largest_free : float
        Bounds on offsets and on weights that count in no norm.
    """

    def __init__(
        self,
        models: EquivalentModels,
        units: Floats,
        features: ArrayLike,
        *,
        least: float = -INFINITY,
        largest_offset: float = INFINITY,
        largest_free: float = INFINITY,
    ) -> None:
        self.models = models
        self.working_set = WorkingSet.around(models, features)
        self.reduced = ReducedProgram(
            self.working_set,
            models.prices,
            models.budgets,
            largest_offset,
            largest_free=largest_free,
        )
        self.reduced.set_boxes(models.boxes)
        (self._column,) = self.reduced.program.add_columns(
            np.ones(1), least, INFINITY, self.reduced.budget_rows, -units[None, :]
        )

    def solve(
        self, method: Method, *, cold: bool = False, excluded: Ints | None = None
    ) -> tuple[Candidate, float] | None:
        """The model with the least t, with multipliers, and t; None where the solver fails."""
        propose = partial(self.reduced.candidate, self.models, NOTHING, excluded)
        candidate = solve_growing(self.reduced, propose, method, cold=cold)
        if candidate is None:
            return None
        values, _ = self.reduced.program.solution()
        return candidate, float(values[self._column])
