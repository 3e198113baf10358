"""What must hold of any data with privileged features."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from privileged_estimators import data, estimator, every_task
from sklearn.base import clone

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore:with privileged features the model predicts:UserWarning"),
]

few = settings(max_examples=3, deadline=None)
seeds = st.integers(0, 10_000)


@every_task
@given(seed=seeds)
@few
def test_copies_of_a_privileged_feature_can_stand_in_for_each_other(name, seed):
    X, privileged, y = data(name, seed=seed)
    twice = np.column_stack([privileged[:, 0], privileged])
    fitted = estimator(name, tolerance=0.01).fit(X, y, X_privileged=twice)
    once = estimator(name, tolerance=0.01).fit(X, y, X_privileged=privileged)
    # Five probes may say that nothing is more than noise.
    assume(once.privileged_classes_.any() and fitted.privileged_classes_.any())
    intervals, single = fitted.privileged_intervals_, once.privileged_intervals_
    assert (intervals[:2, 0] <= 1e-6).all()
    np.testing.assert_allclose(intervals[0], intervals[1], atol=1e-5)
    assert intervals[0, 1] >= single[0, 1] - 1e-5
    assert fitted.privileged_classes_[:2].tolist() == [1, 1]
    assert once.privileged_classes_[0] == 2
    np.testing.assert_allclose(fitted.intervals_, once.intervals_, atol=1e-5)


@every_task
@given(seed=seeds)
@few
def test_the_order_of_privileged_columns_and_rows_does_not_matter(name, seed):
    X, privileged, y = data(name, n=40, seed=seed)
    random = np.random.default_rng(seed)
    rows, columns = random.permutation(40), random.permutation(2)
    one = estimator(name, tolerance=0.02).fit(X, y, X_privileged=privileged)
    other = estimator(name, tolerance=0.02)
    other.fit(X[rows], y[rows], X_privileged=privileged[rows][:, columns])
    # The few probes are of other columns then, and may say that nothing is more than noise.
    assume(one.privileged_classes_.any() and other.privileged_classes_.any())
    np.testing.assert_allclose(
        other.privileged_intervals_, one.privileged_intervals_[columns], atol=1e-5
    )
    np.testing.assert_allclose(other.intervals_, one.intervals_, atol=1e-5)


@every_task
@given(seed=seeds, tolerance=st.floats(0.001, 0.05), factor=st.floats(1.0, 5.0))
@few
def test_a_wider_tolerance_never_narrows_an_interval(name, seed, tolerance, factor):
    X, privileged, y = data(name, seed=seed)
    narrow, wide = (
        estimator(name, tolerance=t).fit(X, y, X_privileged=privileged)
        for t in (tolerance, factor * tolerance)
    )
    # In a wide enough set everything is noise, and then the answer is one without them.
    assume(narrow.privileged_classes_.any() and wide.privileged_classes_.any())
    for inner, outer in (
        (narrow.intervals_, wide.intervals_),
        (narrow.privileged_intervals_, wide.privileged_intervals_),
    ):
        assert (outer[:, 0] <= inner[:, 0] + 1e-6).all()
        assert (outer[:, 1] >= inner[:, 1] - 1e-6).all()


@every_task
@given(seed=seeds)
@few
def test_a_row_of_weight_two_is_the_row_given_twice(name, seed):
    X, privileged, y = data(name, n=40, seed=seed)
    weight = np.random.default_rng(seed).integers(1, 3, 40)
    rows = np.repeat(np.arange(40), weight)
    weighted = estimator(name)
    repeated = clone(weighted).fit(X[rows], y[rows], X_privileged=privileged[rows])
    weighted.fit(X, y, X_privileged=privileged, sample_weight=weight)
    np.testing.assert_allclose(weighted.intervals_, repeated.intervals_, atol=1e-5)
    np.testing.assert_allclose(
        weighted.privileged_intervals_, repeated.privileged_intervals_, atol=1e-5
    )


def test_the_number_of_processes_does_not_matter():
    name = "ordinal-3"
    X, privileged, y = data(name)
    one = estimator(name).fit(X, y, X_privileged=privileged)
    two = estimator(name, n_jobs=2).fit(X, y, X_privileged=privileged)
    np.testing.assert_allclose(one.privileged_intervals_, two.privileged_intervals_, atol=1e-6)
    np.testing.assert_allclose(
        one.result_.privileged_probes, two.result_.privileged_probes, atol=1e-6
    )
