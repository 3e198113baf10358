"""Where the interior point begins: at the reference, with slacks that are wider than budgets allow.

From the centre of the set, where slacks are as small as the tolerance is, it takes half as many
steps again, and the centre has to be found first. Budgets are brought back to their limits, and
multipliers to their equations, by the steps themselves.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from allrelevant.base.arrays import Floats
from allrelevant.linear.engine.interior.barrier import DenseProgram, Point

_WIDE = 0.5  # of the mean distance from a kink: slacks at the start
# What budgets cost at the start, by how much of them is left; steps are fewest so.
_NORM, _LOSS = 0.05, 0.3
_LEAST_ROOM = 0.001  # of a budget: what is taken to be left of it at least
_IN_ORDER = 0.1  # by how much offsets are apart at the start, at least


class WideStart:
    """The start of all directions of a program that has a spare column for a guest.

    Parameters
    ----------
    program : DenseProgram
        Its last column is the guest's, whose values are of no account.
    inside : array
        A model (offsets, then weights, without the guest) that is strictly inside every budget.
    """

    def __init__(self, program: DenseProgram, inside: Floats) -> None:
        self._storage, self._inside = program.A, inside
        self.program = replace(program, A=program.A[:, :-1], slope=program.slope[:-1])
        self._room = self.program.room_at(inside)

    @property
    def is_possible(self) -> bool:
        """Whether the model is inside: where budgets leave no room there is no interior."""
        return self._room is not None

    def start(
        self, aim: Floats, guest: tuple[Floats, float] | None = None
    ) -> tuple[DenseProgram, Point]:
        """Program and starting point for a direction.

        A guest, the last one in `aim`, has a column and a factor in the decided pieces.
        """
        program, z = self.program, self._inside
        if guest is not None:
            self._storage[:, -1] = guest[0]
            slope = np.append(program.slope, guest[1])
            program, z = replace(program, A=self._storage, slope=slope), np.append(z, 0.0)
        return program, self._point(program, z, float(np.abs(aim).max()))

    def _point(self, program: DenseProgram, z: Floats, size: float) -> Point:
        """A point whose products of slack and multiplier are about the same."""
        assert self._room is not None
        w, margin = z[program.n_offsets :], program.A @ z - program.target
        xi = np.maximum(-margin, 0.0) + _width(margin)
        v = np.abs(w) + _width(w)
        left = np.maximum(self._room / program.limit, _LEAST_ROOM)
        has_norm = program.norm > 0
        largest = float((program.limit[has_norm] / program.norm[has_norm]).min())
        dear = np.where(has_norm, _NORM, _LOSS) / np.sqrt(left)
        y5 = size * dear * largest / program.limit
        # The two multipliers of a piece, and of a weight, add up to what their slack costs.
        paid, nu = float(program.loss @ y5) * program.cost, float(program.norm @ y5)
        s1, s3, s4 = margin + xi, v - w, v + w
        y1, y3 = paid * xi / (s1 + xi), nu * s4 / (s3 + s4)
        mu = float((y1 * s1).mean()) if len(s1) else float((y3 * s3).mean())
        s6 = np.maximum(np.diff(z[: program.n_ordered]), _IN_ORDER)
        s = np.concatenate([s1, xi, s3, s4, 2.0 * mu / y5, s6])
        y = np.concatenate([y1, paid - y1, y3, nu - y3, y5, mu / s6])
        return Point(z, xi, v, s, y)


def _width(distances: Floats) -> float:
    """How much wider slacks are than they have to be."""
    return max(_WIDE * float(np.abs(distances).mean()) if len(distances) else 0.0, 1e-6)
