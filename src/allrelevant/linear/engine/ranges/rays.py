"""How far apart two weights get on a straight line from the reference: roughly how far at all."""

from __future__ import annotations

from itertools import permutations

import numpy as np

from allrelevant.base.arrays import Floats, Ints
from allrelevant.linear.engine.program.equivalent import EquivalentModels

_HALVINGS = 16


def apart_on_rays(models: EquivalentModels, places: Ints) -> Floats:
    """The largest difference of every two of some weights if both move alike and no others do.

    In the order of `permutations`. No more than what models can do, and about in proportion to it.
    """
    pieces, reference = models.pieces, models.reference
    residuals = pieces.residuals(models.X.scores(reference.weights), reference.offsets)
    columns = [models.X.column(int(place))[pieces.row] * pieces.sign for place in places]
    used = [np.flatnonzero(column) for column in columns]
    loss = pieces.loss_of(residuals)
    spent = models.prices @ np.abs(reference.weights)
    found = []
    for up, down in permutations(range(len(places)), 2):
        rows = np.union1d(used[up], used[down])
        slopes = columns[up][rows] - columns[down][rows]
        own, weight = residuals[rows], pieces.weight[rows]
        elsewhere = loss - float(weight @ np.maximum(own, 0.0))
        start, prices = reference.weights[places[[up, down]]], models.prices[:, places[[up, down]]]
        others, apart = spent - prices @ np.abs(start), np.array([1.0, -1.0])
        low, high = 0.0, models.largest_norm
        for _ in range(_HALVINGS):
            middle = (low + high) / 2.0
            there = elsewhere + float(weight @ np.maximum(own - middle * slopes, 0.0))
            norms = others + prices @ np.abs(start + middle * apart)
            over = norms + models.loss_factors * there > models.limits
            low, high = (low, middle) if over.any() else (middle, high)
        found.append(float(start[0] - start[1]) + 2.0 * low)
    return np.array(found)
