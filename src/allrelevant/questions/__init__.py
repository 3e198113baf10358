"""Questions one can ask the set of equivalent models."""

from allrelevant.questions.equivalent_model import EquivalentModel
from allrelevant.questions.feature_sets import FeatureSet, FeatureSets
from allrelevant.questions.mixin import EquivalentModelQuestions
from allrelevant.questions.predictions import PredictionRange

__all__ = [
    "EquivalentModel",
    "EquivalentModelQuestions",
    "FeatureSet",
    "FeatureSets",
    "PredictionRange",
]
