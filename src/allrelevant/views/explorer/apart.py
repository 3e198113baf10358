"""Questions that take long, answered in a process of their own.

Threads would share one interpreter with the questions whose answers move the bars, and those
should move at once.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import BrokenExecutor
from threading import Lock
from typing import Any

from joblib.externals.loky import ProcessPoolExecutor

from allrelevant.backends.watch import watch
from allrelevant.base.errors import WorkerLostError

_estimator: Any = None  # the worker process's own


class Apart:
    """Runs functions of an estimator elsewhere, one after the other.

    Parameters
    ----------
    estimator : object
        Sent to the other process once.
    """

    def __init__(self, estimator: Any) -> None:
        self._estimator = estimator
        self._executor: ProcessPoolExecutor | None = None
        self._is_closed = False
        self._lock = Lock()

    def run(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Give ``function(estimator, *arguments)``; both must pickle.

        Where the process is killed another one is asked; a second time it may be the question.
        """
        for is_last in (False, True):
            executor = self._started()
            try:
                return executor.submit(_call, function, arguments).result()
            except BrokenExecutor as error:
                self._drop(executor)
                if is_last or self._is_closed:
                    raise WorkerLostError(
                        "the process that works on such questions was killed, perhaps because "
                        "memory ran out. Ask again later."
                    ) from error
        raise AssertionError("one of the two has answered or raised")

    def _started(self) -> ProcessPoolExecutor:
        with self._lock:
            if self._is_closed:
                raise WorkerLostError("the explorer was closed.")
            if self._executor is None:
                self._executor = ProcessPoolExecutor(
                    max_workers=1, initializer=_begin, initargs=(os.getpid(), self._estimator)
                )
            return self._executor

    def _drop(self, executor: ProcessPoolExecutor) -> None:
        with self._lock:
            if self._executor is executor:  # and not one that was started since
                self._executor = None
        executor.shutdown(wait=False, kill_workers=True)

    def close(self) -> None:
        """End the process, whatever it is at."""
        with self._lock:
            self._is_closed = True
            executor, self._executor = self._executor, None
        if executor is not None:
            executor.shutdown(wait=True, kill_workers=True)


def _begin(caller: int, estimator: Any) -> None:
    global _estimator
    watch(caller)
    _estimator = estimator


def _call(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    return function(_estimator, *arguments)
