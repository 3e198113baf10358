"""Baselines that are not the sparsest: what is equivalent to them, against programs in full."""

import numpy as np
import pytest
import scipy.sparse as sparse
from oracle import FullProblem
from sklearn.svm import SVC

from allrelevant.data import matrix_of
from allrelevant.linear.engine.baseline.euclidean import EuclideanProgram
from allrelevant.linear.engine.ranges.solver import RangeSolver
from allrelevant.linear.fit.baseline.best import (
    best_of_norm,
    equivalent_models,
    holding,
    standing_of,
)
from allrelevant.linear.fit.baseline.kinds import Given, Smoothest
from allrelevant.linear.fit.baseline.plan import Plan
from allrelevant.linear.fit.baseline.tolerance import Room, make_budgets
from allrelevant.linear.fit.problem.problem import Problem
from allrelevant.linear.fit.rows.sample import Sample
from allrelevant.linear.models import Classification, Ordinal, Regression, RejectOption
from benchmarks.soak_cases import case

MODELS = (Classification(), Regression(0.1), RejectOption(), Ordinal(3, "explicit"))


def some_problem(seed):
    random = np.random.default_rng(seed)
    model = MODELS[seed % len(MODELS)]
    n, d = int(random.integers(12, 25)), int(random.integers(2, 6))
    X = random.normal(size=(n, d))
    X[:, -1] = X[:, 0] + 0.3 * random.normal(size=n)
    value = X[:, 0] + random.normal(size=n)
    if isinstance(model, Ordinal):
        target = np.digitize(value, np.quantile(value, [0.3, 0.7])).astype(float)
    else:
        target = value if isinstance(model, Regression) else np.where(value > 0, 1.0, -1.0)
    weight = random.uniform(0.5, 2.0, size=n) if seed % 3 == 0 else np.ones(n)
    return random, Problem(model, Sample(matrix_of(X), target, np.ones(n), weight))


def baseline_of(random, problem, seed):
    """One of least Euclidean norm, or any model at all."""
    C = float(10.0 ** random.uniform(-1, 1.5))
    budget = ("split", "joint")[seed % 2]
    d = problem.n_features
    if seed % 5 < 3 or problem.model.n_offsets > 1:
        plan = Plan(baseline=Smoothest(), C=C, budget=budget)
    else:
        anything = random.normal(size=d) * random.choice([0.3, 1.0, 30.0]), float(random.normal())
        plan = Plan(baseline=Given(lambda sample: anything, "any"), C=C, budget=budget)
    return plan, plan.baseline.fit(problem, C, 1.0, chosen=False)


def check(seed):
    random, problem = some_problem(seed)
    plan, baseline = baseline_of(random, problem, seed)
    if baseline.norm <= 0:
        return 0
    full = FullProblem(problem.matrix.dense(), problem.pieces)
    standing = standing_of(problem, baseline, plan)
    size = float(random.choice([0.0, 0.001, 0.1]))
    budgets = make_budgets(plan.budget, standing.baseline, Room(size, size))
    held = holding(budgets, standing.reference)
    for mine, theirs in zip(held, budgets, strict=True):
        assert mine.limit == pytest.approx(theirs.limit, rel=1e-7, abs=1e-9)
    models = equivalent_models(problem, standing.reference, held)
    solver = RangeSolver(models)
    found = [solver.weight_range(j) for j in range(problem.n_features)]
    signed = np.array([(one.low.value, one.high.value) for one in found])
    # Room for rounding errors in the limits, which a full program takes exactly.
    expected = full.signed_intervals(held)
    np.testing.assert_allclose(signed / baseline.norm, expected / baseline.norm, atol=1e-6)
    return 1


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_ranges_are_those_of_the_full_program(seed):
    assert check(seed)


@pytest.mark.slow
def test_ranges_are_those_of_the_full_program_for_many():
    assert sum(check(seed) for seed in range(4, 34)) >= 25


@pytest.mark.parametrize("seed", range(8))
def test_the_best_model_of_a_norm_is_that_of_the_full_program(seed):
    random, problem = some_problem(seed)
    full = FullProblem(problem.matrix.dense(), problem.pieces)
    norm = float(random.uniform(0.1, 3.0))
    best = best_of_norm(problem, norm)
    limited = [np.append(full.limits, norm), sparse.vstack([full.rows, full.norm[None, :]])]
    expected = full._solve(full.loss, limited[1], limited[0]).fun
    assert best.norm <= norm * (1 + 1e-9)
    assert best.loss == pytest.approx(expected, rel=1e-7, abs=1e-7)


def test_least_euclidean_norm_is_that_of_a_support_vector_machine():
    random = np.random.default_rng(0)
    X = random.normal(size=(60, 4))
    y = np.where(X[:, 0] + 0.5 * random.normal(size=60) > 0, 1.0, -1.0)
    program = EuclideanProgram(X, Classification().pieces(y, np.ones(60)))
    found = program.solve(0.5)
    machine = SVC(kernel="linear", C=0.5, tol=1e-9).fit(X, y)
    assert found.gap < 1e-11
    np.testing.assert_allclose(found.weights, machine.coef_[0], atol=1e-6)
    np.testing.assert_allclose(found.offsets, machine.intercept_, atol=1e-6)


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.task)
def test_no_model_near_the_smoothest_costs_less(model):
    random, problem = some_problem(MODELS.index(model))
    C, squared = 0.7, model.squared_norm
    found = Smoothest().fit(problem, C, 1.0, chosen=False)

    def cost(w, b):
        norm = float(np.linalg.norm(w))
        ordered = np.maximum.accumulate(b)
        return (norm**2 if squared else norm) + C * problem.pieces.loss(
            problem.matrix.scores(w), ordered
        )

    least = cost(found.weights, found.offsets)
    for _ in range(300):
        step = 10.0 ** random.uniform(-6, 0)
        w = found.weights + step * random.normal(size=len(found.weights))
        b = found.offsets + step * random.normal(size=len(found.offsets))
        assert cost(w, b) >= least - 1e-9 * least


def test_the_smoothest_uses_nothing_where_the_loss_is_cheap():
    _, problem = some_problem(0)
    assert Smoothest().fit(problem, 1e-6, 1.0, chosen=False).norm == 0.0


def test_a_chosen_factor_is_told_as_the_factor_asked_for():
    _, problem = some_problem(0)
    chosen = Smoothest().fit(problem, 0.5, 1.0, chosen=True)
    asked = Smoothest().fit(problem, chosen.C, 1.0, chosen=False)
    np.testing.assert_allclose(asked.weights, chosen.weights, atol=1e-8)


def test_more_columns_than_rows():
    random = np.random.default_rng(1)
    X = random.normal(size=(15, 40))
    pieces = Classification().pieces(np.where(X[:, 0] > 0, 1.0, -1.0), np.ones(15))
    found = EuclideanProgram(X, pieces).solve(1.0)
    machine = SVC(kernel="linear", C=1.0, tol=1e-10).fit(X, X[:, 0] > 0)
    np.testing.assert_allclose(found.weights, machine.coef_[0], atol=1e-6)


def test_which_pieces_are_at_their_kink_may_be_seen_late():
    """Near copies: the first guess, where rounding stops the interior point, is a wrong one."""
    hard = case("l2", 17)
    spread = hard.X.std(axis=0)
    X = (hard.X - hard.X.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    pieces = Ordinal(3, "explicit").pieces(hard.y, np.ones(len(X)))
    assert EuclideanProgram(X, pieces).solve(63.26846553676411).gap < 1e-9
