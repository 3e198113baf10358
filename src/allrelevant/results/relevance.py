"""The result of a relevance analysis: plain, immutable data that every view reads."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from allrelevant.base.three_classes import classify
from allrelevant.results import render as _render
from allrelevant.results.classified import ClassifiedFeatures
from allrelevant.results.entries import array_of, entry, facts, flags, labels, numbers, words

# What is known of privileged features, too.
_OF_PRIVILEGED = (
    *("names", "columns", "intervals", "classes", "thresholds", "probes", "noise_thresholds"),
    *("p_values", "q_values", "borderline", "is_bound"),
)


_OF_P = "privileged_names"


def _by_function(record: Any, value: Any) -> NDArray[np.float64]:
    """Two numbers for each privileged feature in each function, however many; or nothing."""
    n_functions = np.shape(value)[1] if np.ndim(value) > 1 else 0
    p = len(record.privileged_names) if n_functions else 0
    return array_of(value, (p, n_functions, 2))


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class RelevanceResult(ClassifiedFeatures):
    """Relevance intervals of all features, their classes and how they came about.

    All weights and relevances are shares of the baseline's L1 norm. Arrays are stored as read-only
    copies. The mappings are read-only, too, and hold only plain values: numpy scalars become Python
    scalars, lists become tuples, and anything that JSON cannot hold becomes its name or ``repr``.

    Parameters
    ----------
    task : str
        The kind of model: "classification", "regression", "ordinal", "reject" or "survival".
    names : tuple of str
        The names of the d features.
    intervals : ndarray of shape (d, 2)
        Smallest and largest relevance of each feature over all equivalent models.
    signed_intervals : ndarray of shape (d, 2)
        Smallest and largest signed weight of each feature over all equivalent models; NaN for a
        feature of several columns.
    classes : ndarray of int of shape (d,)
        0 irrelevant, 1 weakly relevant, 2 strongly relevant; an index into ``CLASS_NAMES``.
    weights : ndarray of shape (d,)
        The baseline model's own signed weights; for a feature of several columns the sum of their
        absolute weights.
    thresholds : ndarray of shape (2,)
        The noise thresholds for the smallest and for the largest relevance. If each feature has its
        own (`noise_thresholds`), the second is the typical one.
    probes : ndarray of shape (m, 2), default empty
        Smallest and largest relevance of each usable noise probe.
    baseline : mapping, default empty
        Quality of the baseline model, such as ``score``, ``score_name``, ``C``, ``norm``, ``loss``.
        ``scores`` has several scores by their names. ``level`` is the largest p-value that counts
        as relevant, ``fdr`` the share of the relevant features that may be noise, on average.
    settings : mapping, default empty
        The estimator parameters used.
    versions : mapping, default empty
        Versions of the libraries used.
    work : mapping, default empty
        How much work was done, such as ``lps_solved``.
    columns : mapping, default empty
        For each feature of several columns, such as a category: the ``names`` of the columns, and
        ``intervals``, ``signed_intervals``, ``weights`` and ``noise_thresholds`` of each column by
        itself. The relevance of such a feature is the sum of its columns' relevances, with
        several classes the largest of them; ``is_exact`` is False if the largest sum is only an
        upper bound. ``references`` names the level of a category that has no weight: those of
        the others say how they differ from it.
    noise_thresholds : ndarray of shape (d,), default empty
        The noise threshold for the largest relevance of each feature by itself. It depends on the
        distribution of the column, and is larger for several columns than for one. 0 for features
        that pass by the conditional test alone (see `only_conditional`). Empty if all features
        share ``thresholds[1]``.
    p_values, q_values : ndarray of shape (d,), default empty
        How likely noise with the same distribution does as well as the feature, and the same
        adjusted for the number of features (Benjamini and Hochberg). Empty if they are not known,
        NaN for a feature of several columns that has only a noise threshold.
    borderline : ndarray of bool of shape (d,), default empty
        Whether a feature could be either: with other probes it could be on the other side of its
        noise threshold. Empty if that is not known.
    is_bound : ndarray of bool of shape (d,), default empty
        Whether an end of a feature's interval, or both, are bounds: its relevance is within the
        interval, but need not reach its end. Among thousands of features, those are not solved for
        whose bound is below the noise threshold; `witness` and `what_if` do so when
        you ask. Empty if all are exact.
    needed_up_to : ndarray of shape (d,), default empty
        The tolerance up to which all equivalent models need each feature; 0 where the baseline
        does without it, infinite where no tolerance is enough. It takes a linear program for each
        feature that the baseline uses. So it is empty until the table (:meth:`to_frame`) or
        ``needed_up_to_`` of the estimator is first asked for.
    warnings : tuple of str, default ()
        What the reader should know before trusting the numbers.
    privileged_names, privileged_columns, privileged_intervals, privileged_classes, \
privileged_thresholds, privileged_probes, privileged_noise_thresholds, privileged_p_values, \
privileged_q_values, privileged_borderline, privileged_is_bound : optional
        The same for features that are known in training only. Their relevances are shares of the
        L1 norm of their own weights. The signs of these weights mean nothing.
    privileged_by_function : ndarray of shape (p, n_functions, 2), default empty
        Smallest and largest relevance of each privileged feature in each slack function: for scores
        that are too high and too low, or for both if there is only one. The larger ends are in
        `privileged_intervals`, the smaller ones in `privileged_in_all`.

    Examples
    --------
    >>> from allrelevant.results.relevance import RelevanceResult
    >>> result = RelevanceResult(
    ...     task="classification", names=["age", "dose"],
    ...     intervals=[[0.25, 0.5], [0.0, 0.125]], signed_intervals=[[0.25, 0.5], [-0.125, 0.0]],
    ...     classes=[2, 0], weights=[0.5, 0.0], thresholds=[0.0625, 0.25],
    ...     baseline={"score_name": "accuracy", "score": 0.9},
    ... )
    >>> result.strong
    ('age',)
    >>> result.to_frame()
      feature       class   min    max    low  high  margin
    0     age      strong  0.25  0.500  0.250   0.5   0.250
    1    dose  irrelevant  0.00  0.125 -0.125   0.0  -0.125
    >>> result
    2 features: 1 strong, 0 weak, 1 irrelevant
    baseline: accuracy 0.9
    noise thresholds: min 0.0625, max 0.25 (no probes)
    <BLANKLINE>
    feature  class         min    max  0                    0.5
    age      strong      0.250  0.500  ············━━━━━━━━━━━━
    dose     irrelevant  0.000  0.125  ━━━━━━······┊···········
    >>> RelevanceResult.from_json(result.to_json()) == result
    True
    """

    _format: ClassVar[str] = "allrelevant.RelevanceResult/1"
    signed_intervals: NDArray[np.float64] = numbers("names", 2)
    weights: NDArray[np.float64] = numbers("names")
    p_values: NDArray[np.float64] = numbers("names", empty=True)
    q_values: NDArray[np.float64] = numbers("names", empty=True)
    borderline: NDArray[np.bool_] = flags("names", empty=True)
    needed_up_to: NDArray[np.float64] = numbers("names", empty=True)
    privileged_names: tuple[str, ...] = words(default=())
    privileged_columns: Mapping[str, Any] = facts()
    privileged_intervals: NDArray[np.float64] = numbers(_OF_P, 2, default=())
    privileged_classes: NDArray[np.int64] = labels(_OF_P, default=())
    privileged_thresholds: NDArray[np.float64] = numbers(2, default=(0.0, 0.0))
    privileged_probes: NDArray[np.float64] = numbers(None, 2, default=())
    privileged_noise_thresholds: NDArray[np.float64] = numbers(_OF_P, empty=True)
    privileged_p_values: NDArray[np.float64] = numbers(_OF_P, empty=True)
    privileged_q_values: NDArray[np.float64] = numbers(_OF_P, empty=True)
    privileged_borderline: NDArray[np.bool_] = flags(_OF_P, empty=True)
    privileged_is_bound: NDArray[np.bool_] = flags(_OF_P, empty=True)
    privileged_by_function: NDArray[np.float64] = entry(_by_function, default=())

    @property
    def only_conditional(self) -> NDArray[np.bool_]:
        """Mask of the features that need not pass a noise threshold, which is 0 for them.

        Their upper ends are below it, but they pass the conditional test: they correlate with
        residuals of a model of the other features more than noise does. Features that pass both
        tests are not among them.
        """
        return (self.upper_thresholds == 0) & (self.thresholds[1] > 0)

    @property
    def margins(self) -> NDArray[np.float64]:
        """Distance of each interval's ends from their noise thresholds, shape (d, 2)."""
        with np.errstate(invalid="ignore", over="ignore"):  # without probes they may be infinite
            lower, upper = self.intervals.T
            return np.column_stack([lower - self.thresholds[0], upper - self.upper_thresholds])

    @property
    def has_weights_by_class(self) -> bool:
        """Whether every feature has a weight for each of several classes, and so no sign."""
        single = [name not in self.columns for name in self.names]
        own = (one.get("signed_intervals") for one in self.columns.values())
        known = [np.reshape(ends, (-1, 2)) for ends in own if ends is not None]
        signed = np.concatenate([self.signed_intervals[single], *known])
        return len(signed) > 0 and bool(np.isnan(signed).all())

    def is_curve(self, name: str) -> bool:
        """Whether a feature's columns are pieces of a curve; no piece means anything by itself."""
        if name not in self.columns or not self.settings.get("basis"):
            return False
        return not all(str(one).startswith(f"{name}=") for one in self.columns[name]["names"])

    @property
    def privileged(self) -> RelevanceResult | None:
        """The privileged features as a result of their own; None where there are none.

        Their weights have no sign to speak of: they occur in several functions.
        """
        if not self.privileged_names:
            return None
        unknown = np.full((len(self.privileged_names), 2), np.nan)
        known = {name: getattr(self, f"privileged_{name}") for name in _OF_PRIVILEGED}
        return RelevanceResult(
            task=self.task, signed_intervals=unknown, weights=unknown[:, 0], **known
        )

    @property
    def privileged_in_all(self) -> RelevanceResult | None:
        """The privileged features by the slack function that needs them least, as a result.

        What is relevant here is so in all functions: its smallest and largest relevance are the
        smaller ones of the functions' own. Noise thresholds are those of `privileged`, where noise
        counts by its larger ends, so that they are rather too high. None where there are no
        privileged features, or where their functions are not known one by one.
        """
        if self.privileged is None or not self.privileged_by_function.size:
            return None
        intervals = self.privileged_by_function.min(axis=1)
        upper = self.privileged.upper_thresholds
        return replace(
            self.privileged,
            intervals=intervals,
            classes=classify(intervals, self.privileged_thresholds, upper),
            p_values=np.empty(0),
            q_values=np.empty(0),
            borderline=np.zeros(0, dtype=np.bool_),
        )

    def to_frame(self, sort: bool = False) -> pd.DataFrame:
        """Return the intervals as a table with one row per feature.

        Parameters
        ----------
        sort : bool, default False
            Put strong features first, then weak, then irrelevant ones, each by ``max`` from large
            to small, then those that were forbidden. The index keeps each feature's original
            position.

        Returns
        -------
        DataFrame
            Columns ``feature``, ``class``, ``min`` and ``max`` (relevance), ``low`` and ``high``
            (signed weight) and ``margin`` (``max`` minus its noise threshold). Where p-values are
            known, ``p``, ``q`` and ``borderline`` follow, and where some intervals are only bounds
            ``is_bound``. ``needed_up_to`` is the last column of a fit's own table. It is found
            when the table is first asked for, which takes less than another fit. Privileged
            features follow the others, with a column ``kind``.
        """
        find = getattr(self, "_find_needed", None)
        if find is not None and not len(self.needed_up_to):
            self.learn_needed(find())
        return self._table(sort)

    def asking(self, find_needed: Callable[[], ArrayLike]) -> Self:
        """The same, with what finds `needed_up_to` when the table is first asked for."""
        object.__setattr__(self, "_find_needed", find_needed)
        return self

    def learn_needed(self, needed: ArrayLike) -> None:
        """Take in `needed_up_to`, which was not known before."""
        found = array_of(needed, (self.n_features,))
        object.__setattr__(self, "needed_up_to", found)

    def _table(self, sort: bool, sure: bool | None = None) -> pd.DataFrame:
        """What is known as a table; `sure` asks for the columns that say how sure classes are."""
        if sure is None:
            sure = len(self.p_values) > 0 or len(self.privileged_p_values) > 0
        frame = pd.DataFrame({"feature": self.names, "class": self.class_names})
        frame[["min", "max"]] = self.intervals
        frame[["low", "high"]] = self.signed_intervals
        frame["margin"] = self.margins[:, 1]
        if sure:
            frame["p"] = self.p_values if len(self.p_values) else np.nan
            frame["q"] = self.q_values if len(self.q_values) else np.nan
            frame["borderline"] = self.could_be_either
        if self.is_bound.any():
            frame["is_bound"] = self.is_bound
        if len(self.needed_up_to):
            frame["needed_up_to"] = self.needed_up_to
        if sort:
            frame = frame.iloc[self.order]
        if self.privileged is None:
            return frame
        others = self.privileged._table(sort, sure)
        others = others.set_index(others.index + self.n_features)
        return pd.concat([frame.assign(kind="feature"), others.assign(kind="privileged")])

    __repr__ = _render.as_text
    _repr_html_ = _render.as_html
