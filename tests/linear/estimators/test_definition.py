"""Intervals are those of the papers' definition; tolerances and probes do what they say."""

import numpy as np
import pytest
from by_hand import encoded, loss_by_hand, offsets_of
from estimator_cases import CASES, every_case, relevance
from oracle import FullProblem

from allrelevant.linear.engine.program.limits import Budget
from allrelevant.linear.fit.baseline.tolerance import _USUAL, bootstrap_tolerance

# The papers' definition


def oracle_intervals(case, X, y, C, budgets_for):
    """Signed intervals as shares, from full linear programs on the papers' formulation."""
    model = case.fitted().model_
    problem = FullProblem(X, model.pieces(encoded(case, y), np.ones(len(y))))
    norm, loss = problem.baseline(C)
    return problem.signed_intervals(budgets_for(norm, loss)) / norm, norm, loss


@pytest.mark.slow
@every_case
@pytest.mark.parametrize("C", [0.3, 5.0])
def test_papers_definition(case, C):
    X, y = case.data(n_samples=40)
    model = case.plain(C=C, tolerance=0.001, standardize=False).fit(X, y)

    def budgets(norm, loss):
        return Budget(1.0, 0.0, 1.001 * norm), Budget(0.0, 1.0, 1.001 * loss)

    expected, norm, loss = oracle_intervals(case, X, y, C, budgets)
    assert model.result_.baseline["norm"] == pytest.approx(norm, rel=1e-7)
    assert model.result_.baseline["loss"] == pytest.approx(loss, rel=1e-7)
    scores = X @ np.ravel(model.coef_)
    by_hand = loss_by_hand(case, scores, offsets_of(model), encoded(case, y)).sum()
    assert by_hand == pytest.approx(loss, rel=1e-7)
    np.testing.assert_allclose(model.signed_intervals_, expected, atol=1e-6)
    np.testing.assert_allclose(model.intervals_, relevance(expected), atol=1e-6)


@pytest.mark.slow
@every_case
def test_tolerance_pair_is_norm_then_loss(case):
    X, y = case.data(n_samples=40)
    model = case.plain(tolerance=(0.02, 0.1), standardize=False).fit(X, y)

    def budgets(norm, loss):
        return Budget(1.0, 0.0, 1.02 * norm), Budget(0.0, 1.0, 1.1 * loss)

    expected, _, _ = oracle_intervals(case, X, y, 1.0, budgets)
    np.testing.assert_allclose(model.signed_intervals_, expected, atol=1e-6)
    assert model.tolerance_ == (0.02, 0.1)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:no feature is strong:UserWarning")
@every_case
def test_joint_budget_limits_the_objective(case):
    X, y = case.data(n_samples=40)
    model = case.plain(C=0.7, tolerance=0.05, budget="joint", standardize=False).fit(X, y)

    def budgets(norm, loss):
        return (Budget(1.0, 0.7, 1.05 * (norm + 0.7 * loss)),)

    expected, _, _ = oracle_intervals(case, X, y, 0.7, budgets)
    np.testing.assert_allclose(model.signed_intervals_, expected, atol=1e-6)
    split = case.plain(C=0.7, tolerance=0.05, standardize=False).fit(X, y)
    assert (np.ptp(model.intervals_, axis=1) >= np.ptp(split.intervals_, axis=1) - 1e-6).all()


def relative_error(case, model, X, y):
    """One standard error of the baseline's loss, relative to it, by the papers' formulas."""
    scores = X @ np.ravel(model.coef_)
    losses = loss_by_hand(case, scores, offsets_of(model), encoded(case, y))
    return losses.std() / np.sqrt(len(y)) / losses.mean()


@pytest.mark.slow
@every_case
def test_automatic_tolerance_is_the_smaller_of_an_error_and_the_bootstraps(case):
    X, y = case.data(n_samples=300, noise=0.6)
    model = case.plain(tolerance="auto", standardize=False).fit(X, y)
    problem, baseline = model.fitted_set_.analysis.problem, model.fitted_set_.analysis.baseline
    bound = bootstrap_tolerance(problem, baseline, _USUAL)
    expected = min(bound, relative_error(case, model, X, y))
    assert 0.001 < expected < 0.1, "the case should test neither limit"
    assert model.tolerance_ == pytest.approx((expected, expected), rel=1e-6)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:no feature is strong:UserWarning")
@every_case
def test_the_bootstraps_tolerance_is_one_for_the_objective(case):
    X, y = case.data(n_samples=40)
    model = case.plain(C=0.7, tolerance="bootstrap", standardize=False).fit(X, y)
    size, same = model.tolerance_
    assert size == same > 0.001
    joint = case.plain(C=0.7, tolerance=size, budget="joint", standardize=False).fit(X, y)
    np.testing.assert_allclose(model.intervals_, joint.intervals_, atol=1e-7)
    split = case.plain(C=0.7, tolerance="bootstrap", budget="split", standardize=False).fit(X, y)
    by_hand = case.plain(C=0.7, tolerance=size, budget="split", standardize=False).fit(X, y)
    np.testing.assert_allclose(split.intervals_, by_hand.intervals_, atol=1e-7)
    assert np.abs(split.intervals_ - model.intervals_).max() > 1e-3


@pytest.mark.slow
@every_case
def test_separable_data_keep_some_room_with_the_automatic_tolerance(case):
    X, y = case.data(noise=0.0, label_noise=0.0)
    model = case.make(C=1e4, tolerance="auto").fit(X, y)
    assert model.result_.baseline["loss"] < 1e-6
    assert 0.001 <= model.tolerance_[0] <= 0.1
    assert np.ptp(model.signed_intervals_, axis=1).max() > 0.005


def test_larger_tolerance_gives_wider_intervals():
    case = CASES["classification"]
    X, y = case.data()
    narrow, wide = (case.make(tolerance=t).fit(X, y).signed_intervals_ for t in (0.001, 0.1))
    assert (wide[:, 0] <= narrow[:, 0] + 1e-9).all()
    assert (wide[:, 1] >= narrow[:, 1] - 1e-9).all()
    assert np.abs(wide - narrow).max() > 1e-3


# Probes


@pytest.mark.slow
@every_case
def test_probes_that_replace_are_used_where_the_feature_can_be_spared(case):
    X, y = case.data(n_weak=4, n_irrelevant=6)
    model = case.make(probes="replace", n_probes=24).fit(X, y)
    usable = model.result_.work["probes_usable"]
    assert 10 <= usable < 24, "some, but not all, took the place of the strong feature"
    assert model.result_.probes.shape == (usable, 2)
    assert model.result_.warnings == (f"{24 - usable} of 24 probes infeasible",)


@pytest.mark.slow
@every_case
def test_probes_that_cannot_replace_are_appended_and_the_result_says_so(case):
    X, y = case.data(n_weak=0, n_irrelevant=0, n_strong=3, noise=0.0)
    model = case.make(probes="replace", n_probes=12).fit(X, y)
    appended = case.make(probes="append", n_probes=12).fit(X, y)
    infeasible, fallback = model.result_.warnings
    n_infeasible = int(infeasible.split()[0])
    assert n_infeasible > 2
    assert infeasible == f"{n_infeasible} of 12 probes infeasible"
    assert fallback == (
        f"only {12 - n_infeasible} probes could take the place of a feature; "
        "the noise thresholds come from appended probes instead"
    )
    np.testing.assert_allclose(model.result_.probes, appended.result_.probes, atol=1e-7)
    np.testing.assert_array_equal(model.relevance_classes_, appended.relevance_classes_)


@pytest.mark.slow
@every_case
def test_probes_do_not_change_the_intervals(case):
    X, y = case.data()
    one = case.fitted()
    two = case.make(n_probes=9, random_state=1).fit(X, y)
    np.testing.assert_allclose(one.intervals_, two.intervals_, atol=1e-8)
    assert len(one.result_.probes) == 5
    assert len(two.result_.probes) == 9
