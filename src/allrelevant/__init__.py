"""Which features must, can and need not be used by the models that fit your data equally well."""

import logging

from allrelevant._version import __version__
from allrelevant.display import RelevanceDisplay
from allrelevant.engine.optimum import SolverError
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
from allrelevant.metrics import macro_mean_absolute_rank_error, mean_absolute_rank_error
from allrelevant.result import RelevanceResult

__all__ = [
    "ForestRelevanceClassifier",
    "ForestRelevanceRegressor",
    "ForestRelevanceResult",
    "OrdinalRelevanceClassifier",
    "RejectOptionRelevanceClassifier",
    "RelevanceClassifier",
    "RelevanceDisplay",
    "RelevanceRegressor",
    "RelevanceResult",
    "SolverError",
    "__version__",
    "macro_mean_absolute_rank_error",
    "mean_absolute_rank_error",
]

logging.getLogger(__name__).addHandler(logging.NullHandler())
