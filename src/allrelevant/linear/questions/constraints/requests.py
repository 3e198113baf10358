"""From what a person asks of equivalent models to constraints, and back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import prod
from numbers import Real
from types import MappingProxyType
from typing import Any

import numpy as np

from allrelevant.base.names import position
from allrelevant.base.three_classes import ACCURACY
from allrelevant.linear.questions.constraints.constraints import Constraint, Feature

MOST_BRANCHING = 8  # features with a positive lower bound: each doubles the work
MOST_COLUMNS = 8  # of a feature that is bounded: each doubles the rows that say so
_WHY = {
    "keep": "Models in which the sum of their absolute weights is at least so large are no convex "
    "set, so that smallest and largest weights would not be found.",
    "bounds": "For all of them together only an upper bound can be given, with 0 as the smallest: "
    "models in which they are large are no convex set.",
    "signs": "Each of them has a sign of its own.",
}


def listed(given: Any, parameter: str) -> list[Any]:
    """Features that are given as any iterable but a string, which would be one of letters."""
    if isinstance(given, str) or not hasattr(given, "__iter__"):
        raise ValueError(f"{parameter} must be a list of features, got {given!r}.")
    return list(given)


def read_once(constraints: Mapping[str, Any]) -> dict[str, Any]:
    """The same constraints with lists for what may be read only once."""
    names = [name for name in ("forbid", "keep") if name in constraints]
    return {**constraints, **{name: listed(constraints[name], name) for name in names}}


def _needs_one_column(name: str, columns: Sequence[str], parameter: str) -> ValueError:
    """The error where a constraint is for a single weight and a feature has several columns."""
    shown = ", ".join(repr(column) for column in columns[:8]) + (", …" if len(columns) > 8 else "")
    return ValueError(
        f"{parameter} names {name!r}, which has several columns: give one of them, {shown}. "
        + _WHY[parameter]
    )


def parse_constraints(
    features: Sequence[Feature],
    parts: Mapping[str, Feature] = MappingProxyType({}),
    *,
    forbid: Iterable[Any] = (),
    keep: Iterable[Any] = (),
    bounds: Mapping[Any, Sequence[float]] | None = None,
    signs: Mapping[Any, Any] | None = None,
) -> list[Constraint]:
    """The constraints that a person's request amounts to.

    `parts` are columns of features that have several. Such a feature can be forbidden or have an
    upper bound, and the pieces of a curve can all have one sign; models in which a sum of absolute
    weights is at least so large would not be a convex set.
    """
    names = [feature.name for feature in features]
    counted = [feature.name for feature in features if not feature.is_privileged]
    found = []

    def named(given: Any, parameter: str) -> Feature:
        if isinstance(given, str) and given in parts:
            return parts[given]
        known = names if isinstance(given, str) else counted
        found = features[position(known, given, parameter, also=list(parts))]
        is_range = parameter in ("forbid", "bounds") or (parameter == "signs" and found.is_curve)
        is_range |= parameter != "signs" and bool(found.classes)
        if not is_range:
            check_one_column(found, parameter)
        return found

    def check_one_column(feature: Feature, parameter: str) -> None:
        own = [name for name, part in parts.items() if part.places[0] in feature.places]
        if len(own) > 1:
            raise _needs_one_column(feature.name, own, parameter)

    for given in listed(forbid, "forbid"):
        feature = named(given, "forbid")
        found.append(Constraint(feature, 0.0, 0.0, 0, "forbid"))
    for given in listed(keep, "keep"):
        feature = named(given, "keep")
        # Where noise reaches nothing, a class takes more than rounding errors, and so does this.
        found.append(Constraint(feature, max(feature.threshold, ACCURACY), np.inf, 0, "keep"))
    for feature, pair in _mapped(bounds, "bounds", named):
        low, high = _bounds(feature.name, pair)
        if low > 0 and not feature.classes:
            check_one_column(feature, "bounds")
        if 0 < high < np.inf and max(map(len, feature.norms), default=0) > MOST_COLUMNS:
            raise ValueError(
                f"bounds names {feature.name!r}, which has more than {MOST_COLUMNS} columns: bound "
                "some of them by their own names."
            )
        found.append(Constraint(feature, low, high, 0, "bounds"))
    for feature, sign in _mapped(signs, "signs", named):
        found.append(_signed(feature, sign))
    _check_branching(found)
    return found


def _signed(feature: Feature, sign: Any) -> Constraint:
    """A weight of one sign, or that does not fall along some classes."""
    if feature.classes:
        order = _order(feature, sign)
        return Constraint(feature, 0.0, np.inf, 0, "signs", order)
    if len(feature.places) > 1 and not feature.is_curve:
        raise ValueError(
            f"signs names {feature.name!r}, which has a weight in every slack function: "
            "bound its relevance instead."
        )
    if not isinstance(sign, Real) or isinstance(sign, bool) or sign not in (1, -1):
        raise ValueError(f"signs[{feature.name!r}] must be +1 or -1, got {sign!r}.")
    return Constraint(feature, 0.0, np.inf, 1 if sign == 1 else -1, "signs")


def _order(feature: Feature, given: Any) -> tuple[Any, ...]:
    """Classes along which a weight must not fall."""
    known = list(feature.classes)
    wanted = list(given) if isinstance(given, list | tuple | np.ndarray) else []
    if len(wanted) < 2 or any(one not in known for one in wanted):
        raise ValueError(
            f"signs[{feature.name!r}] must be a list of classes along which the weight does not "
            f"fall, such as {known[:2]!r}, got {given!r}: with {len(known)} classes each has a "
            "weight of its own."
        )
    order = tuple(known[known.index(one)] for one in wanted)
    if len(set(order)) < len(order):
        raise ValueError(f"signs[{feature.name!r}] names a class twice: {wanted!r}.")
    return order


def as_asked(constraints: Sequence[Constraint]) -> dict[str, Any]:
    """The request again, every feature by its name."""
    of = {
        kind: [c for c in constraints if c.asked == kind]
        for kind in ("forbid", "keep", "bounds", "signs")
    }
    return {
        "forbid": list(dict.fromkeys(c.feature.name for c in of["forbid"])),
        "keep": list(dict.fromkeys(c.feature.name for c in of["keep"])),
        "bounds": {c.feature.name: (c.low, c.high) for c in of["bounds"]},
        "signs": {c.feature.name: list(c.order) or c.sign for c in of["signs"]},
    }


def _check_branching(constraints: Sequence[Constraint]) -> None:
    settled = {constraint.feature.name for constraint in constraints if constraint.sign}
    branching = {c.feature.name: c for c in constraints if c.is_branching}
    left = [constraint for name, constraint in branching.items() if name not in settled]
    # A privileged feature may meet its bound in any of its functions.
    if prod(constraint.n_alternatives for constraint in left) <= 2**MOST_BRANCHING:
        return
    if left[0].feature.classes:
        raise ValueError(
            f"{len(left)} features have a positive lower bound, and each may be met by any two "
            f"classes: that makes more than {2**MOST_BRANCHING} cases; give fewer."
        )
    raise ValueError(
        f"{len(left)} features have a positive lower bound, and each may be met by a weight of "
        f"either sign: give at most {MOST_BRANCHING}, or settle their signs with signs={{...}}."
    )


def _mapped(
    given: Any, parameter: str, named: Callable[[Any, str], Feature]
) -> list[tuple[Feature, Any]]:
    if given is None:
        return []
    if not isinstance(given, Mapping):
        raise ValueError(f"{parameter} must map features to values, got {given!r}.")
    found = [(named(feature, parameter), value) for feature, value in given.items()]
    names = [feature.name for feature, _ in found]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"{parameter} names {name!r} twice, by name and by position.")
    return found


def _bounds(name: str, pair: Any) -> tuple[float, float]:
    try:
        # Two letters are no pair, nor are two texts, and two numbers of a set have no order.
        if np.shape(pair) != (2,) or any(isinstance(value, str) for value in pair):
            raise ValueError
        low, high = (float(value) for value in pair)
    except (TypeError, ValueError):
        raise ValueError(
            f"bounds[{name!r}] must be a pair (smallest, largest), got {pair!r}."
        ) from None
    if not 0.0 <= low <= high or np.isinf(low):
        raise ValueError(
            f"bounds[{name!r}] must be shares with 0 ≤ smallest ≤ largest, got ({low:g}, {high:g})."
        )
    return low, high
