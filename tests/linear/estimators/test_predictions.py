"""Predictions, scores and rejected samples, for every kind of target."""

import numpy as np
import pytest
from estimator_cases import CASES, every_case, ordinal_cases

from allrelevant import OrdinalRelevanceClassifier, RejectOptionRelevanceClassifier

# Predictions


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:no feature is strong:UserWarning")
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


@pytest.mark.slow
@ordinal_cases
def test_ordinal_thresholds_ascend_and_decision_is_the_distance_inside_a_class(case):
    X, _ = case.data()
    model = case.fitted()
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
    model = case.fitted()
    missed = np.average((y - model.predict(X)) ** 2, weights=weight)
    spread = np.average((y - np.average(y, weights=weight)) ** 2, weights=weight)
    assert model.score(X, y, sample_weight=weight) == pytest.approx(1 - missed / spread)


@pytest.mark.slow
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


@pytest.mark.slow
def test_ordinal_score_counts_classes_not_the_gaps_between_labels():
    case = CASES["ordinal-explicit"]
    X, y = case.data()
    model = case.fitted()
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


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:no feature is strong:UserWarning")
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


@pytest.mark.filterwarnings("ignore:no learnable signal:UserWarning")
def test_without_a_feature_the_median_of_ordered_classes_is_predicted():
    """Not the lowest class that is larger than the next, which the explicit order would give."""
    y = np.repeat([0, 1, 2, 3, 4], [20, 22, 18, 16, 14])
    X = np.random.default_rng(0).normal(size=(90, 2))
    for weight, median in ((None, 2), ({0: 9, 1: 1, 2: 1, 3: 1, 4: 1}, 0), ("balanced", 2)):
        model = OrdinalRelevanceClassifier(C=1e-6, class_weight=weight, n_probes=10).fit(X, y)
        assert not model.coef_.any()
        assert (model.predict(X) == median).all()
        assert model.prediction_range(X[:3]).labels == [(median,)] * 3


@pytest.mark.filterwarnings("ignore:no learnable signal:UserWarning")
@pytest.mark.parametrize(("n_second", "is_declined"), [(70, True), (90, False)])
def test_who_may_decline_and_knows_nothing_does_what_costs_less(n_second, is_declined):
    y = np.arange(100) < n_second
    X = np.random.default_rng(0).normal(size=(100, 2))
    model = RejectOptionRelevanceClassifier(reject_cost=0.2, C=1e-4, n_probes=5).fit(X, y)
    assert not model.coef_.any()
    assert (model.rejected(X) == is_declined).all()
    assert model.score(X, y) == pytest.approx(0.8 if is_declined else 0.9)
    assert model.predict(X).all(), "the likelier label, where everybody gets one"
