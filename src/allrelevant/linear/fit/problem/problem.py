"""What the engine is given for a model and a sample: the problem that fits both."""

from __future__ import annotations

from allrelevant.linear.fit.outside.problem import CoreProblem
from allrelevant.linear.fit.problem.classes import MulticlassProblem
from allrelevant.linear.fit.problem.plain import Problem
from allrelevant.linear.fit.problem.privileged import PrivilegedProblem
from allrelevant.linear.fit.rows.sample import Sample
from allrelevant.linear.models import LinearModel

__all__ = ["MulticlassProblem", "PrivilegedProblem", "Problem", "problem_of"]


def problem_of(model: LinearModel, sample: Sample) -> Problem:
    """The problem of a model on a sample."""
    if sample.outside is not None:
        return CoreProblem(model, sample)
    if model.n_scores > 1:
        return MulticlassProblem(model, sample)
    return (Problem if sample.privileged is None else PrivilegedProblem)(model, sample)
