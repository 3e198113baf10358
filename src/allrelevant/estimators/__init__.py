"""scikit-learn estimators of feature relevance in linear models."""

from allrelevant.estimators.classification import RelevanceClassifier
from allrelevant.estimators.ordinal import OrdinalRelevanceClassifier
from allrelevant.estimators.regression import RelevanceRegressor
from allrelevant.estimators.reject import RejectOptionRelevanceClassifier

__all__ = [
    "OrdinalRelevanceClassifier",
    "RejectOptionRelevanceClassifier",
    "RelevanceClassifier",
    "RelevanceRegressor",
]
