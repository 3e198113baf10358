"""What holds of every relevance interval, for the targets, tables and baselines that came last."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from allrelevant import RelevanceClassifier, RelevanceRegressor, SurvivalRelevanceRegressor

pytestmark = pytest.mark.slow
N = 40


def table():
    """Two columns that matter, one that does not."""
    random = np.random.default_rng(0)
    X = random.normal(size=(N, 3))
    return X, X[:, 0] + 0.5 * X[:, 1] + 0.3 * random.normal(size=N)


def of_three_classes(score):
    return np.array(["low", "middle", "high"])[np.digitize(score, [-0.6, 0.6])]


# By name: an estimator, its target, and how its table is given.
CASES = {
    "classes": (RelevanceClassifier(), of_three_classes, np.asarray),
    "survival": (
        SurvivalRelevanceRegressor(epsilon=0.1),
        lambda score: np.column_stack([np.exp(score), np.arange(N) % 4 > 0]),
        np.asarray,
    ),
    "quantile": (RelevanceRegressor(loss="quantile", quantile=0.8), np.asarray, np.asarray),
    "sparse": (RelevanceRegressor(epsilon=0.1), np.asarray, csr_array),
    "l2": (RelevanceRegressor(epsilon=0.1, baseline="l2"), np.asarray, np.asarray),
}


@pytest.fixture(scope="module", params=CASES)
def found(request):
    """What gives the intervals of other columns, and those of the table as it is."""
    estimator, target, given = CASES[request.param]
    X, score = table()

    def intervals(columns, tolerance=0.1):
        estimator.set_params(C=1.0, n_probes=5, random_state=0, tolerance=tolerance)
        return estimator.fit(given(columns), target(score)).intervals_

    return intervals, X, intervals(X)


def test_ends_are_in_order_and_a_wider_tolerance_never_narrows(found):
    intervals, X, narrow = found
    wide = intervals(X, tolerance=0.3)
    assert (narrow[:, 0] <= narrow[:, 1] + 1e-9).all()
    assert (narrow >= 0).all()
    assert (wide[:, 0] <= narrow[:, 0] + 1e-6).all()
    assert (wide[:, 1] >= narrow[:, 1] - 1e-6).all()


def test_neither_order_nor_units_nor_signs_of_columns_matter(found):
    intervals, X, expected = found
    order = [2, 0, 1]
    np.testing.assert_allclose(intervals(X[:, order]), expected[order], atol=1e-5)
    np.testing.assert_allclose(intervals(X * [1e3, -1.0, 1e-3]), expected, atol=1e-5)


def test_a_column_that_is_there_twice_is_needed_in_neither_place(found):
    intervals, X, expected = found
    assert expected[0, 0] > 0.1
    twice = intervals(X[:, [0, 1, 2, 0]])
    np.testing.assert_allclose(twice[[0, 3], 0], 0.0, atol=1e-6)
    # Either can do what one did, and more where the other has the opposite sign.
    assert (twice[[0, 3], 1] > 0.95 * expected[0, 1]).all()
