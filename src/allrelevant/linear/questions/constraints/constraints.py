"""What may be asked of equivalent models: features forbidden, kept, bounded, or given a sign."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise, product
from typing import Any, Literal

import numpy as np

from allrelevant.linear.engine.program.limits import Boxes
from allrelevant.linear.engine.program.signed_sums import SignedSums

_EQUAL = 1e-9  # relative
_FARTHEST = 1e300  # a weight beyond which numbers are no numbers any more

_Key = int | tuple[tuple[int, int], ...]  # a weight, or a sum of weights, each with its sign
_Ranges = dict[_Key, tuple[float, float]]


@dataclass(frozen=True)
class Feature:
    """A feature as the engine sees it.

    Parameters
    ----------
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
    classes : tuple
        Where a column has a weight for each of several classes: these. Its relevance is the largest
        difference of two of them; of several columns the largest of any.
    norms : tuple
        Places whose absolute weights add up: those of several columns, in each function.
    """

    name: str
    places: tuple[int, ...]
    norm: float
    largest: float
    threshold: float
    is_privileged: bool = False
    is_curve: bool = False
    classes: tuple[Any, ...] = ()
    norms: tuple[tuple[int, ...], ...] = ()

    @property
    def by_column(self) -> list[tuple[int, ...]]:
        """The places of each column, where it has one for every class."""
        K = len(self.classes)
        return [self.places[k : k + K] for k in range(0, len(self.places), K)]

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """The places of a column for two classes, of all columns and pairs of classes."""
        if not self.classes:
            return []
        return [pair for own in self.by_column for pair in combinations(own, 2)]


@dataclass(frozen=True)
class Constraint:
    """A range for one feature's relevance, or for its weight where it has a sign.

    Parameters
    ----------
    low, high : float
        Smallest and largest relevance, as shares.
    sign : int
        +1 or −1 where the weight must not have the other sign; 0 where it may have any.
    asked : {"forbid", "keep", "bounds", "signs"}
        The parameter it comes from.
    order : tuple
        Of several classes those along which the weight must not fall.
    """

    feature: Feature
    low: float
    high: float
    sign: int
    asked: Literal["forbid", "keep", "bounds", "signs"]
    order: tuple[Any, ...] = ()

    @property
    def text(self) -> str:
        """The constraint in words."""
        name = repr(self.feature.name)
        if self.asked == "bounds":
            return f"{self.low:g} ≤ relevance of {name} ≤ {self.high:g}"
        if self.order:
            return f"weight of {name}: {' ≤ '.join(map(str, self.order))}"
        if self.asked == "signs" and self.feature.is_curve:
            return f"{name} never {'falls' if self.sign > 0 else 'rises'}"
        if self.asked == "signs":
            return f"weight of {name} {'≥' if self.sign > 0 else '≤'} 0"
        return f"{self.asked} {name}"

    @property
    def is_branching(self) -> bool:
        """Whether the weights that are allowed fall into several pieces."""
        return self.low > 0 and (self.sign == 0 or len(self.feature.places) > 1)

    @property
    def n_alternatives(self) -> int:
        """How many pieces these are, unless other constraints leave fewer."""
        return 2 * max(len(self.feature.pairs or self.feature.places), 1)

    def alternatives(self) -> list[_Ranges]:
        """Boxes of the feature's columns, in one of which the weights have to be.

        A relevance of at least `low` means a weight above `low` or below −`low`: two pieces.
        Where a feature has a column for each of several functions, one of them has to.
        """
        if self.feature.classes:
            return self._between_classes()
        places, norm = self.feature.places, self.feature.norm
        low, high = min(self.low * norm, _FARTHEST), self.high * norm
        # 0 − 0 is 0, where −0 would be seen in every table.
        widest = (0.0 if self.sign > 0 else 0.0 - high, 0.0 if self.sign < 0 else high)
        every: _Ranges = dict.fromkeys(places, widest)
        if 0.0 < high < np.inf:
            sums = [signed for own in self.feature.norms for signed in _signed_sums(own)]
            every |= dict.fromkeys(sums, (0.0 - high, high))
        if low <= 0:
            return [every]
        sides = [side for side in (1, -1) if self.sign in (0, side)]
        return [
            every | {place: (low, high) if side > 0 else (-high, -low)}
            for place in places
            for side in sides
        ]

    def _between_classes(self) -> list[_Ranges]:
        """Boxes of the differences between two classes, in one of which these have to be.

        A relevance of at least `low` means that some two classes are that far apart.
        """
        feature = self.feature
        if self.asked == "forbid":
            return [dict.fromkeys([*feature.places, *map(_difference, feature.pairs)], (0.0, 0.0))]
        if self.order:
            steps = list(pairwise(feature.classes.index(one) for one in self.order))
            return [dict(_rising(own[k], own[m]) for own in feature.by_column for k, m in steps)]
        low, high = min(self.low * feature.norm, _FARTHEST), self.high * feature.norm
        pairs = [_difference(pair) for pair in feature.pairs]
        every: _Ranges = dict.fromkeys(pairs, (0.0 - high, high))
        if low <= 0:
            return [every]
        sides = ((low, high), (-high, -low))
        return [every | {pair: side} for pair in pairs for side in sides]


def _difference(pair: tuple[int, int]) -> _Key:
    return (pair[0], 1), (pair[1], -1)


def _rising(one: int, other: int) -> tuple[_Key, tuple[float, float]]:
    """The second weight is at least the first."""
    if one < other:
        return _difference((one, other)), (-np.inf, 0.0)
    return _difference((other, one)), (0.0, np.inf)


def _signed_sums(places: tuple[int, ...]) -> list[_Key]:
    """The sums of weights with all signs, but for their opposites; the largest is the norm."""
    first, *others = places
    return [
        ((first, 1), *zip(others, signs, strict=True))
        for signs in product((1, -1), repeat=len(others))
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
    return [_boxes(ranges, farthest) for ranges in found if not _is_contradictory(ranges)]


def _is_contradictory(ranges: _Ranges) -> bool:
    """Whether the weights' own ranges leave a sum no value that it may have."""
    for key, (low, high) in ranges.items():
        if not isinstance(key, tuple):
            continue
        ends = [sorted(s * e for e in ranges.get(k, (-np.inf, np.inf))) for k, s in key]
        least, most = np.sum(ends, axis=0)
        if least - high > _EQUAL * abs(high) or low - most > _EQUAL * abs(low):
            return True
    return False


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
    places = sorted(key for key in ranges if not isinstance(key, tuple))
    low, high = np.array([ranges[place] for place in places]).reshape(-1, 2).T
    far = np.array([farthest[place] for place in places])
    return Boxes(
        np.array(places, dtype=np.intp),
        np.maximum(low, np.minimum(-far, high)),
        np.minimum(high, np.maximum(far, low)),
        _sums(ranges),
    )


def _sums(ranges: _Ranges) -> SignedSums | None:
    """Limits of sums; one of forbidden weights needs none."""
    sums = {
        key: ends
        for key, ends in ranges.items()
        if isinstance(key, tuple)
        and np.isfinite(ends).any()
        and any(ranges.get(place) != (0.0, 0.0) for place, _ in key)
    }
    if not sums:
        return None
    used = sorted({place for key in sums for place, _ in key})
    signs = np.array([[dict(key).get(place, 0) for place in used] for key in sums], dtype=float)
    low, high = np.array(list(sums.values())).T
    return SignedSums(np.array(used, dtype=np.intp), signs, low, high)
