"""scikit-learn estimators of feature relevance in linear models."""

from allrelevant.linear.estimators.classification import RelevanceClassifier
from allrelevant.linear.estimators.filter import RelevanceFilter
from allrelevant.linear.estimators.ordinal import OrdinalRelevanceClassifier
from allrelevant.linear.estimators.regression import RelevanceRegressor
from allrelevant.linear.estimators.reject import RejectOptionRelevanceClassifier
from allrelevant.linear.estimators.survival import SurvivalRelevanceRegressor

__all__ = [
    "OrdinalRelevanceClassifier",
    "RejectOptionRelevanceClassifier",
    "RelevanceClassifier",
    "RelevanceFilter",
    "RelevanceRegressor",
    "SurvivalRelevanceRegressor",
]
