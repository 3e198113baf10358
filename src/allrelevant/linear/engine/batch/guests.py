"""The largest weights of many columns, each beside the features that it needs itself.

Features that nearly all need are shared. Which others a column needs is seen on the way: those that
are priced too low join the program of this column alone (`own_hinges`), and its point goes on from
where it is. An answer is a `Candidate` as single programs have it, proven on the full data.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from allrelevant.base.arrays import Floats, Ints, Mask
from allrelevant.linear.engine.batch.company import Company, has_room, programs_together
from allrelevant.linear.engine.batch.guesses import vertices_near
from allrelevant.linear.engine.batch.hinges import Points
from allrelevant.linear.engine.batch.own_hinges import OwnHinges
from allrelevant.linear.engine.batch.pivots import optimal
from allrelevant.linear.engine.batch.steps import in_steps
from allrelevant.linear.engine.program.direction import NO_FEATURES, Direction
from allrelevant.linear.engine.program.equivalent import ZERO, EquivalentModels
from allrelevant.linear.engine.program.optimum import Candidate, Multipliers
from allrelevant.linear.engine.program.reach import MAIN

_MOST_PIECES = 12_000
_MOST_ENTRIES = 2_000_000  # rows times columns: with more, bounds screen most columns for less
_MOST_ROUNDS = 4  # in which programs may lack pieces
_ABOUT_TO = 0.5  # of how far pieces are on their wrong side: those so near to it may be next
_MOST_OWN = 24  # columns; a program that needs more is left to others
_MOST_EXCHANGES = 40
_SURVEYS = (0.1, 0.02)  # of the norm: gaps at which it is seen which features are wanted
_NEAR = (0.002, 1e-4)  # those at which vertices are tried, too
_MOST_STEPS = 20  # from one gap to the next
_POPULAR = 0.25  # of the programs: so many want a feature that is shared then
_STRAGGLERS = 0.1  # of small programs: the last ones, which are not waited for
_SMALL = 1000  # pieces; alone, programs of more take much longer
_NEARLY = 0.97  # of its cost: a price at which a feature will be wanted
_NOBODY, _GUEST = -1, -2  # in the place of a feature


class ManyGuests:
    """Finds the largest weights of columns beside the features of equivalent models."""

    def __init__(self, models: EquivalentModels) -> None:
        self._company = Company.of(models)

    @staticmethod
    def takes(models: EquivalentModels) -> bool:
        """Whether a set of models is one that this is for: plain, of few pieces, in memory.

        A budget of nothing leaves no room for points that are strictly inside.
        """
        pieces = models.pieces
        plain = pieces.hard is None and pieces.linear is None and pieces.second is None
        here = models.boxes is None and models.notes is None and bool((models.kinds == MAIN).all())
        n, n_shared = len(pieces), int(models.near_reference.sum())
        few = n <= _MOST_PIECES and n * models.n_features <= _MOST_ENTRIES
        # Many kinks of one row, as curves have, are parallel: vertices are hard to guess.
        few = few and n <= max(_SMALL, 2 * len(models.X) * pieces.n_offsets)
        few = few and has_room(n_shared, n)
        return plain and here and few and bool((models.limits > 0).all())

    def candidates(self, directions: Sequence[Direction]) -> list[Candidate | None]:
        """What is proven to be the largest, or small enough; None where nothing is."""
        found: list[Candidate | None] = [None] * len(directions)
        n_parts = -(-len(directions) // programs_together(len(self._company.pieces)))
        for part in np.array_split(np.arange(len(directions)), n_parts) if n_parts else []:
            left: Sequence[int] = part.tolist()
            for _ in range(_MOST_ROUNDS):
                own = _Programs(self._company, [directions[k] for k in left])
                with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
                    solved = own.solved()
                for k, candidate in zip(left, solved, strict=True):
                    found[k] = candidate
                company = self._company.joined_by(own.wanted_pieces, own.wanted_features)
                left = [left[k] for k in own.lacking]
                if not left or company is self._company:
                    break
                self._company = company
        return found


class _Programs:
    """Some programs, of which each has columns of its own.

    Those that are solved, or given up, are no longer among them.
    """

    def __init__(self, company: Company, directions: Sequence[Direction]) -> None:
        self._company, self._directions = company, directions
        self._models, self._set = company.models, company.working_set
        self._n_pieces = len(company.first)
        self._which = [*range(len(directions))]
        self._found: list[Candidate | None] = [None] * len(directions)
        # The columns of its own that each program has: at first the one it is about.
        first = [self._first(one) for one in directions]
        self._columns: Ints = np.array(first, dtype=np.intp)[:, None]
        self._points = company.begun(len(directions))
        self.lacking: list[int] = []  # programs that lack pieces, or columns
        self._is_crowded = False  # whether some want too many columns
        self._n_wanting: Ints = np.zeros(self._models.n_features, dtype=np.intp)
        self._is_wanted: Mask = self._set.is_undecided.copy()
        self._make_room(0, np.ones(self._columns.shape, dtype=bool))

    def _first(self, direction: Direction) -> int:
        if direction.guest is not None:
            return _GUEST
        feature = int(direction.features[0])
        return feature if self._set.position[feature] < 0 else _NOBODY

    def solved(self) -> list[Candidate | None]:
        """What is proven of each."""
        for gap in (*_SURVEYS, *_NEAR):
            if not self._which:
                break
            self._points = in_steps(
                self._hinges().in_single_precision,
                self._costs,
                self._points,
                gap * self._models.largest_norm,
                _MOST_STEPS,
                int(_STRAGGLERS * len(self._which)) if self._n_pieces <= _SMALL else 0,
            )
            self._look_around()
            if gap in _NEAR and self._which:
                self._cross()
        return self._found

    # The programs as hinges

    def _hinges(self) -> OwnHinges:
        """What is to be solved, with the columns that programs have by now."""
        models, own = self._models, self._columns
        features = np.maximum(own, 0)  # where there is none, any will do
        entries = np.where((own >= 0)[:, :, None], self._company.entries[features], 0.0)
        slopes = np.where(own >= 0, self._set.feature_slope[features], 0.0)
        for line, k in enumerate(self._which):
            guest = self._directions[k].guest
            if guest is not None:
                entries[line, 0] = self._set.column(guest)[self._company.first]
                slopes[line, 0] = self._set.slope(guest)
        shared, n = self._company.shared, len(models.limits)
        price, factors = np.zeros((2, len(shared.prices)))
        price[:n], factors[:n] = models.norm_factors, models.loss_factors
        own_slopes = slopes[:, None, :] * factors[:, None] + price[:, None]
        return OwnHinges.of(shared, entries, own_slopes, 2.0 * price)

    @property
    def _costs(self) -> Floats:
        """What each program maximises."""
        n_before = self._columns.shape[1] + self._set.n_offsets
        costs = np.zeros((len(self._which), n_before + len(self._set.features)))
        for line, k in enumerate(self._which):
            direction = self._directions[k]
            if direction.guest is not None:
                costs[line, 0] = direction.guest_factor
            else:
                resident = int(self._set.position[direction.features[0]])
                costs[line, 0 if resident < 0 else n_before + resident] = direction.factors[0]
        return costs

    def _make_room(self, n_old: int, new: Mask) -> None:
        """Have points follow their programs: new columns have no weight, and are centred."""
        points, k = self._points, self._columns.shape[1]
        cost = 2.0 * points.y3[:, : len(self._models.limits)] @ self._models.norm_factors
        level = points.gaps / points.s1.shape[1] / cost
        z = np.zeros((len(points.z), k + points.z.shape[1] - n_old), dtype=points.z.dtype)
        z[:, :n_old], z[:, k:] = points.z[:, :n_old], points.z[:, n_old:]
        z[:, :k][new] = 0.0
        wider = []
        for own, fresh in (
            (points.s1, level),
            (points.s2, level),
            (points.y1, 0.5 * cost),
            (points.y2, 0.5 * cost),
        ):
            room = np.empty((len(own), own.shape[1] + k - n_old), dtype=own.dtype)
            room[:, : own.shape[1]] = own
            room[:, -k:][new] = np.broadcast_to(fresh[:, None], new.shape)[new]
            wider.append(room)
        s1, s2, y1, y2 = wider
        self._points = Points(z, s1, s2, points.s3, y1, y2, points.y3)

    def _keep(self, some: Mask) -> None:
        """Go on with some programs only."""
        if some.all():
            return
        self._which = [k for k, stays in zip(self._which, some, strict=True) if stays]
        self._columns, self._points = self._columns[some], self._points.some(some)

    def _take_in(self, wanted: Sequence[Ints]) -> None:
        """Give programs more columns of their own; those that want too many are given up."""
        n_have = np.maximum((self._columns != _NOBODY).sum(axis=1), 1)
        n_want = n_have + [len(own) for own in wanted]
        few = n_want <= _MOST_OWN
        for own in wanted:
            self._n_wanting[own] += 1
        self.lacking += [k for k, stays in zip(self._which, few, strict=True) if not stays]
        self._is_crowded = self._is_crowded or not few.all()
        self._keep(few)
        n_old = self._columns.shape[1]
        k = max(int(n_want[few].max(initial=0)), n_old)
        columns = np.full((len(self._which), k), _NOBODY, dtype=np.intp)
        columns[:, :n_old] = self._columns
        new = np.zeros(columns.shape, dtype=bool)
        new[:, n_old:] = True
        for line, place in enumerate(np.flatnonzero(few).tolist()):
            places = slice(n_have[place], n_want[place])
            columns[line, places], new[line, places] = wanted[place], True
        self._columns = columns
        self._make_room(n_old, new)

    # What points say

    def _look_around(self) -> None:
        """See which programs need not be solved any further, and which features others want."""
        self._keep(np.isfinite(self._points.gaps))
        points, left = self._points, np.ones(len(self._which), dtype=bool)
        bounds = np.einsum("bd,bd->b", self._costs, points.z) + points.gaps
        for line, k in enumerate(self._which):
            if bounds[line] <= self._directions[k].enough:
                pieces = points.y1[line, : self._n_pieces]
                candidate = self._candidate(line, points.z[line], pieces, points.y3[line])
                if candidate.is_enough:
                    self._found[k], left[line] = candidate, False
        self._keep(left)
        self._take_in([np.flatnonzero(own > _NEARLY) for own in self._prices()])

    def _prices(self) -> Floats:
        """Prices of features that are in no program, as parts of what they cost."""
        points, models, features = self._points, self._models, self._set.features
        n = len(models.limits)
        prices = points.y1[:, : self._n_pieces] @ self._company.entries.T
        prices += (points.y3[:, :n] @ models.loss_factors)[:, None] * self._set.feature_slope
        prices = np.abs(prices) / (points.y3[:, :n] @ models.norm_factors)[:, None]
        prices[:, features] = prices[:, self._company.copies] = 0.0
        line, place = np.nonzero(self._columns >= 0)
        prices[line, self._columns[line, place]] = 0.0
        return prices

    def _cross(self) -> None:
        """From points to the best vertices, and what is proven there."""
        models, hinges, costs = self._models, self._hinges(), self._costs
        n_weights = self._columns.shape[1] + len(self._set.features)
        scales = np.append(models.limits, np.ones(models.pieces.n_ordered - 1))
        lines, near = vertices_near(hinges, costs, self._points, n_weights, scales)
        best, vertices = optimal(hinges.lines(lines), costs[lines], near, _MOST_EXCHANGES)
        lines = lines[best]
        found = vertices.found(hinges.lines(lines), costs[lines])
        left = np.ones(len(self._which), dtype=bool)
        wanted = [NO_FEATURES] * len(self._which)
        for k, line in enumerate(lines.tolist()):
            pieces = found.hinges[k, : self._n_pieces]
            candidate = self._candidate(line, found.z[k], pieces, found.rows[k])
            if candidate.is_settled:
                self._found[self._which[line]], left[line] = candidate, False
            elif self._lacks_pieces(candidate):
                self.lacking.append(self._which[line])
                left[line] = False
            else:
                wanted[line] = np.setdiff1d(candidate.wanted(_MOST_OWN), self._columns[line])
        self._keep(left)
        self._take_in([own for own, stays in zip(wanted, left, strict=True) if stays])

    def _lacks_pieces(self, candidate: Candidate) -> bool:
        """Whether a candidate has decided pieces on the wrong side, which are noted."""
        residuals = candidate.residuals
        changed = self._set.changed_side(residuals)
        if len(changed):
            # Those about to change will be asked for by the next programs.
            band = _ABOUT_TO * float(np.median(np.abs(residuals[changed])))
            self._is_wanted[self._set.changed_side(residuals, -band)] = True
        return len(changed) > 0

    @property
    def wanted_pieces(self) -> Ints:
        """The pieces that programs have, and those that some lack."""
        return np.flatnonzero(self._is_wanted)

    @property
    def wanted_features(self) -> Ints:
        """Features that many programs want, where some want too many."""
        enough = _POPULAR * len(self._found)
        return np.flatnonzero(self._n_wanting > enough) if self._is_crowded else NO_FEATURES

    def _candidate(self, line: int, z: Floats, pieces: Floats, rows: Floats) -> Candidate:
        """What a point, or a vertex, is as an answer."""
        models, working_set, own = self._models, self._set, self._columns[line]
        n, k, q = len(models.limits), len(own), working_set.n_offsets
        weights = np.zeros(models.n_features)
        weights[working_set.features] = z[k + q :]
        real = own >= 0
        weights[own[real]] = z[:k][real]
        weights[np.abs(weights) <= ZERO * models.accuracy] = 0.0  # systems leave rounding errors
        guest = float(z[0]) if own[0] == _GUEST else 0.0
        rows = np.maximum(rows.astype(float), 0.0)
        multipliers = Multipliers(self._company.of_pieces(pieces), rows[:n], rows[n:])
        offsets, direction = z[k : k + q].astype(float), self._directions[self._which[line]]
        return Candidate(models, working_set, direction, weights, offsets, guest, multipliers)
