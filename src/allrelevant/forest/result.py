"""The result of a non-linear relevance analysis: plain, immutable data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from html import escape
from typing import Any, ClassVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from allrelevant.results import render as _render
from allrelevant.results.classified import ClassifiedFeatures, class_array
from allrelevant.results.record import array_of, encode, plain_mapping, strings

__all__ = ["ForestRelevanceResult", "SubstituteGroup"]

_SHOWN_GROUPS, _SHOWN_MEMBERS = 8, 6


@dataclass(frozen=True)
class SubstituteGroup:
    """Weak features that stand in for one another.

    Parameters
    ----------
    names : tuple of str
        Names of the features.
    features : tuple of int
        Their positions.
    importance : float
        Rise of the loss when all of them are shuffled together.
    p_value : float
        How likely a rise as large is if together they told nothing.
    """

    names: tuple[str, ...]
    features: tuple[int, ...]
    importance: float
    p_value: float


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class ForestRelevanceResult(ClassifiedFeatures):
    """Relevance of all features to non-linear models, their classes and how they came about.

    The surface is that of :class:`~allrelevant.RelevanceResult`. All importances are rises of the
    held-out loss, as shares of the loss of a constant prediction.

    Parameters
    ----------
    task : str
        "classification", "ordinal" or "regression".
    names : tuple of str
        The names of the d features.
    intervals : ndarray of shape (d, 2)
        What is lost without the feature where all others are there, and what it brings in the
        view of the data that favours it most.
    classes : ndarray of int of shape (d,)
        0 irrelevant, 1 weakly relevant, 2 strongly relevant.
    importances : ndarray of shape (d,)
        Importance in the model of all features.
    thresholds : ndarray of shape (2,)
        What noise can reach: for what is lost zero, as that has a test of its own, and for what
        is brought the importance that shuffled features reach.
    p_values : ndarray of shape (d, 2)
        Of being needed (NaN where that was not asked), and of being relevant; adjusted for the
        number of views or features.
    predictability : ndarray of shape (d,)
        R² of the feature given the other relevant ones; NaN where that was not asked.
    tentative : tuple of str, default ()
        Names of features that were close to being confirmed.
    groups : tuple of SubstituteGroup, default ()
        Which weak features stand in for one another.
    probes : ndarray of shape (m, 2), default empty
        Importances of the shuffled features, in the second column; zeros in the first.
    baseline, settings, versions, counts, warnings
        As in :class:`~allrelevant.RelevanceResult`.
    """

    _format: ClassVar[str] = "allrelevant.ForestRelevanceResult/1"

    task: str
    names: tuple[str, ...]
    intervals: NDArray[np.float64]
    classes: NDArray[np.int64]
    importances: NDArray[np.float64]
    thresholds: NDArray[np.float64]
    p_values: NDArray[np.float64]
    predictability: NDArray[np.float64]
    tentative: tuple[str, ...] = ()
    groups: tuple[SubstituteGroup, ...] = ()
    probes: NDArray[np.float64] = field(default_factory=lambda: np.empty((0, 2)))
    baseline: Mapping[str, Any] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)
    counts: Mapping[str, int] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()

    #: What the numbers are shares of, for axes and captions.
    unit = "share of the loss of a constant prediction"

    def __post_init__(self) -> None:
        for name in ("names", "tentative", "warnings"):
            self._convert(name, strings)
        for name in ("baseline", "settings", "versions", "counts"):
            self._convert(name, plain_mapping)
        d = len(self.names)
        for name in ("intervals", "p_values"):
            self._convert(name, partial(array_of, shape=(d, 2)))
        for name in ("importances", "predictability"):
            self._convert(name, partial(array_of, shape=(d,)))
        self._convert("probes", partial(array_of, shape=(None, 2)))
        self._convert("thresholds", partial(array_of, shape=(2,)))
        self._convert("classes", partial(class_array, d=d))
        self._convert("groups", _groups)

    @property
    def weights(self) -> NDArray[np.float64]:
        """Importances in the model of all features, under the name the plots know."""
        return self.importances

    def to_frame(self, sort: bool = False) -> pd.DataFrame:
        """Return a table with one row per feature.

        Parameters
        ----------
        sort : bool, default False
            Put strong features first, then weak, then irrelevant ones, each by ``max`` from large
            to small. The index keeps each feature's original position.

        Returns
        -------
        DataFrame
            Columns ``feature``, ``class``, ``min`` (what is lost without it) and ``max`` (what it
            can bring), ``importance`` (in the model of all features), ``p_relevant``,
            ``p_strong``, ``predictability``, ``group`` (number of its group of substitutes, from
            1, or missing) and ``tentative``.
        """
        frame = pd.DataFrame({"feature": self.names, "class": self.class_names})
        frame[["min", "max"]] = self.intervals
        frame["importance"] = self.importances
        frame["p_relevant"] = self.p_values[:, 1]
        frame["p_strong"] = self.p_values[:, 0]
        frame["predictability"] = self.predictability
        listed = enumerate(self.groups, start=1)
        numbers = {j: number for number, group in listed for j in group.features}
        frame["group"] = pd.array([numbers.get(j) for j in range(self.n_features)], dtype="Int64")
        frame["tentative"] = [name in set(self.tentative) for name in self.names]
        return frame.iloc[self.order] if sort else frame

    def __repr__(self) -> str:
        notes = self._notes()
        return "\n".join([_render.as_text(self), *([""] if notes else []), *notes])

    def _repr_html_(self) -> str:
        notes = "".join(f"<div>{escape(note)}</div>" for note in self._notes())
        return _render.as_html(self) + notes

    def _notes(self) -> list[str]:
        """Groups and undecided features, a line each."""
        lines = []
        for number, group in enumerate(self.groups[:_SHOWN_GROUPS], start=1):
            shown = ", ".join(group.names[:_SHOWN_MEMBERS])
            more = len(group.names) - _SHOWN_MEMBERS
            also = f" and {more} more" if more > 0 else ""
            lines.append(
                f"group {number}: {shown}{also} (importance together {group.importance:.3f})"
            )
        if len(self.groups) > _SHOWN_GROUPS:
            lines.append(f"... and {len(self.groups) - _SHOWN_GROUPS} more groups")
        if self.tentative:
            lines.append(f"undecided: {', '.join(self.tentative[:_SHOWN_GROUPS])}")
        return lines

    def _content(self) -> dict[str, Any]:
        groups = [encode(vars(group), tagged=False) for group in self.groups]
        return super()._content() | {"groups": groups}


def _groups(value: Any) -> tuple[SubstituteGroup, ...]:
    result = []
    for item in value:
        entry = item if isinstance(item, Mapping) else vars(item)
        result.append(
            SubstituteGroup(
                strings(entry["names"]),
                tuple(int(j) for j in entry["features"]),
                float(entry["importance"]),
                float(entry["p_value"]),
            )
        )
    return tuple(result)
