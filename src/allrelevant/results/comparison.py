"""Two fits compared: what has changed, and which changes are beyond noise."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from allrelevant.base.names import padded, short_names
from allrelevant.base.three_classes import CLASS_NAMES
from allrelevant.base.writing import write_text
from allrelevant.results.comparable import first_few
from allrelevant.results.entries import facts, flags, numbers, words
from allrelevant.results.opening import open_view
from allrelevant.results.record import Record

ABSENT = "absent"
_KINDS = {*CLASS_NAMES, ABSENT}
_NAME_LENGTH = 28
_WORDS = {
    ("irrelevant", True): "has become relevant",
    ("irrelevant", False): "has become irrelevant",
    ("strong", True): "has become strong",
    ("strong", False): "is no longer strong",
}


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Comparison(Record):
    """What two fits say of each feature, and whether the difference is beyond noise.

    Parameters
    ----------
    names : tuple of str
        All features of either fit, those of the second in its order first.
    before, after : tuple of str
        The class of each in the first and the second fit, or "absent".
    intervals_before, intervals_after : ndarray of shape (d, 2)
        Smallest and largest relevance, NaN where absent.
    p_values : ndarray of shape (d,)
        How likely a difference as large is if nothing has changed; NaN if that is not known.
    is_beyond_noise : ndarray of bool of shape (d,)
        Whether the change counts.
    same_rows : bool
        Whether both fits are of the same rows, so that no sampling contributes to the difference.
    level : float
        The largest p-value of a change that counts.
    settings : mapping, default empty
        Parameters in which the fits differ, each with both values.
    remarks : tuple of str, default ()
        What else is not the same in both fits, such as classes, or the levels of a category.

    Examples
    --------
    >>> from allrelevant import Comparison
    >>> found = Comparison(
    ...     names=["age", "dose"], before=["strong", "irrelevant"], after=["strong", "weak"],
    ...     intervals_before=[[0.2, 0.5], [0, 0.1]], intervals_after=[[0.1, 0.4], [0, 0.6]],
    ...     p_values=[0.8, 0.001], is_beyond_noise=[False, True], same_rows=False)
    >>> found.changed, found.verdict()
    (('dose',), ['dose has become relevant.'])
    """

    _format: ClassVar[str] = "allrelevant.Comparison/1"

    names: tuple[str, ...] = words()
    before: tuple[str, ...] = words()
    after: tuple[str, ...] = words()
    intervals_before: NDArray[np.float64] = numbers("names", 2)
    intervals_after: NDArray[np.float64] = numbers("names", 2)
    p_values: NDArray[np.float64] = numbers("names")
    is_beyond_noise: NDArray[np.bool_] = flags("names")
    same_rows: bool
    level: float = 0.05
    settings: Mapping[str, Any] = facts()
    remarks: tuple[str, ...] = words(default=())

    def __post_init__(self) -> None:
        super().__post_init__()
        if not set(self.before) | set(self.after) <= _KINDS:
            raise ValueError(f"classes must be among {sorted(_KINDS)}")

    @property
    def changes(self) -> tuple[str, ...]:
        """What has changed for each feature, in words; empty if its class is the same."""
        pairs = zip(self.before, self.after, strict=True)
        return tuple(_in_words(was, now) for was, now in pairs)

    @property
    def is_in_both(self) -> tuple[bool, ...]:
        """Whether each feature is in both fits, and so could be compared."""
        pairs = zip(self.before, self.after, strict=True)
        return tuple(ABSENT not in pair for pair in pairs)

    @property
    def judgements(self) -> tuple[str, ...]:
        """Whether noise could do what has changed; empty where it cannot be said."""
        each = zip(self.changes, self.is_in_both, self.is_beyond_noise, strict=True)
        return tuple(
            ("beyond noise" if counts else "could be noise") if change and there else ""
            for change, there, counts in each
        )

    @property
    def changed(self) -> tuple[str, ...]:
        """Names of the features whose change is beyond noise."""
        pairs = zip(self.names, self.is_beyond_noise, strict=True)
        return tuple(name for name, counts in pairs if counts)

    @property
    def order(self) -> NDArray[np.intp]:
        """Features whose change counts first, then other changes, then the rest as they are."""
        differs = np.array([bool(word) for word in self.changes], dtype=bool)
        return np.lexsort((np.arange(len(differs)), ~differs, ~self.is_beyond_noise))

    def to_frame(self, sort: bool = False) -> pd.DataFrame:
        """One row for each feature; `sort` puts changes first."""
        frame = pd.DataFrame(
            {
                "feature": self.names,
                "before": self.before,
                "after": self.after,
                "change": self.changes,
                "beyond_noise": self.is_beyond_noise,
                "min_before": self.intervals_before[:, 0],
                "max_before": self.intervals_before[:, 1],
                "min_after": self.intervals_after[:, 0],
                "max_after": self.intervals_after[:, 1],
                "p_change": self.p_values,
            }
        )
        return frame.iloc[self.order] if sort else frame

    def verdict(self) -> list[str]:
        """The answer in sentences, the most important first."""
        found = list(zip(self.names, self.changes, self.is_beyond_noise, strict=True))
        sure = [f"{name} {change}" for name, change, counts in found if counts]
        there = dict(zip(self.names, self.is_in_both, strict=True))
        unsure = [name for name, change, counts in found if change and not counts and there[name]]
        nothing = "No change is beyond noise." if unsure else "No feature has another class."
        said = [f"{'; '.join(sure)}." if sure else nothing]
        if unsure:
            said.append(f"Another class, but no more than noise could do: {first_few(unsure)}.")
        for when, kinds in (("after", self.before), ("before", self.after)):
            lacking = [name for name, kind in zip(self.names, kinds, strict=True) if kind == ABSENT]
            if lacking:
                said.append(
                    f"Not compared, because they are only in the fit {when}: {first_few(lacking)}."
                )
        if self.same_rows:
            said.append("Both fits are of the same rows, so only shuffled columns are noise here.")
        for name, (was, now) in self.settings.items():
            said.append(f"The fits differ in {name}: {was} before, {now} after.")
        return [*said, *self.remarks]

    def report(self, path: str | os.PathLike[str], **details: Any) -> Path:
        """Write a page for readers: one HTML file that needs nothing else.

        Parameters
        ----------
        path : str or path
            The file to write.
        title, before, after : str, optional
            The headline, and what the two fits are called.
        day : datetime.date, optional
            The day to print; by default today.
        """
        return write_text(path, open_view("comparison", self, **details))

    def __repr__(self) -> str:
        shown = [j for j in self.order.tolist() if self.changes[j]]
        names = short_names([self.names[j] for j in shown], _NAME_LENGTH)
        lines = [
            f"  {padded(name, _NAME_LENGTH)}  {self.before[j]:>10} -> {self.after[j]:<10}"
            f"  {self.judgements[j]}"
            for name, j in zip(names, shown, strict=True)
        ]
        return "\n".join([f"Comparison of {len(self.names)} features", *lines, *self.verdict()])


def _in_words(was: str, now: str) -> str:
    if was == now:
        return ""
    if ABSENT in (was, now):
        return "was not there before" if was == ABSENT else "is not there any more"
    if "irrelevant" in (was, now):
        return _WORDS["irrelevant", was == "irrelevant"]
    return _WORDS["strong", now == "strong"]
