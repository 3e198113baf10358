"""The result of a non-linear relevance analysis: plain, immutable data."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from functools import partial
from html import escape
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from allrelevant import _render
from allrelevant.result import (
    CLASS_NAMES,
    _array,
    _class_array,
    _encode,
    _strings,
    _untag,
    plain_mapping,
)

__all__ = ["ForestRelevanceResult", "SubstituteGroup"]

_FORMAT = "allrelevant.ForestRelevanceResult/1"
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
class ForestRelevanceResult:
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

    #: Linear results may have these; the views of a result ask for them.
    privileged: ClassVar[None] = None
    column_groups: ClassVar[Mapping[str, Any]] = MappingProxyType({})
    #: What the numbers are shares of, for axes and captions.
    unit = "share of the loss of a constant prediction"

    def __post_init__(self) -> None:
        for name in ("names", "tentative", "warnings"):
            self._convert(name, _strings)
        for name in ("baseline", "settings", "versions", "counts"):
            self._convert(name, plain_mapping)
        d = len(self.names)
        for name in ("intervals", "p_values"):
            self._convert(name, partial(_array, shape=(d, 2)))
        for name in ("importances", "predictability"):
            self._convert(name, partial(_array, shape=(d,)))
        self._convert("probes", partial(_array, shape=(None, 2)))
        self._convert("thresholds", partial(_array, shape=(2,)))
        self._convert("classes", partial(_class_array, d=d))
        self._convert("groups", _groups)

    def _convert(self, name: str, convert: Callable[[Any], Any]) -> None:
        try:
            value = convert(getattr(self, name))
        except (TypeError, ValueError, KeyError) as error:
            raise ValueError(
                f"{name!r} of a ForestRelevanceResult is not usable: {error}"
            ) from error
        object.__setattr__(self, name, value)

    @property
    def n_features(self) -> int:
        """Number of features."""
        return len(self.names)

    @property
    def weights(self) -> NDArray[np.float64]:
        """Importances in the model of all features, under the name the plots know."""
        return self.importances

    @property
    def class_names(self) -> tuple[str, ...]:
        """The class of each feature in words."""
        return tuple(CLASS_NAMES[c] for c in self.classes)

    @property
    def support(self) -> NDArray[np.bool_]:
        """Mask of the relevant features, weak or strong."""
        return self.classes > 0

    @property
    def order(self) -> NDArray[np.intp]:
        """Feature positions, strong first and irrelevant last, within a class the largest first."""
        return np.lexsort((-self.intervals[:, 1], -self.classes))

    @property
    def strong(self) -> tuple[str, ...]:
        """Names of the features no good model can do without."""
        return self._names_of(2)

    @property
    def weak(self) -> tuple[str, ...]:
        """Names of the features that are useful but can be replaced by others."""
        return self._names_of(1)

    @property
    def irrelevant(self) -> tuple[str, ...]:
        """Names of the features that do no better than noise."""
        return self._names_of(0)

    def _names_of(self, label: int) -> tuple[str, ...]:
        return tuple(name for name, c in zip(self.names, self.classes, strict=True) if c == label)

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
            ``p_strong``, ``predictability``, ``group`` (number of its group of substitutes, or
            missing) and ``tentative``.
        """
        frame = pd.DataFrame({"feature": self.names, "class": self.class_names})
        frame[["min", "max"]] = self.intervals
        frame["importance"] = self.importances
        frame["p_relevant"] = self.p_values[:, 1]
        frame["p_strong"] = self.p_values[:, 0]
        frame["predictability"] = self.predictability
        numbers = {j: number for number, group in enumerate(self.groups) for j in group.features}
        frame["group"] = pd.array([numbers.get(j) for j in range(self.n_features)], dtype="Int64")
        frame["tentative"] = [name in set(self.tentative) for name in self.names]
        return frame.iloc[self.order] if sort else frame

    def to_json(self, indent: int | None = None) -> str:
        """Return the whole result as strictly valid JSON, as `RelevanceResult.to_json` does."""
        return json.dumps({"format": _FORMAT, **self._content()}, indent=indent, allow_nan=False)

    @classmethod
    def from_json(cls, text: str) -> ForestRelevanceResult:
        """Read a result written by `to_json`; it equals the one written.

        Raises
        ------
        ValueError
            If the text is not JSON, is of another format, or lacks or garbles a field.
        """
        try:
            document = json.loads(text, object_hook=_untag)
        except (TypeError, ValueError) as error:
            raise ValueError(f"this is not valid JSON: {error}") from error
        found = document.get("format") if isinstance(document, dict) else None
        if found != _FORMAT:
            raise ValueError(f"expected a JSON document of format {_FORMAT!r}, found {found!r}")
        names = [entry.name for entry in fields(cls)]
        missing = [name for name in names if name not in document]
        if missing:
            raise ValueError(f"the JSON document lacks the fields {', '.join(missing)}")
        return cls(**{name: document[name] for name in names})

    def __repr__(self) -> str:
        notes = self._notes()
        return "\n".join([_render.as_text(self), *([""] if notes else []), *notes])  # type: ignore[arg-type]

    def _repr_html_(self) -> str:
        notes = "".join(f"<div>{escape(note)}</div>" for note in self._notes())
        return _render.as_html(self) + notes  # type: ignore[arg-type]

    def _notes(self) -> list[str]:
        """Groups and undecided features, a line each."""
        lines = []
        for number, group in enumerate(self.groups[:_SHOWN_GROUPS]):
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
        content = {entry.name: _encode(getattr(self, entry.name)) for entry in fields(self)}
        content["groups"] = [_encode(vars(group), tagged=False) for group in self.groups]
        return content

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ForestRelevanceResult):
            return NotImplemented
        return self._content() == other._content()

    def __hash__(self) -> int:
        return hash((self.task, self.names, tuple(self.classes.tolist())))

    # Read-only mappings do not pickle, and numpy forgets that an array was read-only.
    def __reduce__(self) -> tuple[Callable[[str], ForestRelevanceResult], tuple[str]]:
        return type(self).from_json, (self.to_json(),)


def _groups(value: Any) -> tuple[SubstituteGroup, ...]:
    result = []
    for item in value:
        entry = item if isinstance(item, Mapping) else vars(item)
        result.append(
            SubstituteGroup(
                _strings(entry["names"]),
                tuple(int(j) for j in entry["features"]),
                float(entry["importance"]),
                float(entry["p_value"]),
            )
        )
    return tuple(result)
