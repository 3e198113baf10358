"""Which features must, can and need not be used by the models that fit your data equally well.

>>> import allrelevant
>>> allrelevant.__version__.count(".")
2
"""

import logging
from typing import TYPE_CHECKING

from allrelevant._version import __version__
from allrelevant.base.lazy import lazily

# Read by type checkers. At run time each name is imported when it is first used, so that the
# command is quick to say that there is no such file; a test compares the two lists.
if TYPE_CHECKING:
    from allrelevant.base.errors import InfeasibleError
    from allrelevant.base.metrics import macro_mean_absolute_rank_error, mean_absolute_rank_error
    from allrelevant.forest import (
        ForestRelevanceClassifier,
        ForestRelevanceRegressor,
        ForestRelevanceResult,
        SquamishRecipe,
    )
    from allrelevant.kernel import OrdinalKernelClassifier
    from allrelevant.linear.engine.program.optimum import SolverError
    from allrelevant.linear.estimators import (
        OrdinalRelevanceClassifier,
        RejectOptionRelevanceClassifier,
        RelevanceClassifier,
        RelevanceFilter,
        RelevanceRegressor,
        SurvivalRelevanceRegressor,
    )
    from allrelevant.linear.questions import (
        EquivalentModel,
        Explanation,
        FeatureGroups,
        FeatureSet,
        FeatureSets,
        LinearRange,
        PairRegion,
        PredictionRange,
        ShapeBand,
        Substitutes,
        TolerancePath,
        WhatIfResult,
    )
    from allrelevant.loading import load
    from allrelevant.results.comparing import compare
    from allrelevant.results.comparison import Comparison
    from allrelevant.results.path import RelevancePath
    from allrelevant.results.relevance import RelevanceResult
    from allrelevant.results.stability import StabilityResult
    from allrelevant.tabular.preparer import TablePreparer
    from allrelevant.tabular.transformers import column_groups_from
    from allrelevant.views.plots import (
        ComparisonDisplay,
        ExplanationDisplay,
        GroupsDisplay,
        ImportanceDisplay,
        OrdinalProjectionDisplay,
        PairRegionDisplay,
        PredictionRangeDisplay,
        RejectOptionDisplay,
        RelevanceDisplay,
        RelevancePathDisplay,
        ShapeBandDisplay,
        StabilityDisplay,
    )
else:
    _HOMES = {
        "allrelevant.base.errors": "InfeasibleError",
        "allrelevant.base.metrics": "macro_mean_absolute_rank_error mean_absolute_rank_error",
        "allrelevant.forest": (
            "ForestRelevanceClassifier ForestRelevanceRegressor ForestRelevanceResult "
            "SquamishRecipe"
        ),
        "allrelevant.kernel": "OrdinalKernelClassifier",
        "allrelevant.linear.engine.program.optimum": "SolverError",
        "allrelevant.linear.estimators": (
            "OrdinalRelevanceClassifier RejectOptionRelevanceClassifier RelevanceClassifier "
            "RelevanceFilter RelevanceRegressor SurvivalRelevanceRegressor"
        ),
        "allrelevant.linear.questions": (
            "EquivalentModel Explanation FeatureGroups FeatureSet FeatureSets LinearRange "
            "PairRegion PredictionRange ShapeBand Substitutes TolerancePath WhatIfResult"
        ),
        "allrelevant.loading": "load",
        "allrelevant.results.comparing": "compare",
        "allrelevant.results.comparison": "Comparison",
        "allrelevant.results.path": "RelevancePath",
        "allrelevant.results.relevance": "RelevanceResult",
        "allrelevant.results.stability": "StabilityResult",
        "allrelevant.tabular.preparer": "TablePreparer",
        "allrelevant.tabular.transformers": "column_groups_from",
        "allrelevant.views.plots": (
            "ComparisonDisplay ExplanationDisplay GroupsDisplay ImportanceDisplay "
            "OrdinalProjectionDisplay PairRegionDisplay "
            "PredictionRangeDisplay RejectOptionDisplay RelevanceDisplay RelevancePathDisplay "
            "ShapeBandDisplay StabilityDisplay"
        ),
    }
    _PARTS = "backends data datasets forest kernel linear papers results tabular views"
    __getattr__, __dir__ = lazily(__name__, _HOMES, _PARTS)

__all__ = [
    "Comparison",
    "ComparisonDisplay",
    "EquivalentModel",
    "Explanation",
    "ExplanationDisplay",
    "FeatureGroups",
    "FeatureSet",
    "FeatureSets",
    "ForestRelevanceClassifier",
    "ForestRelevanceRegressor",
    "ForestRelevanceResult",
    "GroupsDisplay",
    "ImportanceDisplay",
    "InfeasibleError",
    "LinearRange",
    "OrdinalKernelClassifier",
    "OrdinalProjectionDisplay",
    "OrdinalRelevanceClassifier",
    "PairRegion",
    "PairRegionDisplay",
    "PredictionRange",
    "PredictionRangeDisplay",
    "RejectOptionDisplay",
    "RejectOptionRelevanceClassifier",
    "RelevanceClassifier",
    "RelevanceDisplay",
    "RelevanceFilter",
    "RelevancePath",
    "RelevancePathDisplay",
    "RelevanceRegressor",
    "RelevanceResult",
    "ShapeBand",
    "ShapeBandDisplay",
    "SolverError",
    "SquamishRecipe",
    "StabilityDisplay",
    "StabilityResult",
    "Substitutes",
    "SurvivalRelevanceRegressor",
    "TablePreparer",
    "TolerancePath",
    "WhatIfResult",
    "__version__",
    "column_groups_from",
    "compare",
    "load",
    "macro_mean_absolute_rank_error",
    "mean_absolute_rank_error",
]

logging.getLogger(__name__).addHandler(logging.NullHandler())
