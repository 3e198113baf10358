"""Strong, weak and irrelevant features of relations that no straight line can draw."""

from allrelevant.forest.estimator import ForestRelevanceClassifier, ForestRelevanceRegressor
from allrelevant.forest.result import ForestRelevanceResult, SubstituteGroup

__all__ = [
    "ForestRelevanceClassifier",
    "ForestRelevanceRegressor",
    "ForestRelevanceResult",
    "SubstituteGroup",
]
