"""Questions one can ask the set of equivalent models."""

from allrelevant.linear.questions.constrained import ConstraintQuestions
from allrelevant.linear.questions.equivalent_model import EquivalentModel
from allrelevant.linear.questions.feature_sets import FeatureSet, FeatureSets
from allrelevant.linear.questions.groups import FeatureGroups
from allrelevant.linear.questions.mixin import EquivalentModelQuestions
from allrelevant.linear.questions.predictions import PredictionRange
from allrelevant.linear.questions.stability import StabilityQuestion
from allrelevant.linear.questions.substitutes import Substitutes
from allrelevant.linear.questions.what_if_result import WhatIfResult

__all__ = [
    "ConstraintQuestions",
    "EquivalentModel",
    "EquivalentModelQuestions",
    "FeatureGroups",
    "FeatureSet",
    "FeatureSets",
    "PredictionRange",
    "StabilityQuestion",
    "Substitutes",
    "WhatIfResult",
]
