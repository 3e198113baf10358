"""Whole weights are rows, others are shares; neither costs time, and their scale is that of C."""

from __future__ import annotations

import numpy as np
import pytest
from estimator_cases import CASES, every_case
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import FullProblem, relevance

from allrelevant.linear.engine.program.limits import split_budgets
from allrelevant.linear.fit.rows.sample import arranged, merged

FIXED = {"C": 0.5, "tolerance": 0.05, "n_probes": 3, "standardize": False}


def fitted_sample(model):
    return model.fitted_set_.analysis.problem.sample


def same_answers(one, two, *, C_times=1.0):
    assert pytest.approx(one.C_, rel=1e-9) == two.C_ * C_times
    assert two.tolerance_ == pytest.approx(one.tolerance_, rel=1e-6)
    np.testing.assert_allclose(two.intervals_, one.intervals_, atol=1e-7)
    np.testing.assert_allclose(two.result_.thresholds, one.result_.thresholds, atol=1e-7)
    np.testing.assert_array_equal(two.relevance_classes_, one.relevance_classes_)


# What they cost


@pytest.mark.parametrize("largest", [3, 1000, 10**6, 10**9])
@given(seed=st.integers(0, 1000), n=st.integers(5, 400))
@settings(max_examples=15, deadline=None)
def test_rows_are_not_repeated_however_much_they_weigh(largest, seed, n):
    random = np.random.default_rng(seed)
    X, target = random.normal(size=(n, 2)), np.where(random.random(n) < 0.5, -1.0, 1.0)
    count = random.integers(1, largest, n, endpoint=True) * 1.0
    count[0] = 1.0
    sample = arranged(merged(X, target, count))
    assert len(sample.X) <= max(2 * n, 300)
    assert sample.count.sum() == sample.numbers.sum() == count.sum()
    assert (sample.numbers >= 1).all()
    assert (sample.numbers % 1 == 0).all()


# Rows


@pytest.mark.slow
@every_case
def test_whole_weights_are_rows_by_a_program_of_all_of_them(case):
    X, y = case.data()
    count = np.random.default_rng(0).integers(0, 30, len(X))
    plain = {"class_weight": None} if "class_weight" in case.make().get_params() else {}
    model = case.make(**FIXED, **plain).fit(X, y, sample_weight=count)
    analysis = model.fitted_set_.analysis
    sample, kind = analysis.problem.sample, analysis.choice.model
    rows = np.repeat(np.arange(len(sample.X)), sample.count.astype(int))
    assert len(rows) == count.sum()
    pieces = kind.pieces(sample.target[rows], np.ones(len(rows)))
    full = FullProblem(sample.X.dense()[rows], pieces)
    norm, loss = full.baseline(0.5)
    assert model.result_.baseline["norm"] == pytest.approx(norm, rel=1e-6)
    assert model.result_.baseline["loss"] == pytest.approx(loss, rel=1e-6)
    signed = full.signed_intervals(split_budgets(1.05 * norm, 1.05 * loss))
    np.testing.assert_allclose(model.intervals_, relevance(signed) / norm, atol=1e-6)


@pytest.mark.slow
@every_case
def test_large_whole_weights_are_rows_to_the_last_step(case):
    X, y = case.data()
    count = np.random.default_rng(0).integers(0, 40, len(X))
    weighted = case.make(C="cv", n_probes=10).fit(X, y, sample_weight=count)
    rows = np.repeat(np.arange(len(X)), count)
    same_answers(weighted, case.make(C="cv", n_probes=10).fit(X[rows], y[rows]))


# Scale


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:no feature is strong:UserWarning")
@every_case
@pytest.mark.parametrize("are_whole", [True, False])
def test_weights_times_a_constant_change_the_scale_of_c_alone(case, are_whole):
    X, y = case.data()
    random = np.random.default_rng(0)
    weight = random.integers(1, 4, len(X)) * 1.0 if are_whole else random.uniform(0.2, 3, len(X))
    one = case.make(C="cv", n_probes=10).fit(X, y, sample_weight=weight)
    for times in (1e6,) if are_whole else (1e-4, 37.5):
        other = case.make(C="cv", n_probes=10).fit(X, y, sample_weight=times * weight)
        same_answers(one, other, C_times=times)


@pytest.mark.slow
@pytest.mark.parametrize("decades", [5, 12])
@pytest.mark.parametrize("name", ["regression", "ordinal-explicit", "classification"])
def test_weights_of_very_different_size_are_kept_apart(name, decades):
    case = CASES[name]
    X, y = case.data()
    weight = 10.0 ** np.random.default_rng(1).uniform(-decades, 0.5, len(X))
    model = case.make(**(FIXED | {"C": 20.0})).fit(X, y, sample_weight=weight)
    analysis = model.fitted_set_.analysis
    full = FullProblem(analysis.problem.sample.X.dense(), analysis.problem.pieces)
    signed = full.signed_intervals(analysis.models.budgets)
    np.testing.assert_allclose(model.intervals_, relevance(signed) / analysis.norm, atol=1e-6)


@pytest.mark.parametrize("mean", [1e16, 1e-9, 1e308])
def test_weights_that_no_solver_could_tell_from_nothing_are_refused(mean):
    case = CASES["classification"]
    X, y = case.data()
    with pytest.raises(ValueError, match=r"sample_weight has a mean of .*divide the weights"):
        case.make().fit(X, y, sample_weight=np.full(len(X), mean))


# Shares


def test_weights_that_are_not_whole_leave_each_row_one_observation():
    case = CASES["classification"]
    X, y = case.data()
    weight = np.random.default_rng(0).uniform(5.0, 50.0, len(X))
    sample = fitted_sample(case.make(**FIXED).fit(X, y, sample_weight=weight))
    assert (sample.numbers == 1).all()
    values = np.arange(len(X)) * 1.0
    mean, error = sample.mean_and_error(values)
    expected = np.sqrt((sample.count**2 * (values - mean) ** 2).sum()) / sample.count.sum()
    assert error == pytest.approx(expected)


def test_a_word_where_few_rows_count_as_very_many():
    X, y = CASES["classification"].data()
    weight = np.random.default_rng(0).integers(1, 10**6, len(X))
    words = rf"{len(X)} rows count as {weight.sum()} observations, .* divide them by their mean"
    with pytest.warns(UserWarning, match=words) as told:
        model = CASES["classification"].make(**FIXED).fit(X, y, sample_weight=weight)
    assert str(told[0].message) in model.result_.warnings
    other = CASES["classification"].make(**FIXED).fit(X, y, sample_weight=weight / weight.mean())
    assert not any("observations" in warning for warning in other.result_.warnings)


def test_a_table_that_is_there_twice_is_that_table():
    case = CASES["classification"]
    X, y = case.data()
    once = fitted_sample(case.make(**FIXED).fit(X, y))
    twice = fitted_sample(case.make(**FIXED).fit(np.tile(X, (2, 1)), np.tile(y, 2)))
    np.testing.assert_array_equal(twice.X.dense(), once.X.dense())
    np.testing.assert_array_equal(twice.numbers, once.numbers)
    np.testing.assert_array_equal(twice.count, 2.0 * once.count)
