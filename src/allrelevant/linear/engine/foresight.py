"""What is about to be asked about weights, answered for many of them together.

Programs that are solved together cost a part of what each costs alone (`guests`). Whoever has many
questions says so first. The solver then asks as always, and finds most answers here; what is not
here it solves for.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from allrelevant.base.arrays import Floats
from allrelevant.linear.engine.direction import Direction
from allrelevant.linear.engine.equivalent import EquivalentModels
from allrelevant.linear.engine.guests import ManyGuests
from allrelevant.linear.engine.optimum import Candidate

_FEWEST = 8  # programs, for which it pays
# Questions, of which those before teach those that come later; times features, for memory.
_AT_ONCE, _AT_ONCE_BY_FEATURES = 256, 2_000_000


def n_foreseen(n_features: int) -> int:
    """Of how many questions about weights the programs are foreseen together."""
    return min(max(_AT_ONCE_BY_FEATURES // n_features, 1), _AT_ONCE)


class Knowing(Protocol):
    """What a solver has to tell so that its next programs can be foreseen."""

    models: EquivalentModels

    def side_of(self, feature: int) -> int:
        """The side on which a weight's farther end is likely to be."""

    def has_zero(self, feature: int) -> bool:
        """Whether a model without the feature is known."""

    def sides_beyond(self, feature: int, level: float) -> list[int]:
        """The sides on which a weight may get beyond a level, as far as is known."""

    def pull(self, column: Floats) -> float:
        """The gradient a column beside the data has."""


class Ahead(Protocol):
    """A question whose programs can be foreseen, in two steps."""

    def first(self, solver: Knowing) -> list[Direction]:
        """What is asked at once."""

    def second(self, solver: Knowing, first: Direction, value: float) -> list[Direction]:
        """What is asked then, where the first value is this, or not above what is enough."""


@dataclass(frozen=True, eq=False)
class Weight:
    """A feature of which both ends are asked, or where not `signed` the one farther from zero.

    Where there is a level, only if that end is beyond it.
    """

    feature: int
    signed: bool = False
    level: float = 0.0

    def first(self, solver: Knowing) -> list[Direction]:
        """What is asked at once."""
        if solver.models.largest_by_feature[self.feature] <= 0:
            return []
        if not self.level:
            return [Direction.weight(self.feature, solver.side_of(self.feature))]
        sides = solver.sides_beyond(self.feature, self.level)[:1]
        return [Direction.weight(self.feature, side).up_to(self.level) for side in sides]

    def second(self, solver: Knowing, first: Direction, value: float) -> list[Direction]:
        """What is asked then."""
        feature, sign = self.feature, -int(first.factors[0])
        opposite = Direction.weight(feature, sign)
        if self.signed or not solver.has_zero(feature):
            return [opposite]
        if self.level and value <= self.level:
            beyond = sign in solver.sides_beyond(feature, self.level)
            return [opposite.up_to(self.level)] if beyond else []
        gradient = solver.models.gradient
        if gradient is not None and solver.models.bound(gradient[feature], sign, feature) <= value:
            return []
        return [opposite.up_to(value)]


@dataclass(frozen=True, eq=False)
class GuestColumn:
    """A column beside the data, of which it is asked how far it gets beyond `least`."""

    column: Floats
    like: int = 0
    least: float = 0.0
    one_sided: bool = False

    def first(self, solver: Knowing) -> list[Direction]:
        """What is asked at once."""
        if solver.models.largest[self.like] <= 0 or not self.column.any():
            return []
        return self._towards(solver, 1 if solver.pull(self.column) >= 0 else -1, self.least)

    def second(self, solver: Knowing, first: Direction, value: float) -> list[Direction]:
        """What is asked then."""
        if self.one_sided:
            return []
        return self._towards(solver, -int(first.guest_factor), max(value, self.least))

    def _towards(self, solver: Knowing, sign: int, least: float) -> list[Direction]:
        models = solver.models
        knows = models.reference.row_duals is not None
        if knows and models.bound(solver.pull(self.column), sign, self.like) <= least:
            return []
        return [Direction.of_guest(self.column, sign, like=self.like).up_to(least)]


@dataclass(frozen=True, eq=False)
class Side:
    """A feature of which the smallest weight is asked or, with a sign of 1, the largest."""

    feature: int
    sign: int

    def first(self, solver: Knowing) -> list[Direction]:
        """What is asked at once."""
        return [Direction.weight(self.feature, self.sign)]

    def second(self, solver: Knowing, first: Direction, value: float) -> list[Direction]:
        """What is asked then."""
        return []


class Foresight:
    """Answers that have been found before they are asked for."""

    def __init__(self, models: EquivalentModels) -> None:
        self._models = models
        self._company: ManyGuests | None = None
        self._known: dict[tuple[int | bytes, float], Candidate] = {}

    def prepare(self, solver: Knowing, asked: Iterable[Ahead]) -> None:
        """Find what these will ask, and forget what others did."""
        self._known.clear()
        if not ManyGuests.takes(self._models):
            return
        firsts = [(one, first) for one in asked for first in one.first(solver)]
        self._find([first for _, first in firsts])
        seconds = []
        for one, first in firsts:
            candidate = self._known.get(_key(first))
            if candidate is not None:
                value = candidate.value if candidate.is_proven else first.enough
                seconds += one.second(solver, first, value)
        self._find(seconds)

    def _find(self, asked: Sequence[Direction]) -> None:
        if len(asked) < _FEWEST:
            return
        if self._company is None:
            self._company = ManyGuests(self._models)
        for direction, candidate in zip(asked, self._company.candidates(asked), strict=True):
            if candidate is not None:
                self._known[_key(direction)] = candidate

    def answer(self, direction: Direction) -> Candidate | None:
        """An answer that is proven, or shows that a value does not matter; None where none is."""
        if not self._known or (direction.guest is None and direction.visitor is None):
            return None
        candidate = self._known.get(_key(direction))
        if candidate is None:
            return None
        if candidate.direction.enough != direction.enough:
            candidate = replace(candidate, direction=direction)
        return candidate if candidate.is_settled else None


def _key(direction: Direction) -> tuple[int | bytes, float]:
    if direction.guest is not None:
        like = np.int64(direction.guest_like).tobytes()
        return direction.guest.tobytes() + like, direction.guest_factor
    return int(direction.features[0]), float(direction.factors[0])
