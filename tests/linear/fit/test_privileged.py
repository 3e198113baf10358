"""Privileged features in a fit: whether they help, what is chosen, how much room there is."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from helpers import fit_baseline
from privileged_cases import MODELS, hard_and_easy, marked, worked

from allrelevant.linear.engine.baseline.penalised import PenalisedPath
from allrelevant.linear.engine.program.optimum import SolverError
from allrelevant.linear.fit.baseline.candidate import Choice
from allrelevant.linear.fit.baseline.choosing import choose_privileged
from allrelevant.linear.fit.baseline.tolerance import make_budgets, resolve_tolerance
from allrelevant.linear.fit.privileged import are_informative
from allrelevant.linear.fit.problem.problem import PrivilegedProblem
from allrelevant.linear.fit.rows.sample import Observations, Sample
from allrelevant.linear.models import Classification

every_model = pytest.mark.parametrize("name", MODELS)


def problem_of(name, *, n=60, permuted=False, scale=1.0):
    random = np.random.default_rng(list(MODELS).index(name))
    X, privileged, target = marked(random, MODELS[name], n)
    if permuted:
        privileged = random.permutation(privileged)
    ones = np.ones(n)
    return PrivilegedProblem(MODELS[name], Sample(X, target, ones, ones, scale * privileged))


# Whether they help


@every_model
def test_features_that_explain_the_slacks_are_informative(name):
    problem = problem_of(name)
    assert are_informative(problem, fit_baseline(problem, 1.0, 0.3))


@every_model
def test_the_same_features_in_another_order_are_not(name):
    problem = problem_of(name, permuted=True)
    assert not are_informative(problem, fit_baseline(problem, 1.0, 0.3))


@every_model
def test_constant_columns_are_not_informative(name):
    problem = problem_of(name, scale=0.0)
    assert not are_informative(problem, fit_baseline(problem, 1.0, 0.3))


def test_a_baseline_that_uses_no_privileged_feature_is_not_informed_by_them():
    problem = problem_of("regression-eps0")
    baseline = fit_baseline(problem, 1.0, 1e4)
    assert baseline.side_norm == 0.0 < baseline.norm
    assert not are_informative(problem, baseline)


def test_what_cannot_be_compared_is_left_to_the_probes(monkeypatch):
    problem = problem_of("classification")
    baseline = fit_baseline(problem, 1.0, 0.3)

    def fails(self, C, side_price=1.0):
        raise SolverError("not proven")

    monkeypatch.setattr(PenalisedPath, "solve", fails)
    assert are_informative(problem, baseline)


def test_rows_of_a_group_change_places_together(monkeypatch):
    """What a patient's rows have in common must not be torn apart: it would look informative."""
    problem = problem_of("classification")
    group = np.repeat(np.arange(20), 3)
    grouped = replace(problem, sample=replace(problem.sample, group=group))
    seen, genuine = [], PrivilegedProblem.path

    def path(self, start=None):
        seen.append(self.sample.privileged)
        return genuine(self, start)

    baseline = fit_baseline(grouped, 1.0, 0.3)
    monkeypatch.setattr(PrivilegedProblem, "path", path)
    are_informative(grouped, baseline)
    rows = {tuple(row): k for k, row in enumerate(problem.sample.privileged)}
    moved = [table for table in seen if table.shape == problem.sample.privileged.shape]
    assert len(moved) == 10
    for table in moved:
        giver = group[[rows[tuple(row)] for row in table]]
        assert all(np.ptp(giver[group == g]) == 0 for g in range(20))
        assert (giver != group).any()


# What is chosen


def choice(C, loss, *, gamma=1.0, n_used=3.0):
    rows = Observations(np.ones(1))
    return Choice(Classification(), C, np.array([loss]), rows, n_used, (), gamma)


def test_chosen_is_where_privileged_features_save_most():
    found = [choice(0.1, 1.0), choice(1.0, 0.5), choice(10.0, 0.4)]
    assert choose_privileged(found, {0.1: 1.0, 1.0: 0.9, 10.0: 0.5}).C == 1.0


def test_of_equal_savings_the_sparsest_then_the_largest_gamma_then_the_smallest_c():
    without = {1.0: 1.0, 2.0: 1.0}
    sparse = [choice(1.0, 0.5, n_used=4.0), choice(1.0, 0.51, gamma=0.1, n_used=2.0)]
    assert choose_privileged(sparse, without).gamma == 0.1
    gammas = [choice(1.0, 0.5, gamma=gamma) for gamma in (0.1, 10.0, 1.0)]
    assert choose_privileged(gammas, without).gamma == 10.0
    assert choose_privileged([choice(2.0, 0.5), choice(1.0, 0.5)], without).C == 1.0


def test_savings_of_less_than_nearly_the_most_do_not_count_however_sparse():
    found = [choice(1.0, 0.5, n_used=9.0), choice(1.0, 0.6, n_used=1.0)]
    assert choose_privileged(found, {1.0: 1.0}).n_used == 9.0


def test_constant_slacks_that_overfit_make_nothing_look_good():
    """With a large C they are worse than with a smaller one; that is no merit of the others."""
    found = [choice(1.0, 0.7), choice(10.0, 0.8)]
    assert choose_privileged(found, {1.0: 1.0, 10.0: 5.0}).C == 1.0


def test_where_nothing_is_saved_the_least_harm_is_chosen():
    found = [choice(1.0, 1.5), choice(10.0, 1.2)]
    assert choose_privileged(found, {1.0: 1.0, 10.0: 1.0}).C == 10.0


# How much room


@every_model
def test_automatic_room_is_a_standard_error_of_what_the_features_save(name):
    problem = problem_of(name)
    baseline = fit_baseline(problem, 1.0, 0.3)
    room = resolve_tolerance("auto", problem, baseline)
    rows, constant = problem.paid[0], problem.constant_loss()
    gains = np.zeros(len(problem.sample.X))
    for row, slack in zip(rows, problem.slacks(baseline.weights), strict=True):
        gains[row] += constant / len(rows) - slack
    assert gains.sum() == pytest.approx(constant - baseline.loss)
    error = gains.std() / np.sqrt(len(gains)) / gains.mean()
    share = min(max(error, 0.001), 0.1 / 3.0)
    assert room.norm == pytest.approx(3.0 * share)
    assert room.loss * baseline.loss == pytest.approx(share * gains.sum())
    assert room.floor == 0.0


def test_a_given_tolerance_is_taken_literally():
    problem = problem_of("ordinal-3")
    baseline = fit_baseline(problem, 1.0, 0.3)
    room = resolve_tolerance((0.02, 0.07), problem, baseline)
    assert (room.norm, room.loss, room.floor) == (0.02, 0.07, 0.0)


def test_slacks_that_vanish_keep_some_room():
    """Privileged features that explain everything, at a price near zero, and a large C."""
    this = worked("classification", hard_and_easy, C=50.0)
    sample = this.problem.sample
    clean = sample.target[:, None] * np.array([1.0, 0.0, 0.0, 0.0]) * 3.0 + 0.1 * sample.X.dense()
    problem = replace(this.problem, sample=replace(sample, X=clean))
    baseline = fit_baseline(problem, 50.0, 1.0)
    room = resolve_tolerance("auto", problem, baseline)
    assert baseline.loss < 1e-6
    assert room.floor > 0.0
    limits = [b.limit for b in make_budgets("split", baseline, room, privileged=True)]
    assert limits[1] == pytest.approx(baseline.loss + room.floor)
