"""Slopes of features of several columns, against full linear programs, and as a test of noise."""

from itertools import permutations

import numpy as np
import pandas as pd
import pytest
from class_programs import fitted_to, programs_of, three_classes
from every_model import EveryModel, simulated_models

from allrelevant import RelevanceClassifier, RelevanceRegressor
from allrelevant.data import matrix_of
from allrelevant.linear.engine.ranges.solver import RangeSolver
from allrelevant.linear.fit.ranges.slopes import largest_slopes, slope_factors
from allrelevant.linear.models import Classification

COLUMNS = np.array([1, 2, 4])


def test_factors_are_those_of_straight_lines():
    """By least squares: what the columns add, with any weights, against one of them."""
    random = np.random.default_rng(0)
    X, count = random.normal(size=(30, 5)), random.integers(1, 4, 30).astype(float)
    X[:, 2] += X[:, 1]
    factors = slope_factors(matrix_of(X), COLUMNS, count)
    weights = np.array([0.5, -2.0, 1.5])
    for k, column in enumerate(COLUMNS):
        slope, _ = np.polyfit(X[:, column], X[:, COLUMNS] @ weights, 1, w=np.sqrt(count))
        assert factors[k] @ weights == pytest.approx(slope)
    np.testing.assert_allclose(np.diag(factors), 1.0)


def test_a_constant_of_all_levels_has_no_slope():
    codes = np.random.default_rng(0).choice(4, 50, p=[0.5, 0.3, 0.1, 0.1])
    levels = np.eye(4)[codes]
    factors = slope_factors(matrix_of(levels), np.arange(4), np.ones(50))
    np.testing.assert_allclose(factors @ np.ones(4), 0.0, atol=1e-12)


FACTORS = np.array([[1.0, 0.4, -0.3], [0.2, 1.0, 0.6], [-0.5, 0.1, 1.0]])


def test_largest_slopes_are_those_of_full_programs():
    models = simulated_models(Classification(), tolerance=0.2)
    found = largest_slopes(RangeSolver(models), COLUMNS[:, None], FACTORS, np.zeros(3))
    every = EveryModel(models)
    for own, slope in zip(FACTORS, found, strict=True):
        weights = np.zeros(models.n_features)
        weights[COLUMNS] = own
        expected = [every.greatest(every.cost(weights=sign * weights)) for sign in (1.0, -1.0)]
        assert slope == pytest.approx(max(expected), abs=1e-6)


@pytest.mark.slow
def test_of_several_classes_the_two_count_that_differ_most():
    X, y = three_classes()
    model = fitted_to(X, y)
    programs = programs_of(model)
    d = X.shape[1]
    places = COLUMNS[:, None] + d * np.arange(3)
    found = largest_slopes(RangeSolver(model.equivalent_models_), places, FACTORS, np.zeros(3))
    for own, slope in zip(FACTORS, found, strict=True):
        expected = []
        for pair in permutations(range(3), 2):
            terms = zip(own, COLUMNS, strict=True)
            cost = sum(factor * programs.difference(column, *pair) for factor, column in terms)
            expected.append(-programs.least(-cost))
        assert slope == pytest.approx(max(expected), abs=1e-6)


def test_what_is_below_need_not_be_known():
    models = simulated_models(Classification(), tolerance=0.2)
    known = largest_slopes(RangeSolver(models), COLUMNS[:, None], FACTORS, np.zeros(3))
    least = known * np.array([0.5, 2.0, 1.0])
    again = largest_slopes(RangeSolver(models), COLUMNS[:, None], FACTORS, least)
    np.testing.assert_allclose(again, np.maximum(known, least), atol=1e-6)


def noisy_category(seed):
    """Two numbers with effects, and a category of three levels without."""
    random = np.random.default_rng(seed)
    frame = pd.DataFrame({name: random.normal(size=200) for name in "ac"})
    frame["b"] = random.choice(
        list("xyz"), 200, p=[0.5, 0.3, 0.2] if seed == 0 else [0.34, 0.33, 0.33]
    )
    return frame, frame["a"] + frame["c"] + random.normal(size=200)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 1])
def test_levels_that_make_up_for_one_another_do_not_pass(seed):
    """With so wide a norm each level of noise can have a large weight."""
    frame, y = noisy_category(seed)
    model = RelevanceRegressor(
        C=0.1, epsilon=0.1, tolerance=(0.5, 0.01), n_probes=50, confidence=0.95, random_state=0
    ).fit(frame, y)
    assert model.result_.p_values[2] > 0.2
    assert model.result_.class_names == ("strong", "strong", "irrelevant")


@pytest.mark.slow
def test_a_category_with_an_effect_passes_in_all_kinds_of_targets():
    random = np.random.default_rng(0)
    frame = pd.DataFrame({"a": random.normal(size=200), "b": random.choice(list("vwxyz"), 200)})
    noise = random.normal(size=200)
    score = 2.0 * frame["b"].isin(["v", "w"]) + frame["a"] + 0.5 * noise
    kinds = {
        RelevanceRegressor: score,
        RelevanceClassifier: score > score.median(),
    }
    for estimator, y in kinds.items():
        result = estimator(random_state=0).fit(frame, y).result_
        assert result.class_names == ("strong", "strong")
    three = np.searchsorted(np.quantile(score, [0.3, 0.7]), score)
    model = RelevanceClassifier(loss="hinge", random_state=0)
    result = model.fit(frame, np.array(["low", "mid", "top"])[three]).result_
    assert result.classes[1] > 0
