"""Numbers of which many are the same: the loss of the mean beside that of the middle."""

from __future__ import annotations

import numpy as np
import pytest

from allrelevant import RelevanceRegressor
from allrelevant.linear.models import Huber


def costs(n=200, seed=0):
    """Two features decide whether there are costs; for most there are none."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(n, 5))
    there_are = X[:, 0] - X[:, 1] + random.logistic(scale=0.5, size=n) > 1.2
    return X, there_are * random.gamma(2.0, 1.0, n)


@pytest.mark.slow
def test_where_most_rows_are_zero_features_that_move_the_mean_are_found():
    X, y = costs()
    assert (y == 0).mean() > 0.6
    model = RelevanceRegressor(random_state=0).fit(X, y)
    assert (model.loss_, model.epsilon_) == ("huber", 0.0)
    np.testing.assert_array_equal(model.relevance_classes_ > 0, np.arange(5) < 2)
    assert "Huber loss" in str(model.result_)
    with pytest.warns(UserWarning, match="no learnable signal"):
        middle = RelevanceRegressor(loss="epsilon_insensitive", random_state=0).fit(X, y)
    assert middle.loss_ == "epsilon_insensitive"
    others = costs(2000, seed=1)
    assert model.score(*others) > 0.1 > middle.score(*others)


@pytest.mark.slow
def test_plain_numbers_and_a_given_epsilon_keep_the_usual_loss():
    random = np.random.default_rng(0)
    X = random.normal(size=(80, 3))
    y = X[:, 0] + 0.3 * random.normal(size=80)
    plain = RelevanceRegressor(n_probes=5, random_state=0).fit(X, y)
    usual = plain.__class__(loss="epsilon_insensitive", n_probes=5, random_state=0).fit(X, y)
    assert plain.loss_ == usual.loss_ == "epsilon_insensitive"
    np.testing.assert_array_equal(plain.intervals_, usual.intervals_)
    often = np.maximum(y, 0.0)
    given = RelevanceRegressor(epsilon=0.1, n_probes=5, random_state=0).fit(X, often)
    assert (given.loss_, given.epsilon_) == ("epsilon_insensitive", 0.1)


def test_the_loss_lies_between_chords_of_a_squared_one_and_is_straight_beyond():
    """Kinks are where slices of equal size have their middles."""
    model = Huber(n_kinks=4, straight_from=2.0)
    np.testing.assert_allclose(model.kinks, [0.25, 0.75, 1.25, 1.75])
    pieces = model.pieces(np.zeros(1), np.ones(1))

    def loss(deviation):
        return pieces.loss(np.array([deviation]), np.zeros(1)) * model.straight_from

    for slice_end in (0.0, 0.5, 1.0, 1.5, 2.0):
        assert loss(slice_end) == pytest.approx(slice_end**2 / 2)
        assert loss(-slice_end) == pytest.approx(slice_end**2 / 2)
    assert loss(5.0) == pytest.approx(2.0**2 / 2 + 2.0 * 3.0)


def test_what_does_not_go_with_it_is_refused():
    X, y = costs(40)
    with pytest.raises(ValueError, match=r"epsilon=0\.1 .*loss='huber' every deviation counts"):
        RelevanceRegressor(loss="huber", epsilon=0.1).fit(X, y)
    with pytest.raises(ValueError, match="loss='huber' is for features that are not privileged"):
        RelevanceRegressor(loss="huber").fit(X, y, X_privileged=X[:, :1])
