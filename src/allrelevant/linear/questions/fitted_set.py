"""What a fit leaves behind, and what every question takes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from typing import Any

import numpy as np

from allrelevant.base.arrays import Floats, Ints
from allrelevant.base.features import NO_FEATURES, Features
from allrelevant.base.known_columns import KnownColumns
from allrelevant.base.progress import Progress
from allrelevant.base.three_classes import ACCURACY, IRRELEVANT, STRONG
from allrelevant.data.scaling import Scaling
from allrelevant.linear.engine.program.equivalent import EquivalentModels
from allrelevant.linear.engine.program.limits import Boxes
from allrelevant.linear.engine.program.reach import SIDE
from allrelevant.linear.engine.ranges.weight_range import WeightRange, Witness
from allrelevant.linear.fit.analysis import Analysis
from allrelevant.linear.fit.baseline.candidate import Placing
from allrelevant.linear.fit.ranges.norms import NormRange
from allrelevant.linear.fit.ranges.several import Several
from allrelevant.linear.fit.ranges.spreads import SpreadRange
from allrelevant.linear.models import LinearModel
from allrelevant.linear.models.decoders import Decoder
from allrelevant.linear.questions.constraints.class_what_if import all_spreads_under, spreads_under
from allrelevant.linear.questions.constraints.constraints import Constraint, Feature
from allrelevant.linear.questions.constraints.norms import all_norms_under, norms_under
from allrelevant.linear.questions.constraints.requests import parse_constraints
from allrelevant.linear.questions.constraints.solver import ConstrainedSolver, Union
from allrelevant.results.relevance import RelevanceResult

RangeUnder = Union | NormRange | SpreadRange  # of a feature, under constraints


def still(
    before: RelevanceResult, labels: Ints, intervals: Floats, those: Sequence[int] | None = None
) -> Ints:
    """Classes in which features are strong that were relevant and that every model left needs."""
    was = before.classes if those is None else before.classes[list(those)]
    needed = intervals[:, 0] > max(float(before.thresholds[0]), ACCURACY)
    return np.where((was > IRRELEVANT) & needed, STRONG, labels)


@dataclass(frozen=True, eq=False, repr=False)
class FittedSet:
    """The equivalent models that a fit has found, and all that questions to them need.

    A question is a function of a fitted set and of what is asked. What is here is not changed by
    it, but for the solver, which gets warm. A copy shares all but the solver.

    Parameters
    ----------
    analysis : Analysis
        What the fit has found of columns, in the engine's units.
    features : Features
        What all questions and answers speak of, and their columns.
    several : mapping from int to Several
        What the fit has found of features of several columns, by their positions.
    result : RelevanceResult
        The same as people see it: names, intervals and thresholds as shares, classes.
    columns : KnownColumns
        What data to predict for must look like.
    scaling : Scaling
        From the columns as they came to the engine's.
    decoder : Decoder
        From the engine's targets and predictions to people's.
    privileged : Features
        The features that are known in training only, and their columns.
    """

    analysis: Analysis
    features: Features
    several: Mapping[int, Several]
    result: RelevanceResult
    columns: KnownColumns
    scaling: Scaling
    decoder: Decoder
    privileged: Features = NO_FEATURES

    # What the fit has found

    @property
    def models(self) -> EquivalentModels | None:
        """The equivalent models; None where nothing could be learned."""
        return self.analysis.models

    def noting(self) -> FittedSet:
        """The same set with all rows that are known by now, where solvers note what they find."""
        analysis = self.analysis
        assert analysis.models is not None
        models = replace(analysis.problem.present(analysis.models), notes=[])
        return replace(self, analysis=replace(analysis, models=models))

    @property
    def ranges(self) -> tuple[WeightRange | SpreadRange, ...]:
        """The range of every column's weight; ends that the fit has left open are solved for."""
        return self.analysis.ranges

    @property
    def found_ranges(self) -> tuple[WeightRange | SpreadRange, ...]:
        """The ranges as the fit has left them: an end that decides no relevance may be a bound."""
        return self.analysis.found.ranges

    @property
    def model(self) -> LinearModel:
        """The kind of model that was chosen."""
        return self.analysis.choice.model

    @property
    def placing(self) -> Placing:
        """Where predictions have the offsets of every model."""
        return self.analysis.placing

    @property
    def n_columns(self) -> int:
        """How many columns a prediction needs."""
        return len(self.features.columns)

    @property
    def weight_ranges(self) -> list[WeightRange]:
        """The ranges if features have one weight; none if they have one for every class."""
        return [found for found in self.found_ranges if isinstance(found, WeightRange)]

    @property
    def witnesses(self) -> list[Witness]:
        """The models at the ends of all ranges that were solved for."""
        return [witness for one in self.weight_ranges for witness in one.witnesses]

    @cached_property
    def by_weight(self) -> Features:
        """The features by the engine's columns: with several classes there is one for each."""
        if self.model.n_scores == 1:
            return self.features
        own, labels = self.analysis.problem.in_columns(self.features), self.decoder.outcomes
        columns = [f"{name} for {label}" for label in labels for name in self.features.columns]
        return replace(own, columns=tuple(columns))

    # One model

    @property
    def constant(self) -> tuple[Floats, Floats]:
        """Weights and offsets where nothing was learned: the baseline is the only model."""
        return np.zeros(len(self.by_weight.columns)), self.analysis.baseline.offsets

    def parameters(self, weights: Floats, offsets: Floats) -> dict[str, Any]:
        """A model of the engine as people see it: `coef_`, and `intercept_` or `thresholds_`."""
        own = weights[: len(self.by_weight.columns)]
        placed = self.placing.of(self.model, offsets)
        return self.decoder.parameters(*self.model.original(self.scaling, own, placed))

    # Constraints

    def labels(self, labels: Ints, intervals: Floats, those: Sequence[int] | None = None) -> Ints:
        """Classes under constraints, of all features or of some, from those by noise alone."""
        return still(self.result, labels, intervals, those)

    def constraints(self, **asked: Any) -> list[Constraint]:
        """What a person's request amounts to."""
        return parse_constraints(self.targets, self._parts, **asked)

    def parts(self, **asked: Any) -> list[EquivalentModels]:
        """The models that keep a request, in convex parts; none where a constant is all."""
        constraints = self.constraints(**asked)
        # A constant does without whatever is forbidden.
        is_constant = self.models is None and all(c.asked == "forbid" for c in constraints)
        if constraints and not is_constant:
            return self.solver.parts(constraints)  # raises where there are none
        return [] if self.models is None else [self.models]

    @cached_property
    def targets(self) -> list[Feature]:
        """All features as constraints see them, the privileged ones at the end."""
        limits, own = self.result.upper_thresholds.tolist(), self.by_weight
        found = [self._target(*one) for one in zip(own.names, own.places, limits, strict=True)]
        found = [replace(one, is_curve=j in own.curves) for j, one in enumerate(found)]
        if self.models is None or self.result.privileged is None:
            return found
        own, limits = self.privileged, self.result.privileged.upper_thresholds.tolist()
        every = zip(own.names, own.places, limits, strict=True)
        return found + [self._privileged_target(*one) for one in every]

    @cached_property
    def _parts(self) -> dict[str, Feature]:
        """The columns of features that have several, each by itself."""
        limits, parts = self.analysis.classes.upper.tolist(), self.features.parts
        places_of = self.analysis.problem.places_of
        own = {
            name: self._target(name, tuple(places_of(k, False)), limits[k])
            for name, k in parts.items()
        }
        if self.models is None or not self.privileged.parts:
            return own
        limits = self.analysis.privileged.classes.upper.tolist()
        return own | {
            name: self._privileged_target(name, (k,), limits[k])
            for name, k in self.privileged.parts.items()
        }

    def _target(self, name: str, places: tuple[int, ...], limit: float) -> Feature:
        classes = self.decoder.outcomes if self.model.n_scores > 1 else ()
        if self.models is None:
            return Feature(name, places, 1.0, 0.0, 0.0, classes=classes)
        norm, largest = self.result.baseline["norm"], self.models.largest_norm
        norms = (places,) if len(places) > 1 and not classes else ()
        return Feature(name, places, norm, largest, limit, classes=classes, norms=norms)

    def _privileged_target(self, name: str, columns: tuple[int, ...], limit: float) -> Feature:
        assert self.models is not None
        norms = tuple(map(tuple, self.privileged_places(columns)))
        places = tuple(k for own in norms for k in own)
        norm = self.result.baseline.get("privileged_norm", 1.0)
        side = float(self.models.largest_norms[SIDE])
        norms = norms if len(columns) > 1 else ()
        return Feature(name, places, norm, side, limit, is_privileged=True, norms=norms)

    def privileged_places(self, columns: Sequence[int]) -> list[list[int]]:
        """The engine's columns of some privileged ones, in each slack function.

        Where the models do without what is privileged there is no function.
        """
        problem = self.analysis.problem
        if not problem.n_privileged:
            return []
        return np.array([problem.places_of(k, True) for k in columns]).T.tolist()

    @cached_property
    def solver(self) -> ConstrainedSolver:
        """The solver for constraints, kept from one question to the next."""
        if self.models is None:
            raise ValueError(
                "no learnable signal: no model does better than one without any feature, so there "
                "is no model to put constraints on."
            )
        of_functions = self.privileged.columns * self.analysis.problem.n_functions
        names = [*self.by_weight.columns, *of_functions]
        return ConstrainedSolver(self.models, names, self.result.baseline, self.weight_ranges)

    def columns_under(
        self, boxes: Sequence[Boxes], columns: Sequence[int]
    ) -> Iterator[tuple[int, Union | SpreadRange]]:
        """The ranges of columns within branches that hold models, as they are found."""
        if self.model.n_scores > 1:
            alone = {k: (k,) for k in columns}
            return spreads_under(self.analysis.problem, self.solver.ranges, boxes, alone)
        return self.solver.under(boxes, columns)

    def under(
        self, boxes: Sequence[Boxes], features: Sequence[int], columns: dict[int, Any]
    ) -> Iterator[tuple[int, RangeUnder]]:
        """The same of features.

        Those of several columns come last: they take longest. All columns' own ranges are put
        into `columns`.
        """
        several, places = self._columns_of_several(features), self.features.places
        found = self.columns_under(boxes, [k for j in features for k in places[j]])
        for j in features:
            columns.update(islice(found, len(places[j])))
            if j not in several:
                yield j, columns[places[j][0]]
        ranges = self.solver.ranges
        if self.model.n_scores > 1:
            yield from spreads_under(self.analysis.problem, ranges, boxes, several)
        else:
            yield from norms_under(ranges, boxes, several, columns)

    def all_under(
        self, boxes: Sequence[Boxes], n_jobs: int | None, progress: Progress
    ) -> tuple[Mapping[int, RangeUnder], Mapping[int, Union | SpreadRange]]:
        """The ranges of all features and of all columns, including the privileged ones."""
        places, ranges = self.features.places, self.solver.ranges
        several = self._columns_of_several(range(len(places)))
        together: Mapping[int, RangeUnder]
        columns: Mapping[int, Any]
        if self.model.n_scores > 1:
            problem = self.analysis.problem
            wanted = [*((k,) for k in range(self.n_columns)), *several.values()]
            found = all_spreads_under(problem, ranges, boxes, wanted, n_jobs, progress)
            columns = dict(enumerate(found[: self.n_columns]))
            together = dict(zip(several, found[self.n_columns :], strict=True))
        else:
            columns = self.solver.all_under(boxes, n_jobs, progress)
            together = all_norms_under(ranges, boxes, several, columns, n_jobs, progress)
        return {**{j: columns[own[0]] for j, own in enumerate(places)}, **together}, columns

    def _columns_of_several(self, features: Sequence[int]) -> dict[int, tuple[int, ...]]:
        return {j: self.features.places[j] for j in features if j in self.features.several}

    def __getstate__(self) -> dict[str, Any]:
        """All but the solver: HiGHS does not pickle, and answers one asker at a time.

        What leaves is complete: ends that are open are solved for.
        """
        _ = self.ranges  # which the analysis keeps
        return {name: value for name, value in vars(self).items() if name != "solver"}
