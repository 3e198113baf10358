"""What tolerance a request would take that no equivalent model meets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from allrelevant.base.arrays import Floats, Mask
from allrelevant.linear.engine.program.equivalent import EquivalentModels
from allrelevant.linear.engine.ranges.nearest import in_units_of, nearest_member, with_limits
from allrelevant.linear.questions.constraints.constraints import Constraint, branches

_NOTHING = 1e-9  # of what a budget could be: a baseline that needs no more needs nothing
_FAR = 1001.0  # times what weights can be now: how far those without an upper bound may get
_ENOUGH = 1e-4  # relative: a tolerance that is a bit inaccurate is better than none
_LARGE = 100.0  # a lower bound or a tolerance from which on weights are counted in units of it


def makes_no_error(models: EquivalentModels, baseline: Mapping[str, float]) -> bool:
    """Whether some tolerances are shares of nothing, as where the baseline has no loss."""
    return not bool(_grows(models, narrowest(models, baseline)).all())


def sufficient_tolerance(
    models: EquivalentModels, baseline: Mapping[str, float], constraints: Sequence[Constraint]
) -> float:
    """The smallest tolerance at which some branch of the constraints holds a model.

    It is the one to give for the norm and the loss alike, whatever they have now.

    Parameters
    ----------
    models : EquivalentModels
        At the present tolerance.
    baseline : mapping
        Norm and loss of the baseline, from which a tolerance is counted, and that of now.
    constraints : sequence of Constraint
    """
    least = narrowest(models, baseline)
    grows = _grows(models, least)
    # Beside weights of a million a solver cannot tell margins of 1 from rounding errors. In units
    # of a million these are weights of 1 and margins that hardly matter.
    largest = max(
        *(constraint.low for constraint in constraints),
        baseline["tolerance_norm"],
        baseline["tolerance_loss"],
    )
    unit = largest if largest > _LARGE else 1.0
    some, asked = in_units_of(unit, least), [_in_units_of(unit, c) for c in constraints]
    # With more room weights get farther than they can now.
    boxes = branches(asked, reach=_FAR)
    needed = (_needed(some.within(branch), least.limits, grows) for branch in boxes)
    return unit * min(needed, default=np.inf)


def _in_units_of(unit: float, constraint: Constraint) -> Constraint:
    feature = replace(constraint.feature, largest=constraint.feature.largest / unit)
    low, high = constraint.low / unit, constraint.high / unit
    return replace(constraint, feature=feature, low=low, high=high)


def _needed(models: EquivalentModels, units: Floats, grows: Mask) -> float:
    """By how many units the budgets have to grow for the models' boxes to hold one."""
    boxes = models.boxes
    if boxes is not None:
        wanted = boxes.features[(boxes.low > 0) | (boxes.high < 0)]
        if boxes.sums is not None:
            wanted = np.append(wanted, boxes.sums.needed)
        if not models.X.sizes[wanted].all():
            return np.inf  # a constant column has no weight at any tolerance
    if not grows.all():
        # A loss of zero stays zero at any tolerance. Can it, if the norm may grow?
        far = replace(models, budgets=with_limits(models.budgets, _FAR * units))
        if not nearest_member(far, np.maximum(far.limits, _whole(far))).is_member:
            return np.inf
        units = np.where(grows, units, 0.0)
    return nearest_member(models, units, enough=_ENOUGH).excess


def narrowest(models: EquivalentModels, baseline: Mapping[str, float]) -> EquivalentModels:
    """The models at a tolerance of zero."""
    norm, loss = baseline["norm"], baseline["loss"]
    side = baseline.get("privileged_norm", 0.0)
    limits = [b.norm * norm + b.side * side + b.loss * loss for b in models.budgets]
    return replace(models, budgets=with_limits(models.budgets, limits))


def _grows(models: EquivalentModels, narrowest: EquivalentModels) -> Mask:
    """Which budgets get wider with the tolerance: those that are shares of something."""
    return narrowest.limits > _NOTHING * _whole(models)


def _whole(models: EquivalentModels) -> Floats:
    """What each budget could be."""
    return np.maximum(models.limits, float(models.pieces.weight.sum()) * models.loss_factors)
