"""Columns that come from one thing, such as a category's levels: one interval for all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from allrelevant import backends
from allrelevant.base.arrays import Floats, Ints
from allrelevant.base.names import position
from allrelevant.base.progress import Progress
from allrelevant.base.three_classes import CLASS_NAMES, classify
from allrelevant.linear.engine.direction import Direction
from allrelevant.linear.engine.equivalent import MAIN, EquivalentModels
from allrelevant.linear.engine.ranges import End, RangeSolver, Witness
from allrelevant.linear.fit.analysis import Analysis
from allrelevant.linear.fit.noise import reach_of_noise
from allrelevant.linear.fit.probes import Probe, permuted
from allrelevant.linear.fit.problem import Problem
from allrelevant.linear.questions.sign_patterns import LargestNorm, climbed_norm, largest_norm

_MOST_PROBES = 20  # of a group; each takes many programs


class SingleColumns(NamedTuple):
    """All columns by themselves, by which groups of them are judged.

    Beside names and classes these are what noise reaches in each, and the baseline's norm.
    """

    names: Sequence[str]
    classes: Ints
    limits: Floats
    norm: float


@dataclass(frozen=True)
class ColumnGroup:
    """Relevance of a group of columns: the range of the sum of their absolute weights.

    Parameters
    ----------
    columns : tuple of str
    places : tuple of int
        The same by their positions.
    interval : (float, float)
        As shares of the baseline's norm.
    noise : float
        What the same columns reach when their rows are permuted together.
    threshold : float
        The same, or what noise reaches in single columns where one of these passes that.
    relevance_class : int
        0 irrelevant, 1 weakly relevant, 2 strongly relevant.
    is_exact : bool
        Whether the largest relevance is attained by a model; else it is an upper bound.
    witnesses : (Witness, Witness)
        Models that make the least and the most of the columns; of a bound the best that is known.
    """

    columns: tuple[str, ...]
    places: tuple[int, ...]
    interval: tuple[float, float]
    noise: float
    threshold: float
    relevance_class: int
    is_exact: bool
    witnesses: tuple[Witness, Witness] = field(repr=False, compare=False)

    @classmethod
    def judged(
        cls,
        columns: Ints,
        smallest: End,
        largest: LargestNorm,
        noise: float,
        *,
        singles: SingleColumns,
    ) -> ColumnGroup:
        """The group with its class, by its noise threshold and by the classes of its columns."""
        norm, threshold = singles.norm or 1.0, noise
        if singles.classes[columns].any():
            # Levels of a category that make up all samples can have any constant in common, and
            # so can permuted ones: their largest sums say little. A column that passes the
            # threshold of single columns is enough for the group.
            threshold = min(noise, float(singles.limits[columns].min()))
        interval = smallest.value / norm, largest.bound / norm
        return cls(
            columns=tuple(singles.names[k] for k in columns),
            places=tuple(columns.tolist()),
            interval=interval,
            noise=noise,
            threshold=threshold,
            relevance_class=int(classify(np.array([interval]), np.array([0.0, threshold]))[0]),
            is_exact=largest.is_exact,
            witnesses=(_witness(smallest), _witness(largest.attained)),
        )

    def witness(self, bound: str) -> Witness:
        """The model of one end of the interval."""
        return self.witnesses[("min", "max").index(bound)]

    def to_dict(self) -> dict[str, Any]:
        """The group as plain values."""
        return {
            "columns": list(self.columns),
            "class": CLASS_NAMES[self.relevance_class],
            "min": self.interval[0],
            "max": self.interval[1],
            "threshold": self.threshold,
            "is_exact": self.is_exact,
        }


def _witness(end: End) -> Witness:
    assert end.witness is not None  # sums are solved for, not bounded
    return end.witness


def check_column_groups(
    column_groups: Mapping[str, Sequence[Any]] | None, names: list[str], others: Sequence[str] = ()
) -> dict[str, Ints]:
    """The columns of each group by their positions; `others` are names that are taken as well."""
    if column_groups is None:
        return {}
    if not isinstance(column_groups, Mapping):
        raise ValueError(
            f"column_groups must map names to lists of columns, got {column_groups!r}."
        )
    owner: dict[int, str] = {}
    groups = {}
    for name, columns in column_groups.items():
        if not isinstance(name, str):
            raise ValueError(f"column_groups must name its groups by strings, got {name!r}.")
        if isinstance(columns, str) or not hasattr(columns, "__iter__"):
            raise ValueError(f"column_groups[{name!r}] must list columns, got {columns!r}.")
        found = [position(names, column, f"column_groups[{name!r}]") for column in columns]
        if not found:
            raise ValueError(f"column_groups[{name!r}] is empty: list its columns or drop it.")
        for k in found:
            if k in owner:
                raise ValueError(
                    f"column_groups has column {names[k]!r} in {owner[k]!r} and in {name!r}: "
                    "a column can be in one group, once."
                )
            owner[k] = name
        if name in (*names, *others) and [names[k] for k in found] != [name]:
            raise ValueError(
                f"column_groups calls a group {name!r}, which is the name of a column: "
                "give the group another one."
            )
        groups[name] = np.array(found, dtype=np.intp)
    return groups


def find_column_groups(
    groups: Mapping[str, Ints],
    analysis: Analysis,
    names: Sequence[str],
    *,
    n_jobs: int | None,
    random: np.random.RandomState,
    progress: Progress,
) -> dict[str, ColumnGroup]:
    """The relevance of every group of columns, beside that of the columns."""
    if not groups:
        return {}
    classes = analysis.classes
    singles = SingleColumns(names, classes.values, classes.upper, analysis.norm)
    if analysis.models is None:
        # The baseline is the only model, and a witness of everything.
        nothing = analysis.found.ranges[0].low
        return {
            name: ColumnGroup.judged(
                columns, nothing, LargestNorm(nothing, 0.0), 0.0, singles=singles
            )
            for name, columns in groups.items()
        }
    n_probes = min(analysis.plan.n_probes or _MOST_PROBES, _MOST_PROBES)
    tasks: list[tuple[Ints, int | None]] = []
    for columns in groups.values():
        seeds = random.randint(np.iinfo(np.int32).max, size=n_probes).tolist()
        tasks += [(columns, None), *((columns, seed) for seed in seeds)]
    progress.stage("column groups", len(tasks))
    ends = np.array([(r.low.value, r.high.value) for r in analysis.found.ranges])
    make = partial(GroupWorker, analysis.models, analysis.problem, ends, names)
    answers = backends.run(make, tasks, n_jobs, progress.advance)
    found = {}
    for k, (name, columns) in enumerate(groups.items()):
        whole, *probes = answers[k * (n_probes + 1) : (k + 1) * (n_probes + 1)]
        noise = reach_of_noise(np.array(probes)[:, 1] / analysis.norm, analysis.level)
        found[name] = ColumnGroup.judged(columns, *whole, noise, singles=singles)
    return found


class GroupWorker:
    """Finds the smallest and the largest norm of columns, or of their permuted copies."""

    def __init__(
        self,
        models: EquivalentModels,
        problem: Problem,
        ends: Floats,
        names: Sequence[str],
    ) -> None:
        self._models, self._problem, self._ends, self._names = models, problem, ends, names

    def __call__(self, task: tuple[Ints, int | None]) -> tuple[Any, Any]:
        """Do one task: columns, and the seed of a permutation or None."""
        columns, seed = task
        columns = columns[self._models.largest_by_feature[columns] > 0]  # constants have no weight
        if seed is not None:
            return self._of_probe(columns, seed)
        solver = RangeSolver(self._models, self._names)
        low, high = self._ends[columns].T
        most = largest_norm(solver, columns, low, high)
        return smallest_norm(solver, columns), most

    def _of_probe(self, columns: Ints, seed: int) -> tuple[float, float]:
        """The same columns beside the data, their rows permuted together."""
        models = self._models
        problem, copies = self._problem, []
        for feature in columns.tolist():
            ((copy, _),) = problem.columns_of(permuted(problem, Probe(feature, seed)), False)
            copies.append(copy)
        larger = beside(models, np.column_stack(copies))
        places = models.n_features + np.arange(len(columns))
        # The reference does without the copies.
        return 0.0, climbed_norm(RangeSolver(larger), places, np.random.default_rng(seed))


def smallest_norm(solver: RangeSolver, columns: Ints) -> End:
    """The least sum of the absolute weights of some columns over the equivalent models."""
    models, reference = solver.models, solver.models.reference
    if not reference.weights[columns].any():
        return End(0.0, Witness.of(reference.weights, reference.offsets))
    optimum = solver.maximise(Direction.least_norm(columns, "a group of columns"))
    witness, value = Witness.of(optimum.weights, optimum.offsets), -optimum.value
    if value > max(optimum.gap, models.accuracy):
        return End(value, witness)
    return End(0.0, witness.without(columns))


def beside(models: EquivalentModels, columns: Floats) -> EquivalentModels:
    """The same budgets where more columns of the main kind stand beside the data.

    The reference is still a member, so its multipliers still bound what members can do.
    """
    more = columns.shape[1]
    reference = models.reference
    kinds = None
    if models.kinds is not None:
        kinds = np.append(models.kinds, np.full(more, MAIN, dtype=np.intp))
    return EquivalentModels(
        np.ascontiguousarray(np.column_stack([models.X, columns])),
        models.pieces,
        models.budgets,
        replace(reference, weights=np.append(reference.weights, np.zeros(more))),
        kinds=kinds,
    )
