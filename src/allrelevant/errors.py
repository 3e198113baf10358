"""Errors that callers may want to tell from others."""

from __future__ import annotations

from collections.abc import Sequence


class InfeasibleError(ValueError):
    """No equivalent model keeps what was asked for.

    Attributes
    ----------
    constraints : tuple of str
        The constraints that clash; with any one of them left out there would be a model.
    tolerance : float
        The smallest tolerance at which all that was asked for could be met; infinite where the
        constraints contradict one another.
    """

    def __init__(self, message: str, constraints: Sequence[str], tolerance: float) -> None:
        super().__init__(message)
        self.constraints = tuple(constraints)
        self.tolerance = float(tolerance)

    # Exceptions are rebuilt from their message alone unless told otherwise.
    def __reduce__(self) -> tuple[type[InfeasibleError], tuple[str, tuple[str, ...], float]]:
        return type(self), (str(self), self.constraints, self.tolerance)
