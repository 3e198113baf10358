"""Labels to codes: two classes, ordered classes, and weights of classes."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence, Set
from numbers import Real
from typing import Any, Literal

import numpy as np
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import column_or_1d

from allrelevant.base.arrays import Floats, Mask
from allrelevant.base.disguised import refuse_dates, refuse_masked
from allrelevant.base.errors import warn_user

_MOST_RANKS = 50
_MOST_CLASSES = 200
_FEW_CLASSES = 20  # as many may have a sample each

ClassWeight = Mapping[Any, float] | Literal["auto", "balanced"] | None


def as_labels(y: Any, kept: Mask) -> np.ndarray:
    """The target of the samples that count, as a vector of labels without gaps."""
    refuse_masked(y, "y", "drop those samples first")
    labels = column_or_1d(y, warn=True)[kept]
    refuse_dates(labels, "y")
    if labels.dtype.kind == "f" and not np.isfinite(labels).all():
        raise ValueError("Input y contains NaN or infinity: drop those samples first.")
    if labels.dtype.kind == "O" and any(label is None or label != label for label in labels):
        raise ValueError("Input y contains missing labels: drop those samples first.")
    return _without_wrapping(labels)


def _without_wrapping(labels: np.ndarray) -> np.ndarray:
    """Numbers, or True and False, as what they are where a column could have held anything."""
    if labels.dtype.kind != "O" or any(isinstance(label, str) for label in labels):
        return labels
    plain = np.array(labels.tolist())
    return plain if plain.dtype.kind in "biuf" and plain.shape == labels.shape else labels


def encode_labels(y: Any, kept: Mask, estimator_name: str) -> tuple[np.ndarray, Floats]:
    """Two or more classes, sorted, and the target as 0 … K−1."""
    labels = as_labels(y, kept)
    _refuse_measurements(labels)
    classes, codes = np.unique(labels, return_inverse=True)
    _refuse_one_class(classes, estimator_name)
    if len(classes) > min(_MOST_CLASSES, max(_FEW_CLASSES, len(labels) // 2)):
        raise ValueError(
            f"y has {len(classes)} classes for {len(labels)} samples, too many to be told apart: "
            "are they numbers, or names of the samples? Predict numbers with a regression "
            "(RelevanceRegressor), or merge classes."
        )
    return classes, codes.astype(float)


def _refuse_measurements(labels: np.ndarray) -> None:
    """Refuse numbers that are no classes, and say what predicts them."""
    try:
        check_classification_targets(labels)
    except ValueError as error:
        raise ValueError(
            f"{error} Predict numbers with a regression: RelevanceRegressor or "
            "ForestRelevanceRegressor."
        ) from None


def encode_classes(y: Any, kept: Mask, estimator_name: str) -> tuple[np.ndarray, Floats]:
    """Two classes, sorted, and the target as −1 and +1."""
    classes, codes = encode_labels(y, kept, estimator_name)
    if len(classes) > 2:
        raise ValueError(
            f"Only binary classification is supported. The type of the target is multiclass: "
            f"y has {len(classes)} classes. Use RelevanceClassifier, OrdinalRelevanceClassifier "
            "if they have an order, or fit one class against the rest."
        )
    return classes, 2.0 * codes - 1.0


def encode_ranks(
    y: Any, kept: Mask, order: Sequence[Any] | None, estimator_name: str
) -> tuple[np.ndarray, Floats]:
    """Ordered classes and the target as ranks 0 … K−1.

    The order is the given one, that of an ordered categorical, or that of sorted labels.
    Classes without a sample are left out.
    """
    order = ordered_categories(y) if order is None else as_order(order)
    labels = as_labels(y, kept)
    present = np.unique(labels)
    if len(present) > _MOST_CLASSES:
        raise ValueError(
            f"y has {len(present)} ordered classes, {estimator_name} takes at most "
            f"{_MOST_CLASSES}: each has a threshold of its own. Predict the number itself with a "
            "regression, or merge classes."
        )
    if order is None:
        if len(present) > min(_MOST_RANKS, len(labels) // 2):
            _refuse_measurements(labels)  # half grades are ranks
        classes = present
        if isinstance(present.tolist()[0], str):
            shown = " < ".join(repr(label) for label in present.tolist()[:5])
            warn_user(
                f"the classes of y are words, and were put in alphabetical order: {shown}. Give "
                "classes=[...] from lowest to highest, or y as an ordered categorical."
            )
    else:
        unknown = [label for label in present.tolist() if label not in order]
        if unknown:
            raise ValueError(
                f"y holds labels that classes does not name: {unknown[:5]!r}. classes is {order!r}."
            )
        seen = set(present.tolist())
        classes = np.array([label for label in order if label in seen], dtype=labels.dtype)
    _refuse_one_class(classes, estimator_name)
    ranks = {label: float(rank) for rank, label in enumerate(classes.tolist())}
    return classes, np.array([ranks[label] for label in labels.tolist()])


def _refuse_one_class(classes: np.ndarray, estimator_name: str) -> None:
    if len(classes) == 1:
        raise ValueError(
            f"y has one class only ({classes.tolist()[0]!r}), so there is nothing to tell apart: "
            f"{estimator_name} needs samples of at least two classes."
        )


def as_order(classes: Any) -> list[Any]:
    """Classes from lowest to highest, as somebody gave them."""
    # A set has no order of its own, and an iterator can be read but once.
    has_order = hasattr(classes, "__iter__") and not isinstance(classes, (str, Set, Iterator))
    order = list(classes) if has_order else []
    if not has_order or not all(isinstance(label, Hashable) for label in order):
        raise ValueError(f"classes must list the classes from lowest to highest, got {classes!r}.")
    if len(set(order)) != len(order):
        raise ValueError(f"classes names a class twice: {order!r}.")
    return order


def ordered_categories(y: Any) -> list[Any] | None:
    """The order an ordered pandas categorical or a polars Enum brings along."""
    dtype = getattr(y, "dtype", None)
    if hasattr(y, "columns") and len(y.columns) == 1:  # a frame of nothing but the target
        dtype = next(iter(y.dtypes))
    categories = getattr(dtype, "categories", None)
    if categories is None or not hasattr(categories, "__len__"):
        return None
    is_enum = type(dtype).__name__ == "Enum"
    if not getattr(dtype, "ordered", is_enum):
        return None
    return list(categories)


def class_factors(
    class_weight: Any, classes: np.ndarray, codes: Floats, count: Floats, power: float
) -> dict[float, float]:
    """The weight of each class by its code.

    A class of n samples weighs n^−power by default and 1/n if balanced; all samples together weigh
    as much as without weights.
    """
    values = np.unique(codes)
    if isinstance(class_weight, str) and class_weight in ("auto", "balanced"):
        power = power if class_weight == "auto" else 1.0
        totals = {float(code): float(count[codes == code].sum()) for code in values}
        weighed = sum(total ** (1.0 - power) for total in totals.values())
        whole = sum(totals.values())
        return {code: whole / weighed * total**-power for code, total in totals.items()}
    if not isinstance(class_weight, Mapping):
        raise ValueError(
            f"class_weight must be None, 'auto', 'balanced' or a mapping from class to weight, "
            f"got {class_weight!r}."
        )
    for label, weight in class_weight.items():
        if not (isinstance(weight, Real) and 0.0 < float(weight) < np.inf):
            raise ValueError(
                f"class_weight must give every class a positive number, got {weight!r} for "
                f"class {label!r}."
            )
    unknown = [label for label in class_weight if label not in classes.tolist()]
    if unknown:
        raise ValueError(f"class_weight names classes that y does not have: {unknown!r}.")
    return {
        float(code): float(class_weight.get(label, 1.0))
        for code, label in zip(values, classes.tolist(), strict=True)
    }
