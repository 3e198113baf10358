"""Losses of classes: the hinge, and whether the logistic one is tried beside it."""

from __future__ import annotations

from typing import Any, Literal

from allrelevant.linear.estimators.parameters import is_word
from allrelevant.linear.fit.sample import Sample

LossOfClasses = Literal["auto", "hinge", "logistic"]
LOSSES = ("auto", "hinge", "logistic")

_MOST_ROWS = 20_000  # times thresholds; with more, a second loss would take long to try
_ROWS_EACH = 4  # with fewer for each column there is too little to tell one loss from another


def tries_logistic(estimator: Any, sample: Sample) -> bool:
    """Whether the logistic loss is tried beside the hinge: C is free, and there are rows enough.

    Every row is compared with every threshold between classes.
    """
    is_free = is_word(estimator.C, "cv") and is_word(estimator.baseline, "l1")
    n_rows, n_columns = sample.n_groups, sample.X.shape[1]
    is_plain = sample.outside is None and sample.privileged is None
    is_small = n_rows * (len(estimator.classes_) - 1) <= _MOST_ROWS
    has_rows = n_rows >= _ROWS_EACH * n_columns
    return estimator.loss == "auto" and is_free and is_plain and is_small and has_rows


def refuse_logistic(sample: Sample) -> None:
    """Refuse data that the logistic loss is not for."""
    for is_so, what in (
        (sample.privileged is not None, "features that are not privileged"),
        (sample.outside is not None, "rows in memory"),
    ):
        if is_so:
            raise ValueError(f"loss='logistic' is for {what}: leave it at 'auto'.")
