"""Splits and groups as they may be given, and what is said where they may not."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from estimator_cases import CASES, every_case
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    LeaveOneGroupOut,
    ShuffleSplit,
    StratifiedKFold,
    TimeSeriesSplit,
)

from allrelevant.linear.estimators.splitting import check_folds, check_groups

X, Y = np.arange(20.0).reshape(10, 2), np.tile([0, 1], 5)


def checked(cv, groups=None, has_classes=True):
    return check_folds(cv, X, Y, groups, has_classes=has_classes)


# Splits


@pytest.mark.parametrize("cv", [2, np.int64(5), 10])
def test_whole_numbers_are_numbers_of_folds(cv):
    assert checked(cv) == int(cv)
    assert type(checked(cv)) is int


@pytest.mark.parametrize("cv", [1, 0, -3])
def test_too_few_folds_are_refused(cv):
    with pytest.raises(ValueError, match="cv must be"):
        checked(cv)


@pytest.mark.parametrize("cv", [None, "5", 2.5, True, False, np.True_])
def test_what_is_no_number_of_folds_is_refused(cv):
    with pytest.raises(ValueError, match=r"cv must be a whole number|Expected `?cv"):
        checked(cv)


def test_splitters_split_the_rows_as_they_came():
    found = checked(KFold(5))
    assert [test.tolist() for _, test in found] == [[0, 1], [2, 3], [4, 5], [6, 7], [8, 9]]
    assert all(sorted([*train, *test]) == list(range(10)) for train, test in found)


def test_splitters_are_given_groups_and_classes():
    groups = np.repeat([0, 1, 2, 3, 4], 2)
    found = checked(LeaveOneGroupOut(), groups)
    assert [set(groups[test]) for _, test in found] == [{0}, {1}, {2}, {3}, {4}]
    stratified = checked(StratifiedKFold(5))
    assert all(np.bincount(Y[test]).tolist() == [1, 1] for _, test in stratified)


def test_iterables_of_rows_or_masks_are_splits():
    first = np.arange(10) < 6
    pairs = [(np.flatnonzero(first), np.flatnonzero(~first))]
    for given in (pairs, iter(pairs), [(first, ~first)], [(list(range(6)), [6, 7, 8, 9])]):
        ((train, test),) = checked(given)
        assert (train.tolist(), test.tolist()) == ([0, 1, 2, 3, 4, 5], [6, 7, 8, 9])
        assert train.dtype == test.dtype == np.intp


@pytest.mark.parametrize("rows", [[0, 10], [-1, 3], [0.5, 1.0]])
def test_rows_that_there_are_not_are_refused(rows):
    with pytest.raises(ValueError, match="not among the 10 of X"):
        checked([(np.arange(5), np.array(rows))])


def test_masks_of_another_length_are_refused():
    with pytest.raises(ValueError, match="mask of 9 rows for data of 10"):
        checked([(np.ones(9, dtype=bool), np.arange(3))])


# Groups


@pytest.mark.parametrize(
    "groups",
    [
        ["a", "a", "b", "c", "c", "c"],
        np.array([7, 7, 3, 9, 9, 9]),
        pd.Series(["x", "x", "y", "z", "z", "z"], index=[5, 4, 3, 2, 1, 0]),
        pd.Series(pd.Categorical(["x", "x", "y", "z", "z", "z"])),
        np.array([[1.5], [1.5], [2.5], [0.0], [0.0], [0.0]]).ravel(),
    ],
)
def test_groups_of_any_kind_become_numbers(groups):
    found = check_groups(groups, 6)
    assert len(set(found.tolist())) == 3
    assert found[0] == found[1] != found[2] != found[3] == found[4] == found[5]
    assert found.min() == 0
    assert found.max() == 2


def test_no_groups_and_groups_of_one_are_the_same():
    assert check_groups(None, 4) is None
    assert check_groups(["d", "c", "b", "a"], 4) is None


@pytest.mark.parametrize("missing", [None, np.nan])
def test_missing_groups_are_refused(missing):
    with pytest.raises(ValueError, match="groups has missing values"):
        check_groups(np.array(["a", missing, "b"], dtype=object), 3)
    with pytest.raises(ValueError, match="groups has missing values"):
        check_groups([0.0, np.nan, 1.0], 3)


def test_one_group_is_refused():
    with pytest.raises(ValueError, match=r"all rows into one group \('a'\)"):
        check_groups(["a"] * 5, 5)


def test_groups_of_another_length_are_refused():
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        check_groups(["a", "b"], 5)


# In a fit


@pytest.mark.slow
@every_case
@pytest.mark.parametrize(
    "cv", [3, KFold(3), TimeSeriesSplit(3), ShuffleSplit(3, random_state=0)], ids=str
)
@pytest.mark.filterwarnings("ignore:no feature is strong:UserWarning")
def test_fits_take_all_kinds_of_splits(case, cv):
    X, y = case.data()
    model = case.make(C="cv", tolerance=0.05, cv=cv).fit(X, y)
    assert model.C_ > 0
    assert model.intervals_.shape == (5, 2)


@pytest.mark.slow
@every_case
def test_a_splitter_and_its_splits_are_the_same(case):
    X, y = case.data()
    splitter = KFold(4, shuffle=True, random_state=3)
    one = case.make(C="cv", tolerance=0.05, cv=splitter).fit(X, y)
    two = case.make(C="cv", tolerance=0.05, cv=list(splitter.split(X))).fit(X, y)
    assert one.C_ == two.C_
    np.testing.assert_array_equal(one.intervals_, two.intervals_)
    assert one.result_.baseline["score"] == two.result_.baseline["score"]


def test_given_splits_score_the_rows_they_name():
    case = CASES["regression"]
    X, y = case.data()
    train, test = np.arange(0, 50), np.arange(50, 70)
    model = case.make(C=1.0, cv=[(train, test)]).fit(X, y)
    # With C in proportion to the rows, and in the units of all of them.
    Z, target = (X - X.mean(axis=0)) / X.std(axis=0), (y - y.mean()) / y.std()
    inner = case.make(C=70 / 50, standardize=False, cv=[(np.arange(40), np.arange(40, 50))])
    inner.fit(Z[train], target[train])
    assert model.result_.baseline["score"] == pytest.approx(
        _r_squared(target[test], inner.predict(Z[test])), abs=1e-6
    )


def _r_squared(target, predicted):
    return 1.0 - np.mean((target - predicted) ** 2) / np.var(target)


@pytest.mark.slow
@every_case
def test_splits_go_with_rows_that_do_not_count(case):
    X, y = case.data()
    weight = (np.arange(len(X)) % 7 != 0).astype(float)
    kept = weight > 0
    place = np.cumsum(kept) - 1
    folds = [(np.arange(0, 50), np.arange(50, 70)), (np.arange(20, 70), np.arange(0, 20))]
    fewer = [
        tuple(place[rows[kept[rows]]] for rows in fold)  # the same rows among those that are left
        for fold in folds
    ]
    one = case.make(C="cv", tolerance=0.05, cv=folds).fit(X, y, sample_weight=weight)
    two = case.make(C="cv", tolerance=0.05, cv=fewer).fit(X[kept], y[kept])
    assert pytest.approx(two.C_) == one.C_
    np.testing.assert_allclose(one.intervals_, two.intervals_, atol=1e-7)


def test_splits_without_both_classes_are_refused():
    case = CASES["classification"]
    X, y = case.data()
    order = np.argsort(y, kind="stable")
    with pytest.raises(ValueError, match="cv has no split that can be used"):
        case.make(C="cv", cv=[(np.arange(10), np.arange(10, 20))]).fit(X[order], y[order])


@pytest.mark.filterwarnings("ignore:no feature is strong:UserWarning")
def test_splitters_by_groups_need_groups():
    case = CASES["classification"]
    X, y = case.data()
    with pytest.raises(ValueError, match="groups"):
        case.make(C="cv", cv=GroupKFold(3)).fit(X, y)
    groups = np.arange(len(X)) // 2
    assert case.make(C="cv", cv=GroupKFold(3)).fit(X, y, groups=groups).C_ > 0


@pytest.mark.parametrize("cv", [1, "five", None, 2.0])
def test_what_is_no_cv_is_refused_by_a_fit(cv):
    case = CASES["classification"]
    with pytest.raises(ValueError, match="cv must be"):
        case.make(cv=cv).fit(*case.data())
