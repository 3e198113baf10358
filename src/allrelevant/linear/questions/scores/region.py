"""What two weights can be together: the region of a pair of features.

The weights of two features in all equivalent models make a convex polygon. Its support in a
direction is one linear program, whose optimum is a corner; an edge between two corners is proven
where the program at a right angle to it finds nothing beyond it. What programs have not settled
lies between the polygon of the corners and the one of the lines that were found.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from allrelevant.base.arrays import Floats, Ints
from allrelevant.linear.engine.program.direction import Direction
from allrelevant.linear.engine.program.equivalent import EquivalentModels
from allrelevant.linear.engine.ranges.solver import RangeSolver
from allrelevant.linear.questions.fitted_set import FittedSet
from allrelevant.linear.questions.predictions.ranges import models_that_keep
from allrelevant.linear.questions.scores.contrast import Contrast
from allrelevant.tabular.names import few

_SAME = 1e-7  # shares of the region's width: corners closer than this are one


@dataclass(frozen=True, eq=False)
class PairRegion:
    """The weights that two features have together in some equivalent model, as shares.

    Attributes
    ----------
    names : pair of str
        The features; the first is on the horizontal axis.
    corners : array of shape (n_corners, 2)
        Weights of both in models that attain them, counter-clockwise. Everything between them is
        attained, too.
    outside : array of shape (n, 2)
        A polygon that no equivalent model leaves; the same polygon if `is_exact`.
    baseline : array of shape (2,)
        The weights of the baseline.
    n_programs : int
        How many linear programs it took.

    Examples
    --------
    >>> from allrelevant import RelevanceClassifier
    >>> from allrelevant.datasets import make_classification
    >>> X, y, truth = make_classification(
    ...     80, n_strong=1, n_weak=2, n_irrelevant=1, random_state=0)
    >>> model = RelevanceClassifier(C=0.5, tolerance=0.05, n_probes=30, random_state=0).fit(X, y)
    >>> region = model.region("x1", "x2")
    >>> region.is_exact, bool(region.area > 0)
    (True, True)
    """

    names: tuple[str, str]
    corners: Floats
    outside: Floats
    baseline: Floats
    n_programs: int

    @property
    def is_exact(self) -> bool:
        """Whether every edge is proven."""
        return area(self.outside) <= (1.0 + 1e-6) * area(self.corners) + 1e-12

    @property
    def area(self) -> float:
        """The area of the polygon of the corners."""
        return area(self.corners)

    def __repr__(self) -> str:
        one, other = self.names
        kind = "exact" if self.is_exact else f"at most {area(self.outside):.3g}"
        corners = f"{len(self.corners)} corners, area {self.area:.3g} ({kind})"
        return f"PairRegion of {one} and {other}: {corners}"


def find_region(
    fitted: FittedSet,
    first: Any,
    second: Any,
    n_programs: int,
    contrast: Contrast,
    constraints: Mapping[str, Any],
) -> PairRegion:
    """The region of two features' weights over the models that keep the constraints."""
    places = [_single(fitted, one) for one in (first, second)]
    if places[0] == places[1]:
        raise ValueError(f"region needs two different features, got {first!r} twice.")
    norm = fitted.result.baseline["norm"] or 1.0
    names = (fitted.features.columns[places[0]], fitted.features.columns[places[1]])
    n_weights = len(fitted.by_weight.columns)
    baseline = contrast.of_model(fitted.analysis.baseline.weights[:n_weights])[places] / norm
    models, *others = models_that_keep(fitted, constraints)
    if others:
        raise ValueError(
            "region needs models in one piece, and these constraints leave some with a positive "
            "and some with a negative weight: give its sign, too, as in signs={'age': 1}."
        )
    if models is None:
        nothing = np.zeros((1, 2))
        return PairRegion(names, nothing, nothing, np.zeros(2), 0)
    blocks = np.flatnonzero(contrast.factors)
    columns = (blocks[:, None] * fitted.n_columns + np.array(places, dtype=np.intp)).ravel()
    sums = np.hstack([factor * np.eye(2) for factor in contrast.factors[blocks]])
    walk = _Outline(models, columns, sums, n_programs)
    corners, outside = walk.polygons()
    return PairRegion(names, corners / norm, outside / norm, baseline, walk.solved)


def _single(fitted: FittedSet, feature: Any) -> int:
    places = fitted.features.columns_of(feature)
    if len(places) > 1:
        own = few([fitted.features.columns[k] for k in places])
        raise ValueError(f"region needs single columns: of {feature!r} name one ({own}).")
    return places[0]


class _Outline:
    """Finds the corners of a region, the widest open edge first.

    Both axes are sums of the weights of some columns, times the factors in `sums`.
    """

    def __init__(
        self, models: EquivalentModels, columns: Ints, sums: Floats, n_programs: int
    ) -> None:
        self._solver, self._columns, self._sums = RangeSolver(models), columns, sums
        self._most = n_programs
        self.solved = 0
        # Programs are asked in units of the widths, in which the region is about round.
        self._unit = np.ones(2)
        ends = np.array([[self._support(s * axis)[0] for s in (1, -1)] for axis in np.eye(2)])
        self._unit = np.maximum(ends.sum(axis=1), models.accuracy)

    def _support(self, normal: Floats) -> tuple[float, Floats]:
        """How far the region reaches in a direction of the scaled plane, and where."""
        self.solved += 1
        factors = normal / self._unit
        size = float(np.abs(factors).max())
        asked = Direction(self._columns, factors / size @ self._sums)
        optimum = self._solver.maximise(asked)
        return optimum.value * size, self._sums @ optimum.weights[self._columns] / self._unit

    def polygons(self) -> tuple[Floats, Floats]:
        """The polygon of the corners that are attained, and the one that nothing leaves."""
        lines = [(normal, *self._support(normal)) for normal in _COMPASS]
        settled: set[int] = set()
        while self.solved < self._most:
            k = self._widest(lines, settled)
            if k is None:
                break
            one, other = lines[k], lines[(k + 1) % len(lines)]
            step = other[2] - one[2]
            normal = np.array([step[1], -step[0]]) / np.linalg.norm(step)
            reach, corner = self._support(normal)
            lines.insert(k + 1, (normal, reach, corner))
            settled = {j + (j > k) for j in settled}
            if reach - float(normal @ one[2]) <= _SAME:
                settled |= {k, k + 1}
        corners = _distinct(np.array([corner for _, _, corner in lines]))
        return corners * self._unit, _crossings(lines) * self._unit

    @staticmethod
    def _widest(lines: list[tuple[Floats, float, Floats]], settled: set[int]) -> int | None:
        """The edge between two corners that leaves most open."""
        open_area = {}
        for k, one in enumerate(lines):
            other = lines[(k + 1) % len(lines)]
            step = other[2] - one[2]
            if k in settled or np.linalg.norm(step) <= _SAME:
                continue
            beyond = _crossing(one, other) - one[2]
            open_area[k] = abs(float(step[0] * beyond[1] - step[1] * beyond[0]))
        widest = max(open_area, key=lambda k: open_area[k], default=None)
        return widest if widest is not None and open_area[widest] > _SAME**1.5 else None


_COMPASS = [np.array(normal) for normal in ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))]


def _crossing(one: tuple[Floats, float, Floats], other: tuple[Floats, float, Floats]) -> Floats:
    """Where two lines meet; parallel ones do so where they touch the region."""
    normals = np.array([one[0], other[0]])
    if abs(np.linalg.det(normals)) < 1e-9:
        return one[2]
    return np.linalg.solve(normals, np.array([one[1], other[1]]))


def _crossings(lines: list[tuple[Floats, float, Floats]]) -> Floats:
    every = zip(lines, lines[1:] + lines[:1], strict=True)
    return _distinct(np.array([_crossing(one, other) for one, other in every]))


def _distinct(points: Floats) -> Floats:
    """Points of a polygon without those that repeat the one before."""
    kept = [0]
    for k in range(1, len(points)):
        if np.abs(points[k] - points[kept[-1]]).max() > _SAME:
            kept.append(k)
    if len(kept) > 1 and np.abs(points[kept[-1]] - points[0]).max() <= _SAME:
        kept.pop()
    return points[kept]


def area(polygon: Floats) -> float:
    """The area of a polygon, by the shoelace formula."""
    x, y = polygon.T
    return float(abs(x @ np.roll(y, -1) - y @ np.roll(x, -1))) / 2.0
