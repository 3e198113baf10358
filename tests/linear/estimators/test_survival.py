import numpy as np
import pytest
from every_model import EveryModel

from allrelevant import RelevanceRegressor, SurvivalRelevanceRegressor
from allrelevant.datasets import make_survival

SHAPE = {"n_strong": 1, "n_weak": 2, "n_irrelevant": 2, "random_state": 0}


@pytest.fixture(scope="module")
def data():
    X, y, _ = make_survival(90, **SHAPE)
    return X, y


@pytest.fixture(scope="module")
def fitted(data):
    return SurvivalRelevanceRegressor(C=0.3, epsilon=0.1, n_probes=5, random_state=0).fit(*data)


@pytest.mark.slow
def test_intervals_are_those_of_the_full_programs(fitted):
    models = fitted.equivalent_models_
    every, norm = EveryModel(models), fitted.result_.baseline["norm"]
    for k, (low, high) in enumerate(fitted.signed_intervals_):
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
    X, y, truth = make_survival(200, n_strong=2, n_weak=3, n_irrelevant=5, random_state=1)
    found = SurvivalRelevanceRegressor(random_state=0).fit(X, y)
    np.testing.assert_array_equal(found.relevance_classes_, truth)
    assert found.result_.baseline["score_name"] == "C-index"


@pytest.mark.slow
def test_where_the_median_is_beyond_the_data_an_earlier_quantile_is_predicted():
    X, y, truth = make_survival(300, n_strong=2, n_weak=0, n_irrelevant=3, random_state=0)
    end = np.quantile(y["time"], 0.3)  # when the study ends
    y["event"] &= y["time"] <= end
    y["time"] = np.minimum(y["time"], end)
    found = SurvivalRelevanceRegressor(random_state=0).fit(X, y)
    assert found.quantile_ == pytest.approx(share_by_hand(y) / 2)
    assert 0.05 < found.quantile_ < 0.2
    np.testing.assert_array_equal(found.relevance_classes_, truth)
    assert found.score(X, y) > 0.8


def share_by_hand(y):
    """Kaplan and Meier's estimate: of those left at each event's time the share that goes on."""
    left = 1.0
    for time in np.unique(y["time"][y["event"]]):
        left *= 1 - (y["event"] & (y["time"] == time)).sum() / (y["time"] >= time).sum()
    return 1.0 - left


def test_no_event_is_refused(data):
    with pytest.raises(ValueError, match="y has no event"):
        SurvivalRelevanceRegressor().fit(data[0], [(1.0, 0)] * len(data[0]))
