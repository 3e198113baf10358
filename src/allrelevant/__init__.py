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
from allrelevant.kernel import OrdinalKernelClassifier, OrdinalProjectionDisplay
from allrelevant.metrics import macro_mean_absolute_rank_error, mean_absolute_rank_error
from allrelevant.result import RelevanceResult

__all__ = [
    "OrdinalKernelClassifier",
    "OrdinalProjectionDisplay",
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
