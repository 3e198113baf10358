"""How far offsets may be from where ranges of weights need them, for questions about scores."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from allrelevant.linear.engine.program.equivalent import EquivalentModels
from allrelevant.linear.engine.program.pieces import Pieces


def with_all_offsets(models: EquivalentModels) -> EquivalentModels:
    """The same models, and those whose offsets are so far off that all samples are on one side.

    Where the loss may be that large, a prediction can get as far as the offset can. Beyond the
    kinks of all pieces the loss grows by their weights, and the budgets end that.
    """
    pieces, farthest = models.pieces, models.largest_offset
    limit = min(budget.limit / budget.loss for budget in models.budgets if budget.loss > 0)
    if pieces.second is not None:
        return replace(models, offset_room=pieces.n_offsets * limit / _lightest_class(pieces))
    if pieces.hard is not None and pieces.offset_sign[pieces.hard].any():
        return (
            models  # with slack functions, an offset is as far from its kinks as slacks are large
        )
    scores = models.largest_norm * models.X.row_sizes
    least = pieces.weight * (pieces.target + farthest - scores[pieces.row])
    room = 0.0
    for t in range(pieces.n_offsets):
        for side in (1.0, -1.0):
            counted = (pieces.offset == t) & (pieces.offset_sign == side)
            weight = float(pieces.weight[counted].sum())
            if weight > 0.0:
                room = max(room, (limit - float(least[counted].sum())) / weight)
    return replace(models, offset_room=room)


def _lightest_class(pieces: Pieces) -> float:
    """The least weight of a class: by that at least the loss grows beyond all kinks."""
    own = np.where(pieces.offset_sign > 0, pieces.offset + 1, 0)
    return float(np.bincount(own, pieces.weight).min()) / pieces.n_offsets
