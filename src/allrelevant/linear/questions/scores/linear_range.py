"""The range of any linear function of the equivalent models, and who attains its ends."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from allrelevant.base.arrays import Floats
from allrelevant.base.validation import check_number
from allrelevant.data import matrix_of
from allrelevant.linear.engine.program.direction import Direction
from allrelevant.linear.engine.program.equivalent import EquivalentModels
from allrelevant.linear.engine.program.optimum import Optimum
from allrelevant.linear.engine.ranges.solver import RangeSolver
from allrelevant.linear.questions.equivalent_model import EquivalentModel
from allrelevant.linear.questions.fitted_set import FittedSet
from allrelevant.linear.questions.predictions.offset_room import with_all_offsets
from allrelevant.linear.questions.predictions.ranges import models_that_keep
from allrelevant.linear.questions.scores.contrast import Contrast


@dataclass(frozen=True, eq=False)
class LinearRange:
    """Smallest and largest value of a linear function over all equivalent models.

    Attributes
    ----------
    low, high : float
        Both ends. Some equivalent model has each value between them, unless constraints have
        split the models into separate parts.
    lowest, highest : EquivalentModel
        Models that attain them.

    Examples
    --------
    >>> from allrelevant import RelevanceClassifier
    >>> from allrelevant.datasets import make_classification
    >>> X, y, truth = make_classification(
    ...     80, n_strong=1, n_weak=2, n_irrelevant=1, random_state=0)
    >>> model = RelevanceClassifier(C=0.5, tolerance=0.05, n_probes=30, random_state=0).fit(X, y)
    >>> found = model.range_of({"x0": 1.0})
    >>> print(f"{found.low:.2f} to {found.high:.2f}, sign {found.sign}")
    0.34 to 0.47, sign 1
    """

    low: float
    high: float
    lowest: EquivalentModel
    highest: EquivalentModel

    @property
    def width(self) -> float:
        """Distance between both ends."""
        return self.high - self.low

    @property
    def sign(self) -> int:
        """+1 where it is positive in every equivalent model, −1 where negative, 0 else."""
        return int(self.low > 0) - int(self.high < 0)

    def __repr__(self) -> str:
        words = {1: ", positive in every model", -1: ", negative in every model", 0: ""}
        return f"LinearRange from {self.low:.6g} to {self.high:.6g}{words[self.sign]}"


@dataclass(frozen=True, eq=False)
class LinearFunction:
    """``constant + weights·w + offsets·b`` of a model's weights and offsets."""

    weights: Floats
    offsets: Floats
    constant: float = 0.0

    def direction(self, sign: float, scale: float) -> Direction:
        """What the engine is to maximise; factors of at most 1, as proofs want them."""
        used = np.flatnonzero(self.weights)
        factors = sign * self.weights[used] / scale
        offsets = sign * self.offsets / scale if self.offsets.any() else None
        return Direction(used, factors, offset_factors=offsets, label="a linear function")

    @property
    def size(self) -> float:
        """The largest factor."""
        largest = max(np.abs(self.weights).max(initial=0.0), np.abs(self.offsets).max(initial=0.0))
        return float(largest) or 1.0


def find_linear_range(
    fitted: FittedSet, function: LinearFunction, constraints: Mapping[str, Any]
) -> LinearRange:
    """Both ends of a function over the models that keep the constraints."""
    ends: dict[int, tuple[float, Any]] = {}
    for models in models_that_keep(fitted, constraints):
        for sign in (-1, 1):
            value, model = _end(fitted, models, function, sign)
            if sign not in ends or sign * (value - ends[sign][0]) > 0:
                ends[sign] = value, model
    low, high = (
        (function.constant + value, EquivalentModel(fitted, *model))
        for value, model in (ends[-1], ends[1])
    )
    return LinearRange(low[0], high[0], low[1], high[1])


def _end(
    fitted: FittedSet, models: EquivalentModels | None, function: LinearFunction, sign: int
) -> tuple[float, tuple[Floats, Floats]]:
    if models is None:  # the baseline, a constant, is the only model
        weights, offsets = fitted.constant
        return float(function.offsets @ offsets), (weights, offsets)
    if function.offsets.any():
        models = with_all_offsets(models)
    optimum = largest_value(RangeSolver(models, fitted.by_weight.columns), function, sign)
    return sign * optimum.value * function.size, (optimum.weights, optimum.offsets)


def largest_value(solver: RangeSolver, function: LinearFunction, sign: int) -> Optimum:
    """The optimum of a function, or of its negative, in units of its largest factor."""
    return solver.maximise(function.direction(float(sign), function.size))


# What people ask for


def of_weights(
    fitted: FittedSet, factors: Mapping[Any, float], contrast: Contrast
) -> LinearFunction:
    """A sum of weights, as shares of the baseline's norm, times factors."""
    weights = np.zeros(fitted.n_columns)
    for feature, factor in _pairs(factors, "weights"):
        places = fitted.features.columns_of(feature, "weights")
        if len(places) > 1:
            columns = ", ".join(repr(fitted.features.columns[k]) for k in places)
            raise ValueError(
                f"range_of needs single columns, and {feature!r} has several: name {columns}."
            )
        weights[places[0]] += factor
    norm = fitted.result.baseline["norm"] or 1.0
    nothing = np.zeros(len(fitted.analysis.baseline.offsets))
    return LinearFunction(contrast.weights(weights / norm), nothing)


def of_scores(
    fitted: FittedSet, table: Any, factors: Mapping[Any, float], contrast: Contrast
) -> LinearFunction:
    """A sum of the scores of samples, times factors, in people's units."""
    rows, values = [], []
    for row, factor in _pairs(factors, "scores"):
        check_number("a row of scores", row, low=0, high=table.shape[0] - 1, whole=True)
        rows.append(int(row))
        values.append(factor)
    used = np.array(values)
    samples = fitted.scaling.of_matrix(matrix_of(table[np.array(rows, dtype=np.intp)])).dense()
    scale, centre = fitted.decoder.units
    offsets = np.zeros(len(fitted.analysis.baseline.offsets))
    shift, total = 0.0, float(used.sum())
    if len(contrast.factors) > 1:
        offsets = total * contrast.factors[1:]
    elif len(offsets) == 1:  # several thresholds are no part of a score
        own = total * float(contrast.factors[0])
        offsets[0] = fitted.model.offset_sign * fitted.placing.scale * own
        shift = fitted.placing.shift * float(contrast.factors[0])
    constant = total * (scale * shift + centre)
    weights = scale * (used @ samples) + total * score_at_zero(fitted)
    return LinearFunction(contrast.weights(weights), scale * offsets, constant)


def score_at_zero(fitted: FittedSet) -> Floats:
    """What the weights add to every score where several thresholds have no part in it.

    People compare these scores with `thresholds_`, which are for columns as they came: without an
    offset, where the engine has moved columns from does count.
    """
    if fitted.model.n_scores > 1 or len(fitted.analysis.baseline.offsets) == 1:
        return np.zeros(fitted.n_columns)
    return fitted.scaling.centre / fitted.scaling.scale


def _pairs(factors: Any, name: str) -> Iterable[tuple[Any, float]]:
    if not isinstance(factors, Mapping) or not factors:
        raise ValueError(f"{name} must map something to factors, got {factors!r}.")
    for key, factor in factors.items():
        check_number(f"the factor of {key!r}", factor, low=-np.inf, high=np.inf, closed=False)
        yield key, float(factor)
