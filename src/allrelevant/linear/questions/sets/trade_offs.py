"""How far equivalent models can shift the weights of two features against each other.

Scale every weight by the width of its signed interval. Over all equivalent models the sum of two
scaled weights takes an interval of width P, their difference one of width M. The features'
trade-off is ``1 − min(P, M) / max(P, M)``.

0: the weights do not care for one another. What all compete for, the norm, widens neither the sum
nor the difference more. 1: two copies, one weight fixes the other. 1/2: three copies or more,
whatever their number.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from allrelevant.base.arrays import Floats, Ints
from allrelevant.linear.engine.program.direction import Direction
from allrelevant.linear.engine.program.equivalent import EquivalentModels
from allrelevant.linear.engine.ranges.solver import RangeSolver
from allrelevant.linear.engine.ranges.weight_range import WeightRange
from allrelevant.linear.fit.ranges.spreads import largest_spread
from allrelevant.linear.questions.fitted_set import FittedSet

_NEIGHBOURS, _ALIKE = 8, 0.5  # pairs worth a program: the nearest columns, and all that correlate
_STILL = 10.0  # times the accuracy: a weight with less room to move does not trade


class TradeOffs:
    """Finds trade-offs of columns over equivalent models, by four linear programs for a pair.

    Parameters
    ----------
    found : sequence of WeightRange
        Ranges of weights that are known already, of the first columns.
    rest : sequence of EquivalentModels
        The other convex parts, where constraints leave the models in several.
    """

    def __init__(
        self,
        models: EquivalentModels,
        found: Sequence[WeightRange] = (),
        rest: Sequence[EquivalentModels] = (),
    ) -> None:
        self.models, self._found = models, found
        self._solvers = [RangeSolver(part) for part in (models, *rest)]
        self._widths: dict[tuple[int, ...], float] = {}

    @property
    def solved(self) -> int:
        """How many linear programs were solved so far."""
        return sum(solver.solved for solver in self._solvers)

    def __call__(self, pair: tuple[int, int]) -> float:
        """The trade-off of a pair of columns, which is a worker's task."""
        return self.between(*pair)

    def between(self, one: int, other: int) -> float:
        """The trade-off of two columns."""
        return self._traded([one], [other], np.ones(1))

    def _traded(self, one: Sequence[int], other: Sequence[int], factors: Floats) -> float:
        """The trade-off of two linear functions of models that have the same factors."""
        widths = np.array([self._own_width(tuple(own), factors) for own in (one, other)])
        if widths.min() <= _STILL * self.models.accuracy:
            return 0.0
        # Factors of at most 1: proofs are as accurate as those of single weights then.
        first, second = (widths.min() / widths)[:, None] * factors
        ends = [
            self._width([*one, *other], np.append(first, sign * second)) for sign in (1.0, -1.0)
        ]
        return 1.0 - min(ends) / max(ends)

    def width(self, column: int) -> float:
        """The width of a weight's signed interval."""
        return self._own_width((column,), np.ones(1))

    def _own_width(self, columns: tuple[int, ...], factors: Floats) -> float:
        if columns not in self._widths:
            known = self._found[columns[0]] if columns[0] < len(self._found) else None
            if known is None or known.low.is_bound or known.high.is_bound:
                self._widths[columns] = self._width(columns, factors)
            else:
                self._widths[columns] = known.high.value - known.low.value
        return self._widths[columns]

    def _width(self, columns: Sequence[int], factors: Floats) -> float:
        """How far apart the smallest and the largest value of a linear function are."""
        places = np.array(columns, dtype=np.intp)
        ends = (
            max(solver.maximise(Direction(places, s * factors)).value for solver in self._solvers)
            for s in (1, -1)
        )
        return sum(ends)


class ClassTradeOffs(TradeOffs):
    """Trade-offs of columns that have a weight for each of several classes.

    What counts is the difference of its weights for two classes: for those that one of both columns
    can set farthest apart, whichever trade more.

    Parameters
    ----------
    places : sequence of sequences of int
        Of each column, where its weights are.
    rest : sequence of EquivalentModels
    """

    def __init__(
        self,
        models: EquivalentModels,
        places: Sequence[Sequence[int]],
        rest: Sequence[EquivalentModels] = (),
    ) -> None:
        super().__init__(models, (), rest)
        self._places = np.array(places, dtype=np.intp)
        self._farthest: dict[int, tuple[int, int]] = {}

    def between(self, one: int, other: int) -> float:
        """The trade-off of two columns."""
        pairs = sorted({self._apart(one), self._apart(other)})
        first, second = self._places[[one, other]]
        factors = np.array([1.0, -1.0])
        return max(self._traded(first[[a, b]], second[[a, b]], factors) for a, b in pairs)

    def _apart(self, column: int) -> tuple[int, int]:
        """The classes that a column can set farthest apart, in their order."""
        if column not in self._farthest:
            places = self._places[column]
            found = (largest_spread(solver, places)[0] for solver in self._solvers)
            witness = max(found, key=lambda end: end.value).witness
            assert witness is not None  # the reference is one
            weights = witness.weights(self.models.n_features)[places]
            ends = sorted((int(weights.argmax()), int(weights.argmin())))
            self._farthest[column] = (ends[0], ends[1]) if ends[0] < ends[1] else (0, 1)
        return self._farthest[column]


def trade_offs_in(
    fitted: FittedSet, parts: Sequence[EquivalentModels], *, changed: bool
) -> Callable[[], TradeOffs]:
    """What makes a worker for trade-offs in some parts of the models; `changed` by constraints."""
    models, *rest = parts
    if fitted.model.n_scores > 1:
        columns = range(fitted.n_columns)
        places = [fitted.analysis.problem.places_of(k, False) for k in columns]
        return partial(ClassTradeOffs, models, places, rest)
    return partial(TradeOffs, models, () if changed else fitted.weight_ranges, rest)


def near_pairs(X: Floats, owner: Ints, least: float) -> list[tuple[int, int, float]]:
    """Pairs of columns, of different owners, that are worth four programs, and how they correlate.

    All that correlate well, and each column with those that correlate most, if by no less than
    `least`.
    """
    if X.shape[1] < 2:
        return []
    with np.errstate(invalid="ignore", divide="ignore"):
        alike = np.abs(np.nan_to_num(np.corrcoef(X, rowvar=False)))
    alike[owner[:, None] == owner] = -1.0
    near = alike >= _ALIKE
    nearest = np.argsort(-alike, axis=1, kind="stable")[:, :_NEIGHBOURS]
    np.put_along_axis(near, nearest, True, axis=1)
    near &= alike >= max(least, 0.0)
    pairs = np.argwhere(np.triu(near | near.T, 1)).tolist()
    return [(j, k, float(alike[j, k])) for j, k in pairs]
