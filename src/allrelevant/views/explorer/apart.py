"""Questions that take long, answered in a process of their own.

Threads would share one interpreter with the questions whose answers move the bars, and those
should move at once.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import Any

from joblib.externals.loky import ProcessPoolExecutor

__all__ = ["Apart"]

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
        self._lock = Lock()

    def run(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Give ``function(estimator, *arguments)``; both must pickle."""
        with self._lock:
            if self._executor is None:
                self._executor = ProcessPoolExecutor(
                    max_workers=1, initializer=_remember, initargs=(self._estimator,)
                )
        return self._executor.submit(_call, function, arguments).result()

    def close(self) -> None:
        """End the process, whatever it is at."""
        with self._lock:
            if self._executor is not None:
                self._executor.shutdown(wait=True, kill_workers=True)
                self._executor = None


def _remember(estimator: Any) -> None:
    global _estimator
    _estimator = estimator


def _call(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    return function(_estimator, *arguments)
