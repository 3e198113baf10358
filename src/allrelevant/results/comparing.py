"""From two fits to their comparison: which changes are beyond noise."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm

from allrelevant.base.three_classes import STRONG
from allrelevant.base.validation import check_number
from allrelevant.results.comparable import check_comparable, remarks_on
from allrelevant.results.comparison import ABSENT, Comparison
from allrelevant.results.relevance import RelevanceResult

_SURE = 1e-15  # p-values below this are all the same: their tails are not known so far out


def compare(
    a: Any,
    b: Any,
    *,
    stability: tuple[Any, Any] | None = None,
    same_rows: bool | None = None,
    level: float = 0.05,
) -> Comparison:
    """Compare two fits: of a table at two times, with and without some people, at two tolerances.

    Even if nothing has changed, two fits put some features into different classes. A change is
    *beyond noise* if the class is another one and the difference is larger than that:

    - From irrelevant to relevant, or back, in fits of different rows. Each fit turns
      the p-value of a feature into a z-value, or 0 if p is a half or more. In two samples of one
      population these differ with a standard deviation of at most about √2, so the difference
      divided by √2 is compared with a normal distribution. A
      feature that is near the threshold in both fits, on either side of it, does not count. One
      at the threshold counts by mistake with the probability `level`, all others more rarely.
    - From strong to weak, or back, in fits of different rows. This depends on what other features
      can replace, and one fit does not know how much that varies. So it counts only if `stability`
      is given: the share of halves of each fit in which the feature is strong. Such a share
      is turned into a z-value (of half of the rows, given all of them), and both are compared as
      above.
    - In fits of the same rows, such as at two tolerances. Intervals are proven and no sample is
      drawn anew; all noise is in the shuffled columns. A change counts unless the feature is
      borderline in either fit.

    Features that only one of the fits has are listed and never count. Other classes, and categories
    with other levels, are told in the answer's remarks. Fits that share some rows
    differ less than fits of different rows, so fewer changes are found than there are.

    Parameters
    ----------
    a, b : fitted estimators, or their results
        The first and the second fit.
    stability : pair of StabilityResult, optional
        What ``a.stability()`` and ``b.stability()`` give; 20 splits will do.
    same_rows : bool, optional
        Whether both are fits of the same rows. By default estimators know; plain results are taken
        for fits of different rows, which claims less.
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
    check_comparable(first, second)
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
    settings = _differing(first, second)
    remarks = remarks_on(a, b, first, second, settings)
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
        settings=settings,
        remarks=tuple(remarks),
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
    """How likely the differences are between the shares of halves in which features are strong."""
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


def _differing(first: RelevanceResult, second: RelevanceResult) -> dict[str, Any]:
    """Parameters that are not the same; of tolerance and loss those that both had in the end."""
    both: dict[str, Any] = {
        key: (first.settings[key], second.settings[key])
        for key in first.settings
        if key in second.settings and first.settings[key] != second.settings[key]
    }
    losses = tuple(one.baseline.get("loss_name") for one in (first, second))
    if None not in losses:  # what was chosen says more than how
        both.pop("loss", None)
        if losses[0] != losses[1]:
            both["loss"] = losses
    tolerance = tuple(one.baseline.get("tolerance_loss") for one in (first, second))
    if "tolerance" in both and None not in tolerance:
        both["tolerance"] = tuple(float(f"{one:.3g}") for one in tolerance)
    return both
