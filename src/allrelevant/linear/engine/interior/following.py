"""The interior point's program of a working set that grows, and models in terms of it."""

from __future__ import annotations

import numpy as np

from allrelevant.base.arrays import Floats
from allrelevant.linear.engine.interior.barrier import DenseProgram
from allrelevant.linear.engine.interior.centred import program_of
from allrelevant.linear.engine.program.direction import Direction
from allrelevant.linear.engine.program.equivalent import EquivalentModels
from allrelevant.linear.engine.program.optimum import Candidate, Multipliers
from allrelevant.linear.engine.program.working_set import WorkingSet


class FollowingProgram:
    """The program of all that is in a working set; made anew where that has gained something."""

    def __init__(self, models: EquivalentModels, working_set: WorkingSet) -> None:
        self.models, self.working_set = models, working_set
        self._built_for = (-1, -1)
        self._whole: DenseProgram

    def _is_new(self) -> bool:
        """Whether the program had to be made anew."""
        size = (len(self.working_set.undecided), len(self.working_set.features))
        if size == self._built_for:
            return False
        self._built_for, self._whole = size, program_of(self.models, self.working_set)
        return True

    @property
    def _reference(self) -> Floats:
        reference = self.models.reference
        return np.append(reference.offsets, reference.weights[self.working_set.features])

    def _aim(self, direction: Direction) -> Floats:
        """A direction as factors of the program's columns, that of a guest last."""
        q, working_set = self._whole.n_offsets, self.working_set
        aim = np.zeros(q + len(working_set.features))
        aim[q + working_set.position[direction.features]] = direction.factors
        if direction.offset_factors is not None:
            aim[:q] = direction.offset_factors
        return aim if direction.guest is None else np.append(aim, direction.guest_factor)

    def _candidate(
        self, direction: Direction, excluded: int | None, z: Floats, multipliers: Multipliers
    ) -> Candidate:
        """What a point of the program is as an answer."""
        q, features = self.working_set.n_offsets, self.working_set.features
        weights = np.zeros(self.models.n_features)
        weights[features] = z[q : q + len(features)]
        return Candidate(
            models=self.models,
            working_set=self.working_set,
            direction=direction,
            weights=weights,
            offsets=z[:q],
            guest_weight=float(z[-1]) if direction.guest is not None else 0.0,
            multipliers=multipliers,
            excluded=excluded,
        )
