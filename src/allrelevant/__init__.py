"""Which features must, can and need not be used by the models that fit your data equally well."""

import logging

from allrelevant._version import __version__
from allrelevant.engine.optimum import SolverError
from allrelevant.errors import InfeasibleError
from allrelevant.estimators import (
    OrdinalRelevanceClassifier,
    RejectOptionRelevanceClassifier,
    RelevanceClassifier,
    RelevanceRegressor,
)
from allrelevant.forest import (
    ForestRelevanceClassifier,
    ForestRelevanceRegressor,
    ForestRelevanceResult,
)
from allrelevant.kernel import OrdinalKernelClassifier, OrdinalProjectionDisplay
from allrelevant.metrics import macro_mean_absolute_rank_error, mean_absolute_rank_error
from allrelevant.plots import (
    GroupsDisplay,
    PredictionRangeDisplay,
    RejectOptionDisplay,
    RelevanceDisplay,
    StabilityDisplay,
)
from allrelevant.questions import (
    EquivalentModel,
    FeatureGroups,
    FeatureSet,
    FeatureSets,
    PredictionRange,
    Substitutes,
    WhatIfResult,
)
from allrelevant.result import RelevanceResult
from allrelevant.stability import StabilityResult

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
    "WhatIfResult",
    "__version__",
    "macro_mean_absolute_rank_error",
    "mean_absolute_rank_error",
]

logging.getLogger(__name__).addHandler(logging.NullHandler())
