"""The same data give the same answer, and are left as they were."""

from copy import deepcopy

import numpy as np
import pandas as pd
import pytest
from estimator_cases import CASES, every_case

NAMES = ["age", "dose", "weight", "site", "day"]


@pytest.mark.slow
@every_case
@pytest.mark.filterwarnings("ignore:no feature is strong:UserWarning")
def test_refitting_gives_the_same_answer(case):
    first = case.fitted(C="cv")
    again = deepcopy(first)
    assert again.fit(*case.data()).result_ == first.result_


@pytest.mark.slow
@every_case
def test_fitting_other_data_forgets_the_first(case):
    X, y = case.data()
    model = case.make().fit(pd.DataFrame(X, columns=NAMES), y)
    other_X, other_y = case.data(n_irrelevant=0, random_state=5)
    model.fit(other_X, other_y)
    fresh = case.make().fit(other_X, other_y)
    assert model.result_ == fresh.result_
    assert vars(model).keys() == vars(fresh).keys()
    np.testing.assert_array_equal(model.predict(other_X), fresh.predict(other_X))


@pytest.mark.slow
@every_case
@pytest.mark.filterwarnings("ignore:no feature is strong:UserWarning")
def test_random_state_decides_the_probes_and_nothing_else(case):
    X, y = case.data()
    one = case.fitted(C="cv")
    same, other = (case.make(C="cv", random_state=seed).fit(X, y) for seed in (0, 1))
    assert one.result_ == same.result_
    assert one.C_ == other.C_
    np.testing.assert_allclose(one.intervals_, other.intervals_, atol=1e-8)
    assert not np.allclose(one.result_.probes, other.result_.probes)


def test_random_state_instance_is_drawn_from():
    case = CASES["classification"]
    X, y = case.data()
    state = np.random.RandomState(0)
    one = case.make(random_state=state).fit(X, y)
    two = case.make(random_state=state).fit(X, y)
    assert not np.allclose(one.result_.probes, two.result_.probes)
    seeded = case.make(random_state=0).fit(X, y)
    np.testing.assert_allclose(one.result_.probes, seeded.result_.probes)


@pytest.mark.slow
@every_case
@pytest.mark.filterwarnings("ignore:no feature is strong:UserWarning")
def test_number_of_processes_does_not_change_the_answer(case):
    X, y = case.data()
    one = case.fitted(C="cv")
    two = case.make(C="cv", n_jobs=2).fit(X, y)
    assert one.C_ == two.C_
    np.testing.assert_allclose(one.intervals_, two.intervals_, atol=1e-8)
    np.testing.assert_allclose(one.signed_intervals_, two.signed_intervals_, atol=1e-8)
    np.testing.assert_allclose(one.result_.probes, two.result_.probes, atol=1e-8)
    np.testing.assert_array_equal(one.relevance_classes_, two.relevance_classes_)


@pytest.mark.slow
@every_case
def test_fit_does_not_touch_the_data(case):
    X, y = case.data()
    X_before, y_before = X.copy(), y.copy()
    weight = np.ones(len(X))
    case.make().fit(X, y, sample_weight=weight).predict(X)
    np.testing.assert_array_equal(X, X_before)
    np.testing.assert_array_equal(y, y_before)
    np.testing.assert_array_equal(weight, 1.0)
