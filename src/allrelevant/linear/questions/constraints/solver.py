"""What becomes of all features if some are forbidden, kept, bounded, or given a sign."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import groupby

import numpy as np

from allrelevant import backends
from allrelevant.base.errors import InfeasibleError
from allrelevant.base.progress import Progress
from allrelevant.linear.engine.program.equivalent import EquivalentModels
from allrelevant.linear.engine.program.limits import Boxes
from allrelevant.linear.engine.ranges.restricted import RestrictedRanges
from allrelevant.linear.engine.ranges.weight_range import WeightRange, Witness
from allrelevant.linear.questions.constraints.constraints import Constraint, branches
from allrelevant.linear.questions.constraints.sufficient import makes_no_error, sufficient_tolerance

_BEYOND = 2.0  # times the largest weight there can be: surely out of reach
_TOGETHER = 40  # ranges at least that a worker finds: half as many take as long as this many


@dataclass(eq=False)
class Union:
    """The range of one weight over several branches: not an interval, but its ends are known."""

    parts: list[WeightRange] = field(default_factory=list)

    @property
    def relevance(self) -> tuple[float, float]:
        """Smallest and largest absolute value in any branch."""
        bounds = [part.relevance for part in self.parts]
        return min(low for low, _ in bounds), max(high for _, high in bounds)

    @property
    def ends(self) -> tuple[float, float]:
        """Smallest and largest value in any branch."""
        return min(p.low.value for p in self.parts), max(p.high.value for p in self.parts)

    @property
    def is_bound(self) -> bool:
        """Whether an end in some branch is no more than a bound."""
        return any(part.is_bound for part in self.parts)

    def witness(self, bound: str) -> Witness | None:
        """A model that attains one end of the relevance."""
        if bound == "min":
            return min(self.parts, key=lambda part: part.relevance[0]).smallest_witness
        return max(self.parts, key=lambda part: part.relevance[1]).largest_witness


Task = tuple[int | None, int]  # the number of a branch, or None without constraints; a feature


class BranchWorker:
    """Finds ranges of weights within branches, many of a branch together."""

    def __init__(self, ranges: RestrictedRanges, boxes: Sequence[Boxes]) -> None:
        self._ranges, self._boxes = copy(ranges), boxes

    def __call__(self, tasks: Sequence[Task]) -> list[WeightRange]:
        """The ranges of weights; those of a branch are neighbours."""
        found = []
        for number, own in groupby(tasks, key=lambda task: task[0]):
            boxes = None if number is None else self._boxes[number]
            found += self._ranges.weight_ranges([feature for _, feature in own], boxes)
        return found


class ConstrainedSolver:
    """Answers one request after the other about the same equivalent models.

    Parameters
    ----------
    names : sequence of str
        Names of the engine's features.
    baseline : mapping
        Norm, loss and tolerance of the baseline, from which a sufficient tolerance is counted.
    found : sequence of WeightRange
        Ranges of weights that are known already.
    """

    def __init__(
        self,
        models: EquivalentModels,
        names: Sequence[str],
        baseline: Mapping[str, float],
        found: Sequence[WeightRange] = (),
    ) -> None:
        self.models, self.names, self.baseline = models, names, baseline
        self.ranges = RestrictedRanges(models, names, found)
        self.alone = self.ranges.alone
        screens = any(one.is_screened for one in found)
        known = {k: one for k, one in enumerate(found) if one.is_bound and one.is_exact}
        self._bounded = known if screens else {}  # else they are only left for later

    def feasible(self, constraints: Sequence[Constraint]) -> list[Boxes]:
        """The branches that hold a model; raises where none does."""
        with self.alone:
            found = self._feasible(constraints)
            if not found:
                raise self._infeasible(constraints)
        return found

    def _feasible(self, constraints: Sequence[Constraint]) -> list[Boxes]:
        return [
            boxes
            for boxes in branches(constraints)
            if self._within_reach(boxes) and self.ranges.member(boxes).is_member
        ]

    def _within_reach(self, boxes: Boxes) -> bool:
        """Whether no box is so far away that its numbers are too large to solve anything with."""
        largest = self.models.largest_by_feature
        nearest = np.abs(np.clip(0.0, boxes.low, boxes.high))
        far = bool((nearest > _BEYOND * largest[boxes.features]).any())
        if boxes.sums is not None:
            most = np.abs(boxes.sums.signs) @ largest[boxes.sums.features]
            far |= bool((np.abs(boxes.sums.nearest) > _BEYOND * most).any())
        return not far

    def parts(self, constraints: Sequence[Constraint]) -> list[EquivalentModels]:
        """The models that keep the constraints, branch by branch; raises where there are none."""
        with self.alone:
            near = [(boxes, self.ranges.member(boxes)) for boxes in self.feasible(constraints)]
        reference = replace(self.models.reference, row_duals=None)
        return [
            replace(
                self.models.within(boxes),
                reference=replace(reference, weights=member.weights, offsets=member.offsets),
            )
            for boxes, member in near
        ]

    def under(self, boxes: Sequence[Boxes], features: Sequence[int]) -> Iterator[tuple[int, Union]]:
        """The ranges of several weights within the branches, as they are found."""
        for feature in features:
            with self.alone:
                parts = [self.ranges.weight_range(feature, branch) for branch in boxes]
            yield feature, Union(parts)

    def all_under(
        self, boxes: Sequence[Boxes], n_jobs: int | None, progress: Progress
    ) -> dict[int, Union]:
        """The ranges of all weights within the branches, by workers that start afresh.

        Of what the fit has only bounded there are the same bounds: it reaches no farther here.
        """
        ranges = self.ranges
        with self.alone:
            bounded = self._still_bounded(boxes)
            features = [k for k in range(len(self.names)) if k not in bounded]
            unknown = [(None, feature) for feature in features if not ranges.is_known(feature)]
            for (_, feature), found in self._shared(unknown, boxes, n_jobs, progress).items():
                ranges.learn(feature, found)
            tasks = [
                (number, feature)
                for number, branch in enumerate(boxes)
                for feature in features
                if not ranges.is_known(feature, branch)
            ]
            solved = self._shared(tasks, boxes, n_jobs, progress)
            return bounded | {
                feature: Union(
                    [
                        solved.get((number, feature)) or ranges.weight_range(feature, branch)
                        for number, branch in enumerate(boxes)
                    ]
                )
                for feature in features
            }

    def _still_bounded(self, boxes: Sequence[Boxes]) -> dict[int, Union]:
        """What the fit has only bounded, no box is about, and a model of each branch leaves out."""
        members = [self.ranges.member(branch).weights for branch in boxes]
        asked = {k for branch in boxes for k in branch.features.tolist()}
        return {
            k: Union([free] * len(boxes))
            for k, free in self._bounded.items()
            if k not in asked and not any(weights[k] for weights in members)
        }

    def _shared(
        self,
        tasks: Sequence[Task],
        boxes: Sequence[Boxes],
        n_jobs: int | None,
        progress: Progress,
    ) -> dict[Task, WeightRange]:
        n = backends.shares_of(len(tasks), _TOGETHER) if tasks else 0
        n_shares = n and n * -(-len(tasks) // (2 * n * _TOGETHER))  # so that progress moves
        shares = [tasks[first::n_shares] for first in range(n_shares)]
        progress.stage("intervals", n_shares)
        make = partial(BranchWorker, self.ranges, boxes)
        found = backends.run(make, shares, n_jobs, progress.advance, n)
        return {
            task: one
            for own, answers in zip(shares, found, strict=True)
            for task, one in zip(own, answers, strict=True)
        }

    # Where no model is left

    def _infeasible(self, constraints: Sequence[Constraint]) -> InfeasibleError:
        """The error that says which constraints clash and what tolerance would be enough."""
        contradictory = not branches(constraints)
        clash = list(constraints)
        for constraint in constraints:
            others = [other for other in clash if other is not constraint]
            # What contradicts itself does so without any model.
            if others and not (branches(others) if contradictory else self._feasible(others)):
                clash = others
        texts = [constraint.text for constraint in clash]
        tolerance = sufficient_tolerance(self.models, self.baseline, constraints)
        asked = " and ".join(texts)
        if contradictory:
            message = f"{asked}: that is a contradiction, so no model at all can do it."
        elif np.isinf(tolerance) and not makes_no_error(self.models, self.baseline):
            message = f"no model can do this: {asked}. No tolerance is large enough."
        elif np.isinf(tolerance):
            message = (
                f"no equivalent model can do this: {asked}. No tolerance is enough, because the "
                "baseline makes no error at all and tolerances are shares of its error."
            )
        else:
            message = (
                f"no equivalent model can do this: {asked}. That takes a tolerance of "
                f"{_rounded_up(tolerance):g}; this fit has {self._tolerance}."
            )
        return InfeasibleError(message, texts, tolerance)

    @property
    def _tolerance(self) -> str:
        both = [f"{self.baseline[name]:.3g}" for name in ("tolerance_norm", "tolerance_loss")]
        return both[0] if both[0] == both[1] else f"({', '.join(both)})"


def _rounded_up(value: float) -> float:
    """Three digits that are surely enough."""
    unit = 10.0 ** (np.floor(np.log10(value)) - 2)
    return float(np.ceil(value / unit + 1e-6) * unit)
