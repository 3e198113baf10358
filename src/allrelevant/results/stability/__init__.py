"""How much of an answer is left when it is asked of halves of the rows."""

from allrelevant.results.stability.result import StabilityResult

__all__ = ["StabilityResult"]
