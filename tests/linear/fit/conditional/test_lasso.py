"""The lasso of a table: equal to scikit-learn's on all columns at once, however rows are stored."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.linear_model import Lasso as WholeLasso

from allrelevant.data import matrix_of
from allrelevant.linear.fit.conditional.lasso import Lasso, chosen_penalty
from allrelevant.linear.fit.rows.folds import make_splits
from allrelevant.linear.fit.rows.sample import Sample


@pytest.fixture(scope="module")
def table():
    random = np.random.default_rng(0)
    X = random.standard_normal((60, 150)) * random.uniform(0.5, 2.0, 150)
    y = X[:, :3] @ [1.0, -1.0, 0.5] + random.standard_normal(60)
    return X, y, random.uniform(0.5, 2.0, 60)


def lasso_of(X, y, weight, scale=None):
    scale = np.std(X, axis=0) if scale is None else scale
    return Lasso(matrix_of(X), y, weight / weight.sum(), scale)


def whole(X, y, weight, penalty, scale):
    """All columns at once."""
    fit = WholeLasso(alpha=penalty, max_iter=100_000, tol=1e-10)
    return fit.fit(X / scale, y, sample_weight=weight)


@pytest.mark.parametrize("part", [0.6, 0.2, 0.08])
def test_it_is_the_lasso_of_all_columns(table, part):
    X, y, weight = table
    lasso = lasso_of(*table)
    penalty = part * lasso.empty.penalty
    model = lasso.solve(penalty, lasso.empty)
    reference = whole(X, y, weight, penalty, lasso.scale)
    found = np.zeros(X.shape[1])
    found[model.used] = model.weights
    np.testing.assert_allclose(found, reference.coef_, atol=2e-3)
    np.testing.assert_allclose(
        model.rest, y - reference.predict(X / lasso.scale), atol=0.01 * np.std(y)
    )
    assert np.abs(model.pulls).max() <= penalty * 1.01


def test_columns_can_be_left_out(table):
    X, y, weight = table
    lasso = lasso_of(*table)
    near = lasso.solve(0.2 * lasso.empty.penalty, lasso.empty)
    without = np.zeros(150, dtype=bool)
    without[[0, 7]] = True
    model = lasso.solve(near.penalty, near, without)
    assert 0 in near.used
    assert not without[model.used].any()
    kept = np.flatnonzero(~without)
    reference = whole(X[:, kept], y, weight, near.penalty, lasso.scale[kept])
    rest = y - reference.predict(X[:, kept] / lasso.scale[kept])
    np.testing.assert_allclose(model.rest, rest, atol=0.01 * np.std(y))


def test_a_sparse_table_has_the_same_lasso(table):
    X, y, weight = table
    X = np.where(np.abs(X) > 1.0, X, 0.0)
    X[:, 4] = 0.0
    dense, sparse = lasso_of(X, y, weight), lasso_of(sp.csr_array(X), y, weight, X.std(axis=0))
    penalty = 0.15 * dense.empty.penalty
    one, other = dense.solve(penalty, dense.empty), sparse.solve(penalty, sparse.empty)
    np.testing.assert_array_equal(one.used, other.used)
    np.testing.assert_allclose(one.rest, other.rest, atol=1e-6)
    assert one.pulls[4] == 0.0


@pytest.mark.slow
def test_the_penalty_is_that_of_the_least_error_on_rows_left_out(table):
    X, y, weight = table
    sample = Sample(X, y, np.ones(60), weight)
    splits = make_splits(sample, 5, has_classes=False)
    penalty = chosen_penalty(sample, X.std(axis=0), splits)

    def error(penalty):
        total = 0.0
        for split in splits:
            fit = whole(X[split.train], y[split.train], weight[split.train], penalty, X.std(axis=0))
            away = y[split.test] - fit.predict(X[split.test] / X.std(axis=0))
            total += weight[split.test] @ away**2
        return total

    largest = lasso_of(*table).empty.penalty
    tried = [error(part * largest) for part in np.geomspace(1.0, 0.05, 40)]
    assert error(penalty) == pytest.approx(min(tried), rel=1e-3)
