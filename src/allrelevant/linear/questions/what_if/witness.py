"""The model that does without a feature, and the one that makes the most of it."""

from __future__ import annotations

from typing import Any

from allrelevant.base.arrays import Floats
from allrelevant.linear.engine.program.equivalent import EquivalentModels
from allrelevant.linear.engine.program.optimum import SolverError
from allrelevant.linear.engine.ranges.solver import RangeSolver
from allrelevant.linear.engine.ranges.weight_range import WeightRange, Witness
from allrelevant.linear.fit.ranges.spreads import SpreadRange
from allrelevant.linear.questions.equivalent_model import EquivalentModel
from allrelevant.linear.questions.fitted_set import FittedSet
from allrelevant.linear.questions.what_if.what_if import witness_under


def find_witness(fitted: FittedSet, feature: Any, bound: str, **asked: Any) -> EquivalentModel:
    """A model that attains one end of the relevance of a feature, or of one of its columns."""
    columns = fitted.features.columns_of(feature)
    if fitted.models is None:
        fitted.parts(**asked)  # raises for what a constant does not keep
        return EquivalentModel(fitted, *fitted.constant)
    if fitted.constraints(**asked):
        return witness_under(fitted, feature, bound, **asked)
    if fitted.model.n_scores > 1 and len(columns) == 1:
        found = fitted.found_ranges[columns[0]]
        assert isinstance(found, SpreadRange)
        return EquivalentModel.of(fitted, found.witness(bound))
    if len(columns) > 1:
        several = fitted.several[fitted.features.position(feature)]
        return EquivalentModel.of(fitted, several.range.witness(bound))
    return EquivalentModel(fitted, *_at_end(fitted.models, fitted, columns[0], bound))


def _at_end(
    models: EquivalentModels, fitted: FittedSet, feature: int, bound: str
) -> tuple[Floats, Floats]:
    """Weights and offsets; where the range holds only a bound, without a model, it is solved."""
    found = fitted.found_ranges[feature]
    assert isinstance(found, WeightRange)
    if bound == "min" and found.is_half:  # which model it is does not hang on what was read before
        found = fitted.ranges[feature]
        assert isinstance(found, WeightRange)
    witness = _of(found, bound)
    if witness is None:
        found = RangeSolver(models, fitted.features.columns).weight_range(feature)
        witness = _of(found, bound)
        if witness is None:
            raise SolverError(
                f"no model could be shown to have the {bound}imum of "
                f"{fitted.features.columns[feature]!r}: its interval is a bound"
            )
    weights = witness.weights(models.n_features)
    is_tiny = abs(weights[feature]) <= models.accuracies[feature]
    if bound == "min" and found.contains_zero and is_tiny:
        weights[feature] = 0.0  # what is left of it is rounding error
    return weights, witness.offsets


def _of(found: WeightRange, bound: str) -> Witness | None:
    return found.smallest_witness if bound == "min" else found.largest_witness
