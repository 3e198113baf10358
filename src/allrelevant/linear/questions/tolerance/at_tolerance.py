"""The same fit with more or less room: the models at another tolerance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace

import numpy as np

from allrelevant.base.arrays import Floats, Ints
from allrelevant.base.three_classes import ACCURACY, IRRELEVANT, STRONG, WEAK
from allrelevant.linear.engine.ranges.nearest import with_limits
from allrelevant.linear.engine.ranges.weight_range import WeightRange
from allrelevant.linear.questions.constraints.sufficient import narrowest
from allrelevant.linear.questions.fitted_set import FittedSet


class OtherTolerance(FittedSet):
    """Models that may be worse by another factor than those of the fit.

    What the fit has found of its own models is not known of these. Noise was measured at the
    tolerance of the fit, and reaches less far at a smaller one. So what is irrelevant stays so,
    and all others are strong where every model needs them.
    """

    @property
    def weight_ranges(self) -> list[WeightRange]:
        """None: those of the fit are of other models."""
        return []

    def labels(self, labels: Ints, intervals: Floats, those: Sequence[int] | None = None) -> Ints:
        """Classes by those of the fit, and by which features all models need."""
        was = self.result.classes if those is None else self.result.classes[list(those)]
        needed = intervals[:, 0] > max(float(self.result.thresholds[0]), ACCURACY)
        return np.where(was == IRRELEVANT, IRRELEVANT, np.where(needed, STRONG, WEAK))


def at_tolerance(fitted: FittedSet, factor: float) -> FittedSet:
    """The fitted set where models may be worse by `factor` times as much as at the fit."""
    models = fitted.models
    if models is None or factor == 1.0:
        return fitted
    least = narrowest(models, fitted.result.baseline).limits
    limits = least + factor * (models.limits - least)
    wider = replace(models, budgets=with_limits(models.budgets, limits))
    norm, loss = (factor * one for one in fitted.analysis.tolerance)
    said = {**fitted.result.baseline, "tolerance_norm": norm, "tolerance_loss": loss}
    known = {entry.name: getattr(fitted, entry.name) for entry in fields(fitted)}
    # Ends that the fit has left open are those of its own models, not of these.
    found = replace(fitted.analysis.found, ranges=fitted.ranges)
    known["analysis"] = replace(fitted.analysis, models=wider, tolerance=(norm, loss), found=found)
    known["result"] = replace(fitted.result, baseline=said)
    return OtherTolerance(**known)
