"""What halves of the rows say: plain, immutable data that every view reads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from numbers import Integral
from typing import Any, ClassVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from allrelevant.base.three_classes import CLASS_NAMES, STRONG, WEAK
from allrelevant.results.entries import class_array, entry, facts, labels, plain_mapping, words
from allrelevant.results.record import Record
from allrelevant.results.stability import views
from allrelevant.results.stability.index import false_selections, set_stability

_SELECTIONS = {"relevant": WEAK, "strong": STRONG}


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class StabilityResult(Record):
    """The classes of all features in fits of complementary halves of the rows.

    Parameters
    ----------
    task : str
        The kind of model.
    names : tuple of str
        The names of the d features.
    classes : ndarray of int of shape (d,)
        The classes that the fit of all rows found: 0 irrelevant, 1 weak, 2 strong.
    halves : ndarray of int of shape (2·n_splits, d)
        The classes each half found; rows 2k and 2k + 1 are the two halves of split k.
    order : tuple of int, default by class
        Feature positions in the order in which the fit's own result shows them.
    select : {"relevant", "strong"}, default "relevant"
        Which features count as selected.
    groups : mapping, default empty
        Features that stand in for one another, or that are columns of one category: for each name
        the members' positions. You can give their names instead.
    settings, versions : mapping, default empty
        What was asked for, and the versions of the libraries used.

    Examples
    --------
    >>> from allrelevant import StabilityResult
    >>> result = StabilityResult(
    ...     task="classification", names=["age", "girth", "weight", "luck"], classes=[2, 1, 1, 0],
    ...     halves=[[2, 1, 0, 0], [2, 0, 1, 0], [2, 1, 1, 0], [2, 1, 0, 1]],
    ...     groups={"size": ["girth", "weight"]},
    ... )
    >>> result.selected
    array([1.  , 0.75, 0.5 , 0.25])
    >>> result.group_frequencies
    {'size': 1.0}
    >>> round(result.index, 3)
    0.111
    >>> StabilityResult.from_json(result.to_json()) == result
    True
    """

    _format: ClassVar[str] = "allrelevant.StabilityResult/1"

    task: str
    names: tuple[str, ...] = words()
    classes: NDArray[np.int64] = labels("names")
    halves: NDArray[np.int64] = entry(lambda record, value: _halves(value, len(record.names)))
    order: tuple[int, ...] = entry(lambda record, value: record._checked_order(value), default=())
    select: str = entry(lambda _, value: _checked_selection(value), default="relevant")
    groups: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    settings: Mapping[str, Any] = facts()
    versions: Mapping[str, str] = facts()

    def __post_init__(self) -> None:
        super().__post_init__()
        self._convert("groups", self._checked_groups)

    # By feature

    @property
    def n_splits(self) -> int:
        """Number of splits, each into two halves."""
        return len(self.halves) // 2

    @property
    def class_names(self) -> tuple[str, ...]:
        """The class that the fit of all rows found for each feature, in words."""
        return tuple(CLASS_NAMES[label] for label in self.classes)

    @cached_property
    def frequencies(self) -> NDArray[np.float64]:
        """The share of halves that found each feature irrelevant, weak and strong, (d, 3)."""
        return np.column_stack([(self.halves == label).mean(axis=0) for label in range(3)])

    @cached_property
    def selected(self) -> NDArray[np.float64]:
        """The share of halves that selected each feature, shape (d,)."""
        return self._selections.mean(axis=0)

    @cached_property
    def agreement(self) -> NDArray[np.float64]:
        """The share of halves that found the same class as the fit of all rows, shape (d,)."""
        return (self.halves == self.classes).mean(axis=0)

    # All together

    @property
    def n_selected(self) -> float:
        """How many features a half selects on average."""
        return float(self.selected.sum())

    @property
    def index(self) -> float:
        """Nogueira's index of the selected sets: 1 where all are the same, about 0 by chance.

        NaN where the halves selected nothing at all, or everything: then there is no chance to
        compare with.
        """
        return self._stability[0]

    @property
    def index_interval(self) -> tuple[float, float]:
        """The index's 95 % confidence interval."""
        return self._stability[1], self._stability[2]

    @property
    def group_frequencies(self) -> dict[str, float]:
        """The share of halves that selected at least one member of each group."""
        return {name: self.one_of(members) for name, members in self.groups.items()}

    def members(self, group: str) -> tuple[str, ...]:
        """Names of a group's members, those selected most often first."""
        places = sorted(self.groups[group], key=lambda j: -self.selected[j])
        return tuple(self.names[j] for j in places)

    def one_of(self, features: Iterable[str | int]) -> float:
        """Give the share of halves that selected at least one of these features.

        Parameters
        ----------
        features : iterable of str or int
            Their names or positions.
        """
        return float(self._selections[:, list(self._places(features))].any(axis=1).mean())

    def false_selections(self, threshold: float = 0.9) -> float | None:
        """Bound how many false features are, on average, selected in this share of the halves.

        False are those that a half selects less often than it does the average feature. The bound
        is Meinshausen and Bühlmann's, which Shah and Samworth proved for complementary halves
        without assumptions.

        Parameters
        ----------
        threshold : float, default 0.9
            Above 0.5, at most 1.

        Returns
        -------
        float or None
            None where the bound says nothing: where it is not smaller than the number of features
            selected so often.
        """
        if not 0.5 < threshold <= 1.0:
            raise ValueError(f"threshold must be above 0.5 and at most 1, got {threshold!r}.")
        bound = false_selections(self.selected, threshold)
        return bound if bound < len(self.often(threshold)) else None

    def often(self, threshold: float = 0.9) -> tuple[str, ...]:
        """Names of the features that at least this share of the halves selected."""
        return tuple(self.names[j] for j in self.order if self.selected[j] >= threshold - 1e-12)

    def to_frame(self, sort: bool = False) -> pd.DataFrame:
        """Return a table with one row per feature.

        Parameters
        ----------
        sort : bool, default False
            Put the features in the order of the fit's own result. The index keeps each feature's
            original position.

        Returns
        -------
        DataFrame
            Columns ``feature``, ``class`` (of the fit of all rows), ``selected``, ``strong``,
            ``weak``, ``irrelevant`` and ``agreement``: shares of the halves.
        """
        frame = pd.DataFrame({"feature": self.names, "class": self.class_names})
        frame["selected"] = self.selected
        for label in (2, 1, 0):
            frame[CLASS_NAMES[label]] = self.frequencies[:, label]
        frame["agreement"] = self.agreement
        return frame.iloc[list(self.order)] if sort else frame

    __repr__ = views.as_text
    _repr_html_ = views.as_html

    def __hash__(self) -> int:
        return hash((self.task, self.names, self.halves.tobytes()))

    # Helpers

    @cached_property
    def _selections(self) -> NDArray[np.bool_]:
        return self.halves >= _SELECTIONS[self.select]

    @cached_property
    def _stability(self) -> tuple[float, float, float]:
        return set_stability(self._selections)

    def _places(self, features: Iterable[str | int]) -> tuple[int, ...]:
        if isinstance(features, str):
            raise ValueError(f"expected a list of features, got {features!r}.")
        return tuple(self._place(feature) for feature in features)

    def _place(self, feature: str | int) -> int:
        if isinstance(feature, str) and self.names.count(feature) == 1:
            return self.names.index(feature)
        if isinstance(feature, Integral) and 0 <= feature < self.n_features:
            return int(feature)
        raise ValueError(f"{feature!r} is not the name of a feature, nor its position.")

    def _checked_order(self, value: Any) -> tuple[int, ...]:
        order = tuple(int(j) for j in value)
        if not order:
            relevant = (self.halves >= WEAK).mean(axis=0)
            order = tuple(np.lexsort((-relevant, -self.classes)).tolist())
        if sorted(order) != list(range(self.n_features)):
            raise ValueError("expected the position of every feature, once")
        return order

    def _checked_groups(self, value: Any) -> Mapping[str, tuple[int, ...]]:
        places = {name: self._places(members) for name, members in plain_mapping(value).items()}
        if not all(places.values()):
            raise ValueError("a group has no members")
        return plain_mapping(places)


def _halves(value: Any, d: int) -> NDArray[np.int64]:
    table = class_array(value, (None, d))
    if len(table) < 2 or len(table) % 2:
        raise ValueError("expected the classes of two halves for each split")
    return table


def _checked_selection(value: Any) -> str:
    if value not in _SELECTIONS:
        raise ValueError(f"expected 'relevant' or 'strong', found {value!r}")
    return str(value)
