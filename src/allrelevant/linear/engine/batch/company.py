"""What many programs of columns share: the pieces they look at, and features nearly all need.

Of many pieces most stay on their sides in all equivalent models. A few steps of some programs with
all pieces show how far scores move, and pieces that are farther from their kinks are decided.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from allrelevant.base.arrays import Floats, Ints
from allrelevant.linear.engine.batch.hinges import Hinges, Points
from allrelevant.linear.engine.batch.steps import advanced, begun, distinct, hinges_of
from allrelevant.linear.engine.program.direction import NO_FEATURES
from allrelevant.linear.engine.program.equivalent import EquivalentModels
from allrelevant.linear.engine.program.working_set import WorkingSet

_FEW_PIECES = 1000  # of which finding those that matter takes longer than having all
_ASKED, _STEPS = 16, 5  # programs, and steps of each, that show how far scores move
_FARTHER = 2.0  # times as far as these go: where pieces may still get
_NEARLY_ALL = 0.6
_MOST_SHARED = 60
_MOST_PRODUCTS = 16_000_000  # pieces times shared features squared
_NUMBERS_AT_ONCE = 170_000  # pieces times programs, which stay in the processor's cache
_MOST_AT_ONCE, _FEWEST_AT_ONCE = 256, 16
_NEW = 1e-6  # of its length: what of a column others have to leave


@dataclass(frozen=True, eq=False)
class Company:
    """Programs without columns of their own.

    Parameters
    ----------
    models : EquivalentModels
    pieces : array of int
        The pieces that may change sides.
    near : array of int
        Features that nearly all programs need; those that others make up for are not shared.
    """

    models: EquivalentModels
    pieces: Ints
    near: Ints

    @classmethod
    def of(cls, models: EquivalentModels) -> Company:
        """The company of all pieces or, where these are many, of those that may change sides."""
        every = cls(models, np.arange(len(models.pieces)), np.flatnonzero(models.near_reference))
        return every if len(models.pieces) <= _FEW_PIECES else every.joined_by(every.moving())

    def joined_by(self, pieces: Ints, features: Ints = NO_FEATURES) -> Company:
        """A company in which these pieces may change sides, and more features are shared.

        This one where that changes nothing, or there is no room.
        """
        near = np.union1d(self.near, features)
        is_same = len(pieces) == len(self.pieces) and len(near) == len(self.near)
        if is_same or not has_room(len(near), len(pieces)):
            return self
        return Company(self.models, pieces, near)

    @cached_property
    def copies(self) -> Ints:
        """Features that others make up for; those that the reference uses are none of them.

        With copies there are many optima, and the interior point ends between them, at no vertex.
        """
        unused = self.models.reference.weights[self.near] == 0
        near = self.near[np.argsort(unused, kind="stable")]
        columns = self.models.X.columns(near)
        table = np.column_stack([np.ones(len(columns)), columns])
        left = np.abs(np.diag(np.linalg.qr(table, mode="r")))[1:]
        lengths = np.linalg.norm(columns, axis=0)
        return np.append(near[: len(left)][left <= _NEW * lengths[: len(left)]], near[len(left) :])

    @cached_property
    def working_set(self) -> WorkingSet:
        """The pieces, and the features that programs share."""
        working_set = WorkingSet.around(self.models, np.setdiff1d(self.near, self.copies))
        working_set.add_pieces(self.pieces)
        return working_set

    @cached_property
    def _distinct(self) -> tuple[Ints, Ints, Floats]:
        # Pieces of the same row are equal in any column; equal rows are not in a guest's.
        own = self.working_set
        table = np.column_stack([own.rows, own.signs, own.offset_entries, own.target])
        return distinct(table, own.cost)

    @property
    def first(self) -> Ints:
        """The first of all equal pieces, which are the hinges of programs."""
        return self._distinct[0]

    def of_pieces(self, multipliers: Floats) -> Floats:
        """Multipliers of all pieces: each has its share of its hinge's."""
        _, kind, cost = self._distinct
        shares: Floats = self.working_set.cost / cost[kind]
        return shares * multipliers[kind]

    @cached_property
    def shared(self) -> Hinges:
        """The program of these pieces and the features that are shared."""
        first, _, cost = self._distinct
        return hinges_of(self.models, self.working_set, first, cost)

    @cached_property
    def entries(self) -> Floats:
        """Signed data of the hinges, a line for every feature."""
        own, first = self.working_set, self.first
        block = self.models.X.block(own.rows[first], np.arange(self.models.n_features))
        return np.ascontiguousarray((own.signs[first, None] * block).T)

    def begun(self, n: int) -> Points:
        """So many programs where they begin."""
        features, reference = self.working_set.features, self.models.reference
        z = np.append(reference.offsets, reference.weights[features])
        return begun(self.shared, self.models, z, len(features)).some(np.zeros(n, dtype=np.intp))

    def moving(self) -> Ints:
        """The pieces whose kinks are not much farther away than some programs get."""
        models, own, hinges = self.models, self.working_set, self.shared
        n, q = len(own.features), own.n_offsets
        costs: Any = np.zeros((_ASKED, q + n), dtype=np.float32)
        asked = np.arange(_ASKED)
        costs[asked, q + (asked // 2 * n) // (_ASKED // 2)] = np.where(asked % 2, 1.0, -1.0)
        points, before = self.begun(_ASKED), models.reference.weights[own.features]
        with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
            for _ in range(_STEPS):
                points = advanced(hinges.in_single_precision, costs, points)
            z = np.append(models.reference.offsets, before)
            moves = np.abs((points.z - z) @ hinges.A.T).max(axis=0)
        kept = ~(np.abs(hinges.scores(z[None])[0] - hinges.target) > _FARTHER * moves)
        some = own.undecided[kept[: len(self.first)][self._distinct[1]]]
        return np.sort(some) if len(some) <= _NEARLY_ALL * len(self.pieces) else self.pieces


def has_room(n_shared: int, n_pieces: int) -> bool:
    """Whether products of so many shared columns can be kept."""
    return n_shared <= _MOST_SHARED and n_shared**2 * n_pieces <= _MOST_PRODUCTS


def programs_together(n_pieces: int) -> int:
    """How many programs of so many pieces take a step together."""
    return min(max(_NUMBERS_AT_ONCE // max(n_pieces, 1), _FEWEST_AT_ONCE), _MOST_AT_ONCE)
