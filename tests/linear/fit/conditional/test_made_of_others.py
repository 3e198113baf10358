"""Columns that others make up: which they are, and what their reach counts."""

from __future__ import annotations

import numpy as np
import pytest

from allrelevant import RelevanceClassifier
from allrelevant.base.progress import Progress
from allrelevant.linear.fit.baseline.plan import Plan
from allrelevant.linear.fit.conditional.comparison import conditional_test
from allrelevant.linear.fit.conditional.lasso import Lasso
from allrelevant.linear.fit.conditional.made_of_others import made_of_others
from allrelevant.linear.fit.conditional.p_values import least_of_upper_ends
from allrelevant.linear.fit.problem.problem import problem_of
from allrelevant.linear.fit.rows.sample import Sample
from allrelevant.linear.fit.statistics.noise import Shapes, Tail
from allrelevant.linear.fit.statistics.verdict import ConditionalPValues, judge
from allrelevant.linear.models import Regression


def problem_with(X, y):
    once = np.ones(len(y))
    return problem_of(Regression(), Sample(X, y, once, once))


def sets_of(X):
    problem = problem_with(X, np.zeros(len(X)))
    found = made_of_others(Lasso.of(problem.sample, problem.shapes.scale), problem.sample)
    return {k: own.tolist() for k, own in found.items()}


def copies_of(random, n_rows, n_columns):
    """Columns and near copies of them."""
    X = random.standard_normal((n_rows, n_columns))
    return np.hstack([X, X + 0.1 * random.standard_normal(X.shape)])


def test_sums_copies_and_parts_of_a_whole_are_made_of_others():
    random = np.random.default_rng(0)
    X = random.standard_normal((300, 12))
    X[:, 2] = X[:, 0] - 3.0 * X[:, 1]
    X[:, 4] = X[:, 3] + 0.1 * random.standard_normal(300)
    X[:, 5:9] = random.dirichlet(np.ones(4), 300)
    X[:, 9] = 1.0
    sets = sets_of(X)
    assert sets == {k: own for own in ([0, 1, 2], [3, 4], [5, 6, 7, 8]) for k in own}
    # A correlation of 0.9 inflates variances by 5.
    X[:, 11] = X[:, 10] + 0.48 * random.standard_normal(300)
    assert sets_of(X) == sets


def test_few_rows_make_no_column_of_others():
    X = np.random.default_rng(1).standard_normal((120, 55))
    assert not sets_of(X)
    assert not sets_of(X[:80])
    assert not sets_of(X[:50])


def test_a_reach_is_no_rarer_than_what_all_together_explain():
    random = np.random.default_rng(2)
    X = copies_of(random, 300, 4)
    y = (X[:, 0] - X[:, 4]) / 0.1 + 2.0 * random.standard_normal(300)
    problem = problem_with(X, y)
    found = conditional_test(problem, Plan(), Progress())
    assert (found.p_values[[0, 4]] > 0.002).all()  # neither goes with the target by itself
    assert (found.least[[0, 4]] < 1e-6).all()
    assert (found.least[[1, 2, 3, 5, 6, 7]] > 0.01).all()
    np.testing.assert_array_equal(found.among(problem).least, found.least)
    # Who passes by the conditional test needs no reach; nor is a column of several asked by itself.
    penalty = found.penalty
    assert not least_of_upper_ends(problem, penalty, np.zeros(8)).any()
    assert not least_of_upper_ends(problem, penalty, np.ones(8), [range(8)]).any()


def test_noise_that_is_made_of_others_explains_as_little_as_it_may():
    random = np.random.default_rng(3)
    p = []
    for _ in range(60):
        problem = problem_with(copies_of(random, 80, 3), random.standard_normal(80))
        p.append(conditional_test(problem, Plan(), Progress()).least[:3])
    p = np.concatenate(p)
    assert (p > 0).mean() > 0.9
    assert np.mean(p <= 0.1) == pytest.approx(0.1, abs=3.0 * np.sqrt(0.1 / len(p)))


def test_neither_passes_a_reach_nor_is_it_called_close():
    shapes = Shapes(np.full(3, 0.8), np.ones(3))
    random = np.random.default_rng(4)
    tail = Tail.of(random.exponential(size=100), Shapes(np.full(100, 0.8), np.ones(100)))
    reach = np.array([40.0, 40.0, 40.0])
    conditional = ConditionalPValues(np.full(3, 0.5), least=np.array([0.0, 0.001, 0.003]))
    found = judge(tail, reach, shapes, fdr=0.1, conditional=conditional)
    assert found.passed.tolist() == [True, True, False]
    assert found.p_values[1:].tolist() == [0.002, 0.006]
    assert not found.borderline.any()
    np.testing.assert_array_equal(reach > found.thresholds, found.passed)


@pytest.mark.parametrize("seed", [0, 1])
def test_an_effect_of_a_difference_does_not_make_other_copies_relevant(seed):
    random = np.random.default_rng(seed)
    X = copies_of(random, 300, 5)
    y = random.random(300) < 1.0 / (1.0 + np.exp(-1.2 * (X[:, 0] - X[:, 5]) / 0.1))
    model = RelevanceClassifier(random_state=0).fit(X, y.astype(int))
    assert np.flatnonzero(model.relevance_classes_ == 2).tolist() == [0, 5]
    assert np.flatnonzero(model.relevance_classes_).tolist() == [0, 5]
