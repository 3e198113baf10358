"""What features of several columns explain that others leave: noise rarely, effects clearly."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from allrelevant import RelevanceClassifier, RelevanceRegressor
from allrelevant.base.progress import Progress
from allrelevant.linear.fit.baseline.plan import Plan
from allrelevant.linear.fit.conditional.comparison import conditional_test
from allrelevant.linear.fit.conditional.p_values import conditional_p_values
from allrelevant.linear.fit.conditional.together import widened
from allrelevant.linear.fit.problem.problem import problem_of
from allrelevant.linear.fit.rows.sample import Sample
from allrelevant.linear.models.regression import Regression


def problem_with(X, y, times=None):
    count = np.ones(len(y)) if times is None else times
    return problem_of(Regression(), Sample(X, y, count, count))


def levels(random, n, probabilities):
    """A category by columns; the first level is the one that others are compared with."""
    codes = random.choice(len(probabilities), n, p=probabilities)
    return np.eye(len(probabilities))[codes][:, 1:]


@pytest.fixture(scope="module")
def table():
    """A category of five levels, another of three, and two columns; the first of each matters."""
    random = np.random.default_rng(0)
    first, second = levels(random, 150, [0.2] * 5), levels(random, 150, [0.5, 0.3, 0.2])
    X = np.column_stack([first, second, random.standard_normal((150, 2))])
    y = first @ [0.0, 0.0, 1.2, 1.2] + 0.5 * X[:, 6] + random.standard_normal(150)
    return X, y, ((0, 1, 2, 3), (4, 5))


def test_columns_of_one_feature_are_asked_together(table):
    X, y, blocks = table
    p = conditional_test(problem_with(X, y), Plan(blocks=blocks), Progress()).p_values
    assert len(set(p[:4])) == 1
    assert len(set(p[4:6])) == 1
    assert p[0] < 1e-3
    assert p[6] < 1e-3
    assert p[4] > 0.01
    assert p[7] > 0.01


def test_the_coding_of_a_category_does_not_matter(table):
    X, y, blocks = table
    other = X.copy()
    other[:, 0] = 1.0 - X[:, :4].sum(axis=1)  # another level is the one to compare with
    found, again = (
        conditional_p_values(problem_with(values, y), 10.0, Progress(), blocks)[0]
        for values in (X, other)
    )
    # With so large a penalty the model has no columns. The best single level may be another one.
    assert np.log(again) == pytest.approx(np.log(found), abs=1.0)


def test_a_row_that_counts_twice_is_two_rows(table):
    X, y, blocks = table
    once = conditional_p_values(
        problem_with(np.vstack([X, X[:50]]), np.append(y, y[:50])), 10.0, Progress(), blocks
    )
    times = np.ones(len(y))
    times[:50] = 2.0
    twice = conditional_p_values(problem_with(X, y, times), 10.0, Progress(), blocks)
    np.testing.assert_allclose(np.log(twice[0]), np.log(once[0]), rtol=0.1)


def test_a_copy_of_a_category_stands_in_for_it(table):
    X, y, _ = table
    both = np.column_stack([X[:, :4], X[:, :4]])
    p = conditional_test(
        problem_with(both, y), Plan(blocks=((0, 1, 2, 3), (4, 5, 6, 7))), Progress()
    ).p_values
    assert (p < 1e-3).all()


def test_constant_columns_explain_nothing(table):
    X, y, blocks = table
    X = X.copy()
    X[:, 4:6] = 1.0
    assert (conditional_p_values(problem_with(X, y), 0.1, Progress(), blocks)[4:6] == 1.0).all()


def test_all_columns_of_a_feature_are_left_out_with_one():
    is_out = np.array([False, True, False, False, False])
    found = widened(is_out, [np.array([0, 1]), np.array([2, 3])])
    assert found.tolist() == [True, True, False, False, False]


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["normal", "two classes", "heavy tails"])
def test_noise_has_small_p_values_as_rarely_as_they_are_small(kind):
    random, p = np.random.default_rng(1), []
    shares = [0.5, 0.3, 0.1, 0.05, 0.05]
    for _ in range(40):
        X = np.column_stack([levels(random, 120, shares) for _ in range(10)])
        y = {
            "normal": random.standard_normal(120),
            "two classes": np.where(random.random(120) < 0.2, 1.0, -1.0),
            "heavy tails": random.standard_t(2, 120),
        }[kind]
        blocks = np.arange(X.shape[1]).reshape(-1, 4)
        p.append(conditional_p_values(problem_with(X, y), 10.0, Progress(), blocks)[::4])
    p = np.concatenate(p)
    for level in (0.05, 0.01):
        error = np.sqrt(level / len(p))
        assert np.mean(p <= level) == pytest.approx(level, abs=0.25 * level + 3 * error), level


# In a fit


@pytest.fixture(scope="module")
def periods():
    """Five periods, of which the last two differ in a number by less than it varies."""
    random = np.random.default_rng(2)
    period = np.repeat(list("abcde"), 30)
    table = pd.DataFrame(random.standard_normal((150, 3)), columns=["x", "y", "z"])
    target = np.isin(period, ["d", "e"]) + random.standard_normal(150)
    return table.assign(period=period)[["period", "x", "y", "z"]], target


@pytest.mark.slow
def test_a_category_is_found_although_noise_reaches_as_far_as_it_can(periods):
    model = RelevanceRegressor(random_state=0).fit(*periods)
    result = model.result_
    assert result.classes[0] > 0
    assert (result.classes[1:] == 0).all()
    assert result.only_conditional.tolist() == [True, False, False, False]
    assert result.p_values[0] < 0.005
    halves = model.stability(n_splits=3, random_state=0)
    assert halves.frequencies[0, 0] < 1.0  # in some of them it is found as well


@pytest.mark.slow
def test_noise_in_categories_is_not_found(periods):
    table, target = periods
    random = np.random.default_rng(3)
    target = random.permutation(target)
    result = RelevanceRegressor(C=0.1, random_state=0).fit(table, target).result_
    assert result.baseline["norm"] > 0
    assert (result.classes == 0).all()


@pytest.mark.slow
def test_curves_of_two_classes_are_found_where_rows_are_few():
    random = np.random.default_rng(0)
    X = random.standard_normal((300, 6))
    scores = (
        np.sin(2 * X[:, 0]) + X[:, 1] ** 2 / 2 + (X[:, 2] > 0) + 0.4 * random.logistic(size=300)
    )
    y = (scores > np.quantile(scores, 0.85)).astype(int)
    result = RelevanceClassifier(basis="spline", random_state=0).fit(X, y).result_
    assert (result.classes[:2] == 2).all()
    assert (result.classes[3:] == 0).all()
    assert result.baseline["second_test"]
