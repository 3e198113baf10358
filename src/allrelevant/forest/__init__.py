"""Strong, weak and irrelevant features of relations that no straight line can draw."""

from allrelevant.forest.classifier import ForestRelevanceClassifier
from allrelevant.forest.recipe import SquamishRecipe
from allrelevant.forest.regressor import ForestRelevanceRegressor
from allrelevant.forest.result import ForestRelevanceResult, SubstituteGroup

__all__ = [
    "ForestRelevanceClassifier",
    "ForestRelevanceRegressor",
    "ForestRelevanceResult",
    "SquamishRecipe",
    "SubstituteGroup",
]
