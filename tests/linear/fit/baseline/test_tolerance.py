"""How much worse a model may be: by formula, by another program, and by other samples."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from helpers import MODELS, encode, fit_baseline, loss_by_formula
from oracle import FullProblem

from allrelevant import RelevanceClassifier
from allrelevant.linear.fit.baseline import tolerance
from allrelevant.linear.fit.baseline.tolerance import (
    _NEARLY_ALL,
    _USUAL,
    RESAMPLES,
    _excess,
    bootstrap_tolerance,
    make_budgets,
    resolve_tolerance,
    tolerance_of_some,
)
from allrelevant.linear.fit.problem.problem import Problem
from allrelevant.linear.fit.rows.resampling import draw_again
from allrelevant.linear.fit.rows.sample import Sample, arranged, merged

every_model = pytest.mark.parametrize("name", MODELS)


def sample_for(name, n=60, *, noise=1.0, weighted=False, group=None, seed=0):
    random = np.random.default_rng([seed, list(MODELS).index(name)])
    X = random.normal(size=(n, 5))
    score = X[:, :3] @ [2.0, -1.0, 0.4] + noise * random.normal(size=n)
    count = random.integers(1, 4, n).astype(float) if weighted else np.ones(n)
    weight = count * random.uniform(0.5, 2.0, n) if weighted else count
    return Sample(X, encode(MODELS[name], score), count, weight, group=group)


def fitted(name, sample, C=0.5):
    problem = Problem(MODELS[name], sample)
    return problem, fit_baseline(problem, C)


# By formula


@pytest.mark.slow
@pytest.mark.parametrize(("n", "C"), [(40, 0.3), (300, 0.05)])
@every_model
def test_automatic_is_the_smaller_of_one_standard_error_and_the_bootstraps(name, n, C):
    sample = sample_for(name, n, weighted=True)
    problem, baseline = fitted(name, sample, C)
    room = resolve_tolerance("auto", problem, baseline)
    assert baseline.norm > 0
    each = np.array(
        [
            loss_by_formula(
                MODELS[name],
                sample.X.dense()[[i]],
                sample.target[[i]],
                sample.weight[[i]],
                baseline.weights,
                baseline.offsets,
            )
            for i in range(n)
        ]
    ).ravel()
    assert each.sum() == pytest.approx(baseline.loss)
    per_observation = each / sample.count
    mean = np.average(per_observation, weights=sample.count)
    spread = np.average((per_observation - mean) ** 2, weights=sample.count)
    relative = np.sqrt(spread / sample.count.sum()) / mean
    expected = max(min(relative, bootstrap_tolerance(problem, baseline, _USUAL), 0.1), 0.001)
    more = 1e-3 * sample.weight.sum() / baseline.loss if relative > 0.1 else 0.0
    assert room.pair == pytest.approx((expected, expected * (1.0 + more)), rel=1e-6)
    assert room.floor == 0.0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "n", "smaller"),
    [
        ("ordinal-explicit", 40, "error"),
        ("classification", 300, "bootstrap"),
    ],
)
def test_both_of_the_two_can_be_the_smaller(name, n, smaller):
    problem, baseline = fitted(name, sample_for(name, n), 0.3)
    size = resolve_tolerance("auto", problem, baseline).norm
    assert 0.001 < size < 0.1
    bound = bootstrap_tolerance(problem, baseline, _USUAL)
    assert size == bound if smaller == "bootstrap" else size < bound


@pytest.mark.slow
@pytest.mark.parametrize("share", [0.3, 0.9, 0.999, 1.001, 1.5])
def test_samples_are_drawn_until_the_quantile_is_certain_to_be_above_enough(share, monkeypatch):
    problem, baseline = fitted("classification", sample_for("classification", 40))
    bound = bootstrap_tolerance(problem, baseline, _USUAL)
    seeds = []
    excess = tolerance._excess
    monkeypatch.setattr(tolerance, "_excess", lambda *args: seeds.append(args[-1]) or excess(*args))
    found = bootstrap_tolerance(problem, baseline, _USUAL, share * bound)
    assert min(found, share * bound) == min(bound, share * bound)
    if share == 0.3:
        assert len(seeds) < RESAMPLES / 2
    if share > 1.0:
        assert len(seeds) == RESAMPLES


@pytest.mark.parametrize("budget", ["split", "joint"])
def test_limits_are_what_people_compute_from_the_tolerance_that_they_are_told(budget):
    X, y = sample_for("classification", 40).X.dense(), sample_for("classification", 40).target
    fitted = RelevanceClassifier(C=0.3, budget=budget, n_probes=10, random_state=0).fit(X, y)
    known, models = fitted.result_.baseline, fitted.fitted_set_.models
    assert known["tolerance_loss"] > known["tolerance_norm"]
    norm = (1.0 + known["tolerance_norm"]) * known["norm"]
    loss = (1.0 + known["tolerance_loss"]) * known["loss"]
    told = [norm + 0.3 * loss] if budget == "joint" else [norm, loss]
    assert models.limits == pytest.approx(told, rel=1e-12)


def test_a_loss_that_vanishes_has_a_floor():
    sample = sample_for("classification", noise=0.0)
    problem, baseline = fitted("classification", sample, 1e4)
    assert baseline.loss < 1e-6
    room = resolve_tolerance("auto", problem, baseline)
    assert 0.001 <= room.norm <= 0.1
    assert room.floor == pytest.approx(room.norm * 1e-3 * len(sample.X))
    limits = [budget.limit for budget in make_budgets("split", baseline, room)]
    assert limits[1] == pytest.approx(baseline.loss * (1.0 + room.loss) + room.floor)


@pytest.mark.parametrize("given", [0.02, (0.02, 0.07), 0.0])
def test_numbers_are_taken_literally(given):
    problem, baseline = fitted("classification", sample_for("classification"))
    room = resolve_tolerance(given, problem, baseline)
    assert room.pair == (given if isinstance(given, tuple) else (given, given))
    assert room.floor == 0.0


@pytest.mark.slow
def test_the_bootstraps_own_has_no_upper_end():
    problem, baseline = fitted("classification", sample_for("classification", 25))
    bound = bootstrap_tolerance(problem, baseline, _NEARLY_ALL)
    assert bound > 0.1
    assert bound > bootstrap_tolerance(problem, baseline, _USUAL)
    assert resolve_tolerance("bootstrap", problem, baseline).pair == (bound, bound)
    assert resolve_tolerance("auto", problem, baseline).norm <= 0.1


# The bootstrap


@pytest.mark.slow
@pytest.mark.parametrize("weighted", [False, True])
@every_model
def test_one_bootstrap_sample_is_what_the_full_program_says(name, weighted):
    sample = sample_for(name, 40, weighted=weighted)
    problem, baseline = fitted(name, sample)
    for seed in range(3):
        weight = sample.weight * draw_again(sample, seed)
        pieces = problem.model.pieces(sample.target, weight)
        norm, loss = FullProblem(sample.X.dense(), pieces).baseline(baseline.C)
        here = loss_by_formula(
            problem.model,
            sample.X.dense(),
            sample.target,
            weight,
            baseline.weights,
            baseline.offsets,
        )
        expected = (baseline.norm + baseline.C * here) / (norm + baseline.C * loss) - 1.0
        found = _excess(problem, baseline, seed)
        assert found == pytest.approx(expected, rel=1e-5, abs=1e-9)
        assert found > 0


@pytest.mark.slow
def test_rows_that_come_in_copies_make_the_bound_wider_if_they_are_said_to():
    """Three rows a patient, all alike: there are a third as many observations."""
    few = sample_for("classification", 60)
    rows = np.repeat(np.arange(60), 3)
    copies = few.take(rows)
    grouped = replace(copies, group=rows)
    # C is such that the objective is the same for all three.
    bounds = {}
    for key, sample, C in (("few", few, 0.6), ("copies", copies, 0.2), ("grouped", grouped, 0.2)):
        problem, baseline = fitted("classification", sample, C)
        bounds[key] = bootstrap_tolerance(problem, baseline, _USUAL)
    assert bounds["copies"] < 0.6 * bounds["grouped"]
    assert bounds["grouped"] == pytest.approx(bounds["few"], rel=0.4)


@pytest.mark.slow
@every_model
def test_the_bound_falls_with_the_number_of_rows(name):
    bounds = []
    for n in (80, 320, 1280):
        problem, baseline = fitted(name, sample_for(name, n), 40.0 / n)
        bounds.append(bootstrap_tolerance(problem, baseline, _USUAL))
    assert bounds[0] > 2.0 * bounds[1] > 4.0 * bounds[2]


def test_the_same_data_have_the_same_bound_whatever_the_order_of_rows():
    sample = sample_for("classification")
    bounds = []
    for order in (np.arange(60), np.random.default_rng(0).permutation(60)):
        rows = arranged(merged(sample.X.dense()[order], sample.target[order], np.ones(60)))
        bounds.append(bootstrap_tolerance(*fitted("classification", rows), _USUAL))
    assert bounds[0] == pytest.approx(bounds[1], rel=1e-9)
    assert bounds[0] == bootstrap_tolerance(*fitted("classification", rows), _USUAL)


# Some of the rows


def test_some_rows_have_the_bound_they_are_given():
    problem, baseline = fitted("classification", sample_for("classification", 200))
    assert tolerance_of_some("bootstrap", problem, baseline, 0.03).pair == (0.03, 0.03)
    assert tolerance_of_some((0.02, 0.07), problem, baseline, 0.03).pair == (0.02, 0.07)
    auto = resolve_tolerance("auto", problem, baseline)
    bound = bootstrap_tolerance(problem, baseline, _USUAL)
    assert tolerance_of_some("auto", problem, baseline, bound).pair == pytest.approx(auto.pair)
    assert tolerance_of_some("auto", problem, baseline, 0.002).norm == 0.002
