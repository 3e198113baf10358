"""Places where work is done: a list of tasks goes in, their results come out in order."""

from allrelevant.backends.local import run

__all__ = ["run"]
