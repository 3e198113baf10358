"""What cannot be proven ends no fit: it is left out, or is a bound, and is said to be."""

from __future__ import annotations

import copy

import numpy as np
import pytest

from allrelevant import RelevanceRegressor
from allrelevant.linear.engine.baseline.penalised import PenalisedPath
from allrelevant.linear.engine.program.optimum import SolverError, UnprovenError
from allrelevant.linear.engine.ranges.solver import RangeSolver
from allrelevant.linear.fit import cautions
from allrelevant.linear.fit.baseline.tolerance import resolve_tolerance
from allrelevant.linear.fit.cautions import needed_tolerance

random = np.random.default_rng(5)
X = random.normal(size=(60, 4))
y = X[:, 0] + 0.5 * X[:, 1] + 0.3 * random.normal(size=60)
SETTINGS = {"n_probes": 20, "random_state": 0}


@pytest.fixture(scope="module")
def plain():
    return RelevanceRegressor(**SETTINGS).fit(X, y)


def without_proofs(monkeypatch, fails):
    """Solvers that find no proof for some of the probes; `fails` is told their numbers."""
    settle, columns = RangeSolver._settled, []

    def unproven(self, direction):
        if direction.guest is not None:
            column = direction.guest.tobytes()
            if column not in columns:
                columns.append(column)
            if fails(columns.index(column) + 1):
                raise UnprovenError("not proven")
        return settle(self, direction)

    monkeypatch.setattr(RangeSolver, "_settled", unproven)


@pytest.mark.slow
def test_a_range_without_a_proof_is_told_to_be_a_bound(monkeypatch, plain):
    settle = RangeSolver._settled

    def fails_for_one(self, direction):
        optimum, value = settle(self, direction)
        if direction.label == "'x1'" and direction.factors[0] > 0:
            raise UnprovenError("not proven", value + 0.01)
        return optimum, value

    monkeypatch.setattr(RangeSolver, "_settled", fails_for_one)
    with pytest.warns(match="the relevance of 'x1' is a bound"):
        fitted = RelevanceRegressor(**SETTINGS).fit(X, y)
    assert any("'x1' is a bound" in said for said in fitted.result_.warnings)
    wider, exact = fitted.intervals_, plain.intervals_
    np.testing.assert_allclose(np.delete(wider, 1, axis=0), np.delete(exact, 1, axis=0))
    assert exact[1, 1] < wider[1, 1] < exact[1, 1] + 0.011 / plain.result_.baseline["norm"] + 1e-9
    with pytest.raises(SolverError, match="'x1'"):
        fitted.witness(1, "max")


@pytest.mark.slow
def test_probes_without_a_proof_are_left_out(monkeypatch):
    without_proofs(monkeypatch, lambda n: n in (3, 8))
    with pytest.warns(match="2 probes were left out"):
        fitted = RelevanceRegressor(**SETTINGS).fit(X, y)
    assert len(fitted.result_.probes) == 18


@pytest.mark.slow
def test_without_any_probe_there_is_no_answer(monkeypatch):
    without_proofs(monkeypatch, lambda n: True)
    with pytest.raises(SolverError, match="could not be proven for any probe"):
        RelevanceRegressor(C=0.1, tolerance=0.05, **SETTINGS).fit(X, y)


@pytest.mark.slow
def test_more_probes_come_to_an_end_where_none_can_be_proven(monkeypatch):
    """Close calls ask for more and more of them."""
    without_proofs(monkeypatch, lambda n: n > 60)
    noise = np.random.default_rng(3).normal(size=60)
    with pytest.warns(match="probes were left out"):
        RelevanceRegressor(random_state=0).fit(X, X[:, 0] + 2.0 * X[:, 2:].sum(axis=1) + 6 * noise)


@pytest.mark.slow
def test_a_baseline_moves_to_a_c_nearby(monkeypatch, plain):
    solve, chosen = PenalisedPath.solve, plain.C_

    def fails_at_the_chosen(self, C, side_price=1.0):
        if len(self.X) == len(X) and abs(C / chosen - 1.0) < 1e-3:
            raise SolverError("not proven")
        return solve(self, C, side_price)

    monkeypatch.setattr(PenalisedPath, "solve", fails_at_the_chosen)
    with pytest.warns(match="which was chosen, no model could be proven to be the best"):
        fitted = RelevanceRegressor(**SETTINGS).fit(X, y)
    assert pytest.approx(chosen / 1.02) == fitted.C_
    with pytest.raises(SolverError, match="not proven"):
        RelevanceRegressor(C=chosen, **SETTINGS).fit(X, y)


def test_a_loss_of_next_to_nothing_counts_from_a_floor():
    """Relative to itself it is rounding errors, within which nothing can be proven."""
    fitted = RelevanceRegressor(epsilon=0.0, n_probes=5).fit(X[:, :2], 2.0 * X[:, 0])
    analysis = fitted.fitted_set_.analysis
    baseline = analysis.baseline
    assert baseline.loss < 1e-6 * 60
    room = resolve_tolerance("auto", analysis.problem, baseline)
    assert room.floor >= 1e-6 * 60


def test_a_tolerance_without_bootstrap_samples(monkeypatch, plain):
    analysis = plain.fitted_set_.analysis

    def fails(self, C, side_price=1.0):
        raise SolverError("not proven")

    monkeypatch.setattr(PenalisedPath, "solve", fails)
    room = resolve_tolerance("auto", analysis.problem, analysis.baseline)
    assert plain.result_.settings["tolerance"] == "auto"
    assert 0.001 <= room.norm <= 0.1 <= room.loss  # a small loss counts from a floor


@pytest.mark.slow
def test_a_bound_on_the_norm_without_a_steeper_model(monkeypatch, plain):
    solve, chosen = PenalisedPath.solve, plain.C_

    def fails_beyond(self, C, side_price=1.0):
        if len(self.X) == len(X) and 2.0 * chosen == C:
            raise SolverError("not proven")
        return solve(self, C, side_price)

    exact = RelevanceRegressor(C=chosen, budget="joint", **SETTINGS).fit(X, y).intervals_
    monkeypatch.setattr(PenalisedPath, "solve", fails_beyond)
    fitted = RelevanceRegressor(C=chosen, budget="joint", **SETTINGS).fit(X, y)
    np.testing.assert_allclose(fitted.intervals_, exact, atol=1e-6)


def test_what_if_without_a_sparse_model_of_what_is_left(monkeypatch):
    """It would be the better place to start from; the nearest model will do."""
    fitted = RelevanceRegressor(C=0.05, tolerance=2.0, n_probes=2, random_state=0).fit(X, y)
    asked = {"forbid": ["x1"]}
    expected = copy.deepcopy(fitted).what_if(**asked).intervals

    def fails(self, C, side_price=1.0):
        raise SolverError("not proven")

    monkeypatch.setattr(PenalisedPath, "solve", fails)
    np.testing.assert_allclose(fitted.what_if(**asked).intervals, expected, atol=1e-6)


def test_a_caution_that_is_unclear_is_not_given(monkeypatch, plain):
    analysis = plain.fitted_set_.analysis

    def fails(*_, **__):
        raise SolverError("not proven")

    assert needed_tolerance(analysis.models, analysis.baseline, [0]) > 0.0
    monkeypatch.setattr(cautions, "nearest_member", fails)
    assert needed_tolerance(analysis.models, analysis.baseline, [0]) == 0.0
