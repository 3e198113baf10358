"""Tables with more features than rows: few features used, and noise told by the features, too."""

import numpy as np
import pytest

from allrelevant import RelevanceClassifier, RelevanceRegressor

N, D = 60, 90


@pytest.fixture(scope="module")
def table():
    random = np.random.default_rng(3)
    X = random.normal(size=(N, D))
    return X, X[:, 0] - X[:, 1] + 0.3 * random.normal(size=N)


def fitted(estimator, X, y):
    return estimator.fit(X, y), estimator.fitted_set_.analysis


@pytest.mark.slow
def test_features_tell_of_the_noise_beside_many_probes(table):
    model, analysis = fitted(RelevanceRegressor(random_state=0), *table)
    assert len(model.result_.probes) >= 200
    assert analysis.tail.n_beyond > 0
    assert len(analysis.tail.ordered) > len(model.result_.probes) + 0.9 * D
    assert model.relevance_classes_[:2].tolist() == [2, 2]
    assert model.support_[2:].sum() <= 1, "one in ten discoveries may be false"
    assert model.result_.baseline["n_used"] <= N / 6


@pytest.mark.slow
def test_with_few_probes_features_do_not_tell(table):
    _, analysis = fitted(RelevanceRegressor(n_probes=20, random_state=0), *table)
    assert analysis.tail.n_beyond == 0
    assert len(analysis.tail.ordered) == 20


@pytest.mark.slow
def test_a_regression_ignores_small_errors_unless_that_is_clearly_worse(table):
    X, y = table
    assert RelevanceRegressor(random_state=0, n_probes=5).fit(X, y).epsilon_ in (0.1, 0.5)
    clear = X[:, 0] - X[:, 1]
    assert RelevanceRegressor(random_state=0, n_probes=5).fit(X, clear).epsilon_ == 0.1
    noisy = X[:, 0] + 1.5 * np.random.default_rng(0).normal(size=N)
    assert RelevanceRegressor(random_state=0, n_probes=5).fit(X, noisy).epsilon_ == 0.5


@pytest.mark.slow
def test_half_as_many_features_as_rows_leave_a_third_of_them_at_most():
    random = np.random.default_rng(0)
    X = random.normal(size=(60, 40))
    y = (X[:, 0] + random.normal(size=60) > 0).astype(int)
    with pytest.warns(UserWarning, match="^5 probes are too few"):
        model = RelevanceClassifier(random_state=0, n_probes=5).fit(X, y)
    assert 0 < model.result_.baseline["n_used"] <= 20
