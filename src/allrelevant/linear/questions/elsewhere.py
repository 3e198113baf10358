"""Questions to models of rows that are not all here: asked again until the answer holds for all."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from typing import Any, TypeVar

from allrelevant import backends
from allrelevant.backends import local
from allrelevant.base.errors import InfeasibleError
from allrelevant.linear.engine.program.optimum import SolverError
from allrelevant.linear.fit.outside.core import Seen
from allrelevant.linear.fit.outside.problem import CoreProblem
from allrelevant.linear.questions.fitted_set import FittedSet

_MOST_ROUNDS = 60
Answer = TypeVar("Answer")
Method = TypeVar("Method", bound=Callable[..., Any])


def holds_elsewhere(question: Method) -> Method:
    """Have a question of an estimator answered for all rows, wherever they are.

    The question has to learn of models by those that solvers note, and from nothing else.
    """

    @wraps(question)
    def ask(estimator: Any, *args: Any, **kwargs: Any) -> Any:
        fitted = getattr(estimator, "fitted_set_", None)
        if fitted is None or not is_elsewhere(fitted):
            return question(estimator, *args, **kwargs)
        return settled(fitted, lambda some: question(estimator.asking(some), *args, **kwargs))

    return ask  # type: ignore[return-value]


def is_elsewhere(fitted: FittedSet) -> bool:
    """Whether answers have to be looked at by rows that are elsewhere, and nobody does so yet."""
    return (
        isinstance(fitted.analysis.problem, CoreProblem)
        and fitted.models is not None
        and fitted.models.notes is None
    )


def settled(fitted: FittedSet, question: Callable[[FittedSet], Answer]) -> Answer:
    """An answer of which all models are the same on all rows as on the core."""
    asked = fitted.analysis.problem
    assert isinstance(asked, CoreProblem)
    # Others may ask at the same time, and each lets a core of its own grow.
    problem = asked.apart()
    fitted = replace(fitted, analysis=replace(fitted.analysis, problem=problem))
    with backends.using(_here):
        for _ in range(_MOST_ROUNDS):
            some = fitted.noting()
            assert some.models is not None
            notes = some.models.notes
            assert notes is not None
            answer, error = None, None
            try:
                answer = question(some)
            except InfeasibleError as refusal:  # for which tolerances were looked for
                error = refusal
            if not problem.core.lacks([Seen.of(one) for one in notes]).any():
                asked.cores[:] = problem.cores
                if error is not None:
                    raise error
                return answer  # type: ignore[return-value]
    raise SolverError("the rows that decide the answer could not be settled")


def _here(make: Any, tasks: Any, n_jobs: Any, advance: Any, n_batches: Any) -> list[Any]:
    """Work in this process, which sees what is noted."""
    return local.run(make, tasks, 1, advance, n_batches)
