"""Largest values by a primal–dual interior point: best when the working set is large.

All directions share one feasible set, so they share its centre: it is found once for a working
set, and each direction starts from there, strictly feasible on both sides. Before the interior
point has converged, the face it heads for is guessed and its vertex solved for directly; weak
duality on the full data says whether the guess was right.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from allrelevant.base.arrays import Floats, Ints
from allrelevant.linear.engine.barrier import DenseProgram, NewtonSystem, Point, longest
from allrelevant.linear.engine.direction import Direction
from allrelevant.linear.engine.equivalent import EquivalentModels
from allrelevant.linear.engine.optimum import Candidate, Multipliers
from allrelevant.linear.engine.vertex import Face, Vertex, face_near, vertex_on
from allrelevant.linear.engine.working_set import WorkingSet

_MOST_ITERATIONS = 100
_MOST_ROUNDS = 60
_LOOK_EARLY = 0.03  # of the norm: the gap at which missing pieces show clearly enough
_GUESS_FROM = 0.003  # of the norm: the gap from which vertices are guessed
_CONVERGED = 1e-9
_HOPELESS = 1e-13  # beyond this rounding errors rule
_FEATURES_PER_ROUND = 40


class InteriorPath:
    """Answers directions one after the other from a common centre."""

    def __init__(self, models: EquivalentModels, working_set: WorkingSet) -> None:
        self.models, self.working_set = models, working_set
        self._built_for = (-1, -1)
        self._program: DenseProgram
        self._centre: Point | None = None

    def maximise(self, direction: Direction, excluded: int | None) -> Candidate | None:
        """An optimal model with multipliers, or None where the method fails."""
        for _ in range(_MOST_ROUNDS):
            if not self._follow():
                return None
            try:
                with np.errstate(divide="raise", over="raise", invalid="raise"):
                    candidate, grown = self._optimise(direction, excluded)
            except (np.linalg.LinAlgError, FloatingPointError):
                return None
            if not grown:
                return candidate
        return None

    # The program and its centre

    def _follow(self) -> bool:
        """Take up what the working set has gained; False where there is no interior."""
        working_set = self.working_set
        size = (len(working_set.undecided), len(working_set.features))
        if size != self._built_for:
            self._built_for = size
            self._program = self._dense_program()
            try:
                with np.errstate(divide="raise", over="raise", invalid="raise"):
                    self._centre = self._find_centre(self._program)
            except (np.linalg.LinAlgError, FloatingPointError):
                self._centre = None
        return self._centre is not None

    def _dense_program(self) -> DenseProgram:
        working_set = self.working_set
        q, n_pieces = working_set.n_offsets, len(working_set.undecided)
        n_features = len(working_set.features)
        # One spare column at the end is for guests.
        self._storage = np.zeros((n_pieces, q + n_features + 1))
        self._storage[:, :q] = working_set.offset_entries
        self._storage[:, q : q + n_features] = working_set.entries
        slope = np.concatenate(
            [working_set.offset_slope, working_set.feature_slope[working_set.features]]
        )
        return DenseProgram(
            A=self._storage[:, :-1],
            target=working_set.target,
            cost=working_set.cost,
            slope=slope,
            constant=working_set.constant,
            n_offsets=q,
            n_ordered=working_set.pieces.n_ordered,
            norm=self.models.norm_factors,
            loss=self.models.loss_factors,
            limit=self.models.limits,
        )

    def _find_centre(self, program: DenseProgram) -> Point | None:
        """The analytic centre, from the reference, which is strictly inside every budget."""
        point = self._reference_point(program)
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

    def _reference_point(self, program: DenseProgram) -> Point | None:
        reference = self.models.reference
        w = reference.weights[self.working_set.features]
        z = np.concatenate([reference.offsets, w])
        scores = program.A @ z
        xi = np.maximum(program.target - scores, 0.0)
        v = np.abs(w)
        room = program.parts(program.slacks(z, xi, v, scores, full=True))[4]
        if not np.all(room > 1e-7 * np.maximum(program.limit, 1e-3)):
            return None
        by_slack = program.loss * program.cost.sum()
        by_bound = program.norm * len(v)
        xi = xi + _least(room, by_slack) / 3.0
        v = v + _least(room, by_bound) / 3.0
        s = program.slacks(z, xi, v, scores, full=True)
        order = program.parts(s)[5]
        order[:] = np.maximum(order, 0.1)
        return Point(z, xi, v, s, 1.0 / s)

    # One direction

    def _optimise(
        self, direction: Direction, excluded: int | None
    ) -> tuple[Candidate | None, bool]:
        """The optimum on the working set, and whether the working set had to grow."""
        program, point, aim = self._start(direction)
        size = float(np.abs(aim).max())
        looked = False
        seen: Face | None = None
        tried: Face | None = None
        candidate = None
        for _ in range(_MOST_ITERATIONS):
            system = NewtonSystem(program, aim, point)
            gap = point.complementarity / (self.models.largest_norm * size)
            if not looked and gap < _LOOK_EARLY:
                looked = True
                if self._grow(self._candidate(program, point, direction, excluded), early=True):
                    return None, True
            if aim @ point.z + point.complementarity <= direction.enough:
                candidate = self._candidate(program, point, direction, excluded)
                if candidate.is_enough:
                    return candidate, False
            if gap < _GUESS_FROM and system.dual_infeasibility < 1e-5 * size:
                face = face_near(program, aim, point)
                # A face with room to move is worth its price only once the guess has settled.
                ripe = face is not None and (face.is_square or face.same(seen))
                seen = face
                if face is not None and ripe and not face.same(tried):
                    tried = face
                    vertex = vertex_on(face, program, aim, point)
                    if vertex is not None:
                        candidate = self._vertex_candidate(vertex, direction, excluded)
                        if candidate.is_proven:
                            return candidate, False
                        if vertex.is_optimal(program, aim) and self._grow(candidate):
                            return None, True
            if gap < _CONVERGED:
                candidate = self._candidate(program, point, direction, excluded)
                if candidate.is_proven:
                    return candidate, False
                if self._grow(candidate):
                    return None, True
            if not gap > _HOPELESS:
                break
            point = self._advance(system, point)
        return candidate, False

    def _advance(self, system: NewtonSystem, point: Point) -> Point:
        """One predictor–corrector step."""
        n = len(point.s)
        product = point.s * point.y
        mean = float(product.sum()) / n
        ahead = system.step(-product)
        primal, dual = longest(point.s, ahead.s), longest(point.y, ahead.y)
        reached = float((point.s + primal * ahead.s) @ (point.y + dual * ahead.y)) / n
        centre = (reached / mean) ** 3 * mean
        step = system.step(centre - product - ahead.s * ahead.y)
        primal, dual = longest(point.s, step.s), longest(point.y, step.y)
        keep = min(max(0.9, 1.0 - centre / mean), 0.9995)
        return point.moved(
            step,
            primal if primal == 1.0 else keep * primal,
            dual if dual == 1.0 else keep * dual,
        )

    def _start(self, direction: Direction) -> tuple[DenseProgram, Point, Floats]:
        """Program, starting point and objective for a direction, its guest included."""
        program, centre = self._program, self._centre
        assert centre is not None
        q = program.n_offsets
        aim = np.zeros(len(centre.z))
        aim[q + self.working_set.position[direction.features]] = direction.factors
        if direction.offset_factors is not None:
            aim[:q] = direction.offset_factors
        if direction.guest is not None:
            program, centre = self._with_guest(program, centre, direction.guest)
            aim = np.append(aim, direction.guest_factor)
        # Scaled up, the centre's multipliers dwarf the direction, which then only tilts them.
        low, high = program.parts(centre.y)[2:4]
        tilt = np.abs(aim[q:])
        scale = float((tilt / np.minimum(low, high)).max(initial=0.0))
        y = centre.y * max(scale, 1e-6)
        low, high = program.parts(y)[2:4]
        low += aim[q:] / 2.0
        high -= aim[q:] / 2.0
        return program, centre.with_multipliers(y), aim

    def _with_guest(
        self, program: DenseProgram, centre: Point, guest: Floats
    ) -> tuple[DenseProgram, Point]:
        """Program and centre with one more column at the end."""
        self._storage[:, -1] = self.working_set.column(guest)
        slope = self.working_set.slope(guest)
        larger = replace(program, A=self._storage, slope=np.append(program.slope, slope))
        y1, y2, y3, y4, y5, y6 = program.parts(centre.y)
        s5 = program.parts(centre.s)[4]
        nu = float(program.norm @ y5)
        size = min(2.0 / nu, 0.3 * _least(s5, program.norm))
        price = float(self._storage[:, -1] @ y1) + float(program.loss @ y5) * slope
        lean = float(np.clip(price, -0.9 * nu, 0.9 * nu))
        y = np.concatenate([y1, y2, y3, [(nu + lean) / 2.0], y4, [(nu - lean) / 2.0], y5, y6])
        z, v = np.append(centre.z, 0.0), np.append(centre.v, size)
        s = larger.slacks(z, centre.xi, v, larger.A @ z, full=True)
        order = larger.parts(s)[5]
        order[:] = np.maximum(order, 1e-3)
        return larger, Point(z, centre.xi, v, np.maximum(s, 1e-12), y)

    # Candidates and growth

    def _candidate(
        self, program: DenseProgram, point: Point, direction: Direction, excluded: int | None
    ) -> Candidate:
        y1, _, _, _, y5, y6 = program.parts(point.y)
        return self._propose(direction, excluded, point.z, Multipliers(y1, y5, y6))

    def _vertex_candidate(
        self, vertex: Vertex, direction: Direction, excluded: int | None
    ) -> Candidate:
        multipliers = Multipliers(
            np.maximum(vertex.pieces, 0.0),
            np.maximum(vertex.budgets, 0.0),
            np.maximum(vertex.order, 0.0),
        )
        return self._propose(direction, excluded, vertex.z, multipliers)

    def _propose(
        self, direction: Direction, excluded: int | None, z: Floats, multipliers: Multipliers
    ) -> Candidate:
        working_set = self.working_set
        q, n_features = working_set.n_offsets, len(working_set.features)
        weights = np.zeros(self.models.n_features)
        weights[working_set.features] = z[q : q + n_features]
        return Candidate(
            models=self.models,
            working_set=working_set,
            direction=direction,
            weights=weights,
            offsets=z[:q],
            guest_weight=float(z[-1]) if direction.guest is not None else 0.0,
            multipliers=multipliers,
            excluded=excluded,
        )

    def _grow(self, candidate: Candidate, *, early: bool = False) -> bool:
        """Take in pieces and features that the candidate shows to be missing."""
        if not early and candidate.is_proven:
            return False
        working_set = self.working_set
        changed = working_set.changed_side(candidate.residuals, 1e-3 if early else 1e-8)
        if len(changed):
            # Those about to change will be asked for by the next directions.
            band = float(np.median(np.abs(candidate.residuals[changed])))
            changed = working_set.changed_side(candidate.residuals, -band)
        pieces: Ints = working_set.add_pieces(changed) if len(changed) else changed
        features: Ints = np.zeros(0, dtype=np.intp)
        if not len(pieces):
            features = candidate.wanted(_FEATURES_PER_ROUND)
            if early:
                costs = candidate.costs[features]
                features = features[np.abs(candidate.price[features]) > 1.05 * costs]
            features = working_set.add_features(features)
        return len(pieces) + len(features) > 0


def _least(room: Floats, use: Floats) -> float:
    """The largest amount whose use exceeds no room."""
    used = use > 0
    return float((room[used] / use[used]).min()) if used.any() else 1.0
