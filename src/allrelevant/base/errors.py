"""Errors that callers may want to tell from others, and warnings that point at the caller."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Sequence

_OURS = ("allrelevant", "sklearn")  # packages whose code is not what the warning is about


class InfeasibleError(ValueError):
    """No equivalent model meets the constraints.

    Attributes
    ----------
    constraints : tuple of str
        The constraints that clash; without any one of them there would be a model.
    tolerance : float
        The smallest tolerance at which all constraints can be met; infinite if none is enough, as
        for constraints that contradict one another.

    Examples
    --------
    >>> from allrelevant import InfeasibleError, RelevanceClassifier
    >>> from allrelevant.datasets import make_classification
    >>> X, y, truth = make_classification(
    ...     80, n_strong=1, n_weak=2, n_irrelevant=1, random_state=0)
    >>> model = RelevanceClassifier(C=0.5, tolerance=0.05, n_probes=30, random_state=0).fit(X, y)
    >>> try:
    ...     model.what_if(forbid=["x0"])
    ... except InfeasibleError as error:
    ...     print(error.constraints, round(error.tolerance, 2))
    ("forbid 'x0'",) 2.02
    """

    def __init__(self, message: str, constraints: Sequence[str], tolerance: float) -> None:
        super().__init__(message)
        self.constraints = tuple(constraints)
        self.tolerance = float(tolerance)

    # Exceptions are rebuilt from their message alone unless told otherwise.
    def __reduce__(self) -> tuple[type[InfeasibleError], tuple[str, tuple[str, ...], float]]:
        return type(self), (str(self), self.constraints, self.tolerance)


class WorkerLostError(RuntimeError):
    """A process that worked for this one has ended before it was done."""


def warn_user(message: str) -> None:
    """Warn, and show the line of the user's own code that led here."""
    frame, level = sys._getframe(1), 2
    while frame.f_back and frame.f_globals.get("__name__", "").partition(".")[0] in _OURS:
        frame, level = frame.f_back, level + 1
    warnings.warn(message, UserWarning, stacklevel=level)


def told(*messages: str | None) -> list[str]:
    """Warn of all messages that are not None, and return them."""
    said = [message for message in messages if message is not None]
    for message in said:
        warn_user(message)
    return said
