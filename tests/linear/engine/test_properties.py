"""What holds for every data set: monotonicity, symmetry, and weights as repetitions."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from helpers import encode, equivalent_models, reference_norm, solved_ranges, with_columns
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from allrelevant.linear.engine.baseline.penalised import PenalisedPath
from allrelevant.linear.engine.program.equivalent import EquivalentModels, Reference
from allrelevant.linear.engine.program.limits import joint_budget, split_budgets
from allrelevant.linear.models import Classification, Ordinal, Regression, RejectOption

pytestmark = pytest.mark.slow

CLOSE = 1e-6  # of the reference's norm

few = settings(derandomize=True, deadline=None, max_examples=25)
models = st.sampled_from(
    [
        Classification(),
        Regression(0.0),
        Regression(0.3),
        Ordinal(3, "explicit"),
        Ordinal(3, "implicit"),
        RejectOption(0.2),
    ]
)
solvers = st.sampled_from(["simplex", "interior"])
budgets = st.sampled_from(["split", "joint"])
strengths = st.sampled_from([0.2, 1.0, 5.0])
tolerances = st.sampled_from([0.001, 0.02, 0.1, 0.3])


@st.composite
def tables(draw):
    """X and a score: few levels per column, so that ties and degenerate vertices happen."""
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n, d = draw(st.integers(10, 28)), draw(st.integers(2, 5))
    levels = draw(st.sampled_from([1, 2, 4, None]))
    if levels is None:
        X = random.normal(size=(n, d))
    else:
        X = random.integers(-levels, levels + 1, size=(n, d)).astype(float)
    coefficients = np.array(draw(st.lists(st.integers(-2, 2), min_size=d, max_size=d)), float)
    coefficients[0] = coefficients[0] or 1.0
    noise = draw(st.sampled_from([0.0, 0.5, 2.0]))
    return X, X @ coefficients + noise * random.normal(size=n)


def learnable(model, table, C, tolerance, budget, weight=None):
    """Equivalent models of a table, where there is something to learn."""
    X, score = table
    target = encode(model, score)
    assume(len(np.unique(target)) > 1)
    found = equivalent_models(model, X, target, C, tolerance, budget, weight)
    assume(found.reference.weights.any())
    return found, target


@few
@given(tables(), models, strengths, tolerances, budgets, solvers)
def test_ends_are_in_order_and_enclose_the_reference(table, model, C, tolerance, budget, solver):
    this, _ = learnable(model, table, C, tolerance, budget)
    _, signed, absolute = solved_ranges(this, solver)
    slack = CLOSE * reference_norm(this)
    assert (signed[:, 0] <= signed[:, 1] + slack).all()
    assert (signed[:, 0] <= this.reference.weights + slack).all()
    assert (signed[:, 1] >= this.reference.weights - slack).all()
    assert (absolute[:, 0] <= absolute[:, 1] + slack).all()
    assert (absolute[:, 1] <= this.largest_norm + slack).all()


@few
@given(tables(), models, strengths, tolerances, budgets, solvers)
def test_a_wider_tolerance_never_narrows_an_interval(table, model, C, tolerance, budget, solver):
    this, _ = learnable(model, table, C, tolerance, budget)
    wider = replace(
        this, budgets=tuple(replace(b, limit=b.limit * 1.05 + 1e-3) for b in this.budgets)
    )
    _, narrow, _ = solved_ranges(this, solver)
    _, wide, _ = solved_ranges(wider, solver)
    slack = CLOSE * reference_norm(this)
    assert (wide[:, 0] <= narrow[:, 0] + slack).all()
    assert (wide[:, 1] >= narrow[:, 1] - slack).all()


def _without(this, feature):
    """The same budgets without a feature, around a model that keeps them; None if none does."""
    X = np.delete(this.X.dense(), feature, axis=1)
    best = PenalisedPath(X, this.pieces).solve(this.reference.C)
    for budget in this.budgets:
        if budget.norm * best.norm + budget.loss * best.loss > budget.limit * (1 - 1e-6):
            return None
    reference = Reference(best.weights, best.offsets, best.row_duals, best.C, best.objective)
    return EquivalentModels(X, this.pieces, this.budgets, reference)


@few
@given(tables(), models, strengths, budgets, solvers, st.integers(0, 4))
def test_forbidding_a_feature_never_widens_the_others(table, model, C, budget, solver, which):
    this, _ = learnable(model, table, C, 0.3, budget)
    forbidden = which % this.n_features
    fewer = _without(this, forbidden)
    assume(fewer is not None)
    _, before, _ = solved_ranges(this, solver)
    _, after, _ = solved_ranges(fewer, solver)
    before = np.delete(before, forbidden, axis=0)
    slack = CLOSE * reference_norm(this)
    assert (after[:, 0] >= before[:, 0] - slack).all()
    assert (after[:, 1] <= before[:, 1] + slack).all()


@few
@given(tables(), models, strengths, tolerances, budgets, solvers, st.sampled_from([1.0, -1.0]))
def test_a_copied_column_makes_both_copies_dispensable(
    table, model, C, tolerance, budget, solver, sign
):
    X, score = table
    doubled = np.column_stack([X, sign * X[:, 0]])
    this, _ = learnable(model, (doubled, score), C, tolerance, budget)
    _, signed, absolute = solved_ranges(this, solver)
    assert absolute[0, 0] == 0.0
    assert absolute[-1, 0] == 0.0
    mirrored = signed[0] if sign > 0 else -signed[0, ::-1]
    np.testing.assert_allclose(signed[-1], mirrored, rtol=0, atol=CLOSE * reference_norm(this))


@few
@given(tables(), models, strengths, tolerances, solvers, st.randoms(use_true_random=False))
def test_permuting_columns_permutes_the_answers(table, model, C, tolerance, solver, shuffler):
    X, score = table
    order = np.array(shuffler.sample(range(X.shape[1]), X.shape[1]))
    # The joint budget is unique given the data, so both sides find their own reference.
    this, target = learnable(model, (X, score), C, tolerance, "joint")
    other = equivalent_models(model, X[:, order], target, C, tolerance, "joint")
    # The split one depends on which minimum was found: here it is carried over.
    split, _ = learnable(model, (X, score), C, tolerance, "split")
    carried = with_columns(split, X[:, order], split.reference.weights[order])
    for left, right in ((this, other), (split, carried)):
        _, expected, _ = solved_ranges(left, solver)
        _, got, _ = solved_ranges(right, solver)
        slack = CLOSE * reference_norm(left)
        np.testing.assert_allclose(got, expected[order], rtol=0, atol=slack)


@few
@given(tables(), models, strengths, tolerances, solvers, st.randoms(use_true_random=False))
def test_permuting_rows_changes_nothing(table, model, C, tolerance, solver, shuffler):
    X, score = table
    order = np.array(shuffler.sample(range(len(X)), len(X)))
    this, target = learnable(model, (X, score), C, tolerance, "joint")
    other = equivalent_models(model, X[order], target[order], C, tolerance, "joint")
    _, expected, _ = solved_ranges(this, solver)
    _, got, _ = solved_ranges(other, solver)
    np.testing.assert_allclose(got, expected, rtol=0, atol=CLOSE * reference_norm(this))


@few
@given(tables(), models, strengths, tolerances, budgets, solvers, st.data())
def test_a_row_of_weight_two_is_a_row_given_twice(table, model, C, tolerance, budget, solver, data):
    X, _ = table
    counts = data.draw(st.lists(st.integers(1, 3), min_size=len(X), max_size=len(X)))
    this, target = learnable(model, table, C, tolerance, "joint", np.array(counts, float))
    repeated = np.repeat(np.arange(len(X)), counts)
    other = equivalent_models(model, X[repeated], target[repeated], C, tolerance, "joint")
    assert other.reference.objective == pytest.approx(this.reference.objective, rel=1e-7)
    if budget == "split":  # with the limits of one of the minima, for there may be several
        norm = reference_norm(this)
        loss = (this.reference.objective - norm) / C
        limits = split_budgets((1 + tolerance) * norm, (1 + tolerance) * loss)
        this = replace(this, budgets=limits)
        shared = replace(this.reference, row_duals=None)
        other = replace(other, budgets=limits, reference=shared)
    else:
        limits = joint_budget(C, (1 + tolerance) * this.reference.objective)
        this, other = replace(this, budgets=limits), replace(other, budgets=limits)
    _, expected, _ = solved_ranges(this, solver)
    _, got, _ = solved_ranges(other, solver)
    np.testing.assert_allclose(got, expected, rtol=0, atol=CLOSE * reference_norm(this))
