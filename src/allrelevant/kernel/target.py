"""Partly labelled targets: which rows have a label, and the rank it stands for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pandas as pd
from sklearn.utils.validation import check_consistent_length, column_or_1d

from allrelevant.base.arrays import Floats, Mask
from allrelevant.base.errors import warn_user
from allrelevant.base.labels import as_order, encode_ranks, ordered_categories
from allrelevant.base.metrics import macro_mean_absolute_rank_error

_WRITTEN_GAPS = {"", "-1", "-1.0", "nan", "None", "<NA>"}


def column(y: Any, warn: bool = False) -> np.ndarray:
    """The target as a vector in which gaps are still gaps.

    From a list of words and gaps numpy would make words: "nan", and "-1". Of a masked array it
    would take what is under the mask.
    """
    if np.ma.isMaskedArray(y):
        hidden, y = np.ma.getmaskarray(y), np.array(y.data, dtype=object)
        y[hidden] = None
    values = column_or_1d(y, warn=warn)
    if values.dtype.kind in "US" and isinstance(y, (list, tuple)):
        as_given = np.array(y, dtype=object).reshape(-1)
        if not all(isinstance(value, (str, bytes)) for value in as_given):
            return as_given
    return values


def labelled(y: Any, learned: np.ndarray | None = None) -> Mask:
    """Which rows have a label: not −1, NaN, None or NA.

    As everywhere in scikit-learn's semi-supervised learning, −1 is no class. One target is an
    exception: with −1 and 1 as its only values a reading of −1 as unlabelled would leave a single
    class and nothing to learn, while both are the usual names of two classes. Where classes are
    learned already, it is these that tell.
    """
    values = column(y, warn=learned is None)
    is_missing = np.asarray(pd.isna(values))
    if values.dtype.kind in "US":
        return ~is_missing
    if values.dtype.kind == "O":
        is_minus_one = np.array([_is_minus_one(v) for v in _safe(values)], dtype=bool)
    else:
        is_minus_one = values == -1
    if learned is not None:
        return ~is_missing & (~is_minus_one | _names_minus_one(learned))
    if is_minus_one.any() and not is_missing.any():
        others = values[~is_minus_one]
        if len(others) and all(not isinstance(v, str) and v == 1 for v in others.tolist()):
            warn_user(
                "y holds −1 and 1 only, so both are read as classes: with −1 for unlabelled rows "
                "there would be one class. Mark unlabelled rows by NaN or None if you mean that."
            )
            return ~is_missing
    return ~(is_missing | is_minus_one)


def encode_partly(
    y: Any, classes: Sequence[Any] | None, estimator_name: str
) -> tuple[np.ndarray, Floats]:
    """The classes that have labelled rows, in order, and the rank of each row; −1 if unlabelled."""
    known = labelled(y)
    if not known.any():
        raise ValueError(
            f"y has no labelled row (−1, NaN and None mean unlabelled): {estimator_name} needs "
            "labelled rows of at least two classes."
        )
    plain = natural(column(y)[known])
    _refuse_mixture(plain)
    if _names_minus_one(_safe(column(y)[~known])):
        _refuse_one_class_beside_minus_one(plain, estimator_name)
    order = named_order(y, classes)
    if order is None:
        _warn_of_written_gaps(plain)
    names, codes = encode_ranks(plain, np.ones(len(plain), bool), order, estimator_name)
    if classes is not None:
        _warn_of_named_gaps(classes, names)
    rank = np.full(len(known), -1.0)
    rank[known] = codes
    return names, rank


def named_order(y: Any, classes: Sequence[Any] | None) -> list[Any] | None:
    """All classes from lowest to highest, where somebody has said so."""
    order = ordered_categories(y) if classes is None else as_order(classes)
    return None if order is None else [label for label in order if not _is_missing(label)]


def full_order(order: list[Any] | None, learned: np.ndarray, given: np.ndarray) -> list[Any]:
    """All classes that count for a score: those named, or those learned and those in `given`."""
    if order is None or not set(learned.tolist()) <= set(order):
        if _has_words(learned) != _has_words(given):
            raise ValueError(
                f"y holds labels like {given.tolist()[0]!r}, but the classes learned are "
                f"{learned.tolist()[:5]!r}: give labels as they were given to fit."
            )
        return list(np.unique(np.concatenate([learned, given])).tolist())
    if _names_minus_one(learned):
        return order
    return [label for label in order if not _is_minus_one(label)]


def rank_score(
    y: Any,
    predicted: np.ndarray,
    learned: np.ndarray,
    order: list[Any] | None,
    sample_weight: Any,
) -> float:
    """1 − MMAE/(K−1) of the labelled rows; see `macro_mean_absolute_rank_error`."""
    check_consistent_length(predicted, y, sample_weight)
    known = labelled(y, learned)
    if not known.any():
        raise ValueError("y has no labelled row: there is nothing to compare predictions with.")
    truth = natural(column(y)[known])
    order = full_order(order, learned, truth)
    weight = None if sample_weight is None else np.asarray(sample_weight)[known]
    error = macro_mean_absolute_rank_error(
        truth, predicted[known], sample_weight=weight, classes=order
    )
    return 1.0 - error / (len(order) - 1)


def natural(labels: np.ndarray) -> np.ndarray:
    """Labels as numbers where a gap among them had made them objects."""
    if labels.dtype.kind != "O":
        return labels
    return np.asarray(pd.Series(labels.tolist(), dtype=object).infer_objects().to_numpy())


def _refuse_mixture(labels: np.ndarray) -> None:
    """Words and numbers have no common order, other objects perhaps none at all."""
    if labels.dtype.kind != "O":
        return
    words = [label for label in labels if isinstance(label, str)]
    others = [label for label in labels if not isinstance(label, str)]
    if words and others:
        raise ValueError(
            f"y holds words and other labels, for example {str(words[0])!r} and {others[0]!r}: "
            "give all labels in one way."
        )
    try:
        sorted(set(others))
    except TypeError as error:
        raise ValueError(
            f"y holds labels that cannot be sorted, for example {others[0]!r} ({error}): "
            "give numbers or words."
        ) from None


def _refuse_one_class_beside_minus_one(labels: np.ndarray, estimator_name: str) -> None:
    first = labels.tolist()[0]
    if all(label == first for label in labels.tolist()):
        raise ValueError(
            f"y has one class only ({first!r}) beside −1, which marks unlabelled rows: "
            f"{estimator_name} needs labelled rows of at least two classes. If −1 is a class, "
            "give it another name."
        )


def _warn_of_written_gaps(labels: np.ndarray) -> None:
    """Tell of words that numpy makes of gaps; where an order is given, they were meant."""
    written = sorted(_WRITTEN_GAPS & set(labels.tolist())) if _has_words(labels) else []
    if written:
        warn_user(
            f"y holds the word {str(written[0])!r}, which is read as a class. Mark unlabelled "
            "rows by None, in an array of dtype object or a list, if that is what it stands for; "
            "if it is a class, name all of them by classes=[...]."
        )


def _warn_of_named_gaps(classes: Sequence[Any], names: np.ndarray) -> None:
    gaps = [c for c in classes if _is_missing(c) or _is_minus_one(c)]
    if gaps and not _names_minus_one(names):
        said = "−1" if not _is_missing(gaps[0]) else gaps[0]
        warn_user(f"classes names {said}, which is not a class: in y it marks unlabelled rows.")


def _has_words(labels: np.ndarray) -> bool:
    return isinstance(labels.tolist()[0], str)


def _is_missing(label: Any) -> bool:
    return bool(pd.api.types.is_scalar(label) and pd.isna(label))


def _is_minus_one(label: Any) -> bool:
    return not isinstance(label, str) and bool(label == -1)


def _names_minus_one(labels: Iterable[Any]) -> bool:
    return any(_is_minus_one(label) for label in labels)


def _safe(values: np.ndarray) -> list[Any]:
    """Values that can be compared: NA cannot."""
    return [None if v is pd.NA else v for v in values.tolist()]
