"""Questions one can ask the set of equivalent models."""

from allrelevant.linear.questions.equivalent_model import EquivalentModel
from allrelevant.linear.questions.fitted_set import FittedSet
from allrelevant.linear.questions.predictions.prediction_range import PredictionRange
from allrelevant.linear.questions.scores.explanation import Explanation
from allrelevant.linear.questions.scores.linear_range import LinearRange
from allrelevant.linear.questions.scores.region import PairRegion
from allrelevant.linear.questions.scores.shape_band import ShapeBand
from allrelevant.linear.questions.sets.feature_sets import FeatureSet, FeatureSets
from allrelevant.linear.questions.sets.groups import FeatureGroups
from allrelevant.linear.questions.sets.substitutes import Substitutes
from allrelevant.linear.questions.tolerance.price import TolerancePath
from allrelevant.linear.questions.what_if.result import WhatIfResult

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
