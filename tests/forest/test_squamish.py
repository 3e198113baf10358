"""The thesis's algorithm."""

import numpy as np
import pytest
from forest_cases import classifier, regressor

from allrelevant import SquamishRecipe
from allrelevant.forest import squamish as thesis


def linear_data(n=150):
    rng = np.random.default_rng(0)
    z = rng.standard_normal((n, 2))
    X = np.column_stack([z[:, 0], z[:, 1], z[:, 1] + 1.0, rng.standard_normal((n, 2))])
    return X, z.sum(axis=1)


@pytest.mark.slow
def test_two_classes():
    X, score = linear_data()
    model = classifier(method="squamish").fit(X, (score > 0).astype(int))
    np.testing.assert_array_equal(model.support_, [True, True, True, False, False])
    assert model.relevance_classes_[0] == 2
    assert model.score(X, (score > 0).astype(int)) > 0.9
    assert model.learner_ == "squamish"


@pytest.mark.slow
def test_what_the_program_does_and_what_the_text_says():
    X, score = linear_data()
    y = (score > 0).astype(int)
    program, text = (classifier(method=m).fit(X, y) for m in ("squamish", "squamish-text"))
    assert not program.support_[3:].any()
    assert not text.support_[3:].any()
    # Forests of one seed differ less, so that more is strong.
    assert (program.relevance_classes_ >= text.relevance_classes_).all()


@pytest.mark.slow
def test_a_recipe_has_each_difference_by_itself(monkeypatch):
    monkeypatch.setattr(thesis, "_ALPHA", 5)
    monkeypatch.setattr(thesis, "_ROUNDS", 10)
    X, score = linear_data(80)
    y = (score > 0).astype(int)
    found = [
        classifier(method=method).fit(X, y).result_.minimal_importances
        for method in (SquamishRecipe(), "squamish", SquamishRecipe(minimal_share=1.0))
    ]
    np.testing.assert_array_equal(found[0], found[1])
    assert (found[1] != found[2]).any()
    with pytest.raises(ValueError, match="percentile must be"):
        SquamishRecipe(percentile=101.0)


@pytest.mark.slow
def test_rows_given_twice_are_two_rows(monkeypatch):
    """The thesis fits bootstrap samples: a leaf of 20 rows holds 20, however many are equal."""
    monkeypatch.setattr(thesis, "_ALPHA", 5)
    seen = []
    forest_of = thesis._forest
    monkeypatch.setattr(thesis, "_forest", lambda *a: seen.append(len(a[1])) or forest_of(*a))
    X, score = linear_data(60)
    y = (score > 0).astype(int)
    twice = classifier(method="squamish").fit(np.vstack([X, X]), np.append(y, y))
    weighed = classifier(method="squamish").fit(X, y, sample_weight=np.full(60, 2.0))
    assert set(seen) == {120}
    np.testing.assert_array_equal(twice.relevance_classes_, weighed.relevance_classes_)


def test_trees_are_as_many_as_boruta_takes():
    assert thesis._trees_for(12) == int(100 * 24 / (np.sqrt(24) * 5))
    assert thesis._trees_for(1) > 0


@pytest.mark.slow
def test_numbers():
    X, score = linear_data()
    model = regressor(method="squamish").fit(X, score)
    np.testing.assert_array_equal(model.support_, [True, True, True, False, False])


@pytest.mark.slow
def test_the_same_answer_again(monkeypatch):
    monkeypatch.setattr(thesis, "_ALPHA", 5)
    X, score = linear_data(60)
    one, two = (regressor(method="squamish").fit(X[:, :3], score) for _ in range(2))
    np.testing.assert_array_equal(one.intervals_, two.intervals_)
    np.testing.assert_array_equal(one.relevance_classes_, two.relevance_classes_)


@pytest.mark.slow
def test_noise():
    rng = np.random.default_rng(0)
    with pytest.warns(UserWarning, match="no learnable signal"):
        model = classifier(method="squamish").fit(
            rng.standard_normal((100, 6)), rng.integers(0, 2, 100)
        )
    assert not model.support_.any()


def test_boruta_decisions_follow_the_binomial_distribution():
    hits = np.array([20, 10, 0])
    accepted, rejected = thesis._decide(hits, np.ones(3, dtype=bool), 20)
    np.testing.assert_array_equal(accepted, [True, False, False])
    np.testing.assert_array_equal(rejected, [False, False, True])
    decided, _ = thesis._decide(hits, np.array([False, True, True]), 20)
    assert not decided.any()


def test_interval_holds_its_level():
    values = np.random.default_rng(0).standard_normal(50)
    low, high = thesis._interval(values)
    assert low < values.min() < values.max() < high
    assert (high + low) / 2 == pytest.approx(values.mean())
