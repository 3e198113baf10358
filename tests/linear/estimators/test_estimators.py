"""What a fit finds means what it says, for every kind of target, and does not hang on accidents."""

import itertools
import json
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from estimator_cases import CASES, binary_cases, every_case, label_cases, ordinal_cases, relevance
from oracle import FullProblem
from scipy import stats

import allrelevant
from allrelevant import OrdinalRelevanceClassifier, RelevanceClassifier, RelevanceResult
from allrelevant.linear.engine.equivalent import Budget
from allrelevant.linear.fit.tolerance import _USUAL, bootstrap_tolerance

NAMES = ["age", "dose", "weight", "site", "day"]


def encoded(case, y):
    """The target as the papers' formulas have it."""
    return np.where(y == 1, 1.0, -1.0) if case.is_binary else np.asarray(y, dtype=float)


def offsets_of(model):
    return model.thresholds_ if hasattr(model, "thresholds_") else np.ravel(model.intercept_)


def loss_by_hand(case, scores, offsets, target, epsilon=0.1, cost=0.2):
    """The loss of every sample, as the papers write it."""
    if case.is_regression:
        return np.maximum(0.0, np.abs(target - scores - offsets[0]) - epsilon)
    if case.is_binary:
        margin = target * (scores + offsets[0])
        loss = np.maximum(0.0, 1.0 - margin)
        if case is CASES["reject"]:
            loss = loss + (1.0 - 2.0 * cost) / cost * np.maximum(0.0, -margin)
        return loss
    loss = np.zeros(len(scores))
    for t, threshold in enumerate(offsets):
        above, below = target > t, target <= t
        if case.parameters["order"] == "explicit":
            above, below = target == t + 1, target == t
        loss += above * np.maximum(0.0, threshold + 1.0 - scores)
        loss += below * np.maximum(0.0, scores - threshold + 1.0)
    return loss


# What is found


@every_case
def test_fitted_attributes_have_their_shapes(case):
    X, y = case.data()
    model = case.make().fit(X, y)
    d = X.shape[1]
    assert model.intervals_.shape == model.signed_intervals_.shape == (d, 2)
    assert model.relevance_classes_.shape == model.support_.shape == (d,)
    assert model.support_.dtype == bool
    assert set(model.relevance_classes_.tolist()) <= {0, 1, 2}
    assert model.coef_.shape == ((1, d) if case.is_binary else (d,))
    assert model.C_ == 1.0
    assert len(model.tolerance_) == 2
    assert model.n_features_in_ == d
    assert len(model.ranges_) == d
    assert not hasattr(model, "feature_names_in_")
    assert isinstance(model.result_, RelevanceResult)


@every_case
def test_fit_returns_the_estimator(case):
    X, y = case.data()
    model = case.make()
    assert model.fit(X, y) is model


def test_classifiers_have_intercepts_ordinal_ones_thresholds_and_regressors_epsilon():
    fitted = {name: case.make().fit(*case.data()) for name, case in CASES.items()}
    assert fitted["classification"].intercept_.shape == (1,)
    assert fitted["reject"].intercept_.shape == (1,)
    assert np.ndim(fitted["regression"].intercept_) == 0
    assert fitted["regression"].epsilon_ == 0.1
    assert not hasattr(fitted["regression"], "classes_")
    for name in ("ordinal-explicit", "ordinal-implicit"):
        assert fitted[name].thresholds_.shape == (2,)
        assert not hasattr(fitted[name], "intercept_")


@every_case
def test_intervals_are_shares_of_the_baselines_norm(case):
    X, y = case.data()
    model = case.make().fit(X, y)
    reference = model.equivalent_models_.reference
    norm = np.abs(reference.weights).sum()
    ends = np.array([(r.low.value, r.high.value) for r in model.ranges_])
    np.testing.assert_allclose(model.signed_intervals_, ends / norm, rtol=1e-12)
    np.testing.assert_allclose(model.result_.weights, reference.weights / norm, rtol=1e-12)
    assert model.result_.baseline["norm"] == pytest.approx(norm)
    # The baseline is one of the equivalent models.
    assert (model.signed_intervals_[:, 0] <= model.result_.weights + 1e-9).all()
    assert (model.signed_intervals_[:, 1] >= model.result_.weights - 1e-9).all()


@every_case
def test_relevance_intervals_belong_to_the_signed_ones(case):
    X, y = case.data()
    model = case.make(tolerance=0.2).fit(X, y)
    signed = model.signed_intervals_
    np.testing.assert_allclose(model.intervals_, relevance(signed), atol=1e-9)
    spans_zero = (signed[:, 0] <= 0) & (signed[:, 1] >= 0)
    assert spans_zero.any()
    assert not spans_zero.all()
    assert (model.intervals_[spans_zero, 0] == 0.0).all(), "exactly 0, not nearly"
    assert (model.intervals_[~spans_zero, 0] > 0.0).all()


@every_case
def test_every_end_of_an_interval_has_a_model_that_attains_it_within_the_budgets(case):
    X, y = case.data()
    model = case.plain(standardize=False, tolerance=0.05).fit(X, y)
    found = model.result_.baseline
    for feature, weight_range in enumerate(model.ranges_):
        for end in (weight_range.low, weight_range.high):
            weights, offsets = end.witness.weights(X.shape[1]), end.witness.offsets
            assert weights[feature] == pytest.approx(end.value, abs=1e-6 * found["norm"])
            assert np.abs(weights).sum() <= 1.05 * found["norm"] * (1 + 1e-6)
            loss = loss_by_hand(case, X @ weights, offsets, encoded(case, y)).sum()
            assert loss <= 1.05 * found["loss"] * (1 + 1e-6)


@every_case
@pytest.mark.parametrize("how", [{"confidence": 0.99}, {"fdr": 0.2, "confidence": None}])
def test_classes_follow_from_intervals_and_noise_thresholds(case, how):
    X, y = case.data()
    model = case.make(n_probes=20, **how).fit(X, y)
    probes, limits = model.result_.probes, model.result_.noise_thresholds
    assert probes.shape == (20, 2)
    assert (probes[:, 0] == 0).all()
    np.testing.assert_allclose(model.result_.thresholds, [0.0, np.median(limits)])
    smallest, largest = model.intervals_.T
    floor = 1e-6  # nothing is told apart below the accuracy of the intervals
    useful, needed = largest > np.maximum(limits, floor), smallest > floor
    np.testing.assert_array_equal(model.relevance_classes_, useful * (1 + needed))
    assert len(set(model.relevance_classes_.tolist())) > 1
    # The thresholds are where p-values pass their level.
    level = model.result_.baseline["level"]
    np.testing.assert_array_equal(model.p_values_ <= level, useful)
    q_values = stats.false_discovery_control(model.p_values_)
    np.testing.assert_allclose(model.q_values_, q_values)
    if "fdr" in how:
        assert level <= 0.005, "no noise passes more often, however many features do"
        assert (model.q_values_[useful] <= 0.2).all()
    else:
        assert level == pytest.approx(0.01)


@every_case
def test_replacing_probes_give_the_papers_thresholds(case):
    X, y = case.data(n_weak=4, n_irrelevant=6)
    model = case.make(n_probes=24, probes="replace", confidence=0.99).fit(X, y)
    probes = model.result_.probes
    n = len(probes)
    assert n >= 10
    reach = stats.t.ppf(0.99, n - 1) * probes.std(axis=0, ddof=1) * np.sqrt(1 + 1 / n)
    thresholds = probes.mean(axis=0) + reach
    np.testing.assert_allclose(model.result_.thresholds, thresholds, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(model.result_.noise_thresholds, thresholds[1])
    smallest, largest = model.intervals_.T
    useful, needed = largest > max(thresholds[1], 1e-6), smallest > max(thresholds[0], 1e-6)
    np.testing.assert_array_equal(model.relevance_classes_, useful * (1 + needed))
    assert not model.borderline_.any()


@every_case
@pytest.mark.parametrize(("select", "least"), [("relevant", 1), ("strong", 2)])
def test_support_is_what_select_asks_for(case, select, least):
    X, y = case.data(n_samples=150, n_strong=2, noise=0.0, label_noise=0.0)
    model = case.make(select=select, n_probes=10).fit(X, y)
    assert {1, 2} <= set(model.relevance_classes_.tolist())
    np.testing.assert_array_equal(model.support_, model.relevance_classes_ >= least)
    np.testing.assert_array_equal(model.transform(X), X[:, model.support_])


@every_case
def test_the_truth_is_found_with_default_settings(case):
    X, y, truth = case.simulate(
        150, n_strong=2, n_weak=2, n_irrelevant=3, noise=0.0, label_noise=0.0, random_state=1
    )
    model = case.estimator_class(**case.parameters, random_state=0).fit(X, y)
    np.testing.assert_array_equal(model.relevance_classes_, truth)


@every_case
def test_result_agrees_with_the_attributes(case):
    X, y = case.data()
    model = case.make().fit(pd.DataFrame(X, columns=NAMES), y)
    result = model.result_
    assert result.names == tuple(NAMES)
    assert result.task == {"ordinal-explicit": "ordinal", "ordinal-implicit": "ordinal"}.get(
        *[name for name, other in CASES.items() if other is case] * 2
    )
    np.testing.assert_array_equal(result.intervals, model.intervals_)
    np.testing.assert_array_equal(result.signed_intervals, model.signed_intervals_)
    np.testing.assert_array_equal(result.classes, model.relevance_classes_)
    np.testing.assert_array_equal(result.support, model.support_)
    assert result.baseline["C"] == model.C_
    assert (result.baseline["tolerance_norm"], result.baseline["tolerance_loss"]) == pytest.approx(
        model.tolerance_
    )
    assert result.settings == model.get_params()
    assert result.counts["lps_solved"] > 0
    assert result.counts["lps_skipped"] >= 0
    assert result.counts["probes_usable"] == len(result.probes) == 5
    assert result.warnings == ()
    assert 0.3 < result.baseline["score"] <= 1.0
    assert result.baseline["score_error"] >= 0.0


@every_case
def test_result_can_be_shown_and_stored(case):
    X, y = case.data()
    model = case.make(tolerance=(0.01, 0.02)).fit(pd.DataFrame(X, columns=NAMES), y)
    result = model.result_
    frame = result.to_frame()
    shown = ["feature", "class", "min", "max", "low", "high", "margin", "p", "q", "borderline"]
    assert list(frame.columns) == shown
    np.testing.assert_allclose(frame["margin"], model.intervals_[:, 1] - result.noise_thresholds)
    np.testing.assert_array_equal(frame["p"], model.p_values_)
    np.testing.assert_array_equal(frame["q"], model.q_values_)
    assert RelevanceResult.from_json(result.to_json()) == result
    assert json.loads(result.to_json())["names"] == NAMES
    assert all(name in repr(result) and name in result._repr_html_() for name in NAMES)


def test_result_names_the_versions_that_made_it():
    case = CASES["classification"]
    versions = case.make().fit(*case.data()).result_.versions
    assert versions["numpy"] == np.__version__
    assert versions["allrelevant"] == allrelevant.__version__
    assert {"python", "scipy", "scikit-learn", "highspy"} <= set(versions)


# Predictions


@every_case
@pytest.mark.parametrize("standardize", [True, False])
def test_coefficients_reproduce_predictions_on_the_raw_columns(case, standardize):
    X, y = case.data()
    X = X * [1.0, 20.0, 0.1, 3.0, 1.0] + [0.0, 5.0, -1.0, 0.0, 100.0]
    model = case.make(standardize=standardize).fit(X, y)
    scores = X @ np.ravel(model.coef_)
    if case.is_regression:
        np.testing.assert_allclose(model.predict(X), scores + model.intercept_, atol=1e-9)
    elif case.is_binary:
        decision = scores + model.intercept_[0]
        np.testing.assert_allclose(model.decision_function(X), decision, atol=1e-9)
        np.testing.assert_array_equal(model.predict(X), (decision > 0).astype(int))
    else:
        rank = (scores[:, None] > model.thresholds_).sum(axis=1)
        np.testing.assert_array_equal(model.predict(X), rank)
        np.testing.assert_array_equal(model.decision_function(X).argmax(axis=1), rank)


@every_case
def test_coefficients_are_the_baseline_in_the_units_of_the_columns(case):
    X, y = case.data()
    X = X * [1.0, 20.0, 0.1, 3.0, 1.0] + 5.0
    model = case.make().fit(X, y)
    units = X.std(axis=0) / (y.std() if case.is_regression else 1.0)
    standardised = np.ravel(model.coef_) * units
    np.testing.assert_allclose(standardised / np.abs(standardised).sum(), model.result_.weights)
    raw = case.make(standardize=False).fit(X, y)
    share = np.ravel(raw.coef_) / np.abs(raw.coef_).sum()
    np.testing.assert_allclose(share, raw.result_.weights, atol=1e-12)


@every_case
def test_standardising_beforehand_is_the_same_as_standardize(case):
    X, y = case.data()
    X = X * [1.0, 20.0, 0.1, 3.0, 1.0] + 5.0
    inside = case.make().fit(X, y)
    target = (y - y.mean()) / y.std() if case.is_regression else y
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    outside = case.make(standardize=False).fit(Z, target)
    np.testing.assert_allclose(inside.intervals_, outside.intervals_, atol=1e-7)
    if case.is_regression:
        found, expected = inside.predict(X), outside.predict(Z) * y.std() + y.mean()
    else:
        found, expected = inside.decision_function(X), outside.decision_function(Z)
    np.testing.assert_allclose(found, expected, atol=1e-6)
    raw = case.make(standardize=False).fit(X, y)
    assert np.abs(raw.intervals_ - inside.intervals_).max() > 1e-3


@every_case
@pytest.mark.parametrize("far", [1e2, 1e6])
def test_columns_far_from_zero_lose_nothing(case, far):
    X, y = case.data()
    moved = X + far * np.array([1.0, 0.0, -1.0, 0.5, 0.0])
    # Folds depend on the values of columns, and so does where weighted classes put the offset.
    near = case.plain(standardize=False).fit(X, y)
    model = case.plain(standardize=False).fit(moved, y)
    np.testing.assert_allclose(model.intervals_, near.intervals_, atol=1e-6)
    np.testing.assert_allclose(model.coef_, near.coef_, atol=1e-6)
    np.testing.assert_allclose(model.predict(moved[:5]), near.predict(X[:5]), atol=1e-6)
    found, expected = model.prediction_range(moved[:5]), near.prediction_range(X[:5])
    np.testing.assert_allclose([found.low, found.high], [expected.low, expected.high], atol=1e-5)


@ordinal_cases
def test_ordinal_thresholds_ascend_and_decision_is_the_distance_inside_a_class(case):
    X, y = case.data()
    model = case.make().fit(X, y)
    assert (np.diff(model.thresholds_) >= 0).all()
    scores = X @ model.coef_
    low, high = model.thresholds_
    expected = np.column_stack(
        [low - scores, np.minimum(scores - low, high - scores), scores - high]
    )
    np.testing.assert_allclose(model.decision_function(X), expected, atol=1e-12)


# Scores


def test_regression_score_is_r_squared():
    case = CASES["regression"]
    X, y = case.data()
    weight = np.arange(1.0, len(y) + 1)
    model = case.make().fit(X, y)
    missed = np.average((y - model.predict(X)) ** 2, weights=weight)
    spread = np.average((y - np.average(y, weights=weight)) ** 2, weights=weight)
    assert model.score(X, y, sample_weight=weight) == pytest.approx(1 - missed / spread)


@ordinal_cases
def test_ordinal_score_is_one_minus_mmae_over_its_largest_value(case):
    X, y = case.data()
    y = np.where(np.arange(len(y)) % 4 == 0, y, np.minimum(y, 1))  # a rare class
    model = case.make().fit(X, y)
    predicted = model.predict(X)
    by_class = [np.abs(predicted[y == k] - k).mean() for k in range(3)]
    assert model.score(X, y) == pytest.approx(1 - np.mean(by_class) / 2)
    assert np.ptp(by_class) > 0.01, "else it could be the plain mean"
    weight = np.arange(1.0, len(y) + 1)
    weighted = [np.average(np.abs(predicted - k)[y == k], weights=weight[y == k]) for k in range(3)]
    assert model.score(X, y, sample_weight=weight) == pytest.approx(1 - np.mean(weighted) / 2)


def test_ordinal_score_counts_classes_not_the_gaps_between_labels():
    case = CASES["ordinal-explicit"]
    X, y = case.data()
    model = case.make().fit(X, y)
    gaps = case.make().fit(X, np.array([1, 5, 10])[y])
    assert gaps.score(X, np.array([1, 5, 10])[y]) == pytest.approx(model.score(X, y))


def test_reject_option_score_is_one_minus_the_mean_cost():
    case = CASES["reject"]
    X, y = case.data(noise=0.6)
    model = case.make(reject_cost=0.3).fit(X, y)
    rejected, decision = model.rejected(X), model.decision_function(X)
    wrong = (decision > 0) != (y == 1)
    cost = np.where(rejected, 0.3, wrong)
    assert rejected.any()
    assert wrong[~rejected].any()
    assert model.score(X, y) == pytest.approx(1 - cost.mean())
    weight = np.arange(1.0, len(y) + 1)
    expected = 1 - np.average(cost, weights=weight)
    assert model.score(X, y, sample_weight=weight) == pytest.approx(expected)
    labelled = case.make(reject_cost=0.3, reject_label=-1).fit(X, y)
    assert labelled.score(X, y) == pytest.approx(1 - cost.mean())


# Rejecting


@pytest.mark.parametrize(
    ("parameters", "threshold"),
    [
        ({}, 0.2),
        ({"reject_cost": 0.4}, 0.4),
        ({"reject_threshold": 0.7}, 0.7),
    ],
)
def test_samples_near_the_hyperplane_are_rejected(parameters, threshold):
    case = CASES["reject"]
    X, y = case.data(noise=0.6)
    model = case.make(**parameters).fit(X, y)
    mask = model.rejected(X)
    assert mask.dtype == bool
    assert mask.any()
    assert not mask.all()
    np.testing.assert_array_equal(mask, np.abs(model.decision_function(X)) <= threshold)


def test_without_a_reject_label_every_sample_gets_a_class():
    case = CASES["reject"]
    X, y = case.data(noise=0.6)
    model = case.make().fit(X, y)
    assert model.rejected(X).any()
    np.testing.assert_array_equal(model.predict(X), model.decision_function(X) > 0)


@pytest.mark.parametrize(
    ("labels", "reject_label"),
    [
        ([0, 1], -1),
        ([0, 1], "unsure"),
        (["no", "yes"], "unsure"),
        (["no", "yes"], ""),
        ([False, True], "unsure"),
        ([0.0, 1.0], -1.0),
    ],
)
def test_reject_label_of_any_type_stands_for_rejected_samples_only(labels, reject_label):
    case = CASES["reject"]
    X, y = case.data(noise=0.6)
    y = np.array(labels)[y]
    model = case.make(reject_label=reject_label).fit(X, y)
    predicted, rejected = model.predict(X), model.rejected(X)
    assert rejected.any()
    assert all(label == reject_label for label in predicted[rejected].tolist())
    plain = case.make().fit(X, y).predict(X)
    assert predicted[~rejected].tolist() == plain[~rejected].tolist()
    if np.result_type(y, np.asarray(reject_label)).kind == y.dtype.kind:
        assert predicted.dtype.kind == y.dtype.kind


def test_dearer_rejections_mean_fewer_when_the_threshold_stays():
    case = CASES["reject"]
    X, y = case.data(noise=0.6)
    losses = [
        case.make(reject_cost=cost, reject_threshold=0.3, standardize=False)
        .fit(X, y)
        .result_.baseline["loss"]
        for cost in (0.1, 0.4)
    ]
    assert losses[0] > losses[1], "the cheaper a rejection, the steeper a wrong answer"


# The papers' definition


def oracle_intervals(case, X, y, C, budgets_for):
    """Signed intervals as shares, from full linear programs on the papers' formulation."""
    model = case.make().fit(X, y).model_
    problem = FullProblem(X, model.pieces(encoded(case, y), np.ones(len(y))))
    norm, loss = problem.baseline(C)
    return problem.signed_intervals(budgets_for(norm, loss)) / norm, norm, loss


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


@every_case
def test_tolerance_pair_is_norm_then_loss(case):
    X, y = case.data(n_samples=40)
    model = case.plain(tolerance=(0.02, 0.1), standardize=False).fit(X, y)

    def budgets(norm, loss):
        return Budget(1.0, 0.0, 1.02 * norm), Budget(0.0, 1.0, 1.1 * loss)

    expected, _, _ = oracle_intervals(case, X, y, 1.0, budgets)
    np.testing.assert_allclose(model.signed_intervals_, expected, atol=1e-6)
    assert model.tolerance_ == (0.02, 0.1)


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


@every_case
def test_automatic_tolerance_is_the_smaller_of_an_error_and_the_bootstraps(case):
    X, y = case.data(n_samples=300, noise=0.6)
    model = case.plain(standardize=False).fit(X, y)
    problem, baseline = model.fitted_set_.analysis.problem, model.fitted_set_.analysis.baseline
    bound = bootstrap_tolerance(problem, baseline, _USUAL)
    expected = min(bound, relative_error(case, model, X, y))
    assert 0.001 < expected < 0.1, "the case should test neither limit"
    assert model.tolerance_ == pytest.approx((expected, expected), rel=1e-6)


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


@every_case
def test_separable_data_keep_some_room_with_the_automatic_tolerance(case):
    X, y = case.data(noise=0.0, label_noise=0.0)
    model = case.make(C=1e4).fit(X, y)
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


@every_case
def test_probes_that_replace_are_used_where_the_feature_can_be_spared(case):
    X, y = case.data(n_weak=4, n_irrelevant=6)
    model = case.make(probes="replace", n_probes=24).fit(X, y)
    usable = model.result_.counts["probes_usable"]
    assert 10 <= usable < 24, "some, but not all, took the place of the strong feature"
    assert model.result_.probes.shape == (usable, 2)
    assert model.result_.warnings == (f"{24 - usable} of 24 probes infeasible",)


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


@every_case
def test_probes_do_not_change_the_intervals(case):
    X, y = case.data()
    one = case.make(n_probes=5, random_state=0).fit(X, y)
    two = case.make(n_probes=9, random_state=1).fit(X, y)
    np.testing.assert_allclose(one.intervals_, two.intervals_, atol=1e-8)
    assert len(one.result_.probes) == 5
    assert len(two.result_.probes) == 9


# Weights


def repeated_rows(X, y, counts):
    return np.repeat(X, counts, axis=0), np.repeat(y, counts)


@every_case
@pytest.mark.parametrize("C", [1.0, "cv"])
@pytest.mark.parametrize("standardize", [True, False])
def test_weight_two_is_the_row_twice(case, C, standardize):
    X, y = case.data()
    counts = np.random.default_rng(0).integers(0, 4, len(X))  # 0: as if the row were not there
    parameters = {"C": C, "standardize": standardize, "n_probes": 10}
    weighted = case.make(**parameters).fit(X, y, sample_weight=counts)
    repeated = case.make(**parameters).fit(*repeated_rows(X, y, counts))
    np.testing.assert_allclose(weighted.C_, repeated.C_, rtol=1e-9)
    np.testing.assert_allclose(weighted.tolerance_, repeated.tolerance_, rtol=1e-6)
    np.testing.assert_allclose(weighted.intervals_, repeated.intervals_, atol=1e-7)
    np.testing.assert_allclose(weighted.result_.thresholds, repeated.result_.thresholds, atol=1e-7)
    np.testing.assert_array_equal(weighted.relevance_classes_, repeated.relevance_classes_)
    np.testing.assert_allclose(np.ravel(weighted.coef_), np.ravel(repeated.coef_), atol=1e-6)
    plain = case.make(**parameters).fit(X, y)
    assert np.abs(plain.intervals_ - weighted.intervals_).max() > 1e-4, "weights matter"


@every_case
def test_weights_of_one_are_no_weights(case):
    X, y = case.data()
    plain = case.make(C="cv").fit(X, y)
    ones = case.make(C="cv").fit(X, y, sample_weight=np.ones(len(X)))
    np.testing.assert_array_equal(plain.intervals_, ones.intervals_)


@every_case
@pytest.mark.parametrize("C", [1.0, "cv"])
def test_order_of_the_rows_does_not_matter(case, C):
    X, y = case.data()
    order = np.random.default_rng(0).permutation(len(X))
    one, two = case.make(C=C).fit(X, y), case.make(C=C).fit(X[order], y[order])
    np.testing.assert_allclose(one.C_, two.C_, rtol=1e-9)
    np.testing.assert_allclose(one.intervals_, two.intervals_, atol=1e-7)
    np.testing.assert_allclose(one.result_.thresholds, two.result_.thresholds, atol=1e-7)
    np.testing.assert_array_equal(one.relevance_classes_, two.relevance_classes_)


@label_cases
def test_class_weight_mapping_weighs_the_loss(case):
    X, y = case.data()
    parameters = {"standardize": False, "tolerance": 0.01}
    mapped = case.make(class_weight={0: 3.0}, **parameters).fit(X, y)
    weighted = case.plain(**parameters).fit(X, y, sample_weight=np.where(y == 0, 3.0, 1.0))
    np.testing.assert_allclose(mapped.intervals_, weighted.intervals_, atol=1e-7)
    assert mapped.result_.baseline["loss"] == pytest.approx(weighted.result_.baseline["loss"])
    plain = case.plain(**parameters).fit(X, y)
    assert np.abs(mapped.intervals_ - plain.intervals_).max() > 1e-4


def unequal(case, **changes):
    """Two thirds of the lowest class are missing."""
    X, y = case.data(**changes)
    keep = (y != 0) | (np.arange(len(y)) % 3 == 0)
    return X[keep], y[keep]


@label_cases
def test_balanced_class_weight_is_inverse_to_frequency(case):
    X, y = unequal(case)
    labels, counts = np.unique(y, return_counts=True)
    by_hand = {label: len(y) / (len(labels) * n) for label, n in zip(labels, counts, strict=True)}
    balanced = case.make(class_weight="balanced", tolerance=0.01).fit(X, y)
    mapped = case.make(class_weight=by_hand, tolerance=0.01).fit(X, y)
    np.testing.assert_allclose(balanced.intervals_, mapped.intervals_, atol=1e-7)
    plain = case.plain(tolerance=0.01).fit(X, y)
    assert np.abs(balanced.intervals_ - plain.intervals_).max() > 1e-4


@label_cases
def test_automatic_class_weight_is_inverse_to_frequency_or_to_its_root(case):
    X, y = unequal(case)
    labels, counts = np.unique(y, return_counts=True)
    factors = counts ** (-0.5 if case.is_ordinal else -1.0)
    factors *= len(y) / (factors @ counts)  # all together weigh as much as before
    by_hand = dict(zip(labels.tolist(), factors.tolist(), strict=True))
    automatic = case.make(tolerance=0.01).fit(X, y)
    mapped = case.make(class_weight=by_hand, tolerance=0.01).fit(X, y)
    np.testing.assert_allclose(automatic.intervals_, mapped.intervals_, atol=1e-7)
    assert automatic.result_.baseline["loss"] == pytest.approx(mapped.result_.baseline["loss"])


@binary_cases
@pytest.mark.parametrize("C", [1.0, "cv"])
def test_automatic_and_balanced_weights_find_the_same_but_for_the_offset(case, C):
    X, y = unequal(case, n_samples=150, noise=0.6)
    automatic = case.make(C=C).fit(X, y)
    balanced = case.make(C=C, class_weight="balanced").fit(X, y)
    assert automatic.C_ == balanced.C_
    np.testing.assert_array_equal(automatic.intervals_, balanced.intervals_)
    np.testing.assert_array_equal(automatic.relevance_classes_, balanced.relevance_classes_)
    np.testing.assert_array_equal(automatic.p_values_, balanced.p_values_)
    np.testing.assert_array_equal(automatic.coef_, balanced.coef_)
    assert balanced.offset_shift_ == 0.0
    assert automatic.offset_shift_ != 0.0
    np.testing.assert_allclose(automatic.intercept_ - balanced.intercept_, automatic.offset_shift_)
    # The frequent class is the second one.
    assert automatic.offset_shift_ > 0
    assert (automatic.predict(X) == 1).mean() > (balanced.predict(X) == 1).mean()
    assert automatic.result_.baseline["scores"]["AUC"] == pytest.approx(
        balanced.result_.baseline["scores"]["AUC"]
    )


@label_cases
def test_classes_of_one_size_need_no_weights_and_no_shift(case):
    X, y = case.data()
    few = min(np.bincount(y))
    rows = np.concatenate([np.flatnonzero(y == k)[:few] for k in np.unique(y)])
    automatic, plain = case.make().fit(X[rows], y[rows]), case.plain().fit(X[rows], y[rows])
    np.testing.assert_allclose(automatic.intervals_, plain.intervals_, atol=1e-9)
    assert automatic.offset_shift_ == plain.offset_shift_ == 0.0


@label_cases
def test_class_weight_names_classes_by_their_labels(case):
    X, y = case.data()
    words = np.array(["a", "b", "c"])[y]
    by_word = case.make(class_weight={"a": 3.0}).fit(X, words)
    by_code = case.make(class_weight={0: 3.0}).fit(X, y)
    np.testing.assert_allclose(by_word.intervals_, by_code.intervals_, atol=1e-9)


# Labels


@binary_cases
@pytest.mark.parametrize(
    "labels", [[0, 1], [-1, 1], [3, 7], ["no", "yes"], [False, True], [0.0, 1.0]]
)
def test_two_classes_of_any_name(case, labels):
    X, y = case.data()
    expected = case.make().fit(X, y)
    model = case.make().fit(X, np.array(labels)[y])
    assert model.classes_.tolist() == labels
    np.testing.assert_allclose(model.signed_intervals_, expected.signed_intervals_, atol=1e-9)
    np.testing.assert_array_equal(model.predict(X), np.array(labels)[expected.predict(X)])


@binary_cases
def test_swapping_the_classes_turns_the_signs(case):
    X, y = case.data()
    one, other = case.make().fit(X, y), case.make().fit(X, 1 - y)
    np.testing.assert_allclose(one.intervals_, other.intervals_, atol=1e-7)
    np.testing.assert_allclose(one.signed_intervals_, -other.signed_intervals_[:, ::-1], atol=1e-7)


def _enum(y, words):
    return pl.Series(np.array(words)[y], dtype=pl.Enum(words))


WORDS = ["low", "mid", "high"]  # in the alphabet: high, low, mid
ORDERED_LABELS = {
    "gaps": (lambda y: np.array([1, 5, 10])[y], None, [1, 5, 10]),
    "negative numbers": (lambda y: np.array([-3, 0, 2])[y], None, [-3, 0, 2]),
    "whole floats": (lambda y: np.array([-3.0, 0.0, 2.0])[y], None, [-3.0, 0.0, 2.0]),
    "half grades with classes": (
        lambda y: np.array([1.0, 1.5, 3.0])[y],
        [1.0, 1.5, 3.0],
        [1.0, 1.5, 3.0],
    ),
    "ordered half grades": (
        lambda y: pd.Series(pd.Categorical.from_codes(y, [1.0, 1.5, 3.0], ordered=True)),
        None,
        [1.0, 1.5, 3.0],
    ),
    "strings with classes": (lambda y: np.array(WORDS)[y], WORDS, WORDS),
    "list of strings": (lambda y: [WORDS[k] for k in y], WORDS, WORDS),
    "object strings": (lambda y: np.array(WORDS, dtype=object)[y], tuple(WORDS), WORDS),
    "array of classes": (lambda y: np.array(WORDS)[y], np.array(WORDS), WORDS),
    "series of strings": (lambda y: pd.Series(np.array(WORDS)[y]), WORDS, WORDS),
    "sorted strings": (lambda y: np.array(["a", "b", "c"])[y], None, ["a", "b", "c"]),
    "ordered categorical": (
        lambda y: pd.Series(pd.Categorical.from_codes(y, WORDS, ordered=True)),
        None,
        WORDS,
    ),
    "bare ordered categorical": (
        lambda y: pd.Categorical.from_codes(y, WORDS, ordered=True),
        None,
        WORDS,
    ),
    "unused categories": (
        lambda y: pd.Series(
            pd.Categorical(
                np.array(WORDS)[y], categories=["none", "low", "mid", "some", "high"], ordered=True
            )
        ),
        None,
        WORDS,
    ),
    "ordered numbers": (
        lambda y: pd.Series(pd.Categorical.from_codes(y, [9, 1, 5], ordered=True)),
        None,
        [9, 1, 5],
    ),
    "polars enum": (lambda y: _enum(y, WORDS), None, WORDS),
    "polars enum with unused": (
        lambda y: pl.Series(np.array(WORDS)[y], dtype=pl.Enum(["none", *WORDS, "all"])),
        None,
        WORDS,
    ),
    "classes with unused": (lambda y: np.array(WORDS)[y], ["none", *WORDS], WORDS),
}


@pytest.mark.parametrize("kind", ORDERED_LABELS)
def test_ordinal_labels_of_all_kinds(kind):
    case = CASES["ordinal-explicit"]
    make_labels, classes, expected_classes = ORDERED_LABELS[kind]
    X, y = case.data()
    labels = make_labels(y)
    expected = case.make().fit(X, y)
    model = case.make(classes=classes).fit(X, labels)
    assert model.classes_.tolist() == expected_classes
    np.testing.assert_allclose(model.signed_intervals_, expected.signed_intervals_, atol=1e-9)
    np.testing.assert_allclose(model.thresholds_, expected.thresholds_, atol=1e-9)
    assert model.predict(X).tolist() == [expected_classes[k] for k in expected.predict(X)]
    assert model.score(X, labels) == pytest.approx(expected.score(X, y))


def test_unordered_categorical_is_sorted():
    case = CASES["ordinal-explicit"]
    X, y = case.data()
    labels = pd.Series(pd.Categorical.from_codes(y, ["c", "b", "a"]))
    model = case.make().fit(X, labels)
    assert model.classes_.tolist() == ["a", "b", "c"]


def test_given_classes_win_over_the_order_of_a_categorical():
    case = CASES["ordinal-explicit"]
    X, y = case.data()
    labels = pd.Series(pd.Categorical.from_codes(y, ["x", "y", "z"], ordered=True))
    model = case.make(classes=["z", "y", "x"]).fit(X, labels)
    assert model.classes_.tolist() == ["z", "y", "x"]
    forward = case.make().fit(X, y)
    np.testing.assert_allclose(
        model.signed_intervals_, -forward.signed_intervals_[:, ::-1], atol=1e-7
    )


@pytest.mark.parametrize("order", ["explicit", "implicit"])
@pytest.mark.parametrize("C", [1.0, "cv"])
def test_ordinal_with_two_classes_is_classification(order, C):
    X, y = CASES["classification"].data(150)
    # Weights of classes and the choice of C have other defaults, each for its reason.
    alike = {"class_weight": None, "scoring": "loss", "rule": "paired"}
    parameters = alike | {"C": C, "n_probes": 10, "random_state": 0}
    two = RelevanceClassifier(**parameters).fit(X, y)
    ordinal = OrdinalRelevanceClassifier(order=order, **parameters).fit(X, y)
    np.testing.assert_allclose(ordinal.C_, two.C_, rtol=1e-9)
    np.testing.assert_allclose(ordinal.signed_intervals_, two.signed_intervals_, atol=1e-7)
    np.testing.assert_array_equal(ordinal.relevance_classes_, two.relevance_classes_)
    np.testing.assert_allclose(ordinal.coef_, two.coef_[0], atol=1e-7)
    np.testing.assert_allclose(-ordinal.thresholds_, two.intercept_, atol=1e-7)
    np.testing.assert_array_equal(ordinal.predict(X), two.predict(X))
    np.testing.assert_allclose(ordinal.decision_function(X), two.decision_function(X), atol=1e-6)


# Columns


@every_case
@pytest.mark.parametrize("C", [1.0, "cv"])
def test_units_of_the_columns_do_not_matter_when_standardising(case, C):
    X, y = case.data()
    scale, shift = np.array([1e-4, 1e4, 1.0, 7.0, 0.3]), np.array([0.0, 1e3, -5.0, 1.0, 2.0])
    one, two = case.make(C=C).fit(X, y), case.make(C=C).fit(X * scale + shift, y)
    np.testing.assert_allclose(one.intervals_, two.intervals_, atol=1e-6)
    np.testing.assert_array_equal(one.relevance_classes_, two.relevance_classes_)
    np.testing.assert_allclose(np.ravel(one.coef_), np.ravel(two.coef_) * scale, atol=1e-6)


@every_case
@pytest.mark.parametrize("C", [1.0, "cv"])
def test_sign_of_a_column_turns_its_interval(case, C):
    X, y = case.data()
    sign = np.array([-1.0, 1.0, -1.0, 1.0, 1.0])
    one, two = case.make(C=C).fit(X, y), case.make(C=C).fit(X * sign, y)
    np.testing.assert_allclose(two.C_, one.C_, rtol=1e-9)
    turned = np.sort(one.signed_intervals_ * sign[:, None], axis=1)
    np.testing.assert_allclose(two.signed_intervals_, turned, atol=1e-7)
    np.testing.assert_allclose(two.result_.thresholds, one.result_.thresholds, atol=1e-7)


@every_case
def test_a_target_turned_round_turns_all_intervals(case):
    X, y = case.data()
    one, two = case.make(C="cv").fit(X, y), case.make(C="cv").fit(X, y.max() - y)
    np.testing.assert_allclose(two.C_, one.C_, rtol=1e-9)
    turned = -one.signed_intervals_[:, ::-1]
    np.testing.assert_allclose(two.signed_intervals_, turned, atol=1e-7)
    np.testing.assert_allclose(two.result_.thresholds, one.result_.thresholds, atol=1e-7)


def test_rows_that_mirror_each_other_have_an_order_too():
    corners = np.array(list(itertools.product([-1.0, 1.0], repeat=4)))
    y = np.sign(corners @ [4.0, 2.0, 1.0, 0.5])
    make = CASES["classification"].make
    one = make(C="cv").fit(corners, y)
    for seed in range(5):
        order = np.random.default_rng(seed).permutation(len(y))
        two = make(C="cv").fit(corners[order], y[order])
        np.testing.assert_allclose(two.intervals_, one.intervals_, atol=1e-7)
        np.testing.assert_allclose(two.result_.thresholds, one.result_.thresholds, atol=1e-7)


@every_case
@pytest.mark.parametrize("C", [1.0, "cv"])
def test_permuted_columns_permute_the_intervals(case, C):
    X, y = case.data()
    order = np.array([3, 0, 4, 2, 1])
    one, two = case.make(C=C).fit(X, y), case.make(C=C).fit(X[:, order], y)
    np.testing.assert_allclose(two.C_, one.C_, rtol=1e-9)
    np.testing.assert_allclose(two.signed_intervals_, one.signed_intervals_[order], atol=1e-7)


@every_case
def test_permuted_columns_of_few_values_permute_the_intervals(case):
    X, y = case.data(n_irrelevant=3)
    X = (X > 0).astype(float)  # rows that differ only in the order of their values
    order = np.array([3, 0, 4, 5, 2, 1])
    one, two = case.make(C="cv").fit(X, y), case.make(C="cv").fit(X[:, order], y)
    np.testing.assert_allclose(two.C_, one.C_, rtol=1e-9)
    np.testing.assert_allclose(two.signed_intervals_, one.signed_intervals_[order], atol=1e-7)


@label_cases
@pytest.mark.parametrize("n_noise", [0, 1])
def test_columns_of_few_values_are_as_good_as_others(case, n_noise):
    rng = np.random.default_rng(0)
    n_classes = 3 if case.is_ordinal else 2
    column = rng.integers(n_classes, size=200)
    y = np.where(rng.random(200) < 0.05, rng.integers(n_classes, size=200), column)
    X = np.column_stack([column, rng.integers(2, size=(200, n_noise))]).astype(float)
    expected = case.make(C="cv", n_probes=20).fit(X + 1e-6 * rng.standard_normal(X.shape), y)
    assert expected.relevance_classes_.tolist() == [2] + n_noise * [0]
    model = case.make(C="cv", n_probes=20).fit(X, y)
    np.testing.assert_array_equal(model.relevance_classes_, expected.relevance_classes_)
    assert model.result_.baseline["score"] == pytest.approx(
        expected.result_.baseline["score"], abs=0.05
    )


@every_case
def test_duplicated_column_makes_both_weak(case):
    X, y = case.data(n_weak=0, noise=0.0)
    alone = case.make().fit(X, y)
    assert alone.relevance_classes_[0] == 2
    model = case.make().fit(np.column_stack([X, X[:, 0]]), y)
    assert model.relevance_classes_[[0, -1]].tolist() == [1, 1]
    np.testing.assert_allclose(model.intervals_[0], model.intervals_[-1], atol=1e-7)
    assert model.intervals_[0, 0] == 0.0
    assert model.intervals_[0, 1] >= alone.intervals_[0, 1] - 1e-7, "the other can be left out"


@every_case
def test_constant_column_is_irrelevant(case):
    X, y = case.data()
    model = case.make().fit(np.column_stack([X, np.full(len(X), 0.1)]), y)
    assert model.relevance_classes_[-1] == 0
    assert model.intervals_[-1, 0] == 0.0
    assert np.ravel(model.coef_)[-1] == 0.0
    np.testing.assert_allclose(model.intervals_[:-1], case.make().fit(X, y).intervals_, atol=1e-7)


@every_case
@pytest.mark.parametrize(
    "make_frame",
    [
        pytest.param(lambda X: pd.DataFrame(X, columns=NAMES), id="pandas"),
        pytest.param(lambda X: pl.DataFrame(X, schema=NAMES), id="polars"),
    ],
)
def test_names_in_names_out(case, make_frame):
    X, y = case.data()
    frame = make_frame(X)
    model = case.make().fit(frame, y)
    assert list(model.feature_names_in_) == NAMES
    assert model.result_.names == tuple(NAMES)
    assert list(model.result_.to_frame()["feature"]) == NAMES
    plain = case.make().fit(X, y)
    np.testing.assert_allclose(model.intervals_, plain.intervals_, atol=1e-9)
    decide = "predict" if case.is_regression else "decision_function"
    np.testing.assert_allclose(getattr(model, decide)(frame), getattr(plain, decide)(X), atol=1e-9)
    assert plain.result_.names == ("x0", "x1", "x2", "x3", "x4")


@pytest.mark.parametrize("make_target", [list, pd.Series, pl.Series, lambda y: y[:, None].ravel()])
@every_case
def test_targets_in_any_container(case, make_target):
    X, y = case.data()
    expected = case.make().fit(X, y)
    model = case.make().fit(X, make_target(y))
    np.testing.assert_array_equal(model.intervals_, expected.intervals_)


@pytest.mark.parametrize("kind", ["int", "bool", "float32", "nullable"])
def test_columns_of_any_number_type(kind):
    case = CASES["classification"]
    X, y = case.data()
    coarse = (X > 0).astype(float)
    dtype = {"int": int, "bool": bool, "float32": np.float32, "nullable": "Int64"}[kind]
    frame = pd.DataFrame(coarse, columns=NAMES).astype(dtype)
    expected = case.make().fit(coarse, y)
    model = case.make().fit(frame, y)
    np.testing.assert_allclose(model.intervals_, expected.intervals_, atol=1e-9)


# The same again


@every_case
def test_refitting_gives_the_same_answer(case):
    X, y = case.data()
    model = case.make(C="cv").fit(X, y)
    first = model.result_
    assert model.fit(X, y).result_ == first


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


@every_case
def test_random_state_decides_the_probes_and_nothing_else(case):
    X, y = case.data()
    one, same, other = (case.make(C="cv", random_state=seed).fit(X, y) for seed in (0, 0, 1))
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


@every_case
def test_number_of_processes_does_not_change_the_answer(case):
    X, y = case.data()
    one = case.make(C="cv", n_jobs=1).fit(X, y)
    two = case.make(C="cv", n_jobs=2).fit(X, y)
    assert one.C_ == two.C_
    np.testing.assert_allclose(one.intervals_, two.intervals_, atol=1e-8)
    np.testing.assert_allclose(one.signed_intervals_, two.signed_intervals_, atol=1e-8)
    np.testing.assert_allclose(one.result_.probes, two.result_.probes, atol=1e-8)
    np.testing.assert_array_equal(one.relevance_classes_, two.relevance_classes_)


@every_case
def test_fit_does_not_touch_the_data(case):
    X, y = case.data()
    X_before, y_before = X.copy(), y.copy()
    weight = np.ones(len(X))
    case.make().fit(X, y, sample_weight=weight).predict(X)
    np.testing.assert_array_equal(X, X_before)
    np.testing.assert_array_equal(y, y_before)
    np.testing.assert_array_equal(weight, 1.0)


def test_words_in_alphabetical_order_are_warned_of():
    case = CASES["ordinal-explicit"]
    X, y = case.data()
    with pytest.warns(UserWarning, match="alphabetical order: 'high' < 'low' < 'mid'"):
        case.make().fit(X, np.array(WORDS)[y])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        case.make(classes=WORDS).fit(X, np.array(WORDS)[y])
