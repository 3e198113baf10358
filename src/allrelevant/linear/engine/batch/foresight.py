"""What is about to be asked, answered for many questions together.

Programs that are solved together cost a part of what each costs alone (`guests`). Whoever has many
questions hands them over first: each is led on as far as answers are known, and what they ask next
is solved for together. When they are asked for good, the solver finds most answers here; what is
not here it solves for.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from allrelevant.linear.engine.batch.guests import ManyGuests
from allrelevant.linear.engine.program.direction import Direction
from allrelevant.linear.engine.program.equivalent import EquivalentModels
from allrelevant.linear.engine.program.optimum import Candidate, Optimum

_FEWEST = 8  # programs, for which it pays
# Questions, of which those before teach those that come later; times features, for memory.
_AT_ONCE, _AT_ONCE_BY_FEATURES = 256, 2_000_000

T = TypeVar("T")
Settled = tuple[Optimum | None, float]
"""An optimum and its value; or None and a bound, where that shows the value not to matter."""

Question = Generator[Direction, Settled, T]
"""It yields directions, is sent what is settled of each, and returns its answer.

What is asked next may depend on that alone, and on what its solver has seen.
"""


def at_once(n_features: int) -> int:
    """Of how many questions about weights the programs are foreseen together."""
    return min(max(_AT_ONCE_BY_FEATURES // n_features, 1), _AT_ONCE)


class Foresight:
    """Answers that have been found before they are asked for."""

    def __init__(self, models: EquivalentModels) -> None:
        self._models = models
        self._company: ManyGuests | None = None
        self._known: dict[tuple[int | bytes, float], Candidate] = {}

    def prepare(self, questions: Iterable[Question[Any]]) -> None:
        """Find what these will ask, and forget what others did."""
        self._known.clear()
        if not ManyGuests.takes(self._models):
            return
        begun = [(one, asked) for one in questions if (asked := next(one, None)) is not None]
        self._find([asked for _, asked in begun])
        self._find([then for one, asked in begun if (then := self._next(one, asked)) is not None])

    def _next(self, question: Question[Any], asked: Direction) -> Direction | None:
        """What a question asks after this of which nothing is known yet."""
        then = asked
        while (found := self.answer(then)) is not None:
            settled = (Optimum.of(found), found.value) if found.is_proven else (None, found.bound)
            try:
                then = question.send(settled)
            except StopIteration:
                return None
        return None if then is asked else then

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
