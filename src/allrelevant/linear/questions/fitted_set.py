"""What a fit leaves behind, and what every question takes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from allrelevant.base.arrays import Floats
from allrelevant.base.names import position
from allrelevant.base.scaling import Scaling
from allrelevant.base.validation import KnownColumns
from allrelevant.linear.engine.equivalent import MAIN, SIDE, EquivalentModels
from allrelevant.linear.engine.ranges import WeightRange
from allrelevant.linear.fit.analysis import Analysis
from allrelevant.linear.models import LinearModel
from allrelevant.linear.models.decoders import Decoder
from allrelevant.linear.questions.column_groups import ColumnGroup
from allrelevant.linear.questions.constrained_solver import ConstrainedSolver
from allrelevant.linear.questions.constraints import Constraint, Feature, parse_constraints
from allrelevant.linear.questions.names import is_a_group
from allrelevant.results.relevance import RelevanceResult


@dataclass(frozen=True, eq=False, repr=False)
class FittedSet:
    """The equivalent models that a fit has found, and all that questions to them need.

    A question is a function of a fitted set and of what is asked. What is here is not changed by
    it, but for the solver, which gets warm. A copy shares all but the solver.

    Parameters
    ----------
    analysis : Analysis
        What the fit has found, in the engine's units.
    result : RelevanceResult
        The same as people see it: names, intervals and thresholds as shares, classes.
    columns : KnownColumns
        What data to predict for must look like.
    scaling : Scaling
        From the columns as they came to the engine's.
    decoder : Decoder
        From the engine's targets and predictions to people's.
    column_groups : mapping from str to ColumnGroup
    """

    analysis: Analysis
    result: RelevanceResult
    columns: KnownColumns
    scaling: Scaling
    decoder: Decoder
    column_groups: Mapping[str, ColumnGroup]

    # What the fit has found

    @property
    def models(self) -> EquivalentModels | None:
        """The equivalent models; None where nothing could be learned."""
        return self.analysis.models

    @property
    def ranges(self) -> tuple[WeightRange, ...]:
        """The range of every feature's weight."""
        return self.analysis.found.ranges

    @property
    def model(self) -> LinearModel:
        """The kind of model that was chosen."""
        return self.analysis.choice.model

    @property
    def offset_shift(self) -> float:
        """What predictions add to the decision values of every model."""
        return self.analysis.shift

    @property
    def names(self) -> list[str]:
        """The names of the features."""
        return list(self.result.names)

    @property
    def n_features(self) -> int:
        """How many features a prediction needs."""
        return self.result.n_features

    # One model

    @property
    def constant(self) -> tuple[Floats, Floats]:
        """Weights and offsets where nothing was learned: the baseline is the only model."""
        witness = self.ranges[0].low.witness
        assert witness is not None
        return np.zeros(self.n_features), witness.offsets

    def parameters(self, weights: Floats, offsets: Floats) -> dict[str, Any]:
        """A model of the engine as people see it: `coef_`, and `intercept_` or `thresholds_`."""
        coefficients, shift = self.scaling.original(weights[: self.n_features])
        moved = self.model.shifted(self.model.shifted(offsets, shift), self.offset_shift)
        return self.decoder.parameters(coefficients, moved)

    # Features by name or position

    def group(self, feature: Any) -> ColumnGroup | None:
        """The group of columns of this name; None where it is a feature's, or no name at all."""
        if not isinstance(feature, str) or feature in self.result.names:
            return None
        return self.column_groups.get(feature)

    def place(self, feature: Any, parameter: str = "feature") -> int:
        """The position of a feature that is given by its name or its position."""
        group = self.group(feature)
        if group is not None:
            raise is_a_group(feature, group.columns, parameter)
        return position(self.names, feature, parameter, also=list(self.column_groups))

    def places(self, feature: Any, parameter: str = "feature") -> list[int]:
        """The positions of a feature's columns: of all of them where it is a group."""
        group = self.group(feature)
        return [self.place(feature, parameter)] if group is None else list(group.places)

    # Constraints

    def constraints(self, **asked: Any) -> list[Constraint]:
        """What a person's request amounts to."""
        norm = self.result.baseline["norm"]
        largest = 0.0 if self.models is None else float(self.models.largest[MAIN])
        groups = {
            name: Feature(name, group.places, norm, largest, group.threshold)
            for name, group in self.column_groups.items()
        }
        return parse_constraints(self.features, groups, **asked)

    @cached_property
    def features(self) -> list[Feature]:
        """All features as the engine sees them, the privileged ones at the end."""
        models, result = self.models, self.result
        if models is None:
            return [Feature(name, (k,), 1.0, 0.0, 0.0) for k, name in enumerate(result.names)]
        main = float(models.largest[MAIN])
        limits, norm = result.upper_thresholds.tolist(), result.baseline["norm"]
        found = [Feature(name, (k,), norm, main, limits[k]) for k, name in enumerate(result.names)]
        return found + self._privileged_features(models)

    def _privileged_features(self, models: EquivalentModels) -> list[Feature]:
        result, n = self.result, self.n_features
        if result.privileged is None:
            return []
        p = len(result.privileged_names)
        # Where the models do without what is privileged, it has no column.
        n_functions = 0 if models.kinds is None else int((models.kinds == SIDE).sum()) // p
        side, limits = float(models.largest[SIDE]), result.privileged.upper_thresholds.tolist()
        return [
            Feature(
                name,
                tuple(n + function * p + k for function in range(n_functions)),
                result.baseline.get("privileged_norm", 1.0),
                side,
                limits[k],
                is_privileged=True,
            )
            for k, name in enumerate(result.privileged_names)
        ]

    @cached_property
    def solver(self) -> ConstrainedSolver:
        """The solver for constraints, kept from one question to the next."""
        if self.models is None:
            raise ValueError(
                "no learnable signal: there is no model to put constraints on (see result_)."
            )
        named = {place: feature.name for feature in self.features for place in feature.places}
        names = [named[place] for place in sorted(named)]
        return ConstrainedSolver(self.models, names, self.result.baseline, self.ranges)

    def __getstate__(self) -> dict[str, Any]:
        """All but the solver: HiGHS does not pickle, and answers one asker at a time."""
        return {name: value for name, value in vars(self).items() if name != "solver"}
