"""Features of several columns, such as a category: one interval for all of them, and one class."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from allrelevant.base.arrays import Floats, Ints, Mask
from allrelevant.base.features import Features
from allrelevant.base.three_classes import ACCURACY, classify
from allrelevant.linear.engine.ranges.weight_range import End, Witness
from allrelevant.linear.fit.ranges.norms import LargestNorm, NormRange
from allrelevant.linear.fit.ranges.spreads import SpreadRange


@dataclass(frozen=True, eq=False)
class Several:
    """What a fit has found of a feature of several columns.

    Parameters
    ----------
    range : NormRange or SpreadRange
        Of the sum of their absolute weights, in the engine's units; of several classes the largest
        difference that one of the columns makes between two.
    noise : float
        What the same columns reach when their rows are permuted together, as a share.
    limits : array
        What noise reaches in each column, where one of them alone has to pass for all.
    p_value, p_error : float
        The probability that noise would pass as easily, and the standard error of its logarithm.
    by_rest : bool
        Whether it passes by what it explains that others leave alone, however far it reaches.
    by_function : tuple of NormRange
        Of a privileged feature the ranges in each slack function; `range` has the larger ends.
    """

    range: NormRange | SpreadRange
    noise: float
    limits: Floats
    p_value: float = 1.0
    p_error: float = 0.0
    by_function: tuple[NormRange, ...] = ()
    by_rest: bool = False

    def judged(self, interval: Floats, columns: Floats) -> tuple[int, float]:
        """The class of several columns, and their noise threshold; by what each is alone, too.

        The largest sum of many columns says little where one of them matters and the others do not.
        A column that passes its own limit is enough for the feature.

        Parameters
        ----------
        interval : array
            Relevance of all columns together.
        columns : array of shape (n_columns, 2)
            That of each.
        """
        limit = 0.0 if self.by_rest else self.noise
        if (columns[:, 1] > np.maximum(self.limits, ACCURACY)).any():
            limit = min(limit, float(self.limits.min()))
        return int(classify(interval[None], np.array([0.0, limit]))[0]), limit


class ColumnValues(NamedTuple):
    """What is known of all columns, each by itself; relevances and weights are shares.

    `limits` is what noise reaches in each, `weights` are those of the baseline; `is_bound` tells
    intervals that are not exact.
    """

    intervals: Floats
    signed_intervals: Floats
    classes: Ints
    limits: Floats
    weights: Floats
    is_bound: Mask


def by_feature(
    features: Features,
    columns: ColumnValues,
    several: Mapping[int, Several],
    ranges: Mapping[int, NormRange | SpreadRange],
    norm: float,
) -> dict[str, Any]:
    """The fields of a result: a feature of one column is that column.

    Parameters
    ----------
    several : mapping from int to Several
        What the fit has found of features of several columns.
    ranges : mapping from int to NormRange
        Their norms; under constraints these are others than the fit's.
    norm : float
        The baseline's, of which relevances are shares.
    """
    known = {name: values[features.first] for name, values in columns._asdict().items()}
    for j, own in features.several.items():
        interval = np.array(ranges[j].relevance) / norm
        known["intervals"][j], known["signed_intervals"][j] = interval, ranges[j].ends
        label, limit = several[j].judged(interval, columns.intervals[own])
        known["classes"][j], known["limits"][j] = label, limit
        known["weights"][j] = ranges[j].together(np.abs(columns.weights[own]))
        known["is_bound"][j] = not ranges[j].is_exact
    known["noise_thresholds"] = known.pop("limits")
    known["is_bound"] = known["is_bound"] if known["is_bound"].any() else known["is_bound"][:0]
    shown = {
        features.names[j]: {
            "names": [features.columns[k] for k in own],
            "intervals": columns.intervals[own],
            "signed_intervals": columns.signed_intervals[own],
            "weights": columns.weights[own],
            "noise_thresholds": columns.limits[own],
            "is_exact": ranges[j].is_exact,
            "references": [features.columns[k] for k in own if k in features.references],
        }
        for j, own in features.several.items()
    }
    return known | {"columns": shown}


def privileged_by_feature(
    features: Features,
    columns: tuple[Floats, Ints, Floats, Mask],
    several: Mapping[int, Several],
    ranges: Mapping[int, NormRange | SpreadRange],
    norm: float,
) -> dict[str, Any]:
    """The same of privileged features, whose weights have no sign to speak of.

    `columns` are intervals, classes, limits, and which intervals are bounds.
    """
    intervals, classes, limits, is_bound = columns
    unknown = np.full((len(intervals), 2), np.nan)
    values = ColumnValues(intervals, unknown, classes, limits, unknown[:, 0], is_bound)
    known = by_feature(features, values, several, ranges, norm)
    for one in (known, *known["columns"].values()):
        del one["signed_intervals"], one["weights"]
    return known


def none_of(features: Features, offsets: Floats) -> dict[int, Several]:
    """Where no model uses any: the one with these offsets is a witness of everything."""
    nothing = End(0.0, Witness.of(np.zeros(0), offsets))
    point = NormRange(nothing, LargestNorm(nothing, 0.0))
    return {j: Several(point, 0.0, np.zeros(len(own))) for j, own in features.several.items()}


def tests_of(columns: Ints) -> float:
    """How many tests each of a feature's columns is one of."""
    return 2.0 * len(columns)
