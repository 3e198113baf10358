"""Products of columns: what is searched, what is taken, and what for."""

import numpy as np
import pytest
from forest_cases import table
from sklearn.linear_model import OrthogonalMatchingPursuit
from sklearn.preprocessing import PolynomialFeatures

from allrelevant import ForestRelevanceClassifier
from allrelevant.forest import products
from allrelevant.forest.linear import product_part
from allrelevant.forest.products import Columns, ProductTerms


def terms(X, y, n_classes=0, **more):
    return ProductTerms.of(table(X, y, n_classes, **more), 0).terms


def sample(n=300, d=6, seed=0):
    random = np.random.default_rng(seed)
    return random, random.standard_normal((n, d))


@pytest.mark.parametrize("seed", range(3))
def test_terms_are_those_of_scikit_learns_pursuit(seed):
    random, X = sample(seed=seed)
    y = (
        X[:, 0] * X[:, 1] * X[:, 2]
        + X[:, 3] ** 2
        + 0.5 * X[:, 4]
        + 0.5 * random.standard_normal(300)
    )
    found = terms(X, y)
    Z = Columns.of(X, np.zeros(6, dtype=bool)).transform(X)
    every = PolynomialFeatures(3, include_bias=False)
    T = every.fit_transform(Z)
    T = (T - T.mean(axis=0)) / T.std(axis=0)
    oracle = OrthogonalMatchingPursuit(n_nonzero_coefs=3).fit(T, y)
    powers = every.powers_[np.flatnonzero(oracle.coef_)]
    expected = {tuple(np.repeat(np.arange(6), row).tolist()) for row in powers}
    assert expected == {(0, 1, 2), (3, 3), (4,)}
    assert expected <= set(found)


def test_search_among_many_finds_what_trying_all_finds(monkeypatch):
    random, X = sample(200, 14)
    y = random.standard_normal(200)
    pursuits = []
    for pool in (20, 10**6):
        monkeypatch.setattr(products, "_POOL", pool)
        pursuit = products._Pursuit(X, y[:, None], np.ones(200))
        pursuits.append([pursuit._screened(degree) for degree in (1, 2, 3)])
    for degree, (few, every) in enumerate(zip(*pursuits, strict=True), 1):
        T = products._products(X / np.sqrt((X**2).mean(axis=0)), every)
        strength = np.abs(T.T @ (y - y.mean()))
        best = [every[k] for k in np.argsort(-strength)[:20]]
        assert set(few) == set(best if degree > 1 else every)


@pytest.mark.slow
def test_noise_has_hardly_a_term():
    counts = []
    for seed in range(10):
        random, X = sample(200, 20, seed)
        counts.append(len(terms(X, random.integers(0, 2, 200), n_classes=2)))
    assert np.mean(counts) < 0.7


def test_unequal_weights_are_no_evidence():
    """A few rows that count much are few rows."""
    counts = []
    for seed in range(20):
        random, X = sample(200, 8, seed)
        weight = np.where(random.random(200) < 0.1, 20.0, 1.0)
        counts.append(len(terms(X, random.standard_normal(200), weight=weight)))
    assert np.mean(counts) < 1.0


def test_units_outliers_gaps_and_scales_of_weights_change_nothing():
    random, X = sample()
    y = X[:, 0] * X[:, 1] + X[:, 2]
    found = terms(X, y)
    assert {(0, 1), (2,)} <= set(found)
    assert terms(1000.0 * X + 5.0, y) == found
    assert terms(X, y, weight=np.full(300, 7.0)) == found
    gaps = X.copy()
    gaps[random.random(X.shape) < 0.05] = np.nan
    gaps[0, 0] = 1e9
    assert {(0, 1), (2,)} <= set(terms(gaps, y))
    empty = np.hstack([X, np.full((300, 1), np.nan), np.ones((300, 1))])
    assert terms(empty, y) == found


def test_categories_take_part():
    random, X = sample()
    X[:, 1] = random.integers(0, 3, 300)
    y = np.where(X[:, 1] == 2, X[:, 4], -X[:, 4])
    part = product_part(table(X, y, 0, categorical=np.arange(6) == 1), 0)
    assert part.used[[1, 4]].all()
    assert np.corrcoef(part.raw(X), y)[0, 1] > 0.98


@pytest.mark.parametrize("d", [300, 1500])
def test_wide_tables_are_searched_less_deeply(d):
    _, X = sample(80, d)
    found = terms(X, 3 * X[:, 0] + X[:, 1])
    assert found[0] == (0,)


@pytest.mark.slow
def test_columns_that_act_only_together():
    """No split of a tree tells anything about the sign of a product of three."""
    _, X = sample(600, 6)
    y = X[:, :3].prod(axis=1) > 0
    model = ForestRelevanceClassifier(random_state=0, max_blocks=2).fit(X, y)
    assert model.learner_ == "products"
    assert model.relevance_classes_.tolist() == [2, 2, 2, 0, 0, 0]
