"""The model that does without a feature, and the one that makes the most of it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from allrelevant.base.arrays import Floats
from allrelevant.linear.engine.equivalent import EquivalentModels
from allrelevant.linear.engine.ranges import RangeSolver, WeightRange, Witness


def find_witness(
    models: EquivalentModels | None,
    found: WeightRange,
    feature: int,
    bound: str,
    names: Sequence[str],
) -> tuple[Floats, Floats]:
    """Weights and offsets of a model that attains one end of a feature's relevance.

    Where the range holds only a bound, without a model, it is solved for.
    """
    witness = _of(found, bound)
    if models is None:  # nothing was learned: the baseline is the only model
        assert witness is not None
        return np.zeros(len(names)), witness.offsets
    if witness is None:
        found = RangeSolver(models, names).weight_range(feature)
        witness = _of(found, bound)
        assert witness is not None
    weights = witness.weights(models.n_features)
    if bound == "min" and found.contains_zero and _is_tiny(models, feature, weights):
        weights[feature] = 0.0  # what is left of it is rounding error
    return weights, witness.offsets


def _of(found: WeightRange, bound: str) -> Witness | None:
    return found.smallest_witness if bound == "min" else found.largest_witness


def _is_tiny(models: EquivalentModels, feature: int, weights: Floats) -> bool:
    return bool(abs(weights[feature]) <= models.accuracies[models.kind(feature)])
