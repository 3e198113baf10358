"""What may be asked of equivalent models: features forbidden, kept, bounded, or given a sign."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from allrelevant.engine.equivalent import Boxes
from allrelevant.questions.names import position

MOST_BRANCHING = 8  # features with a positive lower bound: each doubles the work
_EQUAL = 1e-9


@dataclass(frozen=True)
class Feature:
    """A feature as the engine sees it.

    Parameters
    ----------
    name : str
    places : tuple of int
        Its columns: one, or one for each function of a privileged feature.
    norm : float
        What its relevance is a share of.
    largest : float
        The largest weight it can have, in the engine's units.
    threshold : float
        The relevance that noise reaches, as a share.
    """

    name: str
    places: tuple[int, ...]
    norm: float
    largest: float
    threshold: float


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
    text : str
        The constraint in words.
    """

    feature: Feature
    low: float
    high: float
    sign: int
    text: str

    @property
    def is_branching(self) -> bool:
        """Whether the weights that are allowed fall into several pieces."""
        return self.low > 0 and (self.sign == 0 or len(self.feature.places) > 1)

    def alternatives(self) -> list[dict[int, tuple[float, float]]]:
        """Boxes of the feature's columns, in one of which the weights have to be.

        A relevance of at least `low` means a weight above `low` or below −`low`: two pieces.
        Where a feature has a column for each of several functions, one of them has to.
        """
        places, norm = self.feature.places, self.feature.norm
        low = self.low * norm
        high = min(self.high * norm, max(self.feature.largest, low))
        widest = (0.0 if self.sign > 0 else -high, 0.0 if self.sign < 0 else high)
        every = dict.fromkeys(places, widest)
        if low <= 0:
            return [every]
        sides = [side for side in (1, -1) if self.sign in (0, side)]
        return [
            every | {place: (low, high) if side > 0 else (-high, -low)}
            for place in places
            for side in sides
        ]


def branches(constraints: Sequence[Constraint]) -> list[Boxes]:
    """All combinations of the constraints' alternatives that do not contradict themselves."""
    found = []
    for combination in product(*(constraint.alternatives() for constraint in constraints)):
        boxes: dict[int, tuple[float, float]] = {}
        for alternative in combination:
            for place, (low, high) in alternative.items():
                lower, upper = boxes.get(place, (-np.inf, np.inf))
                boxes[place] = (max(low, lower), min(high, upper))
        if all(low <= high + _EQUAL for low, high in boxes.values()):
            places = sorted(boxes)
            lows = np.array([min(boxes[place]) for place in places])
            highs = np.array([max(boxes[place]) for place in places])
            found.append(Boxes(np.array(places, dtype=np.intp), lows, highs))
    return found


def parse_constraints(
    features: Sequence[Feature],
    *,
    forbid: Iterable[Any] = (),
    keep: Iterable[Any] = (),
    bounds: Mapping[Any, Sequence[float]] | None = None,
    signs: Mapping[Any, int] | None = None,
) -> list[Constraint]:
    """The constraints that a person's request amounts to."""
    names = [feature.name for feature in features]
    found = []

    def named(given: Any, parameter: str) -> Feature:
        return features[position(names, given, parameter)]

    for given in _listed(forbid, "forbid"):
        feature = named(given, "forbid")
        found.append(Constraint(feature, 0.0, 0.0, 0, f"forbid {feature.name!r}"))
    for given in _listed(keep, "keep"):
        feature = named(given, "keep")
        found.append(Constraint(feature, feature.threshold, np.inf, 0, f"keep {feature.name!r}"))
    for given, pair in _mapped(bounds, "bounds").items():
        feature = named(given, "bounds")
        low, high = _bounds(feature.name, pair)
        text = f"{low:g} ≤ relevance of {feature.name!r} ≤ {high:g}"
        found.append(Constraint(feature, low, high, 0, text))
    for given, sign in _mapped(signs, "signs").items():
        feature = named(given, "signs")
        if len(feature.places) > 1:
            raise ValueError(
                f"signs names {feature.name!r}, which has a weight in every slack function: "
                "bound its relevance instead."
            )
        if sign not in (1, -1):
            raise ValueError(f"signs[{given!r}] must be +1 or -1, got {sign!r}.")
        text = f"weight of {feature.name!r} {'≥' if sign > 0 else '≤'} 0"
        found.append(Constraint(feature, 0.0, np.inf, int(sign), text))
    _check_branching(found)
    return found


def _check_branching(constraints: Sequence[Constraint]) -> None:
    n = sum(constraint.is_branching for constraint in constraints)
    if n > MOST_BRANCHING:
        raise ValueError(
            f"{n} features have a positive lower bound, and each may be met by a weight of either "
            f"sign: give at most {MOST_BRANCHING}, or settle their signs with signs={{...}}."
        )


def _listed(given: Any, parameter: str) -> list[Any]:
    if isinstance(given, str) or not hasattr(given, "__iter__"):
        raise ValueError(f"{parameter} must be a list of features, got {given!r}.")
    return list(given)


def _mapped(given: Any, parameter: str) -> Mapping[Any, Any]:
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise ValueError(f"{parameter} must map features to values, got {given!r}.")
    return given


def _bounds(name: str, pair: Any) -> tuple[float, float]:
    try:
        low, high = (float(value) for value in pair)
    except (TypeError, ValueError):
        raise ValueError(
            f"bounds[{name!r}] must be a pair (smallest, largest), got {pair!r}."
        ) from None
    if not 0.0 <= low <= high:
        raise ValueError(
            f"bounds[{name!r}] must be shares with 0 ≤ smallest ≤ largest, got ({low:g}, {high:g})."
        )
    return low, high
