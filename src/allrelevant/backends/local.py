"""Work on this machine: one task after the other, or in joblib's worker processes."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import BrokenExecutor
from contextlib import closing, nullcontext
from functools import cache, partial
from typing import Any, TypeVar

from joblib import Parallel, delayed, effective_n_jobs
from joblib.parallel import get_active_backend
from threadpoolctl import ThreadpoolController

from allrelevant.backends import starting
from allrelevant.backends.watch import watch
from allrelevant.base.errors import WorkerLostError, warn_user

_WAITS = (
    "joblib's backend 'multiprocessing' waits forever if a worker process is killed: 'loky' "
    "is used instead"
)
Result = TypeVar("Result")
# Does one task after the other; may keep what it has learned from one for the next.
Worker = Callable[[Any], Result]


def run(
    make_worker: Callable[[], Worker[Result]],
    tasks: Sequence[Any],
    n_jobs: int | None = None,
    advance: Callable[[int], Any] = lambda n: None,
    n_batches: int | None = None,
) -> list[Result]:
    """Do all tasks and give their results in order.

    Parameters
    ----------
    make_worker : callable
        Makes a worker; called for every batch, so it must pickle when there are several processes.
    tasks : sequence
        Each must pickle when there are several processes.
    n_jobs : int, optional
        Number of processes as in joblib; None means 1 unless joblib is configured otherwise.
    advance : callable
        Told the number of tasks just finished.
    n_batches : int, optional
        How many workers share the tasks, whoever does them; by default as many as suits.
    """
    n_processes = min(effective_n_jobs(n_jobs), n_batches or len(tasks), len(tasks))
    # Here, too: where joblib is told to use threads, they share the setting.
    with _one_thread():
        batches = batches_of(len(tasks), n_batches or 1)
        if n_processes <= 1:
            found = _here(make_worker, tasks, batches, advance)
        else:
            found = _shared(make_worker, tasks, batches, n_processes, advance)
    return [found[i] for i in range(len(tasks))]


def batches_of(n_tasks: int, n_batches: int) -> list[range]:
    """Neighbouring tasks tend to cost alike, so each batch takes every k-th."""
    k = min(n_tasks, n_batches)
    return [range(first, n_tasks, k) for first in range(k)]


def _here(
    make_worker: Callable[[], Worker[Result]],
    tasks: Sequence[Any],
    batches: Sequence[Sequence[int]],
    advance: Callable[[int], Any],
    is_enough: Callable[[int], bool] = lambda n_done: False,
) -> dict[int, Result]:
    """Results of tasks, batch by batch, until there are enough."""
    found: dict[int, Result] = {}
    for batch in batches:
        worker = make_worker()
        for i in batch:
            found[i] = worker(tasks[i])
            advance(1)
            if is_enough(len(found)):
                return found
    return found


def _shared(
    make_worker: Callable[[], Worker[Result]],
    tasks: Sequence[Any],
    batches: Sequence[Sequence[int]],
    n_processes: int,
    advance: Callable[[int], Any],
) -> dict[int, Result]:
    """Results of tasks that are done here as long as processes would not pay, and then by them."""
    found: dict[int, Result] = {}
    if not starting.processes.wait(n_processes):
        clock = starting.Clock(len(tasks), n_processes)
        found = _here(make_worker, tasks, batches, advance, clock.says_enough)
        clock.stop()
    n_told = len(found)
    if len(batches) > 1:  # each is done by one worker
        batches = [batch for batch in batches if not all(i in found for i in batch)]
        for i in (i for batch in batches for i in batch):
            found.pop(i, None)
    else:
        left = [i for i in range(len(tasks)) if i not in found]
        batches = [[left[k] for k in own] for own in batches_of(len(left), 2 * n_processes)]
    if batches:
        told = _beyond(n_told - len(found), advance)
        found.update(_side_by_side(make_worker, tasks, batches, n_processes, told))
    return found


def _beyond(n: int, advance: Callable[[int], Any]) -> Callable[[int], None]:
    """Tells of all tasks but the first n, which were told of when they were first done."""
    done = 0

    def tell(more: int) -> None:
        nonlocal done
        before, done = done, done + more
        if done > n:
            advance(done - max(before, n))

    return tell


def _side_by_side(
    make_worker: Callable[[], Worker[Result]],
    tasks: Sequence[Any],
    batches: Sequence[Sequence[int]],
    n_processes: int,
    advance: Callable[[int], Any],
) -> dict[int, Result]:
    work = delayed(partial(_batch, os.getpid(), make_worker))
    found: dict[int, Result] = {}
    try:
        parts = _parallel(n_processes)(work([(i, tasks[i]) for i in batch]) for batch in batches)
        # Closing ends what is still under way: an interrupted fit must leave no busy processes.
        with closing(parts) if isinstance(parts, Generator) else nullcontext():
            for part in parts:
                found.update(part)
                advance(len(part))
    except BrokenExecutor as error:
        raise WorkerLostError(
            f"one of {n_processes} worker processes ended before its work was done: it was "
            "killed, perhaps because memory ran out. A smaller n_jobs needs less of it."
        ) from error
    starting.processes.are_left(n_processes)
    return found


def _parallel(n_processes: int) -> Parallel:
    """As joblib is configured, but for one backend that waits for ever where a worker is killed."""
    settings: dict[str, Any] = {"n_jobs": n_processes}
    if type(get_active_backend()[0]).__name__ == "MultiprocessingBackend":
        warn_user(_WAITS)
        settings["backend"] = "loky"
    try:
        return Parallel(return_as="generator_unordered", **settings)
    except ValueError:  # backends of other packages need not give results as they come
        return Parallel(**settings)


def _batch(
    caller: int, make_worker: Callable[[], Worker[Result]], tasks: list[tuple[int, Any]]
) -> list[tuple[int, Result]]:
    watch(caller)
    with _one_thread():
        worker = make_worker()
        return [(i, worker(task)) for i, task in tasks]


def _one_thread() -> Any:
    """Matrices here are small: more BLAS threads would cost more than they bring."""
    return _controller().limit(limits=1, user_api="blas")


@cache
def _controller() -> ThreadpoolController:
    return ThreadpoolController()
