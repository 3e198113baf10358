"""Ordinal benchmark sets in local files, their published splits, and labels to hide."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
from sklearn.model_selection import StratifiedShuffleSplit

SETS = (
    "era",
    "balance-scale",
    "car",
    "contact-lenses",
    "pasture",
    "tae",
    "toy",
    "winequality-red",
    "lev",
    "swd",
)


class Split(NamedTuple):
    """Training rows, of which most are unlabelled (−1), and test rows."""

    X: np.ndarray
    y: np.ndarray
    X_test: np.ndarray
    y_test: np.ndarray


def split(folder: Path, name: str, number: int, share: float = 0.2, labels: int = 0) -> Split:
    """One split of a set: the published one, or else a stratified draw of three quarters.

    A share of each class, and one row at least, keeps its label; `labels` draws others.
    """
    seed = number + 1000 * labels
    frame = _frame(folder / f"{name}.csv.gz")
    columns = [column for column in frame.columns if column.startswith("x")]
    if (frame["part"] == "all").all():
        X, y = frame[columns].to_numpy(float), frame["y"].to_numpy()
        draw = StratifiedShuffleSplit(1, test_size=0.25, random_state=number)
        train, test = next(draw.split(X, y))
        return Split(X[train], hide(y[train], share, seed), X[test], y[test])
    chosen = frame[frame["split"] == number]
    train, test = chosen[chosen["part"] == "train"], chosen[chosen["part"] == "test"]
    y = hide(train["y"].to_numpy(), share, seed)
    return Split(
        train[columns].to_numpy(float), y, test[columns].to_numpy(float), test["y"].to_numpy()
    )


def hide(y: np.ndarray, share: float, seed: int) -> np.ndarray:
    """Keep the labels of a share of each class, at least one; −1 elsewhere."""
    rng = np.random.RandomState(seed)
    shown = np.full(len(y), -1)
    for label in np.unique(y):
        members = rng.permutation(np.flatnonzero(y == label))
        kept = members[: max(1, round(share * len(members)))]
        shown[kept] = label
    return shown


def label_folds(y: np.ndarray, n_folds: int = 5) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Training and test indices; each class is dealt out, and a single label is never held out.

    Unlabelled rows are always trained on; rows of the fold are in neither training nor graph.
    """
    rng = np.random.RandomState(0)
    fold = np.full(len(y), -1)
    dealt = 0
    for label in np.unique(y[y != -1]):
        members = rng.permutation(np.flatnonzero(y == label))
        if len(members) > 1:
            fold[members] = (dealt + np.arange(len(members))) % n_folds
            dealt += len(members)
    for k in range(n_folds):
        if (fold == k).any():
            yield np.flatnonzero(fold != k), np.flatnonzero(fold == k)


@cache
def _frame(path: Path) -> pd.DataFrame:
    return pd.read_csv(path)
