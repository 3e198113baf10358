"""Ranges of all features and relevances of all probes, through one call of a backend."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from allrelevant import backends
from allrelevant.engine.equivalent import EquivalentModels
from allrelevant.engine.pieces import Floats
from allrelevant.engine.ranges import RangeSolver, WeightRange
from allrelevant.probes import Probe, appended_relevance, replaced_relevance

_FEWEST_USABLE = 10


@dataclass(frozen=True, eq=False)
class Relevances:
    """What was found about features and probes, in the engine's units.

    `probes` has one row (minrel, maxrel) per usable probe.
    """

    ranges: tuple[WeightRange, ...]
    probes: Floats
    solved: int = 0
    skipped: int = 0
    warnings: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Answer:
    """The outcome of one task, and how many programs it took and spared."""

    outcome: Any
    solved: int
    skipped: int


class RangeWorker:
    """Finds ranges of features (tasks that are numbers) and relevances of probes.

    Parameters
    ----------
    models : EquivalentModels
    names : sequence of str
    count : array or None
        How often rows were observed, where that differs.
    replace_probes : bool
        Whether a probe takes the place of its feature.
    """

    def __init__(
        self,
        models: EquivalentModels,
        names: Sequence[str],
        count: Floats | None,
        replace_probes: bool,
    ) -> None:
        self._solver = RangeSolver(models, names)
        self._count = count
        self._replace_probes = replace_probes

    def __call__(self, task: int | Probe) -> Answer:
        """Do one task."""
        solver = self._solver
        if isinstance(task, Probe) and self._replace_probes:
            return Answer(replaced_relevance(solver.models, task, self._count), solved=2, skipped=0)
        solved, skipped = solver.solved, solver.skipped
        outcome: Any
        if isinstance(task, Probe):
            outcome = appended_relevance(solver, task, self._count)
        else:
            outcome = solver.weight_range(task)
        return Answer(outcome, solver.solved - solved, solver.skipped - skipped)


def find_relevances(
    models: EquivalentModels,
    probes: Sequence[Probe],
    *,
    names: Sequence[str],
    count: Floats,
    replace_probes: bool = False,
    n_jobs: int | None = None,
    advance: Callable[[int], Any] = lambda n: None,
) -> Relevances:
    """Ranges of all features and relevances of the probes."""
    uneven = count if np.ptp(count) > 0 else None
    features = models.in_order(range(models.n_features))
    make = partial(RangeWorker, models, names, uneven, replace_probes)
    answers = backends.run(make, [*probes, *features], n_jobs, advance)
    of_probes = answers[: len(probes)]
    of_features = [answers[len(probes) + k] for k in np.argsort(features)]
    usable = [answer.outcome for answer in of_probes if answer.outcome is not None]
    warnings = []
    if len(usable) < len(probes):
        warnings.append(f"{len(probes) - len(usable)} of {len(probes)} probes infeasible")
    if len(usable) < min(_FEWEST_USABLE, len(probes)):
        warnings.append(
            f"only {len(usable)} probes could take the place of a feature; the noise thresholds "
            "come from appended probes instead"
        )
        make = partial(RangeWorker, models, names, uneven, False)
        again = backends.run(make, probes, n_jobs)
        answers += again
        usable = [answer.outcome for answer in again]
    return Relevances(
        ranges=tuple(answer.outcome for answer in of_features),
        probes=np.array(usable, dtype=float).reshape(-1, 2),
        solved=sum(answer.solved for answer in answers),
        skipped=sum(answer.skipped for answer in answers),
        warnings=warnings,
    )
