"""When processes are worth starting, which takes longer than many a fit does.

Where none wait for work, tasks are done here at first, and the rest goes to processes only if it
will take long enough: longer, with the work that was done here before, than they take to start.
Answers do not depend on that, because batches stay whole.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from joblib.parallel import get_active_backend

SECONDS = 1.5  # that processes take to start
_TRIED = 0.2  # seconds of work that tell how long the rest will take, and are worth sharing
_WAITING = 240.0  # seconds for which processes surely wait for more work; joblib's do so for 300
_KINDS = ("LokyBackend", "MultiprocessingBackend")  # joblib's that start processes
_at_once: ContextVar[bool] = ContextVar("at_once", default=False)


@contextmanager
def at_once() -> Iterator[None]:
    """Have processes started for whatever is done meanwhile: it is known to take long."""
    before = _at_once.set(True)
    try:
        yield
    finally:
        _at_once.reset(before)


class Processes:
    """Knows how many processes wait for work.

    Attributes
    ----------
    spared : float
        Seconds that they would have spared since there were some.
    """

    def __init__(self) -> None:
        self._number, self._since, self.spared = 0, -_WAITING, 0.0

    def wait(self, n_processes: int) -> bool:
        """Whether none has to be started."""
        if _at_once.get() or SECONDS <= 0.0 or not _starts_processes():
            return True
        return n_processes <= self._number and time.monotonic() < self._since + _WAITING

    def are_left(self, n_processes: int) -> None:
        """So many have done their work."""
        if _starts_processes():
            self._number, self._since, self.spared = n_processes, time.monotonic(), 0.0


processes = Processes()


class Clock:
    """Tells when work is worth sharing, by what was done of it."""

    def __init__(self, n_tasks: int, n_processes: int) -> None:
        self._n_tasks, self._begun = n_tasks, time.perf_counter()
        self._share = 1.0 - 1.0 / n_processes  # of the time, what is spared

    def says_enough(self, n_done: int) -> bool:
        """Whether the tasks that are left, with work of earlier calls, are worth processes."""
        elapsed = time.perf_counter() - self._begun
        left = elapsed / n_done * (self._n_tasks - n_done) * self._share
        return min(elapsed, left) > _TRIED and processes.spared + left > SECONDS

    def stop(self) -> None:
        """What was done here counts for later calls."""
        processes.spared += (time.perf_counter() - self._begun) * self._share


def _starts_processes() -> bool:
    return type(get_active_backend()[0]).__name__ in _KINDS
