"""Equivalent models without some features, where the set is large.

Forbidding a feature is the same as a column of zeros. With one the set needs no boxes, so that the
interior point, which knows none, can be used, if a member well inside the budgets is at hand.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from allrelevant.linear.engine.equivalent import Boxes, EquivalentModels
from allrelevant.linear.engine.nearest import Nearest
from allrelevant.linear.engine.penalised import PenalisedPath
from allrelevant.linear.engine.ranges import RangeSolver


def forbids_only(boxes: Boxes) -> bool:
    """Whether the boxes do nothing but forbid features."""
    return not (boxes.low.any() or boxes.high.any())


def sparse_member(models: EquivalentModels, boxes: Boxes) -> Nearest | None:
    """The best penalised model without some features, where it is within the budgets."""
    reference = models.reference
    path = PenalisedPath(_without(models, boxes), models.pieces)
    found = path.solve(reference.C)
    spent = models.norm_factors * found.norm + models.loss_factors * found.loss
    if (spent > models.limits).any():
        return None
    return Nearest(0.0, found.weights, found.offsets)


def solver_without(
    models: EquivalentModels, boxes: Boxes, member: Nearest, names: list[str] | None
) -> RangeSolver:
    """A solver for the members that do without some features."""
    reference = replace(
        models.reference,
        weights=member.weights,
        offsets=member.offsets,
        row_duals=None,
        objective=np.inf,
    )
    some = EquivalentModels(_without(models, boxes), models.pieces, models.budgets, reference)
    return RangeSolver(some, names)


def _without(models: EquivalentModels, boxes: Boxes) -> np.ndarray:
    X = models.X.copy()
    X[:, boxes.features] = 0.0
    return X
