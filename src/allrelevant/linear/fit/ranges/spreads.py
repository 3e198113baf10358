"""The largest difference that a feature makes between two classes: its ends over all models.

With a weight w_k for every class the difference is ``max_k w_k − min_k w_k``, the spread of the
weights. Its largest value is that of a linear program for each pair of classes. Its smallest one
is found by cuts: of the mixtures of known models, which are models too, the best is sought, and
then a model that is better than all of them in the direction that holds it back.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any

import numpy as np
from scipy.optimize import linprog

from allrelevant.base.arrays import Floats, Ints
from allrelevant.linear.engine.program.direction import Direction
from allrelevant.linear.engine.program.equivalent import EquivalentModels
from allrelevant.linear.engine.program.optimum import Optimum, SolverError
from allrelevant.linear.engine.ranges.rays import apart_on_rays
from allrelevant.linear.engine.ranges.solver import RangeSolver
from allrelevant.linear.engine.ranges.weight_range import End, Witness
from allrelevant.linear.fit.ranges.norms import smallest_norm
from allrelevant.linear.fit.ranges.prospects import Prospects, n_promising

_MOST_CUTS = 300


@dataclass(frozen=True, eq=False)
class SpreadRange:
    """Smallest and largest spread of a feature's weights; such as a `WeightRange` of one weight."""

    smallest: End
    largest: End

    @property
    def witnesses(self) -> list[Witness]:
        """The models that attain an end."""
        ends = (self.smallest, self.largest)
        return [end.witness for end in ends if end.witness is not None]

    @property
    def is_exact(self) -> bool:
        """Whether both ends are what they are said to be."""
        return not (self.smallest.unproven or self.largest.unproven)

    @property
    def is_bound(self) -> bool:
        """Both ends are solved for."""
        return False

    @property
    def is_screened(self) -> bool:
        """Both ends are solved for."""
        return False

    @property
    def relevance(self) -> tuple[float, float]:
        """Smallest and largest spread."""
        return self.smallest.value, self.largest.value

    @property
    def ends(self) -> tuple[float, float]:
        """Several weights have no common sign."""
        return np.nan, np.nan

    @staticmethod
    def together(sizes: Floats) -> float:
        """What the spreads of its columns make together: the largest counts."""
        return float(sizes.max(initial=0.0))

    def witness(self, bound: str) -> Witness:
        """A model that attains one end; where that is a bound the best that is known."""
        found = (self.smallest if bound == "min" else self.largest).witness
        assert found is not None  # both are looked for among models
        return found


def spread_range(solver: RangeSolver, columns: Sequence[int]) -> SpreadRange:
    """The range of the spread of some columns' weights, one for each class."""
    places = np.array(columns, dtype=np.intp)
    largest, seen = largest_spread(solver, places)
    return SpreadRange(smallest_spread(solver, places[None, :], seen), largest)


def spread(weights: Floats, places: Ints) -> float:
    """The spread that a model has; of several lines of places the largest."""
    return float(np.ptp(weights[places], axis=-1).max(initial=0.0))


def reach_of_noise(
    solver: RangeSolver, places: Ints, least: float, prospects: Prospects | None
) -> float:
    """The largest spread of a probe, or `least` where that is more.

    Only pairs with `prospects` are solved; where programs are large, those that get farthest on
    straight lines.
    """
    n_pairs = n_promising(len(places)) if solver.is_large else None
    most, _ = largest_spread(solver, places, least, prospects, n_pairs)
    return max(least, most.value)


def largest_spread(
    solver: RangeSolver,
    places: Ints,
    least: float = 0.0,
    prospects: Prospects | None = None,
    n_pairs: int | None = None,
) -> tuple[End, list[Witness]]:
    """The largest spread, or `least` where it is not more; and the models seen on the way.

    A pair of classes is passed over where the reference's multipliers show that it cannot be
    farther apart than what is known already, and left early where the program's own do. For noise,
    `prospects` say which pairs will hardly be, or the `n_pairs` that promise most have to do.
    """
    models, reference = solver.models, solver.models.reference
    best = End(spread(reference.weights, places), Witness.of(reference.weights, reference.offsets))
    seen = [best.witness] if best.witness is not None else []
    if not models.largest_by_feature[places].any():
        return best, seen
    bounds = {pair: _bound(models, places, pair) for pair in permutations(range(len(places)), 2)}
    if prospects is not None:
        hardly = prospects.most(pulls_of(models, places))
        bounds = {pair: min(bounds[pair], most) for pair, most in zip(bounds, hardly, strict=True)}
    promise: Iterable[float] = bounds.values()
    if solver.is_large:
        promise = apart_on_rays(models, places).tolist()
    order = dict(zip(bounds, promise, strict=True))
    unproven = False
    for pair in sorted(bounds, key=lambda pair: -order[pair])[:n_pairs]:
        enough = max(best.value, least)
        if bounds[pair] <= enough:
            solver.skipped += 1
            continue
        try:
            found = solver.maximise_beyond(_apart(places, pair), enough)
        except SolverError:
            unproven = True
            continue
        if found is None:
            continue
        seen.append(Witness.of(found.weights, found.offsets))
        reached = spread(found.weights, places)
        if reached > best.value:
            best = End(reached, seen[-1])
    if unproven:
        most = max(_bound(models, places, pair) for pair in bounds)
        return End(most, best.witness, unproven=True), seen
    return (best if best.value > models.accuracy else End(0.0, best.witness)), seen


def all_spreads(solver: RangeSolver, places: Ints) -> Floats:
    """The largest difference of every pair of classes, in the order of `permutations`."""
    pairs = permutations(range(len(places)), 2)
    return np.array([solver.maximise(_apart(places, pair)).value for pair in pairs])


def pulls_of(models: EquivalentModels, places: Ints) -> Floats:
    """By how much the reference's multipliers pull some weights; nothing where it has none."""
    return np.zeros(len(places)) if models.gradient is None else models.gradient[places]


def _apart(places: Ints, pair: tuple[int, ...]) -> Direction:
    """By how much the first weight of a pair is above the second."""
    return Direction(places[list(pair)], np.array([1.0, -1.0]), label="a feature")


def _bound(models: EquivalentModels, places: Ints, pair: tuple[int, ...]) -> float:
    """What the difference of two weights cannot exceed, without solving anything.

    One of both has to be as large as the difference, or both share it: by the one that the
    reference pulls more.
    """
    if models.gradient is None:
        return float(models.largest_norm)
    up, down = (float(models.gradient[places[k]]) for k in pair)
    return models.bound(max(up, -down), 1)


def smallest_spread(solver: RangeSolver, places: Ints, seen: Sequence[Witness] = ()) -> End:
    """The smallest spread; of several lines of places the largest of these is made small."""
    models, reference = solver.models, solver.models.reference
    none = smallest_norm(solver, places.ravel())
    if none.value == 0.0 or none.witness is None:
        return none
    known = [Witness.of(reference.weights, reference.offsets), none.witness, *seen]
    points = [witness.weights(models.n_features)[places] for witness in known]
    bound, mixture = 0.0, np.zeros(0)
    for _ in range(_MOST_CUTS):
        mixture, value, factors = _best_mixture(np.array(points))
        if value - bound <= models.accuracy:
            break
        used = np.flatnonzero(factors.ravel())
        asked = Direction(places.ravel()[used], -factors.ravel()[used], label="a feature")
        found: Optimum = solver.maximise(asked)
        bound = max(bound, -found.value)
        known.append(Witness.of(found.weights, found.offsets))
        points.append(found.weights[places])
    else:
        return End(bound, _mixed(known, mixture, models.n_features), unproven=True)
    return End(value, _mixed(known, mixture, models.n_features))


def _best_mixture(points: Floats) -> tuple[Floats, float, Floats]:
    """Shares of models whose mixture has the least spread, that spread, and what holds it back.

    Parameters
    ----------
    points : array of shape (n_models, n_columns, n_classes)

    Returns
    -------
    shares, value, factors
        No mixture of any models has less spread than the least ``Σ factors · weights`` of one.
    """
    m, c, K = points.shape
    flat = points.reshape(m, c * K).T
    owner = np.kron(np.eye(c), np.ones((K, 1)))  # of each weight, the column's low and high
    none, one = np.zeros((c * K, c)), np.zeros((c * K, 1))
    # Shares, low and high end of every column, and the largest distance of these.
    below = np.hstack([-flat, owner, none, one])
    above = np.hstack([flat, none, -owner, one])
    apart = np.hstack([np.zeros((c, m)), -np.eye(c), np.eye(c), -np.ones((c, 1))])
    cost = np.append(np.zeros(m + 2 * c), 1.0)
    whole = np.append(np.ones(m), np.zeros(2 * c + 1))[None, :]
    bounds = [(0.0, None)] * m + [(None, None)] * (2 * c) + [(0.0, None)]
    rows = np.vstack([below, above, apart])
    found: Any = linprog(cost, rows, np.zeros(len(rows)), whole, [1.0], bounds, method="highs")
    pulls = np.asarray(found.ineqlin.marginals)
    factors = pulls[: c * K] - pulls[c * K : 2 * c * K]
    return found.x[:m], float(found.fun), factors.reshape(c, K)


def _mixed(known: Sequence[Witness], shares: Floats, n_features: int) -> Witness:
    """The mixture of models, which is one of them because their set is convex."""
    used = [(share, one) for share, one in zip(shares, known, strict=False) if share > 0.0]
    weights = np.sum([share * one.weights(n_features) for share, one in used], axis=0)
    offsets = np.sum([share * one.offsets for share, one in used], axis=0)
    return Witness.of(weights, offsets)
