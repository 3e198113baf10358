"""The result of a non-linear relevance analysis: plain, immutable data."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from allrelevant.base.writing import write_text
from allrelevant.results import render as _render
from allrelevant.results.classified import ClassifiedFeatures
from allrelevant.results.entries import entry, numbers, words
from allrelevant.results.opening import open_view
from allrelevant.results.record import encode

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

    The surface is that of :class:`~allrelevant.RelevanceResult`. All numbers are rises of the
    held-out loss, where 1 is the loss of a constant prediction. A feature is strong if
    ``min > 0``, weak if only ``max`` exceeds its noise threshold, and irrelevant otherwise.

    Parameters
    ----------
    task : str
        "classification", "ordinal" or "regression".
    names : tuple of str
        The names of the d features.
    intervals : ndarray of shape (d, 2)
        What is lost without the feature when all others are there, 0 if these can stand in
        for it; and the most it brings in any test.
    classes : ndarray of int of shape (d,)
        0 irrelevant, 1 weakly relevant, 2 strongly relevant.
    importances : ndarray of shape (d,)
        Rise of the loss when the feature is shuffled in the model of all features.
    thresholds : ndarray of shape (2,)
        What the ends of an interval have to exceed: zero, and the median of the features' own
        `noise_thresholds`.
    p_values : ndarray of shape (d, 2)
        For being needed (NaN if that was not tested), and for being relevant; adjusted for the
        number of views or features.
    predictability : ndarray of shape (d,)
        R² of the feature given the other relevant ones; NaN if that was not computed.
    noise_thresholds : ndarray of shape (d,), default empty
        The noise threshold of the test that decided on ``max``, at the level of that test.
    losses : ndarray of shape (d, 2), default empty
        What is lost without each relevant feature, as measured, and what that has to exceed for
        the feature to be strong; NaN if that was not tested.
    tentative : tuple of str, default ()
        Names of features that were close to being confirmed.
    groups : tuple of SubstituteGroup, default ()
        Which weak features stand in for one another.
    probes : ndarray of shape (m, 2), default empty
        Importances of the shuffled features, in the second column; zeros in the first.
    minimal_importances : ndarray of shape (d,), default empty
        Importances in the forest that the thesis's algorithm takes its minimal set from.
    minimal_bounds : ndarray of shape (2,), default empty
        The range in which that forest puts the importance of a useless feature: the thesis's Γ.
    baseline, settings, versions, work, warnings
        As in :class:`~allrelevant.RelevanceResult`.

    Examples
    --------
    >>> from allrelevant import ForestRelevanceResult
    >>> result = ForestRelevanceResult(
    ...     task="classification", names=["age", "dose"], intervals=[[0.2, 0.5], [0.0, 0.01]],
    ...     classes=[2, 0], importances=[0.3, 0.0], thresholds=[0.0, 0.05],
    ...     p_values=[[0.001, 0.001], [1.0, 0.4]], predictability=[0.1, 0.2])
    >>> result.class_names
    ('strong', 'irrelevant')
    """

    _format: ClassVar[str] = "allrelevant.ForestRelevanceResult/1"
    importances: NDArray[np.float64] = numbers("names")
    p_values: NDArray[np.float64] = numbers("names", 2)
    predictability: NDArray[np.float64] = numbers("names")
    losses: NDArray[np.float64] = numbers("names", 2, empty=True)
    tentative: tuple[str, ...] = words(default=())
    groups: tuple[SubstituteGroup, ...] = entry(lambda _, value: _groups(value), default=())
    minimal_importances: NDArray[np.float64] = numbers("names", empty=True)
    minimal_bounds: NDArray[np.float64] = numbers(2, empty=True)

    @property
    def unit(self) -> str:
        """What the numbers are measured in, for axes and captions."""
        if str(self.settings.get("method")).casefold().startswith("squamish"):
            return "share of all features' importance"
        return "rise of the loss; 1: that of a constant prediction"

    @property
    def weights(self) -> NDArray[np.float64]:
        """Unknown: no single model stands behind the bars, so plots mark none."""
        return np.full(self.n_features, np.nan)

    @property
    def borderline(self) -> NDArray[np.bool_]:
        """Mask of the `tentative` features."""
        return np.isin(self.names, self.tentative)

    @property
    def shows_noise(self) -> bool:
        """Tables have every feature's own noise threshold."""
        return len(self.noise_thresholds) > 0

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
            Columns ``feature``, ``class``, ``min``, ``max`` and ``noise``, which ``max`` has to
            exceed; ``lost`` without it, as measured, and ``lost_limit``, which that has to exceed
            for the feature to be strong; ``importance`` (in the model of all features),
            ``p_relevant``, ``p_strong``, ``predictability``, ``group`` (number of its group of
            substitutes, from 1, or missing) and ``tentative``.
        """
        frame = pd.DataFrame({"feature": self.names, "class": self.class_names})
        frame[["min", "max"]] = self.intervals
        frame["noise"] = self.upper_thresholds
        frame[["lost", "lost_limit"]] = self.losses if len(self.losses) else np.nan
        frame["importance"] = self.importances
        frame["p_relevant"] = self.p_values[:, 1]
        frame["p_strong"] = self.p_values[:, 0]
        frame["predictability"] = self.predictability
        numbers = {j: number for number, group in enumerate(self.groups, 1) for j in group.features}
        frame["group"] = pd.array([numbers.get(j) for j in range(self.n_features)], dtype="Int64")
        frame["tentative"] = self.borderline
        return frame.iloc[self.order] if sort else frame

    def __repr__(self) -> str:
        notes = self._notes()
        return "\n".join([_render.as_text(self), *([""] if notes else []), *notes])

    def page(self, path: str | os.PathLike[str], **details: Any) -> Path:
        """Write a page to look through the answer: one HTML file that needs nothing else.

        Features can be sorted, searched and filtered by class; irrelevant ones are folded. A
        feature that is chosen shows its numbers, its group and how predictions follow it.

        Parameters
        ----------
        path : str or path
            The file to write.
        shapes : list of FeatureShape, optional
            What ``estimator.shapes()`` gives.
        title, target : str, optional
            The headline, and what the target is called.

        Returns
        -------
        Path
            The file written.
        """
        return write_text(path, open_view("forest page", self, **details))

    def _repr_html_(self) -> str:
        notes = "".join(f"<div>{escape(note)}</div>" for note in self._notes())
        return _render.as_html(self) + notes

    def _notes(self) -> list[str]:
        """Groups, a line each."""
        lines = []
        for number, group in enumerate(self.groups[:_SHOWN_GROUPS], 1):
            shown = ", ".join(group.names[:_SHOWN_MEMBERS])
            more = len(group.names) - _SHOWN_MEMBERS
            also = f" and {more} more" if more > 0 else ""
            lines.append(
                f"group {number}: {shown}{also} (importance together {group.importance:.3f})"
            )
        if len(self.groups) > _SHOWN_GROUPS:
            lines.append(f"... and {len(self.groups) - _SHOWN_GROUPS} more groups")
        return lines

    def _content(self) -> dict[str, Any]:
        groups = [encode(vars(group), tagged=False) for group in self.groups]
        return super()._content() | {"groups": groups}


def _groups(value: Any) -> tuple[SubstituteGroup, ...]:
    result = []
    for item in value:
        known = item if isinstance(item, Mapping) else vars(item)
        result.append(
            SubstituteGroup(
                tuple(map(str, known["names"])),
                tuple(int(j) for j in known["features"]),
                float(known["importance"]),
                float(known["p_value"]),
            )
        )
    return tuple(result)
