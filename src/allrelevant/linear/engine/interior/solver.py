"""Largest values by a primal–dual interior point: best when the working set is large.

Each direction starts at the reference with wide slacks. Before the interior point has converged,
the face it heads for is guessed and its vertex solved for directly; weak duality on the full data
says whether the guess was right. Where it shows that pieces are missing, they join the program, and
steps go on from where that could be seen. Where very many pieces are undecided, most are decided
again near the direction's best model, which a sample foretells.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Literal

import numpy as np

from allrelevant.base.arrays import Floats, Ints
from allrelevant.linear.engine.interior.barrier import DenseProgram, NewtonSystem, Point
from allrelevant.linear.engine.interior.centred import enlarged, program_of
from allrelevant.linear.engine.interior.following import FollowingProgram
from allrelevant.linear.engine.interior.portion import Portion, likely_changes, sampled
from allrelevant.linear.engine.interior.vertex import Face, face_near, multipliers_of, vertex_on
from allrelevant.linear.engine.interior.wide_start import WideStart
from allrelevant.linear.engine.program.direction import Direction
from allrelevant.linear.engine.program.equivalent import EquivalentModels
from allrelevant.linear.engine.program.optimum import Candidate, Multipliers
from allrelevant.linear.engine.program.working_set import WorkingSet

_MOST_ITERATIONS = 100
_MOST_ROUNDS = 60
_GUESS_FROM = 0.003  # of the norm: the gap from which vertices are guessed
_NEARLY = 1e-7  # one step more may shrink it a thousandfold, or spoil prices by rounding
_CONVERGED = 1e-9
_HOPELESS = 1e-13  # beyond this rounding errors rule
_FEATURES_PER_ROUND = 40
MANY = 12_000  # undecided pieces, from which on few of them at a time are looked at
_ROUGHLY = 0.02  # of the way from the reference: the gap to which a sample is worth solving
_LOOK_AROUND = (0.3, 0.03)  # of that way: gaps at which it shows what the program lacks
_ABOUT_TO = 0.5  # of how far pieces are on their wrong side: those so near to it may be next

# What has come of a program: an answer, or none; pieces have joined it; other ones are needed.
State = Literal["done", "grown", "elsewhere"]


class InteriorPath(FollowingProgram):
    """Answers directions one after the other from a common start."""

    def __init__(self, models: EquivalentModels, working_set: WorkingSet) -> None:
        super().__init__(models, working_set)
        self._sample: Ints | None = None
        self._start: WideStart

    def maximise(self, direction: Direction, excluded: int | None) -> Candidate | None:
        """An optimal model with multipliers, or None where the method fails."""
        for _ in range(_MOST_ROUNDS):
            if not self._follow():
                return None
            answer = self._answer if self._sample is None else self._answer_by_portions
            try:
                with np.errstate(divide="raise", over="raise", invalid="raise"):
                    candidate, grown = answer(direction, excluded)
            except (np.linalg.LinAlgError, FloatingPointError):
                return None
            if not grown:
                return candidate
        return None

    # The program and its start

    def _follow(self) -> bool:
        """Take up what the working set has gained; False where there is no interior."""
        if self._is_new():
            program, self._sample = self._whole, None
            if program.n_pieces > MANY:
                program, self._sample = sampled(program)
            self._start = self._start_of(program)
        return self._start.is_possible

    def _start_of(self, program: DenseProgram) -> WideStart:
        return WideStart(program, self._reference)

    # One direction

    def _answer(self, direction: Direction, excluded: int | None) -> tuple[Candidate | None, bool]:
        """The optimum on the working set, and whether the working set had to grow."""
        begun = self._start.start(self._aim(direction), self._guest(direction))
        candidate, state, reached = self._optimise(*begun, None, direction, excluded)
        while state == "grown" and reached is not None and self._is_small:
            whole = program_of(self.models, self.working_set)
            larger = enlarged(whole, self._guest(direction), reached)
            if larger is None:
                return candidate, True
            try:
                candidate, state, reached = self._optimise(*larger, None, direction, excluded)
            except (np.linalg.LinAlgError, FloatingPointError):
                return None, True
            if state == "done" and not (candidate is not None and candidate.is_settled):
                return candidate, True  # from the start once more
        return candidate, state == "grown"

    def _guest(self, direction: Direction) -> tuple[Floats, float] | None:
        """The guest as the undecided pieces see it, and its factor in the others."""
        guest, own = direction.guest, self.working_set
        return None if guest is None else (own.column(guest), own.slope(guest))

    @property
    def _is_small(self) -> bool:
        """Whether all pieces can be looked at together."""
        return len(self.working_set.undecided) <= MANY

    def _answer_by_portions(
        self, direction: Direction, excluded: int | None
    ) -> tuple[Candidate | None, bool]:
        """The optimum and whether the set had to grow, by few of the pieces at a time."""
        whole, aim, guest = self._whole, self._aim(direction), self._guest(direction)
        if guest is not None:
            whole.A[:, -1], whole.slope[-1] = guest
            guest = whole.A[self._sample, -1], guest[1]
        z = np.zeros(whole.A.shape[1])
        z[: len(aim)] = self._roughly(*self._start.start(aim, guest), aim)
        slack = whole.target - whole.A @ z
        most = likely_changes(slack, self._start.program.n_pieces, len(aim))
        portion = Portion.of(whole, slack, most)
        for attempt in range(_MOST_ROUNDS):
            start = self._start_of(portion.program)
            if not start.is_possible:
                break
            if direction.guest is not None:
                guest = portion.program.A[:, -1].copy(), float(portion.program.slope[-1])
            begun = start.start(aim, guest)
            candidate, state, _ = self._optimise(*begun, portion, direction, excluded)
            if state != "elsewhere" or candidate is None:
                return candidate, state == "grown"
            # The first time the sample was wrong; then they are looked for farther away.
            slack = self._slack(candidate)
            kept = portion.changed(slack, _side(early=False))
            if attempt:
                kept, most = np.union1d(kept, portion.near), 2 * most
            portion = Portion.of(whole, slack, most, kept)
        return None, False

    def _roughly(self, program: DenseProgram, point: Point, aim: Floats) -> Floats:
        """A model near the optimum."""
        for _ in range(_MOST_ITERATIONS):
            if point.complementarity <= _ROUGHLY * self._way(aim, point):
                break
            point = NewtonSystem(program, aim, point).advanced()
        return point.z

    def _way(self, aim: Floats, point: Point) -> float:
        """How much farther than at the reference a direction has got."""
        reference = self._reference
        return float(aim @ point.z) - float(aim[: len(reference)] @ reference)

    def _optimise(
        self,
        program: DenseProgram,
        point: Point,
        portion: Portion | None,
        direction: Direction,
        excluded: int | None,
    ) -> tuple[Candidate | None, State, Point | None]:
        """The optimum of a program, and a point from which to go on where it has grown."""
        aim = self._aim(direction)
        size = float(np.abs(aim).max())
        propose = partial(self._propose, portion, direction, excluded)
        reached: Point | None = None
        looks = iter((*_LOOK_AROUND, 0.0))
        look = next(looks)
        seen: Face | None = None
        tried: Face | None = None
        candidate = None
        state: State
        for _ in range(_MOST_ITERATIONS):
            system = NewtonSystem(program, aim, point)
            gap = point.complementarity / (self.models.largest_norm * size)
            if point.complementarity < look * self._way(aim, point):
                reached, look = point, next(looks)
                candidate = propose(point.z, multipliers_of(program, point))
                state = self._lacking(candidate, portion, early=True)
                if state != "done":
                    return candidate, state, reached
            if aim @ point.z + point.complementarity <= direction.enough:
                candidate = propose(point.z, multipliers_of(program, point))
                if candidate.is_enough:
                    return candidate, "done", None
            if gap < _GUESS_FROM and system.dual_infeasibility < 1e-5 * size:
                face = face_near(program, aim, point)
                # A face with room to move is worth its price only once the guess has settled, or
                # there is nothing left to wait for.
                ripe = face.is_square or face.same(seen) or gap < _NEARLY
                seen = face
                if ripe and not face.same(tried):
                    tried = face
                    vertex = vertex_on(face, program, aim, point)
                    if vertex is not None:
                        candidate = propose(vertex.z, vertex.multipliers)
                        if candidate.is_proven:
                            return candidate, "done", None
                        if vertex.is_optimal(program, aim):
                            state = self._lacking(candidate, portion)
                            if state != "done":
                                return candidate, state, reached
            if gap < _CONVERGED:
                candidate = propose(point.z, multipliers_of(program, point))
                state = "done" if candidate.is_proven else self._lacking(candidate, portion)
                if candidate.is_proven or state != "done":
                    return candidate, state, reached
            if not gap > _HOPELESS:
                break
            point = system.advanced()
        return candidate, "done", None

    # Candidates and growth

    def _propose(
        self,
        portion: Portion | None,
        direction: Direction,
        excluded: int | None,
        z: Floats,
        multipliers: Multipliers,
    ) -> Candidate:
        if portion is not None:
            pieces = portion.of_all(multipliers.pieces, multipliers.loss(self.models))
            multipliers = replace(multipliers, pieces=pieces)
        return self._candidate(direction, excluded, z, multipliers)

    def _slack(self, candidate: Candidate) -> Floats:
        """What the undecided pieces lack at a model; negative where they have more."""
        undecided = self.working_set.undecided
        return self.working_set.flip * candidate.residuals[undecided]

    def _lacking(
        self, candidate: Candidate, portion: Portion | None, *, early: bool = False
    ) -> State:
        """What a candidate shows to be missing: other pieces of the set, or of those outside."""
        if portion is not None and len(portion.changed(self._slack(candidate), _side(early))):
            return "elsewhere"
        return "grown" if self._grow(candidate, early=early) else "done"

    def _grow(self, candidate: Candidate, *, early: bool = False) -> bool:
        """Take in pieces and features that the candidate shows to be missing."""
        working_set = self.working_set
        changed = working_set.changed_side(candidate.residuals, _side(early))
        if len(changed):
            # Those about to change will be asked for by the next directions.
            band = _ABOUT_TO * float(np.median(np.abs(candidate.residuals[changed])))
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


def _side(early: bool) -> float:
    """How far a piece must be on the wrong side to be noticed."""
    return 1e-3 if early else 1e-8
