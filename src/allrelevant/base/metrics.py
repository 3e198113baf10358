"""How far predictions of ordered classes are from the truth, counted in classes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from sklearn.utils import check_consistent_length, column_or_1d

from allrelevant.base.disguised import refuse_dates, refuse_masked


def mean_absolute_rank_error(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    classes: Iterable[Any] | None = None,
) -> float:
    """Mean number of classes between the true and the predicted one.

    The rank of a class is its position among the ordered classes, so labels need not be
    numbers, and gaps between numbers do not count.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,)
        True and predicted labels.
    sample_weight : array-like of shape (n_samples,), default=None
        Weight of each sample, 0 or more.
    classes : sequence of labels, default=None
        All classes from lowest to highest. By default the labels that occur in `y_true` or
        `y_pred`, sorted; give the classes if some of them may not occur, or if their order is not
        the sorted one (words, for example, and also the categories of a pandas categorical).

    Returns
    -------
    float
        The error, 0 for perfect predictions.

    Raises
    ------
    ValueError
        If lengths differ, a label is missing or not among the classes, or weights are unusable.

    Examples
    --------
    >>> from allrelevant import mean_absolute_rank_error
    >>> mean_absolute_rank_error([1, 2, 10, 10], [1, 2, 2, 1])
    0.75
    >>> mean_absolute_rank_error(["low", "high"], ["mid", "high"], classes=["low", "mid", "high"])
    0.5
    """
    _, error, weight = _rank_errors(y_true, y_pred, sample_weight, classes)
    return float(np.average(error, weights=weight))


def macro_mean_absolute_rank_error(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    classes: Iterable[Any] | None = None,
) -> float:
    """Mean absolute rank error within each true class, averaged over the classes.

    Also known as MMAE. Every class counts the same, however rare it is, so always predicting a
    frequent class is not rewarded. Classes that do not occur in `y_true`, or only with weight 0,
    take no part in the average.

    Parameters and errors are those of `mean_absolute_rank_error`.

    Examples
    --------
    Three of four predictions are right, yet one of the two classes is missed altogether:

    >>> from allrelevant import macro_mean_absolute_rank_error
    >>> macro_mean_absolute_rank_error([0, 0, 0, 1], [0, 0, 0, 0])
    0.5
    """
    return macro_mean(*_rank_errors(y_true, y_pred, sample_weight, classes))


def macro_mean(rank: np.ndarray, error: np.ndarray, weight: np.ndarray) -> float:
    """The mean over classes of the mean error within each; classes without weight do not count."""
    class_weight = np.bincount(rank, weights=weight)
    class_error = np.bincount(rank, weights=weight * error)
    present = class_weight > 0
    return float(np.mean(class_error[present] / class_weight[present]))


def _rank_errors(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    sample_weight: ArrayLike | None,
    classes: Iterable[Any] | None,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Rank of the true class, absolute rank error and weight of each sample."""
    true, pred = _labels(y_true), _labels(y_pred)
    check_consistent_length(true, pred)
    if len(true) == 0:
        raise ValueError("y_true is empty: the error needs at least one sample.")
    if pd.isna(true).any() or pd.isna(pred).any():
        raise ValueError("y_true or y_pred has missing labels: leave these samples out.")

    ordered = pd.Index(np.union1d(true, pred) if classes is None else list(classes))
    if not ordered.is_unique:
        repeated = ordered[ordered.duplicated()].unique().tolist()
        raise ValueError(f"classes lists {repeated} more than once: list every class once.")
    rank = _ranks("y_true", true, ordered)
    error = np.abs(rank - _ranks("y_pred", pred, ordered))
    return rank, error, _weights(sample_weight, len(true))


def _labels(y: ArrayLike) -> np.ndarray:
    refuse_masked(y, "y_true or y_pred", "leave these samples out")
    labels = np.asarray(column_or_1d(y))
    # pandas has no index of half precision.
    return labels.astype(np.float32) if labels.dtype == np.float16 else labels


def _ranks(name: str, labels: np.ndarray, ordered: pd.Index) -> np.ndarray:
    rank = ordered.get_indexer(pd.Index(labels))
    if (rank < 0).any():
        unknown = pd.unique(labels[rank < 0]).tolist()
        raise ValueError(f"{name} has labels {unknown} that are not in classes {ordered.tolist()}.")
    return rank


def _weights(sample_weight: ArrayLike | None, n_samples: int) -> np.ndarray:
    if sample_weight is None:
        return np.ones(n_samples)
    refuse_masked(sample_weight, "sample_weight", "a sample that does not count weighs 0")
    refuse_dates(sample_weight, "sample_weight")
    weight = np.asarray(sample_weight, dtype=float)
    if weight.shape != (n_samples,):
        raise ValueError(
            f"sample_weight has shape {weight.shape}: give one weight for each of the "
            f"{n_samples} samples."
        )
    if not (np.isfinite(weight).all() and (weight >= 0).all() and weight.any()):
        raise ValueError("sample_weight must be finite and 0 or more, and not 0 for all samples.")
    return weight
