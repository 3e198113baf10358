"""Ordered classes from few labels: kernel discriminants that use unlabelled rows."""

from allrelevant.kernel.display import OrdinalProjectionDisplay
from allrelevant.kernel.estimator import OrdinalKernelClassifier

__all__ = ["OrdinalKernelClassifier", "OrdinalProjectionDisplay"]
