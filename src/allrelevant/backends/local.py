"""Work on this machine: one task after the other, or in joblib's worker processes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, TypeVar

from joblib import Parallel, delayed, effective_n_jobs
from joblib.externals.loky import get_reusable_executor
from threadpoolctl import ThreadpoolController

Result = TypeVar("Result")
# Does one task after the other; may keep what it has learned from one for the next.
Worker = Callable[[Any], Result]


def run(
    make_worker: Callable[[], Worker[Result]],
    tasks: Sequence[Any],
    n_jobs: int | None = None,
    advance: Callable[[int], Any] = lambda n: None,
) -> list[Result]:
    """Do all tasks and give their results in order.

    Parameters
    ----------
    make_worker : callable
        Makes a worker; called once in every process, so it must pickle when there are several.
    tasks : sequence
        Each must pickle when there are several processes.
    n_jobs : int, optional
        Number of processes as in joblib; None means 1 unless joblib is configured otherwise.
    advance : callable
        Told the number of tasks just finished.
    """
    n_processes = min(effective_n_jobs(n_jobs), len(tasks))
    if n_processes <= 1:
        results = []
        with _one_thread():
            worker = make_worker()
            for task in tasks:
                results.append(worker(task))
                advance(1)
        return results
    # Neighbouring tasks tend to cost alike, so each batch takes every k-th.
    n_batches = min(len(tasks), 2 * n_processes)
    batches = [range(k, len(tasks), n_batches) for k in range(n_batches)]
    collected: dict[int, Result] = {}
    try:
        parallel = Parallel(n_jobs=n_processes, return_as="generator_unordered")
        jobs = (delayed(_batch)(make_worker, [(i, tasks[i]) for i in batch]) for batch in batches)
        for part in parallel(jobs):
            collected.update(part)
            advance(len(part))
    except BaseException:
        # An interrupted fit must not leave busy processes behind.
        get_reusable_executor().shutdown(wait=False, kill_workers=True)
        raise
    return [collected[i] for i in range(len(tasks))]


def _batch(
    make_worker: Callable[[], Worker[Result]], tasks: list[tuple[int, Any]]
) -> list[tuple[int, Result]]:
    with _one_thread():
        worker = make_worker()
        return [(i, worker(task)) for i, task in tasks]


def _one_thread() -> Any:
    """Matrices here are small: more BLAS threads would cost more than they bring."""
    return _controller().limit(limits=1, user_api="blas")


@cache
def _controller() -> ThreadpoolController:
    return ThreadpoolController()
