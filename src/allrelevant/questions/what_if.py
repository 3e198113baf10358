"""What becomes of all features if some are forbidden, kept, bounded, or given a sign."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from allrelevant.engine.equivalent import Boxes, EquivalentModels
from allrelevant.engine.nearest import nearest_member
from allrelevant.engine.pieces import Floats
from allrelevant.engine.ranges import WeightRange, Witness
from allrelevant.engine.restricted import RestrictedRanges
from allrelevant.errors import InfeasibleError
from allrelevant.questions.constraints import Constraint, branches


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

    def witness(self, bound: str) -> Witness | None:
        """A model that attains one end of the relevance."""
        if bound == "min":
            return min(self.parts, key=lambda part: part.relevance[0]).smallest_witness
        return max(self.parts, key=lambda part: part.relevance[1]).largest_witness


class Session:
    """Answers one request after the other about the same equivalent models.

    Parameters
    ----------
    models : EquivalentModels
    names : sequence of str
        Names of the engine's features.
    baseline : mapping
        Norm, loss and tolerance of the baseline, from which a sufficient tolerance is counted.
    """

    def __init__(
        self, models: EquivalentModels, names: Sequence[str], baseline: Mapping[str, float]
    ) -> None:
        self.models, self.names, self.baseline = models, names, baseline
        self.ranges = RestrictedRanges(models, names)

    def feasible(self, constraints: Sequence[Constraint]) -> list[Boxes]:
        """The branches that hold a model; raises where none does."""
        found = self._feasible(constraints)
        if not found:
            raise self._infeasible(constraints)
        return found

    def _feasible(self, constraints: Sequence[Constraint]) -> list[Boxes]:
        return [boxes for boxes in branches(constraints) if self.ranges.member(boxes).is_member]

    def under(self, boxes: Sequence[Boxes], features: Sequence[int]) -> Iterator[tuple[int, Union]]:
        """The ranges of several weights within the branches, as they are found."""
        for feature in features:
            parts = [self.ranges.weight_range(feature, branch) for branch in boxes]
            yield feature, Union(parts)

    # Where no model is left

    def _infeasible(self, constraints: Sequence[Constraint]) -> InfeasibleError:
        """The error that says which constraints clash and what tolerance would do."""
        clash = list(constraints)
        for constraint in constraints:
            others = [other for other in clash if other is not constraint]
            if others and not self._feasible(others):
                clash = others
        texts = [constraint.text for constraint in clash]
        tolerance = self._sufficient(constraints)
        asked = " and ".join(texts)
        if np.isinf(tolerance):
            message = f"{asked}: that is a contradiction, so no model at all can do it."
        else:
            message = (
                f"no equivalent model does this: {asked}. It would take tolerance="
                f"{_rounded_up(tolerance):g} instead of {self._tolerance:g}."
            )
        return InfeasibleError(message, texts, tolerance)

    @property
    def _tolerance(self) -> float:
        return max(self.baseline["tolerance_norm"], self.baseline["tolerance_loss"])

    @cached_property
    def _units(self) -> Floats:
        """By how much each budget grows with the tolerance."""
        norm, loss = self.baseline["norm"], self.baseline["loss"]
        side = self.baseline.get("privileged_norm", 0.0)
        units = np.array(
            [b.norm * norm + b.side * side + b.loss * loss for b in self.models.budgets]
        )
        # A loss of zero does not grow; its budget has room of its own.
        return np.where(units > 0, units, np.maximum(self.models.limits, 1e-9))

    def _sufficient(self, constraints: Sequence[Constraint]) -> float:
        """The smallest tolerance at which some branch holds a model."""
        found = [
            nearest_member(self.models.within(boxes), self._units).excess
            for boxes in branches(constraints)
        ]
        return self._tolerance + min(found) if found else np.inf


def _rounded_up(value: float) -> float:
    """Three digits that are surely enough."""
    unit = 10.0 ** (np.floor(np.log10(value)) - 2)
    return float(np.ceil(value / unit + 1e-6) * unit)
