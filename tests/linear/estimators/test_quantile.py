import numpy as np
import pytest
from sklearn.metrics import d2_pinball_score

from allrelevant import RelevanceRegressor
from allrelevant.datasets import make_regression

QUICK = {"C": 0.3, "n_probes": 5, "random_state": 0}


@pytest.fixture(scope="module")
def data():
    X, y, _ = make_regression(
        120, n_strong=1, n_weak=2, n_irrelevant=2, label_noise=0.3, random_state=0
    )
    return X, y


@pytest.mark.slow
@pytest.mark.parametrize("q", [0.1, 0.9])
def test_so_many_targets_are_below_the_prediction(q, data):
    X, y = data
    model = RelevanceRegressor(loss="quantile", quantile=q, **QUICK).fit(X, y)
    assert (y < model.predict(X)).mean() == pytest.approx(q, abs=0.03)
    expected = d2_pinball_score(y, model.predict(X), alpha=q)
    assert model.score(X, y) == pytest.approx(expected)
    own = model.model_.score(y, model.predict(X), np.ones(len(y)))
    assert own == pytest.approx(expected, abs=0.01)  # which interpolates between two values
    assert model.result_.baseline["score_name"] == "D² of the pinball loss"


@pytest.mark.slow
def test_the_median_is_that_of_plain_distances(data):
    X, y = data
    half = RelevanceRegressor(loss="quantile", **QUICK | {"C": 0.6}).fit(X, y)
    plain = RelevanceRegressor(epsilon=0.0, **QUICK).fit(X, y)
    np.testing.assert_allclose(half.intervals_, plain.intervals_, atol=1e-6)


def test_epsilon_is_for_the_other_loss(data):
    with pytest.raises(ValueError, match=r"epsilon=0\.1 is for loss='epsilon_insensitive'"):
        RelevanceRegressor(loss="quantile", epsilon=0.1).fit(*data)
