"""Whether a direction stays below a value: a proof by a few steps of the interior point.

The primal simplex method knows no bound before it has the optimum. The interior point has one at
every step, and where only the largest of many directions counts, most need no more than that.
"""

from __future__ import annotations

import numpy as np

from allrelevant.linear.engine.barrier import DenseProgram, NewtonSystem, Point
from allrelevant.linear.engine.centred import CentredProgram
from allrelevant.linear.engine.direction import Direction
from allrelevant.linear.engine.equivalent import EquivalentModels
from allrelevant.linear.engine.interior import InteriorPath
from allrelevant.linear.engine.nearby import Inside
from allrelevant.linear.engine.optimum import Candidate
from allrelevant.linear.engine.vertex import multipliers_of
from allrelevant.linear.engine.working_set import WorkingSet

_FEW_STEPS = 15  # after which the value is too near
_MOST_ROUNDS = 10
_NEARLY = 0.9  # of its cost: a price at which a feature is nearly wanted
_WANTED = 0.97  # the same where the optimum is near
_FEW = 10  # new pieces, which hardly change what features are priced at

# Columns times pieces of several classes, from which on bounds are sought before optima.
LARGE = 100_000


def are_large(models: EquivalentModels) -> bool:
    """Whether programs of several classes are so large that bounds are sought before optima."""
    if models.pieces.second is None:
        return False
    return models.n_features * len(models.pieces) >= LARGE


class BelowPath(InteriorPath):
    """Proves bounds of one direction after the other, from a common centre.

    Its multipliers keep their equations from the start, and every step leaves it so.
    """

    _n_corrections = 3

    def __init__(self, models: EquivalentModels, working_set: WorkingSet) -> None:
        super().__init__(models, working_set)
        self._inside = Inside(models)
        self._centred: CentredProgram
        self._earlier: Point | None = None

    def _start_of(self, program: DenseProgram) -> CentredProgram:
        """The centre, looked for near that of the program before pieces or features joined it."""
        is_whole = self._sample is None
        self._centred = CentredProgram(
            program, self._reference, self._earlier if is_whole else None
        )
        self._earlier = self._centred.centre if is_whole else None
        return self._centred

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
            # Bounds of a sample of the pieces would hold, but they are too far away.
            follows = self._follow() and self._sample is None
            candidate = self._near_enough(direction) if follows else None
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

    def _grow(self, candidate: Candidate, *, early: bool = False) -> bool:
        """Take in what a candidate shows to be missing, and what the next ones will.

        While much is missing candidates are far outside, and pieces are looked for on the way.
        """
        working_set = self.working_set
        sizes = np.abs(candidate.price)  # of the pieces that are there now
        excess = sizes - candidate.costs * (1.0 + 1e-9)
        excess[working_set.features] = 0.0
        n_new = len(working_set.add_pieces(self._inside.missing(candidate)))
        if n_new <= _FEW and excess.max(initial=0.0) > 1e-9:
            wanted = np.flatnonzero(sizes > _WANTED * candidate.costs)
            n_new += len(working_set.add_features(wanted))
        return n_new > 0

    def _near_enough(self, direction: Direction) -> Candidate | None:
        """The first point that is beyond what is enough, or proves on the working set that none is.

        None where neither is near.
        """
        self._centred.balanced_centre()
        aim = self._aim(direction)
        program, point = self._centred.start(aim)
        for _ in range(_FEW_STEPS):
            value = float(aim @ point.z)
            if value > direction.enough or value + point.complementarity <= direction.enough:
                multipliers = multipliers_of(program, point)
                return self._propose(None, direction, None, point.z, multipliers)
            point = NewtonSystem(program, aim, point).advanced(self._n_corrections)
        return None
