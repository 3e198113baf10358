"""Ranges against full linear programs, over data that is noisy, degenerate or badly scaled."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from itertools import product

import numpy as np
import pytest
from helpers import (
    MANY_PIECES,
    MODELS,
    encode,
    equivalent_models,
    guest_reach,
    loss_by_formula,
    oracle_ends,
    reference_norm,
    signed_ends,
    solved_ranges,
)
from oracle import FullProblem

from allrelevant.linear.engine.program.direction import Direction
from allrelevant.linear.engine.program.equivalent import EquivalentModels
from allrelevant.linear.engine.program.optimum import SolverError
from allrelevant.linear.engine.ranges import solver as ranges_module
from allrelevant.linear.engine.ranges.solver import RangeSolver

SOLVERS = ("simplex", "interior", "auto")


# Data: each gives X and a score that the target follows.


def _signal(random, X, noise):
    coefficients = np.zeros(X.shape[1])
    coefficients[:3] = 2.0, -1.5, 1.0
    return X @ coefficients + noise * random.normal(size=len(X))


def noisy(random):
    X = random.normal(size=(80, 8))
    return X, _signal(random, X, 1.5)


def separable(random):
    X = random.normal(size=(60, 7))
    return X, _signal(random, X, 0.0)


def duplicate_columns(random):
    X = random.normal(size=(70, 5))
    return np.column_stack([X, X[:, 0], -X[:, 1], X[:, 4]]), _signal(random, X, 1.0)


def constant_column(random):
    X = random.normal(size=(60, 7))
    X[:, 3] = 0.0
    return X, _signal(random, X, 1.0)


def collinear_columns(random):
    X = random.normal(size=(70, 6))
    return np.column_stack([X, X[:, 0] + X[:, 1]]), _signal(random, X, 1.0)


def duplicate_rows(random):
    X = random.normal(size=(30, 6))
    score = _signal(random, X, 1.0)
    return np.vstack([X, X, X[:15]]), np.concatenate([score, score, score[:15]])


def integers(random):
    X = random.integers(-2, 3, size=(70, 7)).astype(float)
    return X, np.round(_signal(random, X, 1.0))


def wide(random):
    X = random.normal(size=(20, 36))
    return X, _signal(random, X, 0.5)


def badly_scaled(random):
    X = random.normal(size=(70, 7))
    score = _signal(random, X, 1.0)
    return X * np.array([1e3, 1.0, 1e-3, 1e3, 1e-3, 1.0, 1.0]), score


def all_noise(random):
    return random.normal(size=(60, 7)), random.normal(size=60)


def label_among_features(random):
    X = random.normal(size=(60, 6))  # the label itself is put in once it is known
    return X, _signal(random, X, 1.5)


DATA = (
    noisy,
    separable,
    duplicate_columns,
    constant_column,
    collinear_columns,
    duplicate_rows,
    integers,
    wide,
    badly_scaled,
    all_noise,
    label_among_features,
)
STRENGTH = {separable: 100.0, all_noise: 4.0}  # C, where it is not the usual one


@dataclass(frozen=True)
class Case:
    data: object
    model: str
    tolerance: float
    budget: str
    weighted: bool
    C: float
    floor: float = 0.0

    def __str__(self):
        words = [self.data.__name__, self.model, f"{self.tolerance:g}", self.budget]
        return "-".join(words + ["weighted"] * self.weighted + ["floor"] * (self.floor > 0))


def _cases():
    """Every kind of data with every model; the settings take turns."""
    settings = list(product((0.001, 0.1), ("split", "joint"), (False, True)))
    for k, (data, model) in enumerate(product(DATA, MODELS)):
        C = STRENGTH.get(data, 0.3) * (2.0 if model in MANY_PIECES else 1.0)
        # 3 is prime to the number of settings, so all of them meet all data and all models.
        yield Case(data, model, *settings[3 * k % len(settings)], C)
    for model in MODELS:
        yield Case(separable, model, 0.1, "split", False, 100.0, floor=0.1)


CASES = tuple(_cases())
USUAL = (noisy, duplicate_columns)  # enough for every edit; the others are for every commit


def _tried(*case_and_more):
    marks = [] if case_and_more[0].data in USUAL else pytest.mark.slow
    return pytest.param(*case_and_more, id="-".join(map(str, case_and_more)), marks=marks)


every_case = pytest.mark.parametrize("case", [_tried(case) for case in CASES])


def _with_solvers():
    """Both methods on the usual data; on others they take turns.

    "auto" is one of the two in every program.
    """
    for k, case in enumerate(CASES):
        own = SOLVERS[:2] if case.data in USUAL else SOLVERS[k % 2 : k % 2 + 1]
        yield from (_tried(case, solver) for solver in own)


every_case_and_solver = pytest.mark.parametrize(("case", "solver"), list(_with_solvers()))


@dataclass(frozen=True, eq=False)
class Problem:
    """A case worked out: the models, and everything that checks them."""

    case: Case
    models: EquivalentModels
    target: np.ndarray
    weight: np.ndarray

    @property
    def norm(self):
        return reference_norm(self.models)


@cache
def problem(case):
    random = np.random.default_rng([DATA.index(case.data), list(MODELS).index(case.model)])
    model = MODELS[case.model]
    X, score = case.data(random)
    if case.model in MANY_PIECES and case.data is not wide:
        X, score = X[::2], score[::2]
    target = encode(model, score)
    if case.data is label_among_features:
        X = np.column_stack([X, target])
    weight = random.uniform(0.2, 3.0, len(X)) if case.weighted else np.ones(len(X))
    models = equivalent_models(
        model, X, target, case.C, case.tolerance, case.budget, weight, floor=case.floor
    )
    return Problem(case, models, target, weight)


@cache
def truth(case):
    return oracle_ends(problem(case).models)


@cache
def found(case, solver):
    return solved_ranges(problem(case).models, solver)


# Against the oracle


@every_case
def test_baseline_objective_agrees_with_the_oracle(case):
    models = problem(case).models
    norm, loss = FullProblem(models.X.dense(), models.pieces).baseline(case.C)
    assert models.reference.objective == pytest.approx(norm + case.C * loss, rel=1e-7)
    assert models.reference.weights.any() or case.data is all_noise


@pytest.mark.slow
@every_case_and_solver
def test_intervals_agree_with_the_oracle(case, solver):
    for ends, expected in zip(found(case, solver)[1:], truth(case), strict=True):
        np.testing.assert_allclose(ends, expected, rtol=0, atol=1e-6 * problem(case).norm)


@every_case_and_solver
def test_smallest_relevance_is_exactly_zero_where_the_interval_contains_zero(case, solver):
    _, _, absolute = found(case, solver)
    low, high = truth(case)[0].T
    dispensable = (low < -1e-9) & (high > 1e-9)
    assert (absolute[dispensable, 0] == 0.0).all()
    assert not np.signbit(absolute).any()


@pytest.mark.slow
def test_the_cases_have_both_dispensable_and_indispensable_features():
    smallest = np.concatenate([truth(case)[1][:, 0] for case in CASES])
    assert (smallest > 1e-3).sum() > 50
    assert (smallest == 0.0).sum() > 50


@every_case_and_solver
def test_witnesses_attain_the_ends_and_keep_the_budgets(case, solver):
    this = problem(case)
    d, model = this.models.n_features, MODELS[case.model]
    for j, weight_range in enumerate(found(case, solver)[0]):
        for end in (weight_range.low, weight_range.high):
            assert not end.is_bound
            w, b = end.witness.weights(d), end.witness.offsets
            assert w[j] == pytest.approx(end.value, abs=1e-6 * this.norm)
            norm = np.abs(w).sum()
            loss = loss_by_formula(model, this.models.X.dense(), this.target, this.weight, w, b)
            for budget in this.models.budgets:
                spent = budget.norm * norm + budget.loss * loss
                assert spent <= budget.limit + 1e-6 * max(budget.limit, 1.0)
            assert (np.diff(b) >= -1e-6).all()


@pytest.mark.slow
@pytest.mark.parametrize("solver", ["simplex", "interior"])
@pytest.mark.parametrize("model", MODELS)
def test_accuracy_is_a_share_of_the_norm_however_large_the_loss(model, solver):
    """With a joint budget the loss can be hundreds of times the norm, or thousands."""
    case = Case(noisy, model, 0.1, "joint", False, 1000.0)
    assert problem(case).models.norm_limit > 500.0 * problem(case).norm
    _, signed, _ = found(case, solver)
    np.testing.assert_allclose(signed, truth(case)[0], rtol=0, atol=1e-6 * problem(case).norm)


# Absolute ranges with fewer programs

WITH_NOISE = tuple(
    case for case in CASES if case.data in (noisy, wide, integers, collinear_columns)
)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("case", "solver"), [_tried(case, SOLVERS[k % 2]) for k, case in enumerate(WITH_NOISE)]
)
def test_skipping_the_other_side_changes_no_relevance(case, solver):
    this = problem(case)
    ranges = RangeSolver(this.models, solver=solver)
    got = ranges.ranges(range(this.models.n_features), signed=False)
    expected_signed, expected = truth(case)
    np.testing.assert_allclose([r.relevance for r in got], expected, rtol=0, atol=1e-6 * this.norm)
    assert ranges.solved + ranges.skipped == 2 * this.models.n_features
    # A program that is begun may end as a bound, too, once its value is known not to matter.
    assert sum(end.is_bound for r in got for end in (r.low, r.high)) >= ranges.skipped
    slack = 1e-7 * this.norm
    for r, (low, high) in zip(got, expected_signed, strict=True):
        if r.low.is_bound:
            assert r.low.value <= low + slack
        if r.high.is_bound:
            assert r.high.value >= high - slack


@pytest.mark.parametrize("model", MODELS)
def test_programs_are_skipped_where_features_are_noise(model):
    case = Case(noisy, model, 0.001, "split", False, 0.3)
    ranges = RangeSolver(problem(case).models)
    ranges.ranges(range(ranges.models.n_features), signed=False)
    assert ranges.skipped > 0


def test_nothing_is_skipped_without_duals():
    case = Case(noisy, "classification", 0.001, "split", False, 0.3)
    models = problem(case).models
    plain = replace(models, reference=replace(models.reference, row_duals=None))
    ranges = RangeSolver(plain)
    got = ranges.ranges(range(models.n_features), signed=False)
    assert ranges.skipped == 0
    np.testing.assert_allclose(
        signed_ends(got), truth(case)[0], rtol=0, atol=1e-6 * problem(case).norm
    )


# Residents that the reference does without


@every_case
def test_a_resident_that_the_reference_does_without_is_asked_as_a_guest(case):
    models, (signed, *_) = problem(case).models, truth(case)
    idle = np.flatnonzero(models.reference.weights == 0)
    ranges = RangeSolver(models, solver="simplex")
    ranges.working_set.add_features(np.arange(models.n_features))
    # Twice: what was set aside for one must be back for the next.
    for k in (*idle, *idle, *np.flatnonzero(models.reference.weights)):
        got = ranges.weight_range(int(k)).ends
        np.testing.assert_allclose(got, signed[k], rtol=0, atol=1e-6 * problem(case).norm)


# Which method answers


@pytest.mark.slow
@pytest.mark.parametrize("most", [0, 12])
@pytest.mark.parametrize("model", MODELS)
def test_auto_turns_to_the_interior_point_when_many_pieces_are_undecided(monkeypatch, model, most):
    case = Case(noisy, model, 0.1, "split", False, 0.3)
    monkeypatch.setattr(ranges_module, "SIMPLEX_PIECES", most)
    called = []
    by_interior = RangeSolver._by_interior
    monkeypatch.setattr(
        RangeSolver, "_by_interior", lambda *args: called.append(1) or by_interior(*args)
    )
    signed = solved_ranges(problem(case).models, "auto")[1]
    assert called
    np.testing.assert_allclose(signed, truth(case)[0], rtol=0, atol=1e-6 * problem(case).norm)


@pytest.mark.slow
def test_auto_turns_to_the_interior_point_on_many_rows(monkeypatch):
    random = np.random.default_rng(0)
    X = random.normal(size=(1500, 4))
    target = encode(MODELS["classification"], _signal(random, X, 2.0))
    models = equivalent_models(MODELS["classification"], X, target, 0.05, 0.1)
    monkeypatch.setattr(RangeSolver, "_by_simplex", _only_while_small)
    ranges = RangeSolver(models)
    full = FullProblem(X, models.pieces)
    for j in (0, 3):
        got = ranges.weight_range(j)
        expected = full.signed_interval(j, models.budgets)
        close = 1e-6 * reference_norm(models)
        np.testing.assert_allclose((got.low.value, got.high.value), expected, rtol=0, atol=close)
    assert len(ranges.working_set.undecided) > ranges_module.SIMPLEX_PIECES


def _only_while_small(self, direction, most_pieces, by_simplex=RangeSolver._by_simplex):
    assert most_pieces < np.inf, "the simplex method had to help out"
    return by_simplex(self, direction, most_pieces)


def test_auto_stays_with_the_simplex_method_when_few_pieces_are_undecided(monkeypatch):
    monkeypatch.setattr(RangeSolver, "_by_interior", None)
    solved_ranges(problem(CASES[0]).models, "auto")


@pytest.mark.slow
@pytest.mark.parametrize("model", MODELS)
def test_the_interior_point_needs_hardly_any_help_on_ordinary_data(monkeypatch, model):
    helped = []

    def helping(self, direction, excluded, most_pieces, by_simplex=RangeSolver._by_simplex):
        helped.append(direction)
        return by_simplex(self, direction, excluded, most_pieces)

    monkeypatch.setattr(RangeSolver, "_by_simplex", helping)
    case = Case(noisy, model, 0.1, "split", False, 0.3)
    _, signed, _ = solved_ranges(problem(case).models, "interior")
    assert len(helped) <= 1, "of two programs for each of eight features"
    np.testing.assert_allclose(signed, truth(case)[0], rtol=0, atol=1e-6 * problem(case).norm)


@pytest.mark.slow
def test_order_of_the_questions_does_not_matter():
    case = next(c for c in CASES if c.data is wide)
    models = problem(case).models
    order = np.random.default_rng(0).permutation(models.n_features)
    got = signed_ends(RangeSolver(models).ranges(order))
    np.testing.assert_allclose(got, truth(case)[0][order], rtol=0, atol=1e-6 * problem(case).norm)


# Guests


def _guests(random, X):
    yield random.normal(size=len(X))
    yield random.permutation(X[:, 0])
    yield X[:, 0].copy()
    yield -X[:, 1] + X[:, 2]
    yield np.zeros(len(X))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("model", "tolerance", "budget", "solver"),  # of each model both methods, in turns
    [
        (model, *setting, SOLVERS[(k + m) % 2])
        for k, model in enumerate(MODELS)
        for m, setting in enumerate(product((0.001, 0.1), ("split", "joint")))
    ],
)
def test_guest_reach_is_that_of_an_appended_column(model, tolerance, budget, solver):
    case = Case(noisy, model, tolerance, budget, False, 0.3)
    models = problem(case).models
    ranges = RangeSolver(models, solver=solver)
    close = {"rtol": 0, "atol": 1e-6 * problem(case).norm}
    for column in _guests(np.random.default_rng(5), models.X.dense()):
        full = FullProblem(np.column_stack([models.X.dense(), column]), models.pieces)
        signed = full.signed_interval(models.n_features, models.budgets)
        reach = float(np.abs(signed).max())
        np.testing.assert_allclose(guest_reach(ranges, column), reach, **close)
        # What is known already is not searched for again, and what is less does not matter.
        np.testing.assert_allclose(guest_reach(ranges, column, 0.5 * reach), reach, **close)
        assert guest_reach(ranges, column, 1.5 * reach + 1.0) == 1.5 * reach + 1.0
    # Guests leave no trace in later answers.
    signed = signed_ends([ranges.weight_range(j) for j in range(models.n_features)])
    np.testing.assert_allclose(signed, truth(case)[0], **close)


# Failure


@pytest.mark.parametrize("solver", SOLVERS)
def test_failure_names_what_was_asked(monkeypatch, solver):
    monkeypatch.setattr(RangeSolver, "_by_simplex", lambda *_: None)
    monkeypatch.setattr(RangeSolver, "_by_interior", lambda *_: None)
    models = problem(CASES[0]).models
    with pytest.raises(SolverError, match="'column d'"):
        RangeSolver(models, solver=solver).maximise(Direction.weight(3, 1, "'column d'"))
    with pytest.raises(SolverError, match="a probe"):
        guest_reach(RangeSolver(models, solver=solver), models.X.dense()[:, 0])
    # Nothing is known of the weight then but what the budgets say.
    found = RangeSolver(models, solver=solver).weight_range(3)
    assert not found.is_exact
    assert found.relevance == (0.0, models.largest_norm)


def test_a_range_without_a_proof_is_a_bound(monkeypatch):
    by_simplex, case = RangeSolver._by_simplex, CASES[0]

    def slightly_off(self, direction, most_pieces):
        candidate = by_simplex(self, direction, most_pieces)
        weights, guest_weight = 0.999 * candidate.weights, 0.999 * candidate.guest_weight
        return replace(candidate, weights=weights, guest_weight=guest_weight)

    models = problem(case).models
    monkeypatch.setattr(RangeSolver, "_by_simplex", slightly_off)
    with pytest.raises(SolverError, match="required accuracy"):
        RangeSolver(models).maximise(Direction.weight(0, 1))
    for signed in (True, False):
        found = RangeSolver(models).weight_range(0, signed=signed)
        low, high = truth(case)[0][0]
        assert not found.is_exact
        assert found.low.value <= low + 1e-7
        assert found.high.value >= high - 1e-7
        assert found.relevance[1] == pytest.approx(max(abs(low), abs(high)), rel=1e-3)
        assert found.largest_witness is None


# Witnesses of the absolute range


@pytest.mark.parametrize("model", MODELS)
def test_witnesses_of_smallest_and_largest_relevance(model):
    this = problem(Case(noisy, model, 0.1, "split", False, 1.0))
    ranges = RangeSolver(this.models).ranges(range(this.models.n_features))
    mixed = 0
    for feature, found in enumerate(ranges):
        pieces, X = this.models.pieces, this.models.X.dense()
        witnesses = found.smallest_witness, found.largest_witness
        for witness, size in zip(witnesses, found.relevance, strict=True):
            weights = witness.weights(this.models.n_features)
            assert abs(weights[feature]) == pytest.approx(size, abs=1e-9 * this.norm)
            spent = np.array([np.abs(weights).sum(), pieces.loss(X @ weights, witness.offsets)])
            assert (spent <= this.models.limits * (1 + 1e-6)).all()
        mixed += found.low.value < 0 < found.high.value
    assert mixed > 0
