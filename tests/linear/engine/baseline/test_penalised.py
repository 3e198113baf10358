"""The baseline: against full programs, along paths of C, and with its dual solution."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from helpers import MANY_PIECES, MODELS, encode, equivalent_models, loss_by_formula, oracle_ends
from oracle import FullProblem

from allrelevant.linear.engine.baseline import penalised as penalised_module
from allrelevant.linear.engine.baseline.penalised import PenalisedPath
from allrelevant.linear.engine.program.optimum import SolverError
from allrelevant.linear.engine.simplex.highs import GrowingProgram

every_model = pytest.mark.parametrize("name", MODELS)
STRENGTHS = np.array([0.005, 0.03, 0.1, 0.5, 2.0, 20.0])


def data(name, n=None, d=8, *, kind="noisy", seed=0):
    n = n or (35 if name in MANY_PIECES else 70)
    random = np.random.default_rng([seed, list(MODELS).index(name)])
    X = random.normal(size=(n, d))
    if kind == "integer":
        X = np.round(X)
    coefficients = np.zeros(d)
    coefficients[:3] = 2.0, -1.5, 1.0
    score = X @ coefficients + (0.0 if kind == "separable" else 1.5) * random.normal(size=n)
    if kind == "degenerate":
        X[:, 3], X[:, 4], X[:, 5] = X[:, 0], -X[:, 1], 0.0
    target = encode(MODELS[name], score)
    weight = random.uniform(0.3, 2.0, n) if kind == "weighted" else np.ones(n)
    return X, target, weight


def pieces_of(name, target, weight):
    return MODELS[name].pieces(target, weight)


@cache
def least(name, kind):
    """The minima for all strengths by the full program."""
    X, target, weight = data(name, kind=kind)
    full = FullProblem(X, pieces_of(name, target, weight))
    return {C: np.dot(full.baseline(C), [1.0, C]) for C in STRENGTHS.tolist()}


KINDS = ("noisy", "integer", "separable", "degenerate", "weighted")


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@every_model
def test_objective_agrees_with_the_oracle_up_and_down_the_path(name, kind):
    X, target, weight = data(name, kind=kind)
    pieces = pieces_of(name, target, weight)
    path = PenalisedPath(X, pieces)
    for C, expected in least(name, kind).items():
        assert path.solve(C).objective == pytest.approx(expected, rel=1e-7)
        assert PenalisedPath(X, pieces).solve(C).objective == pytest.approx(expected, rel=1e-7)
    for C, expected in reversed(least(name, kind).items()):
        assert path.solve(C).objective == pytest.approx(expected, rel=1e-7)


@every_model
def test_norm_and_loss_are_those_of_the_model(name):
    X, target, weight = data(name, kind="weighted")
    got = PenalisedPath(X, pieces_of(name, target, weight)).solve(0.3)
    loss = loss_by_formula(MODELS[name], X, target, weight, got.weights, got.offsets)
    assert got.norm == pytest.approx(np.abs(got.weights).sum())
    assert got.loss == pytest.approx(loss)
    assert got.objective == pytest.approx(got.norm + 0.3 * loss)
    assert (np.diff(got.offsets) >= -1e-9).all()


@pytest.mark.parametrize("kind", KINDS)
@every_model
def test_row_duals_are_a_subgradient(name, kind):
    X, target, weight = data(name, kind=kind)
    path = PenalisedPath(X, pieces_of(name, target, weight))
    for C in STRENGTHS:
        got = path.solve(C)
        gradient = got.row_duals @ X
        assert (np.abs(gradient) <= 1 + 1e-6).all()
        used = np.abs(got.weights) > 1e-9
        np.testing.assert_allclose(gradient[used], np.sign(got.weights[used]), atol=1e-6)


@every_model
def test_loss_falls_and_norm_grows_along_the_path(name):
    X, target, weight = data(name)
    path = PenalisedPath(X, pieces_of(name, target, weight))
    found = [path.solve(C) for C in STRENGTHS]
    assert (np.diff([f.loss for f in found]) <= 1e-8).all()
    assert (np.diff([f.norm for f in found]) >= -1e-8).all()
    assert found[0].norm < found[-1].norm


def test_nothing_is_used_where_the_loss_counts_little():
    X, target, weight = data("classification")
    got = PenalisedPath(X, pieces_of("classification", target, weight)).solve(1e-4)
    assert got.norm == 0.0
    assert not got.weights.any()


def test_a_start_nearby_leads_to_the_same_minimum():
    X, target, weight = data("classification")
    pieces = pieces_of("classification", target, weight)
    near = PenalisedPath(X, pieces).solve(0.05)
    got = PenalisedPath(X, pieces, start=near).solve(1.0)
    expected = np.dot(FullProblem(X, pieces).baseline(1.0), [1.0, 1.0])
    assert got.objective == pytest.approx(expected, rel=1e-7)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["classification", "ordinal-explicit"])
def test_many_rows_are_approached_through_a_sample(monkeypatch, name):
    sampled = []
    from_sample = PenalisedPath._from_sample

    def spy(self, C):
        sampled.append(len(self.X))
        return from_sample(self, C)

    monkeypatch.setattr(PenalisedPath, "_from_sample", spy)
    X, target, weight = data(name, n=3000, d=6)
    pieces = pieces_of(name, target, weight)
    got = PenalisedPath(X, pieces).solve(0.01)
    assert sampled == [3000, 750]
    expected = np.dot(FullProblem(X, pieces).baseline(0.01), [1.0, 0.01])
    assert got.objective == pytest.approx(expected, rel=1e-7)
    assert np.abs(got.row_duals @ X).max() == pytest.approx(1.0, abs=1e-6)


@every_model
def test_the_sample_start_serves_every_model(monkeypatch, name):
    monkeypatch.setattr(penalised_module, "_SMALL", 60)
    X, target, weight = data(name, n=150, kind="weighted")
    pieces = pieces_of(name, target, weight)
    path = PenalisedPath(X, pieces)
    full = FullProblem(X, pieces)
    for C in (0.05, 0.5, 0.02):
        expected = np.dot(full.baseline(C), [1.0, C])
        assert path.solve(C).objective == pytest.approx(expected, rel=1e-7)


@pytest.mark.parametrize("d", [60, 120])
def test_more_features_than_rows(d):
    X, target, weight = data("classification", n=30, d=d)
    pieces = pieces_of("classification", target, weight)
    path, full = PenalisedPath(X, pieces), FullProblem(X, pieces)
    for C in (0.05, 0.5, 5.0):
        expected = np.dot(full.baseline(C), [1.0, C])
        assert path.solve(C).objective == pytest.approx(expected, rel=1e-7)


@every_model
def test_the_primal_simplex_finds_what_the_dual_one_does_not(monkeypatch, name):
    X, target, weight = data(name)
    pieces = pieces_of(name, target, weight)
    solve = GrowingProgram.solve
    monkeypatch.setattr(
        GrowingProgram,
        "solve",
        lambda self, method, *, cold=False: method == "primal" and solve(self, method, cold=cold),
    )
    expected = np.dot(FullProblem(X, pieces).baseline(0.5), [1.0, 0.5])
    assert PenalisedPath(X, pieces).solve(0.5).objective == pytest.approx(expected, rel=1e-7)


def test_failure_has_a_name(monkeypatch):
    monkeypatch.setattr(GrowingProgram, "solve", lambda *_, **__: False)
    X, target, weight = data("classification")
    with pytest.raises(SolverError, match=r"C=0\.5"):
        PenalisedPath(X, pieces_of("classification", target, weight)).solve(0.5)


# Bounds that the duals give


@pytest.mark.slow
@pytest.mark.parametrize("budget", ["split", "joint"])
@pytest.mark.parametrize("tolerance", [0.001, 0.1])
@every_model
def test_weak_duality_bounds_every_weight(name, tolerance, budget):
    X, target, weight = data(name, kind="weighted")
    models = equivalent_models(MODELS[name], X, target, 0.3, tolerance, budget, weight)
    slack = 1e-7 * models.largest_norm
    for j, (low, high) in enumerate(oracle_ends(models)[0]):
        assert models.bound(models.gradient[j], 1) >= high - slack
        assert models.bound(models.gradient[j], -1) >= -low - slack


@every_model
def test_weak_duality_bounds_are_worth_having(name):
    X, target, _ = data(name)
    models = equivalent_models(MODELS[name], X, target, 0.3, 0.001)
    bounds = [models.bound(g, s) for g in models.gradient for s in (1, -1)]
    assert min(bounds) < 0.1 * models.largest_norm
    assert max(bounds) <= models.largest_norm


def test_without_duals_there_is_no_gradient():
    X, target, weight = data("classification")
    models = equivalent_models(MODELS["classification"], X, target, 0.3, 0.1, weight=weight)
    assert models.gradient is not None
    assert replace(models, reference=replace(models.reference, row_duals=None)).gradient is None


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@every_model
def test_multipliers_program_agrees_with_the_oracle(name, kind, monkeypatch):
    monkeypatch.setattr(penalised_module, "_SMALL", 20)
    X, target, weight = data(name, kind=kind)
    path = PenalisedPath(X, pieces_of(name, target, weight))
    for C in STRENGTHS[[1, 4, 0, 2]].tolist():
        got = path.solve(C)
        assert got.objective == pytest.approx(least(name, kind)[C], rel=1e-7)
        price = np.abs(X.T @ got.row_duals)
        assert price.max() <= 1.0 + 1e-7
        assert np.allclose(price[got.weights != 0], 1.0)
    assert path._reduced is None  # nothing else was needed


@pytest.mark.slow
def test_multipliers_program_takes_in_features_and_pieces():
    random = np.random.default_rng(0)
    X = random.normal(size=(1500, 150))
    target = np.where(X[:, :9].sum(axis=1) + 2.0 * random.normal(size=1500) > 0, 1.0, -1.0)
    pieces = pieces_of("classification", target, np.ones(1500))
    path = PenalisedPath(X, pieces)
    fast = [path.solve(C) for C in (0.005, 0.01, 0.03)]
    assert path._reduced is None
    path = PenalisedPath(X, pieces)
    path._boxed = None
    for one in fast:
        other = path.solve(one.C)
        assert np.count_nonzero(one.weights) == np.count_nonzero(other.weights)
        assert np.allclose(one.weights, other.weights, atol=1e-9)
        assert np.allclose(one.offsets, other.offsets, atol=1e-9)
        assert np.allclose(one.row_duals, other.row_duals, atol=1e-9)
