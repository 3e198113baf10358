"""Who is tested where: the folds of a cross-validation."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.model_selection import GroupKFold, KFold, StratifiedGroupKFold, StratifiedKFold

from allrelevant.base.arrays import Ints
from allrelevant.linear.fit.sample import Sample

N_FOLDS = 5
_ENOUGH_TESTS, _MOST_DEALS = 150, 10

# Train and test rows by their places in the caller's data.
GivenFolds = Sequence[tuple[Ints, Ints]]


@dataclass(frozen=True, eq=False)
class Split:
    """Rows to fit on, and rows to try the fit on; `deal` tells repeated dealings apart."""

    train: Ints
    test: Ints
    deal: int = 0


def deals_for(n_rows: int) -> int:
    """How often folds of few rows are dealt anew, so that chance in the dealing averages out."""
    return min(-(-_ENOUGH_TESTS // n_rows), _MOST_DEALS)


def make_splits(
    sample: Sample, cv: int | GivenFolds, *, has_classes: bool, n_deals: int = 1
) -> list[Split]:
    """Splits that depend on the data alone, or those that were given.

    Every class is in every training part: rows whose class it would lack are not tested there but
    trained on, and with them all rows of their groups. Rows of one group are tested together.
    Where there are as many classes as rows, each fold has to do without its own.

    Parameters
    ----------
    sample : Sample
    cv : int or sequence of (train, test)
        The number of folds, or the splits as rows of the caller's data.
    has_classes : bool
        Whether targets are classes, to be spread over the folds evenly.
    n_deals : int
        How often the folds are dealt anew.
    """
    if not isinstance(cv, int):
        return _given(sample, cv, has_classes)
    dealt = [
        Split(train, test, deal)
        for deal in range(n_deals)
        for train, test in _dealt(sample, cv, has_classes, deal)
    ]
    if not has_classes:
        return dealt
    splits = [_with_all_classes(sample, split) for split in dealt]
    splits = [split for split in splits if len(split.test)]
    if not splits and sample.group is not None:
        raise ValueError(
            "groups leaves nothing to test: whichever groups are left out, the others lack one of "
            "their classes. Leave groups out, or give smaller ones."
        )
    return splits or dealt


def _dealt(
    sample: Sample, n_folds: int, has_classes: bool, deal: int
) -> Iterator[tuple[Ints, Ints]]:
    """Folds of about the same size, dealt at random."""
    size = sample.n_groups
    if has_classes:
        _, counts = np.unique(sample.target, return_counts=True)
        size = min(size, int(counts.max()))
    options: dict[str, Any] = {"shuffle": True, "random_state": deal}
    n_folds = min(n_folds, size)
    splitter: Any
    if n_folds < 2:  # as many classes as rows: no fold could hold one of each
        splitter, has_classes = KFold(min(N_FOLDS, len(sample.X)), **options), False
    elif sample.group is None:
        splitter = (StratifiedKFold if has_classes else KFold)(n_folds, **options)
    else:
        splitter = (StratifiedGroupKFold if has_classes else GroupKFold)(n_folds, **options)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # classes rarer than folds are fine here
        yield from splitter.split(sample.X, sample.target, sample.group)


def _with_all_classes(sample: Sample, split: Split) -> Split:
    """Move rows of classes that the training part lacks there, and the rest of their groups."""
    train, test, target = split.train, split.test, sample.target
    stay = np.isin(target[test], target[train])
    if stay.all():
        return split
    if sample.group is not None:
        stay = ~np.isin(sample.group[test], sample.group[test[~stay]])
    return Split(np.sort(np.concatenate([train, test[~stay]])), test[stay], split.deal)


def _given(sample: Sample, given: GivenFolds, has_classes: bool) -> list[Split]:
    """Splits of the caller's rows as splits of the sample's.

    Time-ordered ones can begin before a class is first seen: nothing can be tried there.
    """
    assert sample.source is not None
    splits = []
    for train_source, test_source in given:
        train = np.flatnonzero(np.isin(sample.source, train_source))
        test = np.flatnonzero(np.isin(sample.source, test_source))
        if has_classes:
            test = test[np.isin(sample.target[test], sample.target[train])]
        if len(test) and len(train) > 1 and np.ptp(sample.target[train]) > 0:
            splits.append(Split(train, test))
    if not splits:
        raise ValueError(
            "cv has no split that can be used: each needs rows to test, and rows to train on "
            "that differ in y. Give other splits, or a number of folds."
        )
    return splits
