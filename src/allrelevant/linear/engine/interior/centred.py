"""A program of the interior point, and its centre: where all directions start from."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from allrelevant.base.arrays import Floats
from allrelevant.linear.engine.interior.barrier import DenseProgram, NewtonSystem, Point, longest
from allrelevant.linear.engine.program.equivalent import EquivalentModels
from allrelevant.linear.engine.program.working_set import WorkingSet

_MOST_ITERATIONS = 100
_WANTED = 1.5  # times its cost: the pull of a new weight from which on steps would be short
_ROOM_KEPT = 0.1  # of what is left of a budget, where new pieces want more
_SHARE_CHANGED = 0.9  # of any slack, or multiplier, by the first step
_TO_BALANCE = 5  # steps, of which the last is a whole one


def program_of(models: EquivalentModels, working_set: WorkingSet) -> DenseProgram:
    """The program of all undecided pieces and resident features.

    One spare column at the end is for guests.
    """
    q, n_pieces = working_set.n_offsets, len(working_set.undecided)
    n_features = len(working_set.features)
    A = np.zeros((n_pieces, q + n_features + 1))
    A[:, :q] = working_set.offset_entries
    A[:, q : q + n_features] = working_set.entries
    slope = working_set.feature_slope[working_set.features]
    return DenseProgram(
        A=A,
        target=working_set.target,
        cost=working_set.cost,
        slope=np.concatenate([working_set.offset_slope, slope, [0.0]]),
        constant=working_set.constant,
        n_offsets=q,
        n_ordered=working_set.pieces.n_ordered,
        norm=models.norm_factors,
        loss=models.loss_factors,
        limit=models.limits,
    )


def enlarged(
    program: DenseProgram, guest: tuple[Floats, float] | None, point: Point
) -> tuple[DenseProgram, Point] | None:
    """A program of more pieces or weights, and a point of the smaller one taken over to it.

    What is new gets slacks for which its inequalities are as far from complementary as all are on
    average (μ), and multipliers that keep their equations: a piece of cost c and margin
    g = A z − target the slack ξ with μ/(ξ + g) + μ/ξ = τc, a weight of 0 the bound 2μ/ν. What
    budgets lack for that is left to the steps to come. None where a weight is wanted so much that
    these would be short.

    Parameters
    ----------
    program : DenseProgram
        New pieces come last; so do new weights, before a spare column for a guest.
    guest : (array, float), optional
        Its column and its factor in the decided pieces.
    point : Point
        A point of the program without what is new.
    """
    if guest is None:
        program = replace(program, A=program.A[:, :-1], slope=program.slope[:-1])
    else:
        program.A[:, -1], program.slope[-1] = guest
    q, n_old, mu = program.n_offsets, len(point.xi), point.complementarity / len(point.s)
    old = replace(program, A=program.A[:n_old, : len(point.z)])
    s1, s2, s3, s4, s5, s6 = old.parts(point.s)
    y1, y2, y3, y4, y5, y6 = old.parts(point.y)
    tau, nu = float(program.loss @ y5), float(program.norm @ y5)

    place, n_new = len(point.v) - (guest is not None), program.n_weights - len(point.v)
    new = slice(q + place, q + place + n_new)
    z = np.insert(point.z, q + place, np.zeros(n_new))
    cost, most = program.cost[n_old:], tau * program.cost[n_old:]
    margin = program.A[n_old:] @ z - program.target[n_old:]
    lean = most * margin
    xi = np.maximum((2.0 * mu - lean + np.hypot(lean, 2.0 * mu)) / (2.0 * most), 1e-12)
    above = np.maximum(xi + margin, 1e-12)
    y1, y2 = np.append(y1, mu / above), np.append(y2, mu / xi)

    bound = np.full(n_new, 2.0 * mu / nu)
    pull = program.A[:, new].T @ y1 + tau * program.slope[new]
    if np.abs(pull).max(initial=0.0) > _WANTED * nu:
        return None
    pull = np.clip(pull, -0.9 * nu, 0.9 * nu)
    wanted = program.loss * float(cost @ xi) + program.norm * float(bound.sum())
    room = np.maximum(s5 - wanted, _ROOM_KEPT * s5)

    def with_new(values: Floats, those: Floats) -> Floats:
        return np.insert(values, place, those)

    both = [with_new(s3, bound), with_new(s4, bound)]
    s = np.concatenate([s1, above, s2, xi, *both, room, s6])
    both = [with_new(y3, (nu + pull) / 2.0), with_new(y4, (nu - pull) / 2.0)]
    y = np.concatenate([y1, y2, *both, y5, y6])
    return program, Point(z, np.append(point.xi, xi), with_new(point.v, bound), s, y)


class CentredProgram:
    """The program of some pieces, and its analytic centre.

    Parameters
    ----------
    program : DenseProgram
        Its last column is a spare one, which is left out.
    inside : array
        A model (offsets, then weights) that is strictly inside every budget.
    earlier : Point, optional
        The centre of a program that lacks the last pieces or weights.
    """

    def __init__(self, program: DenseProgram, inside: Floats, earlier: Point | None = None) -> None:
        self._is_balanced = False
        self._system: NewtonSystem | None = None
        self.program = replace(program, A=program.A[:, :-1], slope=program.slope[:-1])
        try:
            with np.errstate(divide="raise", over="raise", invalid="raise"):
                start = None if earlier is None else self._grown(earlier)
                self.centre = self._find_centre(start or self._point_at(inside))
        except (np.linalg.LinAlgError, FloatingPointError):
            self.centre = None

    def balanced_centre(self) -> Point:
        """The centre with multipliers that keep their equations, so that their bounds hold."""
        point = self.centre
        assert point is not None
        still = np.zeros(len(point.z))
        for _ in range(0 if self._is_balanced else _TO_BALANCE):
            step = NewtonSystem(self.program, still, point).step(1.0 - point.s * point.y)
            primal, dual = longest(point.s, step.s), longest(point.y, step.y)
            if primal == dual == 1.0:  # a whole step settles linear equations
                point = point.moved(step, 1.0, 1.0)
                break
            point = point.moved(step, 0.9 * primal, 0.9 * dual)
        self.centre, self._is_balanced = point, True
        return point

    def towards(self, aim: Floats) -> Point:
        """The centre after a first step in a direction, for which all have the same factor.

        By how much a step changes slacks it changes multipliers the other way round, as shares of
        both. With multipliers that are so much larger that none changes by more than its share that
        is allowed, all products of a slack and its multiplier stay alike.
        """
        point = self.balanced_centre()
        if self._system is None:
            self._system = NewtonSystem(self.program, np.zeros(len(aim)), point)
        step = self._system.towards(aim).step(np.zeros(len(point.s)))
        most = max(np.abs(step.s / point.s).max(), np.abs(step.y / point.y).max(), 1e-6)
        scale = float(most) / _SHARE_CHANGED
        near = point.moved(step, 1.0 / scale, 1.0 / scale)
        return replace(near, y=scale * near.y)

    def _grown(self, earlier: Point) -> Point | None:
        """An earlier centre with slacks for what is new; None where budgets have no room."""
        program = self.program
        n_pieces, n_weights = len(earlier.xi), len(earlier.v)
        z = np.append(earlier.z, np.zeros(program.n_weights - n_weights))
        scores = program.A @ z
        lacking = np.maximum(program.target - scores, 0.0)[n_pieces:]
        xi = np.append(earlier.xi, lacking)
        v = np.append(earlier.v, np.zeros(program.n_weights - n_weights))
        room = program.parts(program.slacks(z, xi, v, scores, full=True))[4]
        if not np.all(room > 0.0):
            return None
        xi[n_pieces:] += _least(room, program.loss * program.cost[n_pieces:].sum()) / 4.0
        v[n_weights:] += _least(room, program.norm * (len(v) - n_weights)) / 4.0
        s = program.slacks(z, xi, v, scores, full=True)
        return Point(z, xi, v, s, 1.0 / s)

    def _find_centre(self, point: Point | None) -> Point | None:
        program = self.program
        if point is None:
            return None
        still = np.zeros(len(point.z))
        for _ in range(_MOST_ITERATIONS):
            system = NewtonSystem(program, still, point)
            step = system.step(1.0 - point.s * point.y)
            primal = min(1.0, 0.9 * longest(point.s, step.s))
            dual = min(1.0, 0.9 * longest(point.y, step.y))
            point = point.moved(step, primal, dual)
            if primal > 0.7 and dual > 0.7 and np.abs(point.s * point.y - 1.0).max() < 0.6:
                return point
        return point

    def _point_at(self, z: Floats) -> Point | None:
        """A point with slacks to begin with; None where the budgets leave no room for any."""
        program = self.program
        room = program.room_at(z)
        if room is None:
            return None
        scores = program.A @ z
        xi = np.maximum(program.target - scores, 0.0)
        v = np.abs(z[program.n_offsets :])
        by_slack = program.loss * program.cost.sum()
        by_bound = program.norm * len(v)
        xi = xi + _least(room, by_slack) / 3.0
        v = v + _least(room, by_bound) / 3.0
        s = program.slacks(z, xi, v, scores, full=True)
        order = program.parts(s)[5]
        order[:] = np.maximum(order, 0.1)
        return Point(z, xi, v, s, 1.0 / s)


def _least(room: Floats, use: Floats) -> float:
    """The largest amount whose use exceeds no room."""
    used = use > 0
    return float((room[used] / use[used]).min()) if used.any() else 1.0
