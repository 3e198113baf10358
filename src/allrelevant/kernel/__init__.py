"""Ordered classes from few labels: kernel discriminants that use unlabelled rows."""

from allrelevant.kernel.estimator import OrdinalKernelClassifier
from allrelevant.views.plots.projection import OrdinalProjectionDisplay

__all__ = ["OrdinalKernelClassifier", "OrdinalProjectionDisplay"]
