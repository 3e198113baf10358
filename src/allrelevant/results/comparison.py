"""Two fits compared: what has changed, and which changes are beyond noise."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.stats import norm

from allrelevant.base.names import padded, short_names
from allrelevant.base.three_classes import CLASS_NAMES, STRONG
from allrelevant.base.validation import check_number
from allrelevant.results.opening import open_view
from allrelevant.results.record import Record, array_of, plain_mapping, strings
from allrelevant.results.relevance import RelevanceResult

__all__ = ["ABSENT", "Comparison", "compare"]

ABSENT = "absent"
_KINDS = {*CLASS_NAMES, ABSENT}
_SURE = 1e-15  # p-values below this are all the same: their tails are not known so far out
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
        How likely a difference as large is where nothing has changed; NaN where that is not known.
    is_beyond_noise : ndarray of bool of shape (d,)
        Whether the change counts.
    same_rows : bool
        Whether both fits are of the same rows, so that samples have no part in the difference.
    level : float
        The largest p-value of a change that counts.
    settings : mapping, default empty
        Parameters in which the fits differ, each with both values.

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

    names: tuple[str, ...]
    before: tuple[str, ...]
    after: tuple[str, ...]
    intervals_before: NDArray[np.float64]
    intervals_after: NDArray[np.float64]
    p_values: NDArray[np.float64]
    is_beyond_noise: NDArray[np.bool_]
    same_rows: bool
    level: float = 0.05
    settings: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        d = len(self.names)
        for name in ("names", "before", "after"):
            self._convert(name, strings)
        for name in ("intervals_before", "intervals_after"):
            self._convert(name, partial(array_of, shape=(d, 2)))
        self._convert("p_values", partial(array_of, shape=(d,)))
        self._convert("is_beyond_noise", lambda value: np.array(value, dtype=bool))
        self._convert("settings", plain_mapping)
        if not set(self.before) | set(self.after) <= _KINDS:
            raise ValueError(f"classes must be among {sorted(_KINDS)}")

    @property
    def n_features(self) -> int:
        """Number of features of either fit."""
        return len(self.names)

    @property
    def changes(self) -> tuple[str, ...]:
        """What has become of each feature, in words; nothing where its class is the same."""
        pairs = zip(self.before, self.after, strict=True)
        return tuple(_in_words(was, now) for was, now in pairs)

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
        unsure = [name for name, change, counts in found if change and not counts]
        said = [f"{'; '.join(sure)}." if sure else "No change is beyond noise."]
        if unsure:
            few = ", ".join(unsure[:8]) + (" …" if len(unsure) > 8 else "")
            said.append(f"Another class, but no more than noise could do: {few}.")
        if self.same_rows:
            said.append("Both fits are of the same rows, so only shuffled columns are noise here.")
        for name, (was, now) in self.settings.items():
            said.append(f"The fits differ in {name}: {was} before, {now} after.")
        return said

    def report(self, path: str | os.PathLike[str], **details: Any) -> Path:
        """Write a page for people: one HTML file that needs nothing else.

        Parameters
        ----------
        path : str or path
            The file to write.
        title, before, after : str, optional
            The headline, and what the two fits are called.
        day : datetime.date, optional
            The day to print; by default today.
        """
        written: Path = open_view("comparison", self, path, **details)
        return written

    def __repr__(self) -> str:
        shown = [j for j in self.order.tolist() if self.changes[j]]
        names = short_names([self.names[j] for j in shown], _NAME_LENGTH)
        lines = [
            f"  {padded(name, _NAME_LENGTH)}  {self.before[j]:>10} -> {self.after[j]:<10}"
            f"  {'beyond noise' if self.is_beyond_noise[j] else 'could be noise'}"
            for name, j in zip(names, shown, strict=True)
        ]
        return "\n".join([f"Comparison of {len(self.names)} features", *lines, *self.verdict()])


def compare(
    a: Any,
    b: Any,
    *,
    stability: tuple[Any, Any] | None = None,
    same_rows: bool | None = None,
    level: float = 0.05,
) -> Comparison:
    """Compare two fits: of a table at two times, with and without some people, at two tolerances.

    Two fits put some feature into different classes even where nothing has changed. A change is
    *beyond noise* where the class is another one and the difference is larger than that:

    - From irrelevant to relevant, or back, in fits of other rows. How far a feature reaches is
      counted in the noise of its fit: as the z-value of its p-value, or 0 where half of the noise
      reaches as far. Of two samples of one population these differ with a standard deviation of at
      most about √2, so the difference divided by √2 is compared with a normal distribution. A
      feature that is near the threshold in both fits, and so on either side of it, does not
      count; one that is at the threshold counts by mistake with the probability `level`, all
      others more rarely.
    - From strong to weak, or back, in fits of other rows. That is about what other features can
      replace, of which a fit knows no distribution. It counts only if `stability` is given: of
      each fit the share of its halves in which the feature is strong. Such a share is a z-value in
      disguise, too (of half of the rows, given all of them), and both are compared as above.
    - In fits of the same rows, such as at two tolerances. Intervals are exact and no sample is
      drawn anew; all noise is in the shuffled columns. A change counts unless the feature is
      borderline in either fit.

    Features that only one of the fits has are listed and never count. Fits that share some rows
    differ less than those of other rows, so that fewer changes are found than there are.

    Parameters
    ----------
    a, b : fitted estimators, or their results
        The first and the second fit.
    stability : pair of StabilityResult, optional
        What ``a.stability()`` and ``b.stability()`` give; 20 splits will do.
    same_rows : bool, optional
        Whether both are fits of the same rows; by default estimators know, and plain results are
        taken for fits of other rows, which claims less.
    level : float, default=0.05
        The largest p-value of a change that counts.

    Returns
    -------
    Comparison

    Examples
    --------
    >>> from allrelevant import RelevanceClassifier, compare
    >>> from allrelevant.datasets import make_classification
    >>> X, y, _ = make_classification(200, n_strong=1, n_weak=2, n_irrelevant=3, random_state=0)
    >>> first, second = (RelevanceClassifier(random_state=0).fit(X[k::2], y[k::2]) for k in (0, 1))
    >>> compare(first, second).changed
    ()
    """
    check_number("level", level, low=0.0, high=1.0)
    first, second = _result_of(a, "a"), _result_of(b, "b")
    if first.task != second.task:
        raise ValueError(f"a is a fit for {first.task} and b one for {second.task}.")
    if same_rows is None:
        known = getattr(a, "has_same_rows", None)
        same_rows = bool(known is not None and hasattr(b, "result_") and known(b))
    names = (*second.names, *(name for name in first.names if name not in set(second.names)))
    was, now = _Seen(first, names), _Seen(second, names)
    is_other = (was.labels != now.labels) & was.there & now.there
    if same_rows:
        p = np.full(len(names), np.nan)
        counts = is_other & ~(was.borderline | now.borderline)
    else:
        is_relevance = (was.labels > 0) != (now.labels > 0)
        by_halves = np.full(len(names), np.nan)
        if stability is not None:
            by_halves = _of_halves(names, stability)
        p = np.where(is_other & ~is_relevance, by_halves, _of_reach(was, now))
        counts = is_other & (p <= level)
    return Comparison(
        names=names,
        before=was.kinds,
        after=now.kinds,
        intervals_before=was.intervals,
        intervals_after=now.intervals,
        p_values=p,
        is_beyond_noise=counts,
        same_rows=same_rows,
        level=level,
        settings=_differing(first, second),
    )


class _Seen:
    """A fit's features in the order of a comparison; some may not be there."""

    def __init__(self, result: RelevanceResult, names: Sequence[str]) -> None:
        place = {name: j for j, name in enumerate(result.names)}
        own = np.array([place.get(name, -1) for name in names], dtype=np.intp)
        self.there = own >= 0
        kinds = (*result.class_names, ABSENT)  # -1 is the last one
        self.kinds = tuple(kinds[j] for j in own)
        self.labels = np.append(result.classes, -1)[own]
        self.intervals = np.vstack([result.intervals, [np.nan, np.nan]])[own]
        p = result.p_values if len(result.p_values) else np.full(result.n_features, np.nan)
        self.p = np.append(p, np.nan)[own]
        self.borderline = np.append(result.could_be_either, False)[own]


def _result_of(given: Any, name: str) -> RelevanceResult:
    result = getattr(given, "result_", given)
    if not isinstance(result, RelevanceResult):
        found = type(given).__name__
        raise TypeError(
            f"{name} must be a fitted linear relevance estimator or its result_, got {found}."
        )
    return result


def _of_reach(before: _Seen, after: _Seen) -> NDArray[np.float64]:
    """How likely the difference of both reaches is, counted in the noise of either fit."""
    z = [np.maximum(norm.isf(np.clip(one.p, _SURE, 1.0)), 0.0) for one in (before, after)]
    return _two_sided((z[1] - z[0]) / np.sqrt(2.0))


def _of_halves(names: Sequence[str], stability: tuple[Any, Any]) -> NDArray[np.float64]:
    """The same of being strong, by the shares of halves in which features are."""
    z = []
    for one in stability:
        place = {name: j for j, name in enumerate(one.names)}
        n = len(one.halves)
        strong = (one.halves == STRONG).sum(axis=0)
        # No share is 0 or 1 for sure: some halves more, and there may be one.
        shares = (strong + 0.5) / (n + 1.0)
        z.append([norm.ppf(shares[place[name]]) if name in place else np.nan for name in names])
    return _two_sided(np.subtract(z[1], z[0]) / np.sqrt(2.0))


def _two_sided(z: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(2.0 * norm.sf(np.abs(z)))


def _in_words(was: str, now: str) -> str:
    if was == now:
        return ""
    if ABSENT in (was, now):
        return "was not there before" if was == ABSENT else "is not there any more"
    if "irrelevant" in (was, now):
        return _WORDS["irrelevant", was == "irrelevant"]
    return _WORDS["strong", now == "strong"]


def _differing(first: RelevanceResult, second: RelevanceResult) -> dict[str, Any]:
    """Parameters that are not the same, and the tolerance that both had in the end."""
    both = {
        key: (first.settings[key], second.settings[key])
        for key in first.settings
        if key in second.settings and first.settings[key] != second.settings[key]
    }
    tolerance = tuple(one.baseline.get("tolerance_loss") for one in (first, second))
    if "tolerance" in both and None not in tolerance:
        both["tolerance"] = tuple(float(f"{one:.3g}") for one in tolerance)
    return both
