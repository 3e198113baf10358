"""What a linear model is: its target, its loss as hinge pieces, its predictions, its errors."""

from allrelevant.linear.models.base import LinearModel
from allrelevant.linear.models.classification import Classification
from allrelevant.linear.models.huber import Huber
from allrelevant.linear.models.log_logistic import LogLogistic
from allrelevant.linear.models.logistic import Logistic
from allrelevant.linear.models.multiclass import Multiclass
from allrelevant.linear.models.multiclass_logistic import MulticlassLogistic
from allrelevant.linear.models.ordered_logistic import OrderedLogistic
from allrelevant.linear.models.ordinal import Ordinal
from allrelevant.linear.models.quantile import Quantile
from allrelevant.linear.models.regression import Regression
from allrelevant.linear.models.reject import RejectOption
from allrelevant.linear.models.survival import Survival

__all__ = [
    "Classification",
    "Huber",
    "LinearModel",
    "LogLogistic",
    "Logistic",
    "Multiclass",
    "MulticlassLogistic",
    "OrderedLogistic",
    "Ordinal",
    "Quantile",
    "Regression",
    "RejectOption",
    "Survival",
]
