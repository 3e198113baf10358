"""Largest values by the simplex method on a growing working set: best while it is small."""

from __future__ import annotations

from collections import Counter
from functools import partial

import numpy as np

from allrelevant.base.arrays import Floats
from allrelevant.linear.engine.program.direction import Direction
from allrelevant.linear.engine.program.equivalent import EquivalentModels
from allrelevant.linear.engine.program.nearby import Inside
from allrelevant.linear.engine.program.optimum import Candidate
from allrelevant.linear.engine.program.reach import FREE, MAIN
from allrelevant.linear.engine.program.refine import refined
from allrelevant.linear.engine.program.working_set import WorkingSet
from allrelevant.linear.engine.simplex.earlier import EarlierGuests, EarlierModels
from allrelevant.linear.engine.simplex.growth import changed_side, solve_growing
from allrelevant.linear.engine.simplex.highs import Method
from allrelevant.linear.engine.simplex.reduced import ReducedProgram
from allrelevant.linear.engine.simplex.snapshot import Snapshot

_FAR = 60  # iterations from the common start, beyond which an earlier guest's end is nearer
_POPULAR, _POPULAR_SHARE = 12, 0.05  # so many guests have used a feature before it stays


class SimplexPath:
    """Answers one direction after the other, each from a basis that is near.

    A change of the objective leaves a basis primal feasible, so the primal simplex goes on from
    it; pieces that have changed their side are cut off with the dual simplex.

    Parameters
    ----------
    most_pieces : float
        With more undecided pieces than this, :class:`TooLarge` is raised.
    """

    def __init__(
        self, models: EquivalentModels, working_set: WorkingSet, most_pieces: float = np.inf
    ) -> None:
        self.models, self.working_set = models, working_set
        self.most_pieces = most_pieces
        self.reduced = ReducedProgram(
            working_set,
            models.prices,
            models.budgets,
            models.largest_offset,
            largest_free=float(models.largest_norms[FREE]),
        )
        self.reduced.set_boxes(models.boxes)
        self._base = self._sparsest_vertex()
        self._calls: Counter[int] = Counter()
        self._n_guests = 0
        self._earlier = EarlierGuests(models)
        self._earlier_models: EarlierModels | None = None
        # With a piece for every other class there are many, of which few matter.
        self._missing = changed_side
        if models.pieces.second is not None and models.has_reference:
            self._missing = Inside(models).missing

    @property
    def iterations(self) -> int:
        """Simplex iterations so far."""
        return self.reduced.program.iterations

    def maximise(self, direction: Direction, excluded: int | None) -> Candidate | None:
        """An optimal model with multipliers, or None where the solver fails.

        `excluded` is a feature that must not be priced in, because it is the guest.
        """
        self.reduced.follow()
        if direction.guest is not None:
            return self._with_guest(direction, direction.guest, excluded)
        if direction.visitor is None and direction.penalties is None:
            return self._of_many(direction)
        self.reduced.restore(self._base)
        return self._optimise(direction, excluded, "primal")

    def _of_many(self, direction: Direction) -> Candidate | None:
        """Maximise a function of several weights; there may be thousands of them to come."""
        if self._earlier_models is None:
            self._earlier_models = EarlierModels(self.models)
        program = self.reduced.program
        kept = self._earlier_models.best(direction)
        if kept is None or not program.resume(kept):
            self.reduced.restore(self._base)
        program.perturb(False)
        try:
            candidate = self._optimise(direction, None, "primal")
        finally:
            program.perturb(True)
        if candidate is not None and candidate.is_proven:
            self._earlier_models.remember(candidate, program.keep())
        return candidate

    def _with_guest(
        self, direction: Direction, guest: Floats, excluded: int | None
    ) -> Candidate | None:
        n_features = len(self.working_set.features)
        sign, like = (1.0 if direction.guest_factor >= 0 else -1.0), direction.guest_like
        earlier = self._earlier.nearest(sign * guest, like)
        if earlier is not None:
            needed = earlier.needed
            self.working_set.add_features(needed[needed != (-1 if excluded is None else excluded)])
            self.reduced.follow()
        self.reduced.invite(guest, direction.guest_factor, like, excluded)
        self.reduced.restore(self._base if earlier is None else earlier)
        before = self.iterations
        if earlier is not None:
            self.reduced.program.stop_at(-direction.enough)
        try:
            candidate = self._optimise(direction, excluded, "primal" if earlier is None else "dual")
            far = earlier is not None or self.iterations - before > _FAR
            if far and candidate is not None and candidate.is_settled:
                self._earlier.remember(candidate, Snapshot.of(self.reduced))
        finally:
            self.reduced.program.stop_at(np.inf)
            self.reduced.dismiss(n_features)
        self._keep_the_popular(candidate, n_features)
        return candidate

    def _keep_the_popular(self, candidate: Candidate | None, n_features: int) -> None:
        """Forget the features that one guest alone has called in; keep those many do.

        With thousands of features each guest wants some others beside it. All together they would
        make every program large.
        """
        self._n_guests += 1
        called = self.working_set.features[n_features:]
        self.working_set.drop_features(n_features)
        if candidate is not None and len(called):
            used = called[candidate.weights[called] != 0]
            self._calls.update(used.tolist())
            enough = max(_POPULAR, _POPULAR_SHARE * self._n_guests)
            popular = [k for k in used.tolist() if self._calls[k] >= enough]
            self.working_set.add_features(popular)

    def _sparsest_vertex(self) -> Snapshot:
        """A vertex of small norm, near all others: where guests start from."""
        norm = (self.models.kinds == MAIN).astype(float)
        self.reduced.minimise_objective(norm, loss=0.0)
        # Where even this fails the basis is whatever it is; the programs that start from it are
        # checked one by one.
        self.reduced.program.solve("dual")
        return Snapshot.of(self.reduced)

    def _optimise(
        self, direction: Direction, excluded: int | None, method: Method
    ) -> Candidate | None:
        self.reduced.maximise_direction(
            direction.features,
            direction.factors,
            direction.offset_factors,
            0.0 if direction.penalties is None else direction.penalties,
        )
        candidate = self._solved(direction, excluded, method)
        # A hot start can end silently wrong; from scratch it rarely does: of 155,000 programs with
        # near copies, large C or privileged features it settled all 16 that were left in doubt.
        # Where a loss is next to nothing and weights are dear, the last digit of a piece counts.
        for strict in (False, True):
            if candidate is not None and (candidate.is_settled or (strict and candidate.is_usable)):
                break
            again = self._from_scratch(direction, excluded, strict=strict)
            if candidate is None or (again is not None and again.is_usable):
                candidate = again
        return candidate

    def _from_scratch(
        self, direction: Direction, excluded: int | None, *, strict: bool
    ) -> Candidate | None:
        program = self.reduced.program
        program.stop_at(np.inf)
        program.be_strict(strict)
        try:
            return self._solved(direction, excluded, "dual", cold=True)
        finally:
            program.be_strict(False)

    def _solved(
        self, direction: Direction, excluded: int | None, method: Method, *, cold: bool = False
    ) -> Candidate | None:
        """A candidate as it is where it is good enough, else with the proof made exact."""
        propose = partial(self.reduced.candidate, self.models, direction, excluded)
        candidate = solve_growing(
            self.reduced,
            propose,
            method,
            cold=cold,
            most_pieces=self.most_pieces,
            missing=self._missing,
        )
        if candidate is None or candidate.is_settled:
            return candidate
        return refined(candidate)
