"""What may be asked of equivalent models: features forbidden, kept, bounded, or given a sign."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from numbers import Real
from types import MappingProxyType
from typing import Any, Literal

import numpy as np

from allrelevant.base.names import position
from allrelevant.base.three_classes import ACCURACY
from allrelevant.linear.engine.limits import Boxes
from allrelevant.linear.questions.names import listed, needs_one_column

MOST_BRANCHING = 8  # features with a positive lower bound: each doubles the work
_EQUAL = 1e-9  # relative
_FARTHEST = 1e300  # a weight beyond which numbers are no numbers any more

_Ranges = dict[int, tuple[float, float]]  # of the weights of some columns


@dataclass(frozen=True)
class Feature:
    """A feature as the engine sees it.

    Parameters
    ----------
    name : str
    places : tuple of int
        Its columns: one or more; one for each function of a privileged feature, none where the
        models do without it.
    norm : float
        What its relevance is a share of.
    largest : float
        The largest weight it can have, in the engine's units.
    threshold : float
        The relevance that noise reaches, as a share.
    is_privileged : bool
        Whether it is known in training only; then it has no position.
    is_curve : bool
        Whether its columns are pieces of a curve, which is monotone where they have one sign.
    """

    name: str
    places: tuple[int, ...]
    norm: float
    largest: float
    threshold: float
    is_privileged: bool = False
    is_curve: bool = False


@dataclass(frozen=True)
class Constraint:
    """A range for one feature's relevance, or for its weight where it has a sign.

    Parameters
    ----------
    feature : Feature
    low, high : float
        Smallest and largest relevance, as shares.
    sign : int
        +1 or −1 where the weight must not have the other sign; 0 where it may have any.
    asked : {"forbid", "keep", "bounds", "signs"}
        The parameter it comes from.
    """

    feature: Feature
    low: float
    high: float
    sign: int
    asked: Literal["forbid", "keep", "bounds", "signs"]

    @property
    def text(self) -> str:
        """The constraint in words."""
        name = repr(self.feature.name)
        if self.asked == "bounds":
            return f"{self.low:g} ≤ relevance of {name} ≤ {self.high:g}"
        if self.asked == "signs" and self.feature.is_curve:
            return f"{name} never {'falls' if self.sign > 0 else 'rises'}"
        if self.asked == "signs":
            return f"weight of {name} {'≥' if self.sign > 0 else '≤'} 0"
        return f"{self.asked} {name}"

    @property
    def is_branching(self) -> bool:
        """Whether the weights that are allowed fall into several pieces."""
        return self.low > 0 and (self.sign == 0 or len(self.feature.places) > 1)

    def alternatives(self) -> list[_Ranges]:
        """Boxes of the feature's columns, in one of which the weights have to be.

        A relevance of at least `low` means a weight above `low` or below −`low`: two pieces.
        Where a feature has a column for each of several functions, one of them has to.
        """
        places, norm = self.feature.places, self.feature.norm
        low, high = min(self.low * norm, _FARTHEST), self.high * norm
        # 0 − 0 is 0, where −0 would be seen in every table.
        widest = (0.0 if self.sign > 0 else 0.0 - high, 0.0 if self.sign < 0 else high)
        every = dict.fromkeys(places, widest)
        if low <= 0:
            return [every]
        sides = [side for side in (1, -1) if self.sign in (0, side)]
        return [
            every | {place: (low, high) if side > 0 else (-high, -low)}
            for place in places
            for side in sides
        ]


def branches(constraints: Sequence[Constraint], reach: float = 1.0) -> list[Boxes]:
    """All combinations of the constraints' alternatives that do not contradict themselves.

    What has no upper bound ends at `reach` times the largest weight there can be. It does so at
    last: a lower bound beyond that is out of reach, but contradicts nothing.
    """
    found: list[_Ranges] = [{}]
    farthest: dict[int, float] = {}
    for constraint in constraints:
        pairs = product(found, constraint.alternatives())
        found = [both for one, other in pairs if (both := _common(one, other)) is not None]
        feature = constraint.feature
        farthest |= dict.fromkeys(feature.places, reach * max(feature.largest, feature.norm))
    return [_boxes(ranges, farthest) for ranges in found]


def _common(one: _Ranges, other: _Ranges) -> _Ranges | None:
    """The ranges in both; None where there is nothing in common."""
    both = dict(one)
    for place, (low, high) in other.items():
        lower, upper = both.get(place, (-np.inf, np.inf))
        low, high = max(low, lower), min(high, upper)
        if low - high > _EQUAL * max(abs(low), abs(high)):
            return None
        both[place] = min(low, high), max(low, high)
    return both


def _boxes(ranges: _Ranges, farthest: Mapping[int, float]) -> Boxes:
    places = sorted(ranges)
    low, high = np.array([ranges[place] for place in places]).reshape(-1, 2).T
    far = np.array([farthest[place] for place in places])
    return Boxes(
        np.array(places, dtype=np.intp),
        np.maximum(low, np.minimum(-far, high)),
        np.minimum(high, np.maximum(far, low)),
    )


def parse_constraints(
    features: Sequence[Feature],
    parts: Mapping[str, Feature] = MappingProxyType({}),
    *,
    forbid: Iterable[Any] = (),
    keep: Iterable[Any] = (),
    bounds: Mapping[Any, Sequence[float]] | None = None,
    signs: Mapping[Any, int] | None = None,
) -> list[Constraint]:
    """The constraints that a person's request amounts to.

    `parts` are columns of features that have several. Such a feature can be forbidden, and the
    pieces of a curve can all have one sign; other constraints on a sum of absolute weights would
    not be ranges of weights.
    """
    names = [feature.name for feature in features]
    counted = [feature.name for feature in features if not feature.is_privileged]
    found = []

    def named(given: Any, parameter: str) -> Feature:
        if isinstance(given, str) and given in parts:
            return parts[given]
        known = names if isinstance(given, str) else counted
        found = features[position(known, given, parameter, also=list(parts))]
        own = [name for name, part in parts.items() if part.places[0] in found.places]
        is_range = parameter == "forbid" or (parameter == "signs" and found.is_curve)
        if len(own) > 1 and not is_range:
            raise needs_one_column(found.name, own, parameter)
        return found

    for given in listed(forbid, "forbid"):
        feature = named(given, "forbid")
        found.append(Constraint(feature, 0.0, 0.0, 0, "forbid"))
    for given in listed(keep, "keep"):
        feature = named(given, "keep")
        # Where noise reaches nothing, a class takes more than rounding errors, and so does this.
        found.append(Constraint(feature, max(feature.threshold, ACCURACY), np.inf, 0, "keep"))
    for feature, pair in _mapped(bounds, "bounds", named):
        low, high = _bounds(feature.name, pair)
        found.append(Constraint(feature, low, high, 0, "bounds"))
    for feature, sign in _mapped(signs, "signs", named):
        if len(feature.places) > 1 and not feature.is_curve:
            raise ValueError(
                f"signs names {feature.name!r}, which has a weight in every slack function: "
                "bound its relevance instead."
            )
        if not isinstance(sign, Real) or isinstance(sign, bool) or sign not in (1, -1):
            raise ValueError(f"signs[{feature.name!r}] must be +1 or -1, got {sign!r}.")
        found.append(Constraint(feature, 0.0, np.inf, 1 if sign == 1 else -1, "signs"))
    _check_branching(found)
    return found


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
        "signs": {c.feature.name: c.sign for c in of["signs"]},
    }


def _check_branching(constraints: Sequence[Constraint]) -> None:
    settled = {constraint.feature.name for constraint in constraints if constraint.sign}
    branching = {c.feature.name: c.feature for c in constraints if c.is_branching}
    left = [feature for name, feature in branching.items() if name not in settled]
    # A privileged feature may meet its bound in any of its functions.
    if prod(2 * max(len(feature.places), 1) for feature in left) > 2**MOST_BRANCHING:
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
