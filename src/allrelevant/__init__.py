"""Which features must, can and need not be used by the models that fit your data equally well."""

import logging

from allrelevant._version import __version__
from allrelevant.base.errors import InfeasibleError
from allrelevant.base.metrics import macro_mean_absolute_rank_error, mean_absolute_rank_error
from allrelevant.forest import (
    ForestRelevanceClassifier,
    ForestRelevanceRegressor,
    ForestRelevanceResult,
)
from allrelevant.kernel import OrdinalKernelClassifier
from allrelevant.linear.engine.optimum import SolverError
from allrelevant.linear.estimators import (
    OrdinalRelevanceClassifier,
    RejectOptionRelevanceClassifier,
    RelevanceClassifier,
    RelevanceRegressor,
    SurvivalRelevanceRegressor,
)
from allrelevant.linear.questions import (
    EquivalentModel,
    FeatureGroups,
    FeatureSet,
    FeatureSets,
    PredictionRange,
    Substitutes,
    WhatIfResult,
)
from allrelevant.results.relevance import RelevanceResult
from allrelevant.results.stability import StabilityResult
from allrelevant.tabular.transformers import column_groups_from
from allrelevant.views.plots import (
    GroupsDisplay,
    OrdinalProjectionDisplay,
    PredictionRangeDisplay,
    RejectOptionDisplay,
    RelevanceDisplay,
    StabilityDisplay,
)

__all__ = [
    "EquivalentModel",
    "FeatureGroups",
    "FeatureSet",
    "FeatureSets",
    "ForestRelevanceClassifier",
    "ForestRelevanceRegressor",
    "ForestRelevanceResult",
    "GroupsDisplay",
    "InfeasibleError",
    "OrdinalKernelClassifier",
    "OrdinalProjectionDisplay",
    "OrdinalRelevanceClassifier",
    "PredictionRange",
    "PredictionRangeDisplay",
    "RejectOptionDisplay",
    "RejectOptionRelevanceClassifier",
    "RelevanceClassifier",
    "RelevanceDisplay",
    "RelevanceRegressor",
    "RelevanceResult",
    "SolverError",
    "StabilityDisplay",
    "StabilityResult",
    "Substitutes",
    "SurvivalRelevanceRegressor",
    "WhatIfResult",
    "__version__",
    "column_groups_from",
    "macro_mean_absolute_rank_error",
    "mean_absolute_rank_error",
]

logging.getLogger(__name__).addHandler(logging.NullHandler())
