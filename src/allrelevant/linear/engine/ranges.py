"""The range of every weight over the equivalent models: what to solve, how, what to skip."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from allrelevant.base.arrays import Floats, Ints
from allrelevant.linear.engine.direction import NO_FEATURES, Direction
from allrelevant.linear.engine.equivalent import MAIN, EquivalentModels
from allrelevant.linear.engine.growth import TooLarge
from allrelevant.linear.engine.interior import InteriorPath
from allrelevant.linear.engine.optimum import Candidate, Optimum, UnprovenError
from allrelevant.linear.engine.simplex_path import SimplexPath
from allrelevant.linear.engine.working_set import WorkingSet

Solver = Literal["auto", "simplex", "interior"]

SIMPLEX_PIECES = 500  # with more undecided pieces the interior point is faster


@dataclass(frozen=True, eq=False)
class Witness:
    """An equivalent model, stored by the features it uses."""

    features: Ints
    values: Floats
    offsets: Floats

    @classmethod
    def of(cls, weights: Floats, offsets: Floats) -> Witness:
        """A model that is given by all of its weights."""
        used = np.flatnonzero(weights)
        return cls(used, weights[used], offsets)

    def weights(self, n_features: int) -> Floats:
        """The weights of all features."""
        weights = np.zeros(n_features)
        weights[self.features] = self.values
        return weights

    def without(self, features: Ints) -> Witness:
        """The same model where some weights, no more than rounding errors, are zero."""
        kept = ~np.isin(self.features, features)
        return Witness(self.features[kept], self.values[kept], self.offsets)

    def mixed(self, other: Witness, part: float) -> Witness:
        """The model between this and another; equivalent, because the set of them is convex."""
        features = np.union1d(self.features, other.features)
        n = int(features.max(initial=-1)) + 1
        mine, its = self.weights(n)[features], other.weights(n)[features]
        return Witness(
            features,
            (1.0 - part) * mine + part * its,
            (1.0 - part) * self.offsets + part * other.offsets,
        )


@dataclass(frozen=True, eq=False)
class End:
    """One end of a weight's range: its value and the model that attains it.

    Where the linear program was skipped the value is only a bound, and there is no witness. It is
    `unproven` where the program was solved, but no proof of its answer could be found.
    """

    value: float
    witness: Witness | None = None
    unproven: bool = False

    @property
    def is_exact(self) -> bool:
        """Whether the value is what it is said to be, as far as that matters."""
        return not self.unproven

    @property
    def is_bound(self) -> bool:
        """Whether the value was bounded, not solved for."""
        return self.witness is None


@dataclass(frozen=True, eq=False)
class WeightRange:
    """Smallest and largest value of one weight over the equivalent models."""

    low: End
    high: End
    contains_zero: bool

    @property
    def is_exact(self) -> bool:
        """Whether both ends are what they are said to be, as far as that matters."""
        return not (self.low.unproven or self.high.unproven)

    @property
    def ends(self) -> tuple[float, float]:
        """Smallest and largest weight."""
        return self.low.value, self.high.value

    @property
    def is_bound(self) -> bool:
        """Whether an end of it was bounded, not solved for."""
        return self.low.is_bound or self.high.is_bound

    @property
    def is_screened(self) -> bool:
        """Whether neither end was solved for, because both are known to be small enough."""
        return self.is_exact and self.low.is_bound and self.high.is_bound

    @property
    def relevance(self) -> tuple[float, float]:
        """Smallest and largest absolute value; bounds on them where the range is not exact."""
        low, high = self.low.value, self.high.value
        smallest = 0.0 if self.contains_zero else max(0.0, low, -high)
        return smallest, max(abs(low), abs(high))

    @property
    def largest_witness(self) -> Witness | None:
        """A model in which the weight is as far from zero as it can be; None for a bound."""
        return max(self.low, self.high, key=lambda end: abs(end.value)).witness

    @property
    def smallest_witness(self) -> Witness | None:
        """A model in which the weight is as near to zero as it can be; None for a bound.

        Where both signs occur it is the mixture of both ends in which they cancel.
        """
        low, high = self.low, self.high
        if low.value * high.value >= 0:
            return min(low, high, key=lambda end: abs(end.value)).witness
        if low.witness is None or high.witness is None:
            return None
        return low.witness.mixed(high.witness, -low.value / (high.value - low.value))


class RangeSolver:
    """Maximises linear functions over one set of equivalent models, one after the other.

    Not to be shared between processes: each builds its own.

    Parameters
    ----------
    models : EquivalentModels
    names : sequence of str, optional
        Names of the features, for error messages.
    solver : {"auto", "simplex", "interior"}
        "auto" uses the simplex method while few pieces are undecided and the interior point
        beyond that. Both give the same numbers.
    """

    def __init__(
        self,
        models: EquivalentModels,
        names: Sequence[str] | None = None,
        solver: Solver = "auto",
    ) -> None:
        # What is forbidden leaves the program before any method starts.
        self._forbidden = NO_FEATURES
        if models.boxes is not None and models.has_reference:
            self._forbidden = models.boxes.features[models.boxes.forbid]
            models = models.without_forbidden()
        self.models = models
        self.names = names
        self.solved = self.skipped = 0
        reference = models.reference
        # Values already seen in some equivalent model; they spare programs later on.
        known = models.has_reference
        self._seen_low = np.where(known, reference.weights, np.inf)
        self._seen_high = np.where(known, reference.weights, -np.inf)
        self.working_set = WorkingSet.around(models, np.flatnonzero(models.near_reference))
        # The interior point starts strictly inside, which these need not leave room for.
        if models.pieces.hard is not None or models.boxes is not None:
            solver = "simplex"
        self._most_pieces = {"auto": SIMPLEX_PIECES, "simplex": np.inf, "interior": -1}[solver]
        self._simplex: SimplexPath | None = None
        self._interior: InteriorPath | None = None

    @property
    def iterations(self) -> int:
        """Iterations of all methods so far."""
        return sum(path.iterations for path in (self._simplex, self._interior) if path is not None)

    # Single programs

    def maximise(self, direction: Direction) -> Optimum:
        """The largest value of a direction, proven; raises `UnprovenError` where none can be."""
        before = self.iterations
        candidate = self._solve(direction)
        return self._proven(candidate, direction, before)

    def maximise_beyond(self, direction: Direction, enough: float) -> Optimum | None:
        """The largest value of a direction; None where a proof shows that it is not above this."""
        direction = direction.up_to(enough)
        before = self.iterations
        candidate = self._solve(direction)
        if candidate is not None and not candidate.is_proven and candidate.is_enough:
            self.solved += 1
            return None
        return self._proven(candidate, direction, before)

    def _proven(self, candidate: Candidate | None, direction: Direction, before: int) -> Optimum:
        if candidate is None or not candidate.is_usable:
            raise UnprovenError(
                f"the relevance of {direction.label or 'a combination of features'} could not be "
                "computed to the required accuracy; a larger tolerance, a smaller C or rescaled "
                "features usually help",
                np.inf if candidate is None else candidate.bound,
            )
        self.solved += 1
        optimum = Optimum.of(candidate, self.iterations - before)
        if not direction.guest_factor:
            np.minimum(self._seen_low, optimum.weights, out=self._seen_low)
            np.maximum(self._seen_high, optimum.weights, out=self._seen_high)
        return optimum

    def _solve(self, direction: Direction) -> Candidate | None:
        direction = direction.without(self._forbidden)
        visitor = direction.visitor
        resident = visitor is None or self.working_set.position[visitor] >= 0
        excluded = None if resident else visitor
        asked = direction if resident else direction.hosted(self.models)
        if visitor is None:
            self.working_set.add_features(direction.features)
        if direction.penalties is not None:  # the interior point knows linear functions only
            return self._by_simplex(asked, excluded, np.inf)
        if len(self.working_set.undecided) <= self._most_pieces:
            try:
                return self._by_simplex(asked, excluded, self._most_pieces)
            except TooLarge:
                self._simplex = None
        candidate = self._by_interior(asked, excluded)
        if candidate is None or not (candidate.is_proven or candidate.is_enough):
            # No interior to speak of, or a face it cannot settle: slower, but sure.
            candidate = self._by_simplex(asked, excluded, np.inf)
        return candidate

    def _by_simplex(
        self, direction: Direction, excluded: int | None, most_pieces: float
    ) -> Candidate | None:
        if self._simplex is None:
            self._simplex = SimplexPath(self.models, self.working_set)
        self._simplex.most_pieces = most_pieces
        return self._simplex.maximise(direction, excluded)

    def _by_interior(self, direction: Direction, excluded: int | None) -> Candidate | None:
        if self._interior is None:
            self._interior = InteriorPath(self.models, self.working_set)
        return self._interior.maximise(direction, excluded)

    # Ranges

    def ranges(self, features: Iterable[int], *, signed: bool = True) -> list[WeightRange]:
        """Ranges of several weights."""
        features = list(features)
        found = {k: self.weight_range(k, signed=signed) for k in self.models.in_order(features)}
        return [found[feature] for feature in features]

    def weight_range(self, feature: int, *, signed: bool = True) -> WeightRange:
        """The range of a feature's weight.

        With ``signed=False`` only the absolute values matter, and the second program is skipped
        where a model without the feature is known and the other end cannot be farther from zero.
        """
        name = self.names[feature] if self.names is not None else f"feature {feature}"
        if self.models.largest_by_feature[feature] <= 0:
            return self._point
        gradient = self.models.gradient
        pull = 0.0 if gradient is None else float(gradient[feature])
        weight = float(self.models.reference.weights[feature])
        sign = 1 if (weight or pull) >= 0 else -1
        first = self._end(Direction.weight(feature, sign, repr(name)), sign)
        opposite = Direction.weight(feature, -sign, repr(name))
        if signed or gradient is None:
            other = self._end(opposite, -sign)
        else:
            other = self._other_end(
                first, opposite, pull, -sign, self._has_zero(feature), self.models.kind(feature)
            )
        return self._range(first, other, sign, self._has_zero(feature))

    def pull(self, column: Floats) -> float:
        """The gradient a column beside the data has: the side to which the reference wants it."""
        duals = self.models.reference.row_duals
        return 0.0 if duals is None else float(duals @ column)

    def guest_reach(
        self,
        column: Floats,
        least: float = 0.0,
        label: str = "a probe",
        kind: int = MAIN,
        *,
        one_sided: bool = False,
    ) -> float:
        """The largest absolute weight a column would have beside the data, or `least` if more.

        A side that cannot get farther than what is known already is not solved to its end. With
        ``one_sided=True`` only the side to which the column is pulled is looked at.
        """
        if self.models.largest[kind] <= 0 or not column.any():
            return least
        knows = self.models.reference.row_duals is not None
        pull = self.pull(column)
        sign = 1 if pull >= 0 else -1
        for side in (sign,) if one_sided else (sign, -sign):
            if knows and self.models.bound(pull, side, kind) <= least:
                self.skipped += 1
                continue
            direction = Direction.of_guest(column, side, label, kind).up_to(least)
            before = self.iterations
            candidate = self._solve(direction)
            if candidate is not None and not candidate.is_proven and candidate.is_enough:
                self.solved += 1
            else:
                least = max(least, self._proven(candidate, direction, before).value)
        return least

    @property
    def _point(self) -> WeightRange:
        """The range of a weight that no budget has room for."""
        reference = self.models.reference
        end = End(0.0, Witness.of(reference.weights, reference.offsets))
        return WeightRange(end, end, contains_zero=True)

    def _end(self, direction: Direction, sign: int) -> End:
        kind = direction.kind(self.models)
        try:
            return self._end_of(self.maximise(direction), sign, kind)
        except UnprovenError as error:
            return self._bounded(error, sign, kind)

    def _bounded(self, error: UnprovenError, sign: int, kind: int) -> End:
        """What is known of an end without a proof: where it lies at most."""
        return End(sign * min(error.bound, float(self.models.largest[kind])), unproven=True)

    def _end_of(self, optimum: Optimum, sign: int, kind: int) -> End:
        value = self.models.rounded(sign * optimum.value, kind, optimum.gap)
        return End(value, Witness.of(optimum.weights, optimum.offsets))

    def _other_end(
        self, first: End, opposite: Direction, pull: float, sign: int, has_zero: bool, kind: int
    ) -> End:
        """The other end, or only a bound where it cannot matter for the absolute range."""
        if not has_zero:
            return self._end(opposite, sign)
        bound = self.models.bound(pull, sign, kind)
        if bound <= abs(first.value):
            self.skipped += 1
            return End(sign * bound)
        before = self.iterations
        candidate = self._solve(opposite.up_to(abs(first.value)))
        if candidate is not None and not candidate.is_proven and candidate.is_enough:
            self.solved += 1
            return End(sign * candidate.bound)
        try:
            return self._end_of(self._proven(candidate, opposite, before), sign, kind)
        except UnprovenError as error:
            return self._bounded(error, sign, kind)

    def _has_zero(self, feature: int) -> bool:
        kind = self.models.kind(feature)
        low, high = float(self._seen_low[feature]), float(self._seen_high[feature])
        return self.models.rounded(low, kind, 0.0) <= 0.0 <= self.models.rounded(high, kind, 0.0)

    @staticmethod
    def _range(first: End, other: End, sign: int, has_zero: bool) -> WeightRange:
        low, high = (other, first) if sign > 0 else (first, other)
        return WeightRange(low, high, has_zero or low.value <= 0.0 <= high.value)
