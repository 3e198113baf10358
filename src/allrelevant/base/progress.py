"""How far a fit is: for the log, for `verbose`, and for scikit-learn's callbacks."""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Collection, Iterator
from typing import Any, TextIO, TypeVar

try:  # scikit-learn ≥ 1.9
    from sklearn.callback import CallbackSupportMixin, with_callbacks
except ImportError:  # pragma: no cover - depends on the installed scikit-learn

    class CallbackSupportMixin:  # type: ignore[no-redef]
        """Stands in where scikit-learn has no callbacks yet."""

    def with_callbacks(method: Any) -> Any:
        """Leave the method as it is."""
        return method


__all__ = ["CallbackSupportMixin", "Progress", "progress_of", "with_callbacks"]

logger = logging.getLogger(__name__)
T = TypeVar("T")
_PATIENCE = 2.0  # seconds before the first line and between lines


class Progress:
    """Counts finished tasks of one stage after the other; tells the log."""

    def stage(self, name: str, total: int) -> None:
        """Begin a stage with this many tasks."""
        self._name, self._total, self._done = name, total, 0
        self._begun = time.monotonic()
        logger.info("%s: %d tasks", name, total)

    def advance(self, n: int = 1) -> None:
        """Some tasks are done."""
        self._done += n
        if self._done >= self._total:
            logger.info("%s: done in %.1f s", self._name, time.monotonic() - self._begun)

    def finish(self) -> None:
        """The fit is over."""

    def each(self, name: str, items: Collection[T]) -> Iterator[T]:
        """Go through some items as a stage of its own."""
        self.stage(name, len(items))
        for item in items:
            yield item
            self.advance()

    def within(self) -> Progress:
        """Return the progress of what is done within one task, shown beside that of the tasks."""
        return ProgressWithin(self)

    def show(self, detail: str) -> None:
        """Something within a task has moved."""


class ProgressWithin(Progress):
    """Counts what is done within one task of another progress."""

    def __init__(self, outer: Progress) -> None:
        self._outer = outer

    def __reduce__(self) -> tuple[Any, ...]:
        return Progress, ()  # in another process nobody would see it

    def advance(self, n: int = 1) -> None:
        """Some tasks are done."""
        super().advance(n)
        self._outer.show(f"{self._name}: {self._done} of {self._total}")


class PrintedProgress(Progress):
    """Also writes a line to a stream every two seconds."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stderr
        self._last = time.monotonic()

    def advance(self, n: int = 1) -> None:
        """Some tasks are done."""
        super().advance(n)
        self.show("")

    def show(self, detail: str) -> None:
        """Write how far the tasks are, and what is done within one of them."""
        if time.monotonic() - self._last >= _PATIENCE:
            self._last = time.monotonic()
            beside = f" ({detail})" if detail else ""
            far = f"{self._done} of {self._total}"
            self._stream.write(f"{self._name}: {far}{self._left()}{beside}\n")
            self._stream.flush()

    def _left(self) -> str:
        """The time that is left if all tasks take as long as those that are done."""
        if not self._done:
            return ""
        elapsed = time.monotonic() - self._begun
        return f", about {elapsed / self._done * (self._total - self._done):.0f} s left"


class BarProgress(PrintedProgress):
    """Also draws a bar on a terminal, ten times a second at most; leaves nothing behind."""

    _WIDTH = 30

    def __init__(self, stream: TextIO | None = None) -> None:
        super().__init__(stream)
        self._drawn = False

    def advance(self, n: int = 1) -> None:
        """Some tasks are done."""
        Progress.advance(self, n)
        if self._done >= self._total:
            self._wipe()
        else:
            self.show("")

    def show(self, detail: str) -> None:
        """Draw how far the tasks are, and say what is done within one of them."""
        if time.monotonic() - self._last >= 0.1:
            self._last = time.monotonic()
            full = round(self._WIDTH * self._done / self._total)
            bar = "█" * full + "░" * (self._WIDTH - full)
            said = "; ".join(filter(None, (self._left().removeprefix(", "), detail)))
            self._stream.write(f"\r\x1b[K{self._name} {bar} {said}")
            self._stream.flush()
            self._drawn = True

    def finish(self) -> None:
        """The fit is over."""
        self._wipe()

    def _wipe(self) -> None:
        if self._drawn:
            self._stream.write("\r\x1b[K")
            self._stream.flush()
            self._drawn = False


class CallbackProgress(Progress):
    """Also tells scikit-learn's callbacks."""

    def __init__(self, estimator: Any) -> None:
        self._estimator = estimator
        self._root = estimator._init_callback_context(max_subtasks=None)
        self._root.call_on_fit_task_begin(estimator=estimator)
        self._stage: Any = None

    def stage(self, name: str, total: int) -> None:
        """Begin a stage with this many tasks."""
        super().stage(name, total)
        self._end_stage()
        self._stage = self._root.subcontext(task_name=name, max_subtasks=total)
        self._stage.call_on_fit_task_begin(estimator=self._estimator)

    def advance(self, n: int = 1) -> None:
        """Some tasks are done."""
        super().advance(n)
        for _ in range(n):
            task = self._stage.subcontext(task_name=self._name)
            task.call_on_fit_task_begin(estimator=self._estimator)
            task.call_on_fit_task_end(estimator=self._estimator)

    def finish(self) -> None:
        """The fit is over."""
        self._end_stage()
        self._root.call_on_fit_task_end(estimator=self._estimator)

    def _end_stage(self) -> None:
        if self._stage is not None:
            self._stage.call_on_fit_task_end(estimator=self._estimator)
            self._stage = None


def progress_of(estimator: Any) -> Progress:
    """What the estimator's callbacks and `verbose` ask for."""
    if getattr(estimator, "_skl_callbacks", None):
        return CallbackProgress(estimator)
    return told_progress(estimator.verbose)


def told_progress(verbose: int) -> Progress:
    """What `verbose` asks for, of questions that scikit-learn's callbacks know nothing of."""
    if not verbose:
        return Progress()
    return BarProgress() if sys.stderr.isatty() else PrintedProgress()
