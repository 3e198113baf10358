"""Places where work is done: a list of tasks goes in, their results come out in order.

A backend is a function with the parameters of :func:`allrelevant.backends.local.run`. It gets the
whole list of tasks at once, so that it can batch or scatter them as it likes, unless the caller
says how many batches there have to be: a worker learns from its tasks, so that answers are the same
to the last bit only where batches are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from allrelevant.backends import checkpoint, local
from allrelevant.backends.local import Result, Worker

__all__ = ["run", "shares_of", "using"]

Backend = Callable[..., list[Any]]
_current: ContextVar[Backend] = ContextVar("backend", default=local.run)


def run(
    make_worker: Callable[[], Worker[Result]],
    tasks: Sequence[Any],
    n_jobs: int | None = None,
    advance: Callable[[int], Any] = lambda n: None,
    n_batches: int | None = None,
) -> list[Result]:
    """Do all tasks with the current backend, and give their results in order.

    Examples
    --------
    >>> from allrelevant import backends
    >>> backends.run(lambda: lambda task: task**2, [1, 2, 3])
    [1, 4, 9]
    """
    backend, kept = _current.get(), checkpoint.current.get()
    if kept is not None:
        return kept.run(backend, make_worker, tasks, n_jobs, advance, n_batches)
    return backend(make_worker, tasks, n_jobs, advance, n_batches)


def shares_of(n_tasks: int, least: int = 20, most: int = 16) -> int:
    """Into how many batches to divide tasks of which one teaches the worker about the next.

    That depends on their number alone, and so answers are the same to the last bit however many
    workers there are.

    Examples
    --------
    >>> from allrelevant import backends
    >>> [backends.shares_of(n) for n in (5, 50, 100, 1000)]
    [1, 2, 6, 16]
    """
    n_batches = min(max(n_tasks // least, 1), most)
    return n_batches + (n_batches > 2 and n_batches % 2)  # for two to share


@contextmanager
def using(backend: Backend) -> Iterator[None]:
    """Use another backend within a ``with`` block.

    Examples
    --------
    >>> from allrelevant import backends
    >>> def here(make_worker, tasks, n_jobs, advance, n_batches=None):
    ...     worker = make_worker()
    ...     return [worker(task) for task in tasks]
    >>> with backends.using(here):
    ...     backends.run(lambda: lambda task: task**2, [1, 2, 3])
    [1, 4, 9]
    """
    before = _current.set(backend)
    try:
        yield
    finally:
        _current.reset(before)
