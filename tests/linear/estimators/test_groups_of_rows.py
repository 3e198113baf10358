"""Rows that belong together: tested, permuted and counted together, by every estimator."""

from __future__ import annotations

import warnings
from functools import cache

import numpy as np
import pandas as pd
import pytest
import sklearn
from estimator_cases import CASES, every_case
from sklearn.base import clone
from sklearn.model_selection import GroupKFold, cross_validate
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler

from allrelevant import RelevanceClassifier
from allrelevant.linear.fit.ranges.probes import Probe


def groups_for(n, size=3, seed=1):
    """Groups of some rows each, here and there."""
    return np.random.default_rng(seed).permutation(np.arange(n) // size)


@cache
def fitted_by_groups(case):
    """With C and tolerance found; not to be changed."""
    X, y = case.data()
    return case.make(C="cv").fit(X, y, groups=groups_for(len(X)))


# What groups do


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:no feature is strong:UserWarning")
@every_case
def test_a_group_is_tested_together(case):
    groups = groups_for(len(case.data()[0]))
    model = fitted_by_groups(case)
    sample = model.fitted_set_.analysis.problem.sample
    assert sample.n_groups == len(set(groups))
    for deal in model.fitted_set_.analysis.choice.deals:
        parts = [part for part in model.fitted_set_.analysis.choice.tested if part.deal == deal]
        tested = [set(sample.group[part.rows].tolist()) for part in parts]
        assert len(set.union(*tested)) == sum(map(len, tested)), "in one fold of each dealing"


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:the baseline uses:UserWarning")
@every_case
@pytest.mark.parametrize("unequal", [False, True])
def test_probes_move_groups_as_a_whole(case, unequal):
    X, y = case.data()
    groups = groups_for(len(X), 5)
    if unequal:
        groups = np.minimum(groups, np.random.default_rng(1).integers(3, 9, len(X)))
    X[:, 2] = np.random.default_rng(2).normal(size=groups.max() + 1)[groups]
    model = case.make().fit(X, y, groups=groups)
    problem = model.fitted_set_.analysis.problem
    column, group = Probe(2, 5).column(problem), problem.sample.group
    assert max(np.ptp(column[group == g]) for g in range(problem.sample.n_groups)) < 1e-12
    assert not np.allclose(column, problem.sample.X.dense()[:, 2])
    assert column.mean() == pytest.approx(0.0, abs=1e-9)
    assert column.std() == pytest.approx(1.0)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:no feature is strong:UserWarning")
@pytest.mark.filterwarnings("ignore:each row is like the next one:UserWarning")
@every_case
def test_tolerances_count_groups(case):
    """Copies of rows under one label tell no more than the rows did."""
    X, y = case.data()
    # Were there three of each, the table would be the same one three times.
    labels = np.repeat(np.arange(len(X)), [2] + [3] * (len(X) - 1))
    parameters = {"C": 0.05, "n_probes": 3, "tolerance": "bootstrap"}
    few = case.make(**(parameters | {"C": 0.15})).fit(X, y)
    copies = case.make(**parameters).fit(X[labels], y[labels])
    grouped = case.make(**parameters).fit(X[labels], y[labels], groups=labels)
    np.testing.assert_allclose(np.ravel(grouped.coef_), np.ravel(copies.coef_), atol=1e-6)
    assert copies.tolerance_[0] < grouped.tolerance_[0]
    assert grouped.tolerance_[0] == pytest.approx(few.tolerance_[0], rel=0.5)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:no feature is strong:UserWarning")
@pytest.mark.filterwarnings("ignore:each row is like the next one:UserWarning")
def test_noise_of_patients_is_not_taken_for_signal():
    """Three rows each with what is all the patient's own: there are 40 observations, not 120."""
    case = CASES["classification"]
    passed = {"rows": 0, "groups": 0}
    for seed in range(12):
        random = np.random.default_rng(seed)
        patient = np.repeat(np.arange(40), 3)
        X = random.normal(size=(40, 8))[patient] + 0.1 * random.normal(size=(120, 8))
        y = random.permutation(np.arange(40) % 2)[patient]
        quick = {"C": 0.1, "n_probes": 40, "confidence": 0.95}
        passed["rows"] += case.make(**quick).fit(X, y).support_.sum()
        passed["groups"] += case.make(**quick).fit(X, y, groups=patient).support_.sum()
    assert passed["groups"] <= 0.12 * 12 * 8, "about one in twenty"
    assert passed["rows"] > 2 * passed["groups"]


# What they do not do


@pytest.mark.slow
@every_case
@pytest.mark.filterwarnings("ignore:no feature is strong:UserWarning")
def test_groups_of_one_row_are_no_groups(case):
    X, y = case.data()
    alone = case.make(C="cv").fit(X, y, groups=np.random.default_rng(0).permutation(len(X)))
    assert alone.result_ == case.fitted(C="cv").result_


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:no feature is strong:UserWarning")
@every_case
def test_the_order_of_rows_and_the_names_of_groups_do_not_matter(case):
    X, y = case.data()
    groups = groups_for(len(X))
    one = fitted_by_groups(case)
    order = np.random.default_rng(3).permutation(len(X))
    words = np.array([f"patient {(7 * g) % 101}" for g in groups[order]])
    two = case.make(C="cv").fit(X[order], y[order], groups=pd.Series(words))
    assert pytest.approx(one.C_) == two.C_
    assert two.tolerance_ == pytest.approx(one.tolerance_)
    np.testing.assert_allclose(two.intervals_, one.intervals_, atol=1e-7)
    np.testing.assert_allclose(two.p_values_, one.p_values_, rtol=1e-4)
    np.testing.assert_array_equal(two.relevance_classes_, one.relevance_classes_)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:no feature is strong:UserWarning")
@every_case
def test_weight_two_is_the_row_twice_in_its_group(case):
    X, y = case.data()
    groups = groups_for(len(X))
    counts = np.random.default_rng(0).integers(0, 4, len(X))
    weighted = case.make(C="cv").fit(X, y, sample_weight=counts, groups=groups)
    rows = np.repeat(np.arange(len(X)), counts)
    repeated = case.make(C="cv").fit(X[rows], y[rows], groups=groups[rows])
    assert pytest.approx(repeated.C_) == weighted.C_
    assert weighted.tolerance_ == pytest.approx(repeated.tolerance_, rel=1e-6)
    np.testing.assert_allclose(weighted.intervals_, repeated.intervals_, atol=1e-7)
    np.testing.assert_allclose(weighted.result_.probes, repeated.result_.probes, atol=1e-7)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:the privileged features explain the slacks:UserWarning")
def test_privileged_features_and_groups_go_together():
    case = CASES["ordinal-explicit"]
    X, y = case.data()
    privileged = np.abs(np.random.default_rng(0).normal(size=(len(X), 2)))
    model = case.make(gamma=1.0).fit(X, y, X_privileged=privileged, groups=groups_for(len(X)))
    assert model.fitted_set_.analysis.problem.sample.group is not None
    assert model.privileged_intervals_.shape == (2, 2)


# Errors


@every_case
def test_groups_that_cannot_be_are_refused(case):
    X, y = case.data()
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        case.make().fit(X, y, groups=np.arange(len(X) - 1))
    with pytest.raises(ValueError, match="groups has missing values"):
        case.make().fit(X, y, groups=[None, *range(len(X) - 1)])
    with pytest.raises(ValueError, match="all rows into one group"):
        case.make().fit(X, y, groups=np.zeros(len(X)))


def test_groups_that_are_the_classes_leave_nothing_to_test():
    case = CASES["classification"]
    X, y = case.data()
    with pytest.raises(ValueError, match="groups leaves nothing to test"):
        case.make().fit(X, y, groups=y)


# Metadata routing


@pytest.fixture
def metadata_routing():
    with sklearn.config_context(enable_metadata_routing=True):
        yield


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:no feature is strong:UserWarning")
@every_case
@pytest.mark.usefixtures("metadata_routing")
def test_groups_are_routed_through_a_pipeline(case):
    X, y = case.data()
    groups = groups_for(len(X))
    step = case.make()
    routed = clone(step).set_fit_request(groups=True)
    pipeline = Pipeline([("scale", StandardScaler()), ("relevance", routed)])
    pipeline.fit(X, y, groups=groups)
    expected = clone(step).fit(StandardScaler().fit_transform(X), y, groups=groups)
    np.testing.assert_array_equal(pipeline["relevance"].intervals_, expected.intervals_)
    np.testing.assert_array_equal(pipeline["relevance"].p_values_, expected.p_values_)
    assert pipeline["relevance"].fitted_set_.analysis.problem.sample.group is not None


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:no feature is strong:UserWarning")
@every_case
@pytest.mark.usefixtures("metadata_routing")
def test_groups_are_routed_to_splitter_and_fit_in_cross_validation(case):
    X, y = case.data()
    groups = groups_for(len(X))
    routed = case.make().set_fit_request(groups=True)
    scores = cross_validate(
        routed,
        X,
        y,
        cv=GroupKFold(3),
        params={"groups": groups},
        return_estimator=True,
        return_indices=True,
        error_score="raise",
    )
    for fitted, train, test in zip(
        scores["estimator"], scores["indices"]["train"], scores["indices"]["test"], strict=True
    ):
        assert not set(groups[train]) & set(groups[test])
        by_hand = case.make().fit(X[train], y[train], groups=groups[train])
        np.testing.assert_array_equal(fitted.intervals_, by_hand.intervals_)
        np.testing.assert_array_equal(fitted.p_values_, by_hand.p_values_)


@pytest.mark.filterwarnings("ignore:no feature is strong:UserWarning")
@pytest.mark.usefixtures("metadata_routing")
def test_groups_that_nobody_asked_for_are_not_routed():
    case = CASES["classification"]
    X, y = case.data()
    plain = case.make().set_fit_request(groups=False)
    scores = cross_validate(
        plain,
        X,
        y,
        cv=GroupKFold(3),
        params={"groups": groups_for(len(X))},
        return_estimator=True,
        error_score="raise",
    )
    assert all(m.fitted_set_.analysis.problem.sample.group is None for m in scores["estimator"])


@pytest.mark.slow
@pytest.mark.parametrize(("n_ill", "found"), [(2, False), (5, True)])
def test_two_patients_of_fourteen_are_matched_by_noise_too_often(n_ill, found):
    """Two of 14 can be told in 91 ways: that is no proof. Five of them in 2002."""
    random = np.random.default_rng(3)
    patient = np.repeat(np.arange(14), 8)
    is_ill = np.arange(14) < n_ill
    X = random.normal(size=(14, 3))[patient] + 0.1 * random.normal(size=(112, 3))
    X[:, 0] += 6.0 * is_ill[patient]
    model = RelevanceClassifier(random_state=0)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        model.fit(X, is_ill[patient], groups=patient)
    assert bool(model.relevance_classes_[0] > 0) is found
    said = [str(one.message) for one in told]
    assert any("14 groups has only 91 different permutations" in one for one in said) is not found
    assert model.p_values_.min() >= 0.999 / (2002 if found else 91)
    assert not model.borderline_[0]
