import numpy as np
import pytest
from every_model import EveryModel

from allrelevant import RelevanceRegressor, SurvivalRelevanceRegressor
from allrelevant.datasets import make_survival
from allrelevant.linear.models.log_logistic import logistic_scale

SHAPE = {"n_strong": 1, "n_weak": 2, "n_irrelevant": 2, "random_state": 0}


@pytest.fixture(scope="module")
def data():
    X, y, _ = make_survival(90, **SHAPE)
    return X, y


@pytest.fixture(scope="module")
def fitted(data):
    return SurvivalRelevanceRegressor(C=0.3, epsilon=0.1, n_probes=5, random_state=0).fit(*data)


@pytest.mark.slow
@pytest.mark.parametrize("epsilon", [0.1, None])
def test_intervals_are_those_of_the_full_programs(fitted, data, epsilon):
    found = fitted.__class__(**{**fitted.get_params(), "epsilon": epsilon}).fit(*data)
    every, norm = EveryModel(found.equivalent_models_), found.result_.baseline["norm"]
    for k, (low, high) in enumerate(found.signed_intervals_):
        cost = every.cost(np.eye(5)[k])
        assert low == pytest.approx(every.least(cost) / norm, abs=1e-6)
        assert high == pytest.approx(every.greatest(cost) / norm, abs=1e-6)


def test_predictions_are_times(fitted, data):
    X, y = data
    predicted = fitted.predict(X)
    np.testing.assert_allclose(np.log(predicted), X @ fitted.coef_ + fitted.intercept_)
    assert fitted.score(X, y) > 0.8
    shown = fitted.prediction_range(X[:4])
    assert (shown.low <= predicted[:4] * (1 + 1e-9)).all()
    assert (shown.high >= predicted[:4] * (1 - 1e-9)).all()


def test_two_columns_and_fields_are_the_same(fitted, data):
    X, y = data
    two = np.column_stack([y["time"], y["event"]])
    again = fitted.__class__(**fitted.get_params()).fit(X, two)
    np.testing.assert_array_equal(again.intervals_, fitted.intervals_)


@pytest.mark.slow
def test_without_censoring_it_is_a_regression_of_the_logarithm(data):
    X, y = data
    options = {"C": 0.3, "epsilon": 0.1, "n_probes": 5, "random_state": 0}
    times = SurvivalRelevanceRegressor(**options).fit(X, [(t, 1) for t in y["time"]])
    numbers = RelevanceRegressor(**options).fit(X, np.log(y["time"]))
    np.testing.assert_allclose(times.intervals_, numbers.intervals_, atol=1e-9)
    np.testing.assert_allclose(times.coef_, numbers.coef_, atol=1e-9)


def test_later_censoring_of_what_is_predicted_earlier_changes_the_answer(fitted, data):
    X, y = data
    moved = y.copy()
    moved["time"][~y["event"]] *= 3.0
    again = fitted.__class__(**fitted.get_params()).fit(X, moved)
    assert not np.allclose(again.coef_, fitted.coef_)


@pytest.mark.slow
def test_known_truth_is_found():
    X, y, truth = make_survival(200, n_strong=2, n_weak=3, n_irrelevant=5, random_state=20)
    found = SurvivalRelevanceRegressor(random_state=0).fit(X, y)
    np.testing.assert_array_equal(found.relevance_classes_, truth)
    assert found.result_.baseline["score_name"] == "C-index"


@pytest.mark.slow
def test_where_the_median_is_beyond_the_data_an_earlier_quantile_is_predicted():
    X, y, truth = make_survival(300, n_strong=2, n_weak=0, n_irrelevant=3, random_state=0)
    end = np.quantile(y["time"], 0.3)  # when the study ends
    y["event"] &= y["time"] <= end
    y["time"] = np.minimum(y["time"], end)
    found = SurvivalRelevanceRegressor(epsilon="cv", random_state=0).fit(X, y)
    assert found.quantile_ == pytest.approx(share_by_hand(y) / 2)
    assert 0.05 < found.quantile_ < 0.2
    np.testing.assert_array_equal(found.relevance_classes_, truth)
    assert found.score(X, y) > 0.8
    median = SurvivalRelevanceRegressor(random_state=0).fit(X, y)
    assert (median.epsilon_, median.quantile_) == (None, 0.5)
    assert np.median(median.predict(X)) > end
    np.testing.assert_array_equal(median.relevance_classes_, truth)


def share_by_hand(y):
    """Kaplan and Meier's estimate: of those left at each event's time the share that goes on."""
    left = 1.0
    for time in np.unique(y["time"][y["event"]]):
        left *= 1 - (y["event"] & (y["time"] == time)).sum() / (y["time"] >= time).sum()
    return 1.0 - left


def test_no_event_is_refused(data):
    with pytest.raises(ValueError, match="y has no event"):
        SurvivalRelevanceRegressor().fit(data[0], [(1.0, 0)] * len(data[0]))


@pytest.mark.parametrize("share_seen", [1.0, 0.5, 0.2])
def test_the_scale_of_log_times_is_found_behind_censoring(share_seen):
    random = np.random.default_rng(0)
    log_time = 1.0 + 0.7 * random.logistic(size=5000)
    end = np.quantile(log_time, share_seen) + 0.5 * random.random(5000)
    seen, event = np.minimum(log_time, end), (log_time <= end).astype(float)
    assert logistic_scale(seen, event, np.ones(5000)) == pytest.approx(0.7, rel=0.05)
    twice = logistic_scale(np.repeat(seen, 2), np.repeat(event, 2), np.ones(10000))
    assert logistic_scale(seen, event, np.full(5000, 2.0)) == pytest.approx(twice, rel=1e-3)


def test_times_that_are_all_equal_have_a_scale():
    ones = np.ones(5)
    assert 0 < logistic_scale(ones, ones, ones) < 0.01
    assert np.isfinite(logistic_scale(np.arange(5.0), np.eye(5)[4], ones))
