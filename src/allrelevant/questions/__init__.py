"""Questions one can ask the set of equivalent models."""

from allrelevant.questions.constrained import ConstraintQuestions
from allrelevant.questions.equivalent_model import EquivalentModel
from allrelevant.questions.feature_sets import FeatureSet, FeatureSets
from allrelevant.questions.groups import FeatureGroups
from allrelevant.questions.mixin import EquivalentModelQuestions
from allrelevant.questions.predictions import PredictionRange
from allrelevant.questions.stability import StabilityQuestion
from allrelevant.questions.substitutes import Substitutes
from allrelevant.questions.what_if_result import WhatIfResult

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
