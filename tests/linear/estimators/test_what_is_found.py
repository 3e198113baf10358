"""What a fit finds means what it says, for every kind of target."""

import json

import numpy as np
import pandas as pd
import pytest
from by_hand import encoded, loss_by_hand
from estimator_cases import CASES, every_case, relevance
from scipy import stats

import allrelevant
from allrelevant import RelevanceRegressor, RelevanceResult, papers
from allrelevant.backends.identity import settings_of
from allrelevant.datasets import PRIVILEGED_SETS, make_privileged

NAMES = ["age", "dose", "weight", "site", "day"]


@pytest.mark.slow
@every_case
def test_fitted_attributes_have_their_shapes(case):
    model = case.fitted()
    d = case.data()[0].shape[1]
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


@pytest.mark.slow
@every_case
def test_fit_returns_the_estimator(case):
    X, y = case.data()
    model = case.make()
    assert model.fit(X, y) is model


@pytest.mark.slow
def test_classifiers_have_intercepts_ordinal_ones_thresholds_and_regressors_epsilon():
    fitted = {name: case.fitted() for name, case in CASES.items()}
    assert fitted["classification"].intercept_.shape == (1,)
    assert fitted["reject"].intercept_.shape == (1,)
    assert np.ndim(fitted["regression"].intercept_) == 0
    assert fitted["regression"].epsilon_ == 0.1
    assert not hasattr(fitted["regression"], "classes_")
    for name in ("ordinal-explicit", "ordinal-implicit"):
        assert fitted[name].thresholds_.shape == (2,)
        assert not hasattr(fitted[name], "intercept_")


@pytest.mark.slow
@every_case
def test_intervals_are_shares_of_the_baselines_norm(case):
    model = case.fitted()
    reference = model.equivalent_models_.reference
    norm = np.abs(reference.weights).sum()
    ends = np.array([(r.low.value, r.high.value) for r in model.ranges_])
    np.testing.assert_allclose(model.signed_intervals_, ends / norm, rtol=1e-12)
    np.testing.assert_allclose(model.result_.weights, reference.weights / norm, rtol=1e-12)
    assert model.result_.baseline["norm"] == pytest.approx(norm)
    # The baseline is one of the equivalent models.
    assert (model.signed_intervals_[:, 0] <= model.result_.weights + 1e-9).all()
    assert (model.signed_intervals_[:, 1] >= model.result_.weights - 1e-9).all()


@pytest.mark.slow
@every_case
def test_relevance_intervals_belong_to_the_signed_ones(case):
    model = case.fitted(tolerance=0.2)
    signed = model.signed_intervals_
    np.testing.assert_allclose(model.intervals_, relevance(signed), atol=1e-9)
    spans_zero = (signed[:, 0] <= 0) & (signed[:, 1] >= 0)
    assert spans_zero.any()
    assert not spans_zero.all()
    assert (model.intervals_[spans_zero, 0] == 0.0).all(), "exactly 0, not nearly"
    assert (model.intervals_[~spans_zero, 0] > 0.0).all()


@pytest.mark.slow
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


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:no feature is strong:UserWarning")
@every_case
@pytest.mark.parametrize("how", [{"confidence": 0.99}, {"fdr": 0.2, "confidence": None}])
def test_classes_follow_from_intervals_and_noise_thresholds(case, how):
    X, y = case.data()
    model = case.make(n_probes=20, **how).fit(X, y)
    probes, limits = model.result_.probes, model.result_.noise_thresholds
    assert probes.shape == (20, 2)
    assert (probes[:, 0] == 0).all()
    # A feature that passes the conditional test alone has none to pass.
    np.testing.assert_allclose(model.result_.thresholds, [0.0, np.median(limits[limits > 0])])
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


@pytest.mark.slow
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


@pytest.mark.slow
@every_case
@pytest.mark.parametrize(("select", "least"), [("relevant", 1), ("strong", 2)])
def test_support_is_what_select_asks_for(case, select, least):
    X, y = case.data(n_samples=150, n_strong=2, noise=0.0, label_noise=0.0)
    model = case.make(select=select, n_probes=10).fit(X, y)
    assert {1, 2} <= set(model.relevance_classes_.tolist())
    np.testing.assert_array_equal(model.support_, model.relevance_classes_ >= least)
    np.testing.assert_array_equal(model.transform(X), X[:, model.support_])


@pytest.mark.slow
@every_case
def test_the_truth_is_found_with_default_settings(case):
    X, y, truth = case.simulate(
        150, n_strong=2, n_weak=2, n_irrelevant=3, noise=0.0, label_noise=0.0, random_state=1
    )
    model = case.estimator_class(**case.parameters, random_state=0).fit(X, y)
    np.testing.assert_array_equal(model.relevance_classes_, truth)


@pytest.mark.slow
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
    assert result.settings == settings_of(model)
    assert set(model.get_params()) - set(result.settings) == {"checkpoint"}
    assert result.work["lps_solved"] > 0
    assert result.work["probes_usable"] == len(result.probes) == 5
    assert result.warnings == ()
    assert 0.3 < result.baseline["score"] <= 1.0
    assert result.baseline["score_error"] >= 0.0


@pytest.mark.slow
@every_case
def test_result_can_be_shown_and_stored(case):
    X, y = case.data()
    model = case.make(tolerance=(0.01, 0.02)).fit(pd.DataFrame(X, columns=NAMES), y)
    result = model.result_
    frame = result.to_frame()
    shown = ["feature", "class", "min", "max", "low", "high", "margin", "p", "q", "borderline"]
    assert sorted(frame.columns) == sorted([*shown, "needed_up_to"])
    np.testing.assert_allclose(frame["margin"], model.intervals_[:, 1] - result.noise_thresholds)
    np.testing.assert_array_equal(frame["p"], model.p_values_)
    np.testing.assert_array_equal(frame["q"], model.q_values_)
    assert RelevanceResult.from_json(result.to_json()) == result
    assert json.loads(result.to_json())["names"] == NAMES
    assert all(name in repr(result) and name in result._repr_html_() for name in NAMES)


def test_result_names_the_versions_that_made_it():
    versions = CASES["classification"].fitted().result_.versions
    assert versions["numpy"] == np.__version__
    assert versions["allrelevant"] == allrelevant.__version__
    assert {"python", "scipy", "scikit-learn", "highspy"} <= set(versions)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_what_a_joint_budget_has_for_the_loss_is_no_room_for_noise():
    """All of it would be a weight of hundreds, which no model has: the loss has to be paid."""
    X, Z, y, truth, _ = make_privileged(**PRIVILEGED_SETS["Set 3"]._asdict(), random_state=0)
    model = papers.neurocomputing2020(C=0.2, gamma=0.3, n_probes=20, random_state=0)
    model.fit(X, y, X_privileged=Z)
    assert model.result_.baseline["largest_possible"] > 100
    assert model.result_.probes.max() < model.intervals_.max()
    assert (model.relevance_classes_[truth > 0] > 0).any()


@pytest.mark.slow
def test_useless_columns_whose_weights_cancel_out_are_irrelevant():
    """No error leaves no room for noise; what models may waste is no sign of relevance."""
    random = np.random.default_rng(0)
    a, b, c, d = random.normal(size=(4, 120))
    X = np.column_stack([a, b, c, d, c + d])
    model = RelevanceRegressor(random_state=0).fit(X, a + b)
    assert model.intervals_[2:, 1].min() > 1e-5, "they can have weights"
    assert model.relevance_classes_.tolist() == [2, 2, 0, 0, 0]
