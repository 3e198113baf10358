"""What every step of an analysis has beside its table: random numbers, and who does the tasks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from allrelevant.backends import run
from allrelevant.base.progress import Progress


@dataclass(frozen=True, eq=False)
class Work:
    """Draws seeds, and has tasks done by so many processes, which somebody may be told of."""

    random: np.random.RandomState
    n_jobs: int | None = None
    progress: Progress = field(default_factory=Progress)

    def seed(self) -> int:
        """A seed for one piece of work, drawn before the work is handed out."""
        return int(self.random.randint(2**31 - 1))

    def stage(self, name: str, make: Callable[[], Any], tasks: Sequence[Any]) -> list[Any]:
        """The results of tasks, which are a stage of their own."""
        self.progress.stage(name, len(tasks))
        return self.run(make, tasks)

    def run(self, make: Callable[[], Any], tasks: Sequence[Any]) -> list[Any]:
        """The results of tasks, which are part of a stage."""
        return run(make, tasks, self.n_jobs, self.progress.advance)
