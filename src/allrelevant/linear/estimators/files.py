"""Fitted estimators as files: all that questions need, and nothing that would be run.

A file is an archive of JSON and arrays (:mod:`allrelevant.base.archive`) with objects of the kinds
below (:mod:`allrelevant.base.packing`). Files of the same first number of the format's version
(:mod:`allrelevant.base.saving`) can be read: who changes the fields of a kind so that older files
cannot be read adds to it.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from typing import Any, NoReturn

import numpy as np

from allrelevant.base.features import Features
from allrelevant.base.packing import Kind, Packer, Unpacker, kinds_of
from allrelevant.base.saving import (
    NotSaved,
    damage_in,
    known_name,
    packed_parameters,
    remade,
    write_saved,
)
from allrelevant.data.classes import ClassMatrix
from allrelevant.data.dense import DenseMatrix
from allrelevant.data.patched import PatchedMatrix
from allrelevant.data.scaling import Scaling
from allrelevant.data.sparse import SparseMatrix
from allrelevant.linear import models
from allrelevant.linear.engine.program.equivalent import EquivalentModels
from allrelevant.linear.engine.program.limits import Boxes, Budget
from allrelevant.linear.engine.program.pieces import Pieces
from allrelevant.linear.engine.program.reference import Penalised, Reference
from allrelevant.linear.engine.ranges.weight_range import End, WeightRange, Witness
from allrelevant.linear.estimators.classification import RelevanceClassifier
from allrelevant.linear.estimators.ordinal import OrdinalRelevanceClassifier
from allrelevant.linear.estimators.regression import RelevanceRegressor
from allrelevant.linear.estimators.reject import RejectOptionRelevanceClassifier
from allrelevant.linear.estimators.survival import SurvivalRelevanceRegressor
from allrelevant.linear.fit.analysis import Analysis
from allrelevant.linear.fit.baseline.candidate import Choice, Placing, Tested
from allrelevant.linear.fit.baseline.kinds import Given, Smoothest, Sparsest
from allrelevant.linear.fit.baseline.plan import Plan
from allrelevant.linear.fit.conditional.comparison import ConditionalTest
from allrelevant.linear.fit.problem.problem import MulticlassProblem, PrivilegedProblem, Problem
from allrelevant.linear.fit.ranges.norms import LargestNorm, NormRange
from allrelevant.linear.fit.ranges.probes import Probe
from allrelevant.linear.fit.ranges.relevance import ProbeReaches, Relevances
from allrelevant.linear.fit.ranges.several import Several
from allrelevant.linear.fit.ranges.spreads import SpreadRange
from allrelevant.linear.fit.rows.folds import N_FOLDS
from allrelevant.linear.fit.rows.sample import Observations, Sample
from allrelevant.linear.models import decoders
from allrelevant.results.relevance import RelevanceResult
from allrelevant.tabular.categories import Categories
from allrelevant.tabular.curves import Curves, Ramps, Stairs
from allrelevant.tabular.row_groups import RowGroups
from allrelevant.tabular.target import Target


@dataclass(frozen=True)
class UnknownLearner:
    """Stands for a learner whose model is in the file, though not how it was found."""

    name: str

    def __call__(self, sample: Sample) -> NoReturn:
        """Refuse to find another model."""
        raise ValueError(
            f"the file has the model of {self.name}, but not {self.name} itself, which would have "
            "to be fitted to other rows: fit again to ask this."
        )


_ESTIMATORS: dict[str, Any] = {
    one.__name__: one
    for one in (
        OrdinalRelevanceClassifier,
        RejectOptionRelevanceClassifier,
        RelevanceClassifier,
        RelevanceRegressor,
        SurvivalRelevanceRegressor,
    )
}
_TABLES = (DenseMatrix, SparseMatrix, ClassMatrix, PatchedMatrix, Scaling, Sample, Observations)
_ENGINE = (Boxes, Budget, End, EquivalentModels, Penalised, Pieces, Reference, WeightRange, Witness)
_MODELS = (
    *(models.Classification, models.Huber, models.Logistic, models.LogLogistic, models.Multiclass),
    *(models.MulticlassLogistic, models.OrderedLogistic),
    *(models.Ordinal, models.Quantile, models.Regression, models.RejectOption, models.Survival),
    *(decoders.TwoClasses, decoders.TwoClassesOrNone, decoders.ManyClasses, decoders.Ranks),
    *(decoders.ScaledNumbers, decoders.ScaledQuantiles, decoders.ScaledTimes),
)
_FOUND = (
    *(Analysis, Choice, Placing, Tested, Plan, Probe, ProbeReaches, Problem, MulticlassProblem),
    *(PrivilegedProblem, Relevances, Several, SpreadRange, NormRange, LargestNorm, Sparsest),
    *(Smoothest, ConditionalTest),
)
_PEOPLES = (
    *(Categories, Curves, Ramps, Stairs, Features, RelevanceResult, RowGroups, Target),
    *(NotSaved, UnknownLearner),
)
KINDS = kinds_of((*_TABLES, *_ENGINE, *_MODELS, *_FOUND, *_PEOPLES))
KINDS["Given"] = Kind(Given, ("learner", "name", "scaling"))


def save_with(estimator: Any, path: str | os.PathLike[str], beside: Any = None) -> None:
    """Write a fitted estimator, and plain data beside it."""
    name = known_name(estimator, _ESTIMATORS)
    if estimator.curves_ is not None and not estimator.curves_.are_plain:
        raise TypeError(
            "basis is a transformer, which no file can hold: fit with basis='spline' or 'bins', or "
            "give its columns as X with column_groups."
        )
    fitted = estimator.fitted_set_
    packer = Packer(KINDS)
    content = {
        "parameters": packed_parameters(packer, estimator),
        "state": {key: packer.pack(value) for key, value in estimator.state_beside_set().items()},
        "analysis": packer.pack(_without_functions(fitted.analysis)),
        "ranges": packer.pack(fitted.ranges),
        **{key: packer.pack(getattr(fitted, key)) for key in _PARTS},
        "beside": packer.pack(beside),
    }
    write_saved(path, name, content, packer)


def model_in(
    path: str | os.PathLike[str], document: dict[str, Any], arrays: list[np.ndarray]
) -> tuple[Any, Any]:
    """The estimator that a file holds, and what was written beside it."""
    with damage_in(path):
        unpacker = Unpacker(KINDS, document["objects"], arrays)
        estimator, state = remade(document, unpacker, _ESTIMATORS)
        parts = {key: unpacker.unpack(document[key]) for key in ("analysis", *_PARTS)}
        # With the ends that a fit leaves open, which need not be solved for.
        vars(parts["analysis"])["ranges"] = unpacker.unpack(document["ranges"])
        estimator.restore(state, parts)
        return estimator, unpacker.unpack(document["beside"])


_PARTS = ("features", "privileged", "several", "result", "scaling", "decoder")


def _without_functions(analysis: Analysis) -> Analysis:
    """The same without what only a fit needs: scorers, folds, and somebody else's learner."""
    plan = analysis.plan
    cv = plan.cv if isinstance(plan.cv, int) else N_FOLDS
    baseline = plan.baseline
    if isinstance(baseline, Given):
        baseline = Given(UnknownLearner(baseline.name), baseline.name)
    return replace(analysis, plan=replace(plan, scoring=None, cv=cv, baseline=baseline))
