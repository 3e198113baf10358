"""Questions one can ask the set of equivalent models."""

from allrelevant.linear.questions.equivalent_model import EquivalentModel
from allrelevant.linear.questions.explanation import Explanation
from allrelevant.linear.questions.feature_sets import FeatureSet, FeatureSets
from allrelevant.linear.questions.fitted_set import FittedSet
from allrelevant.linear.questions.groups import FeatureGroups
from allrelevant.linear.questions.linear_range import LinearRange
from allrelevant.linear.questions.prediction_range import PredictionRange
from allrelevant.linear.questions.price import TolerancePath
from allrelevant.linear.questions.region import PairRegion
from allrelevant.linear.questions.shape_band import ShapeBand
from allrelevant.linear.questions.substitutes import Substitutes
from allrelevant.linear.questions.what_if_result import WhatIfResult

__all__ = [
    "EquivalentModel",
    "Explanation",
    "FeatureGroups",
    "FeatureSet",
    "FeatureSets",
    "FittedSet",
    "LinearRange",
    "PairRegion",
    "PredictionRange",
    "ShapeBand",
    "Substitutes",
    "TolerancePath",
    "WhatIfResult",
]
