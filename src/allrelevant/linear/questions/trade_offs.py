"""How far equivalent models can shift the weights of two features against each other.

Scale every weight by the width of its signed interval. Over all equivalent models the sum of two
scaled weights takes an interval of width P, their difference one of width M. The features'
trade-off is ``1 − min(P, M) / max(P, M)``.

0: the weights do not care for one another. What all compete for, the norm, widens neither the sum
nor the difference more. 1: two copies, one weight fixes the other. 1/2: three copies or more,
whatever their number.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from allrelevant.base.arrays import Floats, Ints
from allrelevant.linear.engine.direction import Direction
from allrelevant.linear.engine.equivalent import EquivalentModels
from allrelevant.linear.engine.ranges import RangeSolver
from allrelevant.linear.engine.weight_range import WeightRange

_NEIGHBOURS, _ALIKE = 8, 0.5  # pairs worth a program: the nearest columns, and all that correlate
_STILL = 10.0  # times the accuracy: a weight with less room to move does not trade


class TradeOffs:
    """Finds trade-offs of columns over equivalent models, by four linear programs for a pair.

    Parameters
    ----------
    models : EquivalentModels
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
        self.models, self._found, self._rest = models, found, rest
        self._solvers = [RangeSolver(part) for part in (models, *rest)]
        self._widths: dict[int, float] = {}

    @property
    def solved(self) -> int:
        """How many linear programs were solved so far."""
        return sum(solver.solved for solver in self._solvers)

    def __call__(self, pair: tuple[int, int]) -> float:
        """The trade-off of a pair of columns, which is a worker's task."""
        return self.between(*pair)

    def between(self, one: int, other: int) -> float:
        """The trade-off of two columns."""
        widths = np.array([self.width(one), self.width(other)])
        if widths.min() <= _STILL * self.models.accuracy:
            return 0.0
        # Factors of at most 1: proofs are as accurate as those of single weights then.
        together = widths.min() / widths
        ends = [self._width([one, other], together * (1.0, sign)) for sign in (1.0, -1.0)]
        return 1.0 - min(ends) / max(ends)

    def width(self, column: int) -> float:
        """The width of a weight's signed interval."""
        if column not in self._widths:
            known = self._found[column] if column < len(self._found) else None
            if known is None or known.low.is_bound or known.high.is_bound:
                self._widths[column] = self._width([column], np.ones(1))
            else:
                self._widths[column] = known.high.value - known.low.value
        return self._widths[column]

    def _width(self, columns: list[int], factors: Floats) -> float:
        """How far apart the smallest and the largest value of a linear function are."""
        places = np.array(columns, dtype=np.intp)
        ends = (
            max(solver.maximise(Direction(places, s * factors)).value for solver in self._solvers)
            for s in (1, -1)
        )
        return sum(ends)


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
