"""Plots, in the manner of scikit-learn's displays; matplotlib is imported when one is drawn."""

from allrelevant.views.plots.comparison import ComparisonDisplay
from allrelevant.views.plots.explanation import ExplanationDisplay
from allrelevant.views.plots.groups import GroupsDisplay
from allrelevant.views.plots.importance import ImportanceDisplay
from allrelevant.views.plots.path import RelevancePathDisplay
from allrelevant.views.plots.predictions import PredictionRangeDisplay
from allrelevant.views.plots.projection import OrdinalProjectionDisplay
from allrelevant.views.plots.region import PairRegionDisplay
from allrelevant.views.plots.reject import RejectOptionDisplay
from allrelevant.views.plots.relevance import RelevanceDisplay
from allrelevant.views.plots.shape import ShapeBandDisplay
from allrelevant.views.plots.stability import StabilityDisplay

__all__ = [
    "ComparisonDisplay",
    "ExplanationDisplay",
    "GroupsDisplay",
    "ImportanceDisplay",
    "OrdinalProjectionDisplay",
    "PairRegionDisplay",
    "PredictionRangeDisplay",
    "RejectOptionDisplay",
    "RelevanceDisplay",
    "RelevancePathDisplay",
    "ShapeBandDisplay",
    "StabilityDisplay",
]
