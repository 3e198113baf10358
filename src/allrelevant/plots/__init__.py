"""Plots, in the manner of scikit-learn's displays; matplotlib is imported when one is drawn."""

from allrelevant.plots.groups import GroupsDisplay
from allrelevant.plots.predictions import PredictionRangeDisplay
from allrelevant.plots.reject import RejectOptionDisplay
from allrelevant.plots.relevance import RelevanceDisplay
from allrelevant.plots.stability import StabilityDisplay

__all__ = [
    "GroupsDisplay",
    "PredictionRangeDisplay",
    "RejectOptionDisplay",
    "RelevanceDisplay",
    "StabilityDisplay",
]
