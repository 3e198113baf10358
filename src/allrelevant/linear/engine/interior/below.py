"""Whether a direction stays below a value: a proof by a few steps of the interior point.

The primal simplex method knows no bound before it has the optimum. The interior point has one at
every step, and where only the largest of many directions counts, most need no more than that.
"""

from __future__ import annotations

import numpy as np

from allrelevant.linear.engine.interior.barrier import NewtonSystem, Point
from allrelevant.linear.engine.interior.centred import CentredProgram
from allrelevant.linear.engine.interior.following import FollowingProgram
from allrelevant.linear.engine.interior.solver import MANY
from allrelevant.linear.engine.interior.vertex import multipliers_of
from allrelevant.linear.engine.program.direction import Direction
from allrelevant.linear.engine.program.equivalent import EquivalentModels
from allrelevant.linear.engine.program.nearby import Inside
from allrelevant.linear.engine.program.optimum import Candidate
from allrelevant.linear.engine.program.working_set import WorkingSet

_FEW_STEPS = 15  # after which the value is too near
_MOST_ROUNDS = 10
_NEARLY = 0.9  # of its cost: a price at which a feature is nearly wanted
_N_CORRECTIONS = 3  # of a step: factors of several classes are dear

# Columns times pieces of several classes, from which on bounds are sought before optima.
LARGE = 100_000


def are_large(models: EquivalentModels) -> bool:
    """Whether programs of several classes are so large that bounds are sought before optima."""
    if models.pieces.second is None:
        return False
    return models.n_features * len(models.pieces) >= LARGE


class BelowPath(FollowingProgram):
    """Proves bounds of one direction after the other, from a common centre.

    Its multipliers keep their equations from the start, and every step leaves it so.
    """

    def __init__(self, models: EquivalentModels, working_set: WorkingSet) -> None:
        super().__init__(models, working_set)
        self._inside = Inside(models)
        self._centred: CentredProgram | None = None
        self._earlier: Point | None = None

    def _follow(self) -> CentredProgram | None:
        """The centre, looked for near that of the program before pieces or features joined it.

        None where there is none. Of very many pieces only a sample could be looked at, whose bounds
        hold, but are too far away.
        """
        if self._is_new():
            self._centred = None
            if self._whole.n_pieces <= MANY:
                self._centred = CentredProgram(self._whole, self._reference, self._earlier)
            self._earlier = None if self._centred is None else self._centred.centre
        return self._centred if self._earlier is not None else None

    def stays_below(self, direction: Direction) -> bool:
        """Whether no model exceeds what is enough; False also where that is not known.

        What the proof lacks is taken into the working set.
        """
        try:
            with np.errstate(divide="raise", over="raise", invalid="raise"):
                return self._proves(direction)
        except (np.linalg.LinAlgError, FloatingPointError):
            return False

    def _proves(self, direction: Direction) -> bool:
        for _ in range(_MOST_ROUNDS):
            centred = self._follow()
            candidate = None if centred is None else self._near_enough(centred, direction)
            if candidate is None or candidate.is_enough:
                return candidate is not None
            if not self._takes_in(candidate):
                return False
        return False

    def _takes_in(self, candidate: Candidate) -> bool:
        """Whether there is something that a candidate shows to be missing."""
        working_set = self.working_set
        if candidate.value > candidate.direction.enough:
            # Where no budget is exceeded, this is a model that is not below.
            over = (candidate.overspent > 0).any()
            return bool(over) and len(working_set.add_pieces(self._inside.missing(candidate))) > 0
        # Features that are nearly wanted will be by the next directions.
        wanted = np.flatnonzero(np.abs(candidate.price) > _NEARLY * candidate.costs)
        return len(working_set.add_features(wanted)) > 0

    def _near_enough(self, centred: CentredProgram, direction: Direction) -> Candidate | None:
        """The first point that is beyond what is enough, or proves on the working set that none is.

        None where neither is near.
        """
        aim, program = self._aim(direction), centred.program
        point = centred.towards(aim)
        for _ in range(_FEW_STEPS):
            value = float(aim @ point.z)
            if value > direction.enough or value + point.complementarity <= direction.enough:
                multipliers = multipliers_of(program, point)
                return self._candidate(direction, None, point.z, multipliers)
            point = NewtonSystem(program, aim, point).advanced(_N_CORRECTIONS)
        return None
