"""Ordered classes from few labels: kernel discriminants that use unlabelled rows."""

from allrelevant.kernel.estimator import OrdinalKernelClassifier

__all__ = ["OrdinalKernelClassifier"]
