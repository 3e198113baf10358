"""What a feature adds to the score, as a function of its value: the range over all good models."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from allrelevant import backends
from allrelevant.base.arrays import Floats, Ints
from allrelevant.base.progress import Progress
from allrelevant.linear.engine.program.equivalent import EquivalentModels
from allrelevant.linear.engine.ranges.solver import RangeSolver
from allrelevant.linear.questions.fitted_set import FittedSet
from allrelevant.linear.questions.predictions.ranges import models_that_keep
from allrelevant.linear.questions.scores.contrast import Contrast
from allrelevant.linear.questions.scores.linear_range import LinearFunction, largest_value
from allrelevant.tabular.curves import Curve

_BETWEEN = 4  # points from one knot to the next
_POINTS = 21  # where there are no knots


@dataclass(frozen=True, eq=False)
class ShapeBand:
    """Smallest and largest value of a feature's shape function over all equivalent models.

    A shape function is what a feature adds to the score, by its value; its mean over the data is 0.
    Scores are decision values; for numbers the predictions, for times their logarithms.

    Attributes
    ----------
    feature : str
    values : array of shape (n_points,)
        Values of the feature.
    low, high : array of shape (n_points,)
        The ends at each of them. Different models may attain them at different values.
    baseline : array of shape (n_points,)
        The baseline's own function.
    classes : pair or None
        With three and more classes those that are compared: what is positive speaks for the second.

    Examples
    --------
    >>> from allrelevant import RelevanceClassifier
    >>> from allrelevant.datasets import make_classification
    >>> X, y, truth = make_classification(
    ...     80, n_strong=1, n_weak=2, n_irrelevant=1, random_state=0)
    >>> model = RelevanceClassifier(C=0.5, tolerance=0.05, n_probes=30, random_state=0).fit(X, y)
    >>> band = model.shape_range("x0")
    >>> bool((band.low <= band.high).all()), band.is_flat
    (True, False)
    """

    feature: str
    values: Floats
    low: Floats
    high: Floats
    baseline: Floats
    classes: tuple[Any, Any] | None = None

    @property
    def is_flat(self) -> bool:
        """Whether a constant function lies within the band: it may still be in no model."""
        return float(self.low.max()) <= float(self.high.min())

    def to_frame(self) -> pd.DataFrame:
        """One row per value: *value, low, high, baseline*."""
        columns = {"value": self.values, "low": self.low, "high": self.high}
        return pd.DataFrame(columns | {"baseline": self.baseline})

    def __repr__(self) -> str:
        width = float((self.high - self.low).max())
        return (
            f"ShapeBand of {self.feature!r}: {len(self.values)} values from {self.values[0]:.4g} "
            f"to {self.values[-1]:.4g}, at most {width:.3g} wide"
        )


def check_values(values: Any) -> Floats:
    """Values of a feature to ask about, in ascending order."""
    try:
        points = np.asarray(values, dtype=float)
    except (TypeError, ValueError):
        raise ValueError(f"values must be numbers, got {values!r}.") from None
    if points.ndim != 1 or not len(points) or not np.isfinite(points).all():
        raise ValueError("values must be a list of finite numbers, one at least.")
    return np.unique(points)


def find_shape_band(
    fitted: FittedSet,
    feature: Any,
    values: Floats | None,
    contrast: Contrast,
    constraints: Mapping[str, Any],
    *,
    n_jobs: int | None,
    progress: Progress,
) -> ShapeBand:
    """The band of a feature with numbers: of one column, or of a curve's."""
    name, columns = _named(fitted, feature)
    curves = fitted.columns.curves
    curve: Curve | None = None if curves is None else curves.of_feature(name)
    if curve is None and len(columns) > 1:
        raise ValueError(
            f"shape_range is for numbers, and {name!r} is made of several columns: ask range_of "
            "about these."
        )
    if values is None:
        values = _grid(fitted, columns, curve)
    coded = values[:, None] if curve is None else curve.columns(values)
    factors = _in_units(fitted, columns, coded)
    parts = []
    for models in models_that_keep(fitted, constraints):
        if models is None:  # a constant is the only model
            parts.append(np.zeros((2, len(values))))
            continue
        make = partial(ShapeWorker, models, fitted.n_columns, columns, contrast)
        progress.stage("shape function", len(values))
        found = backends.run(make, list(factors), n_jobs, progress.advance)
        parts.append(np.array(found).T)
    low, high = np.min([part[0] for part in parts], axis=0), np.max([p[1] for p in parts], axis=0)
    n_weights = len(fitted.by_weight.columns)
    own = factors @ contrast.of_model(fitted.analysis.baseline.weights[:n_weights])[columns]
    return ShapeBand(name, values, low, high, own, contrast.classes)


def _named(fitted: FittedSet, feature: Any) -> tuple[str, Ints]:
    features = fitted.features
    part = features.part(feature)
    if part is not None:
        return features.columns[part], np.array([part], dtype=np.intp)
    j = features.position(feature)
    return features.names[j], np.array(features.places[j], dtype=np.intp)


def _grid(fitted: FittedSet, columns: Ints, curve: Curve | None) -> Floats:
    """Values to ask about: from the least to the largest there are, knots among them."""
    if curve is None:
        low, high = (end[columns] for end in fitted.analysis.problem.sample.X.ends)
        scale, centre = fitted.scaling.scale[columns], fitted.scaling.centre[columns]
        ends = np.concatenate([low, high]) * np.where(np.isinf(scale), 0.0, scale) + centre
        return np.linspace(float(ends[0]), float(ends[1]), _POINTS)
    if curve.ends is None:
        raise ValueError("give values: somebody's own transformer does not say where to look.")
    steps = np.arange(_BETWEEN * (len(curve.ends) - 1) + 1) / _BETWEEN
    return np.interp(steps, np.arange(len(curve.ends)), curve.ends)


def _in_units(fitted: FittedSet, columns: Ints, coded: Floats) -> Floats:
    """Factors of the engine's weights that make up the function, less its mean over the data."""
    scaling, sample = fitted.scaling, fitted.analysis.problem.sample
    scaled = (coded - scaling.centre[columns]) / scaling.scale[columns]
    mean = sample.X.pull(sample.count / sample.count.sum())[columns]
    return fitted.decoder.units[0] * (scaled - mean)


class ShapeWorker:
    """Finds both ends of a sum of a few columns' weights."""

    def __init__(
        self, models: EquivalentModels, n_columns: int, columns: Ints, contrast: Contrast
    ) -> None:
        self._solver, self._contrast = RangeSolver(models), contrast
        self._columns, self._n = columns, n_columns
        self._no_offsets = np.zeros(models.pieces.n_offsets)

    def __call__(self, factors: Floats) -> tuple[float, float]:
        """The ends for these factors."""
        weights = np.zeros(self._n)
        weights[self._columns] = factors
        function = LinearFunction(self._contrast.weights(weights), self._no_offsets)
        if not weights.any():
            return 0.0, 0.0
        low, high = (
            sign * largest_value(self._solver, function, sign).value * function.size
            for sign in (-1, 1)
        )
        return low, high
