"""What a linear model is: its target, its loss as hinge pieces, its predictions, its errors."""

from allrelevant.models.base import LinearModel
from allrelevant.models.classification import Classification
from allrelevant.models.ordinal import Ordinal
from allrelevant.models.regression import Regression
from allrelevant.models.reject import RejectOption

__all__ = ["Classification", "LinearModel", "Ordinal", "Regression", "RejectOption"]
