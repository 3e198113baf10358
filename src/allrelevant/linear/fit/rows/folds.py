"""Who is tested where: the folds of a cross-validation."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.model_selection import GroupKFold, StratifiedGroupKFold

from allrelevant.base.arrays import Floats, Ints
from allrelevant.linear.fit.rows.sample import Sample

N_FOLDS = 5
_ENOUGH_TESTS, _MOST_DEALS = 150, 10
_DEALT = 4096  # observations a fold gets before the same deals are seen again

# Train and test rows by their places in the caller's data.
GivenFolds = Sequence[tuple[Ints, Ints]]


@dataclass(frozen=True, eq=False)
class Split:
    """Rows to fit on, and rows to try the fit on; `deal` tells repeated dealings apart.

    A row that is several observations can be on both sides: then it is told how many are where.
    """

    train: Ints
    test: Ints
    deal: int = 0
    train_times: Floats | None = None
    test_times: Floats | None = None


def deals_for(n_rows: int) -> int:
    """How often folds of few rows are dealt anew, so that chance in the dealing averages out."""
    return min(-(-_ENOUGH_TESTS // n_rows), _MOST_DEALS)


def make_splits(
    sample: Sample,
    cv: int | GivenFolds,
    *,
    has_classes: bool,
    has_order: bool = True,
    n_deals: int = 1,
) -> list[Split]:
    """Splits that depend on the data alone, or those that were given.

    Every class is in every training part: rows whose class it would lack are not tested there but
    trained on, and with them all rows of their groups. Rows of one group are tested together.
    Where there are as many classes as rows, each fold has to do without its own.

    Parameters
    ----------
    cv : int or sequence of (train, test)
        The number of folds, or the splits as rows of the caller's data.
    has_classes : bool
        Whether targets are classes, to be spread over the folds evenly.
    has_order : bool
        Whether the classes, if these are more than two, have an order.
    n_deals : int
        How often the folds are dealt anew.
    """
    if not isinstance(cv, int):
        return _given(sample, cv, has_classes)
    sample = sample if has_order else _numbered_anew(sample)
    dealt = [split for deal in range(n_deals) for split in _dealt(sample, cv, has_classes, deal)]
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


def _numbered_anew(sample: Sample) -> Sample:
    """The same with classes by numbers in the order in which rows have them first.

    Rows have an order that knows no names of classes, and so have these numbers.
    """
    _, first, code = np.unique(sample.target, return_index=True, return_inverse=True)
    return replace(sample, target=np.argsort(np.argsort(first)).astype(float)[code.ravel()])


def _dealt(sample: Sample, n_folds: int, has_classes: bool, deal: int) -> Iterator[Split]:
    """Folds of about the same size, dealt at random."""
    size = sample.n_groups
    if has_classes:
        _, code = np.unique(sample.target, return_inverse=True)
        size = min(size, round(float(np.bincount(code.ravel(), sample.numbers).max())))
    n_folds = min(n_folds, size)
    if n_folds < 2:  # as many classes as rows: no fold could hold one of each
        n_folds, has_classes = min(N_FOLDS, sample.n_groups), False
    if sample.group is not None:
        yield from _dealt_groups(sample, n_folds, has_classes, deal)
        return
    tested = np.zeros((n_folds, len(sample)))
    kinds = _kinds(sample, has_classes)
    codes = np.unique(kinds).tolist()
    for place, code in enumerate(codes):
        # Neither which of two classes is called the first nor its name makes a difference.
        seed = [deal, min(place, len(codes) - 1 - place)]
        rows = kinds == code
        tested[:, rows] = _shares(sample.numbers[rows], n_folds, seed)
    for times in tested:
        train, test = np.flatnonzero(sample.numbers > times), np.flatnonzero(times)
        yield Split(train, test, deal, (sample.numbers - times)[train], times[test])


def _kinds(sample: Sample, has_classes: bool) -> Floats:
    """What every fold gets its share of: classes; events, where others are censored."""
    if has_classes:
        return sample.target
    return sample.target[:, 1] if sample.target.ndim > 1 else np.zeros(len(sample))


def _shares(numbers: Floats, n_folds: int, seed: Sequence[int]) -> Floats:
    """How many observations of each row are in each fold.

    Of every few observations in their order each fold gets one, at random. Two rows that change
    places change nothing else.
    """
    random = np.random.default_rng([*seed, round(float(numbers.sum()))])
    # By its place in a deal of one each; very many observations see the same deals again.
    places = random.permuted(np.tile(np.arange(n_folds), (_DEALT, 1)), axis=1).T
    ends = np.concatenate([[0.0], np.cumsum(numbers)])
    deal, rest = np.divmod(ends, n_folds)
    upto = deal + (places[:, (deal % _DEALT).astype(np.intp)] < rest)
    return np.diff(upto, axis=1)


def _dealt_groups(sample: Sample, n_folds: int, has_classes: bool, deal: int) -> Iterator[Split]:
    splitter: Any = StratifiedGroupKFold if has_classes else GroupKFold
    dealer = splitter(n_folds, shuffle=True, random_state=deal)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # classes rarer than folds are fine here
        for train, test in dealer.split(sample.target, sample.target, sample.group):
            yield Split(train, test, deal)


def _with_all_classes(sample: Sample, split: Split) -> Split:
    """Move rows of classes that the training part lacks there, and the rest of their groups."""
    train, test, target = split.train, split.test, sample.target
    stay = np.isin(target[test], target[train])
    if stay.all():
        return split
    if sample.group is not None:
        stay = ~np.isin(sample.group[test], sample.group[test[~stay]])
    every = np.concatenate([train, test[~stay]])
    order = np.argsort(every)
    if split.train_times is None or split.test_times is None:
        return Split(every[order], test[stay], split.deal)
    times = np.concatenate([split.train_times, split.test_times[~stay]])
    return Split(every[order], test[stay], split.deal, times[order], split.test_times[stay])


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
