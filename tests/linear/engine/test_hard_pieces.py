"""Slacks as functions of privileged features: baselines and ranges against full programs."""

from __future__ import annotations

from functools import cache
from itertools import product

import numpy as np
import pytest
from oracle import relevance
from privileged_cases import DATA, MODELS, duplicate_privileged, hard_and_easy, worked

from allrelevant import RelevanceRegressor
from allrelevant.linear.engine.ranges.solver import RangeSolver
from allrelevant.linear.fit.problem.problem import PrivilegedProblem

every_model = pytest.mark.parametrize("name", MODELS)
every_data = pytest.mark.parametrize("data", DATA, ids=lambda data: data.__name__)

SETTINGS = [
    {"budget": budget, "tolerance": tolerance, "weighted": weighted, "gamma": gamma}
    for budget, tolerance, (weighted, gamma) in product(
        ("split", "joint"), (0.001, 0.05), ((False, 1.0), (True, 0.1), (False, 5.0))
    )
]


@cache
def case(name, data, turn=0):
    """Every model and kind of data; the settings take turns."""
    # 5 is prime to the number of settings, so all of them occur.
    k = 5 * (DATA.index(data) * len(MODELS) + list(MODELS).index(name)) + turn
    return worked(name, data, C=0.5, **SETTINGS[k % len(SETTINGS)])


@cache
def truth(name, data, turn=0):
    this = case(name, data, turn)
    return this.oracle.signed_intervals(this.models.budgets)


@cache
def ranges(name, data, turn=0):
    this = case(name, data, turn)
    return RangeSolver(this.models).ranges(range(this.n_weights), signed=True)


@every_data
@every_model
def test_baseline_objective_agrees_with_the_oracle(name, data):
    this = case(name, data)
    expected = this.oracle.baseline(this.baseline.C, this.baseline.side_price)
    assert this.baseline.objective == pytest.approx(expected, rel=1e-7)


@pytest.mark.slow
@every_data
@every_model
def test_ranges_agree_with_the_oracle(name, data):
    units = case(name, data).units[:, None]
    found = [(r.low.value, r.high.value) for r in ranges(name, data)]
    np.testing.assert_allclose(found / units, truth(name, data) / units, rtol=0, atol=1e-6)
    sizes = np.array([r.relevance for r in ranges(name, data)])
    expected = relevance(truth(name, data))
    np.testing.assert_allclose(sizes / units, expected / units, rtol=0, atol=1e-6)


@pytest.mark.slow
def test_relevances_alone_skip_programs_and_agree_all_the_same():
    skipped = 0
    for name in MODELS:
        this = worked(name, hard_and_easy, C=0.5, gamma=0.3)
        assert this.baseline.norm > 0
        solver = RangeSolver(this.models)
        ranges = solver.ranges(range(this.n_weights), signed=False)
        found, units = np.array([r.relevance for r in ranges]), this.units[:, None]
        expected = relevance(this.oracle.signed_intervals(this.models.budgets))
        np.testing.assert_allclose(found / units, expected / units, rtol=0, atol=1e-6)
        skipped += solver.skipped
    assert skipped > 0


@pytest.mark.slow
def test_the_cases_have_needed_and_dispensable_weights_of_both_kinds():
    needed, dispensable = np.zeros(2), np.zeros(2)
    for name, data in product(MODELS, DATA):
        this = case(name, data)
        smallest = relevance(truth(name, data))[:, 0] / this.units
        is_side = np.arange(this.n_weights) >= this.problem.n_features
        for side in (0, 1):
            needed[side] += (smallest[is_side == side] > 1e-3).sum()
            dispensable[side] += (smallest[is_side == side] < 1e-9).sum()
    assert (needed > 20).all()
    assert (dispensable > 20).all()


def test_most_baselines_use_features_of_both_kinds():
    used = [
        (case(name, data).baseline.norm > 0, case(name, data).baseline.side_norm > 0)
        for name, data in product(MODELS, DATA)
    ]
    assert np.mean(used, axis=0).min() > 0.6


@pytest.mark.slow
@every_data
@every_model
def test_witnesses_keep_every_row_and_the_budgets(name, data):
    """By the definition, not by the engine's pieces."""
    this = case(name, data)
    problem: PrivilegedProblem = this.problem
    plain, d = problem.plain_pieces, problem.n_features
    for k, weight_range in enumerate(ranges(name, data)):
        for end in (weight_range.low, weight_range.high):
            weights = end.witness.weights(this.models.n_features)
            scale = 1.0 + np.abs(weights).max()
            assert weights[k] == pytest.approx(end.value, abs=1e-6 * this.units[k])
            slacks = problem.slacks(weights)
            needed = plain.residuals(problem.sample.X.dense() @ weights[:d], end.witness.offsets)
            assert slacks.min() >= -1e-7 * scale
            assert (needed - slacks[: len(plain)]).max() <= 1e-7 * scale
            norm = np.abs(weights[:d]).sum()
            side = np.abs(weights[d : this.n_weights]).sum()
            loss = problem.paid[2] @ slacks
            for budget in this.models.budgets:
                spent = budget.norm * norm + budget.side * side + budget.loss * loss
                assert spent <= budget.limit * (1.0 + 1e-6) + 1e-9


# Traps


@pytest.mark.slow
@every_model
def test_weights_that_cost_next_to_nothing_stay_within_their_norm(name):
    """With γ near 0 the objective alone would let copies cancel at any size."""
    this = worked(name, duplicate_privileged, C=0.5, gamma=1e-6)
    found = RangeSolver(this.models).ranges(range(this.n_weights), signed=True)
    signed = np.array([(r.low.value, r.high.value) for r in found]) / this.units[:, None]
    expected = this.oracle.signed_intervals(this.models.budgets) / this.units[:, None]
    np.testing.assert_allclose(signed, expected, rtol=0, atol=1e-6)
    assert (np.abs(signed) <= 1.01 + 1e-6).all()


@pytest.mark.slow
@every_model
def test_a_joint_budget_lets_copies_cancel_as_far_as_it_pays_for_them(name):
    """It limits the sum alone: that is its definition, and why it is not the default."""
    this = worked(name, duplicate_privileged, C=0.5, gamma=0.01, budget="joint")
    found = RangeSolver(this.models).ranges(range(this.n_weights), signed=True)
    signed = np.array([(r.low.value, r.high.value) for r in found])
    expected = this.oracle.signed_intervals(this.models.budgets)
    np.testing.assert_allclose(signed, expected, rtol=1e-6, atol=1e-6)
    assert (np.abs(signed) / this.units[:, None]).max() > 1.5


@every_model
def test_split_budgets_give_both_norms_the_same_relative_room(name):
    this = worked(name, hard_and_easy, C=0.5, tolerance=0.03)
    norm, loss, side = this.models.budgets
    assert norm.limit == pytest.approx(1.03 * this.baseline.norm)
    assert side.limit == pytest.approx(1.03 * this.baseline.side_norm)
    assert loss.limit == pytest.approx(1.03 * this.baseline.loss)
    assert (norm.side, norm.loss, side.norm, side.loss, loss.norm, loss.side) == (0,) * 6


@every_model
def test_the_joint_budget_limits_the_whole_objective(name):
    this = worked(name, hard_and_easy, C=0.5, gamma=0.2, tolerance=0.03, budget="joint")
    (joint,) = this.models.budgets
    assert joint.limit == pytest.approx(1.03 * this.oracle.baseline(0.5, 0.2), rel=1e-6)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:with privileged features the model predicts worse:UserWarning")
@pytest.mark.parametrize(
    ("seed", "C", "gamma", "tolerance"),
    [(55, 9.759219053940402, 0.013193994251224812, 0.001), (124, 3.4879577, 0.12758383, 3.0)],
)
def test_loose_bounds_do_not_leave_a_range_in_doubt(seed, C, gamma, tolerance):
    """One budget for all bounds weights only loosely; proofs multiply by these bounds."""
    random = np.random.default_rng(seed)
    n, d, p = (int(random.integers(*ends)) for ends in ((14, 40), (1, 4), (1, 3)))
    level = random.normal(size=n)
    size = random.uniform(1, 3, n) * (random.random(n) < 0.3)
    X = random.normal(size=(n, d))
    X[:, 0] = level + size * random.choice([-1.0, 1.0], n) + random.uniform(-0.2, 0.2, n)
    if d > 2 and random.random() < 0.5:
        X[:, 2] = X[:, 0]
    privileged = random.normal(size=(n, p))
    privileged[:, 0] = size
    if p > 1 and random.random() < 0.3:
        privileged[:, 1] = privileged[:, 0]
    model = RelevanceRegressor(
        C=C, gamma=gamma, tolerance=tolerance, budget="joint", epsilon=0.1, n_probes=4
    )
    model.set_params(confidence=0.9, random_state=0).fit(X, level, X_privileged=privileged)
    assert (model.privileged_intervals_[:, 1] > 0).any()
