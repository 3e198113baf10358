"""What the engine is given, against the definition with slack functions written out."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from privileged_cases import MODELS, hard_and_easy, oracle_of, worked

from allrelevant.linear.engine.program.reach import FREE, MAIN, SIDE
from allrelevant.linear.engine.program.reference import Penalised
from allrelevant.linear.fit.problem.problem import PrivilegedProblem, Problem, problem_of
from allrelevant.linear.fit.rows.sample import Sample, arranged, merged
from allrelevant.linear.models import Classification, Regression

every_model = pytest.mark.parametrize("name", MODELS)


def problem_with(name, n=12):
    model = MODELS[name]
    random = np.random.default_rng(list(MODELS).index(name))
    X, privileged, target = hard_and_easy(random, model, n)
    weight = random.uniform(0.5, 2.0, n)
    return PrivilegedProblem(model, Sample(X, target, weight, weight, privileged)), random


def slack_values(model, sample, factors, constants, i):
    """What sample i pays by definition: (function, slack) for each direction it can fail in."""
    values = sample.privileged[i] @ factors.T + constants
    if model.task == "classification":
        return [(0, values[0])]
    if model.task == "regression":
        return [(0, values[0]), (1, values[1])]
    if model.slacks == "all":
        return [(0, values[0]), (1, values[1])]
    label = sample.target[i]
    too_high, too_low = [(0, values[0])], [(1, values[1])]
    return too_high * int(label < model.n_classes - 1) + too_low * int(label > 0)


@every_model
def test_the_engines_loss_is_the_weighted_sum_of_all_slack_functions(name):
    problem, random = problem_with(name)
    sample = problem.sample
    factors = random.normal(size=(problem.n_functions, problem.n_privileged))
    constants = random.normal(size=problem.n_functions)
    w, b = random.normal(size=problem.n_features), np.sort(random.normal(size=3))
    b = b[: problem.plain_pieces.n_offsets]
    weights = np.concatenate([w, factors.ravel(), constants])
    expected = sum(
        sample.weight[i] * slack
        for i in range(len(sample.X))
        for _, slack in slack_values(problem.model, sample, factors, constants, i)
    )
    assert problem.pieces.loss(problem.matrix.scores(weights), b) == pytest.approx(expected)


@every_model
def test_hard_rows_hold_exactly_where_slacks_suffice_and_are_not_negative(name):
    problem, random = problem_with(name)
    oracle = oracle_of(problem.model, problem.sample)
    seen = set()
    for trial in range(60):
        scale = 0.3 * (1 + trial % 5)
        weights = scale * random.normal(size=len(problem.kinds))
        weights[problem.kinds == FREE] = scale * 6.0 * random.random()
        b = np.sort(random.normal(size=problem.plain_pieces.n_offsets))
        residuals = problem.pieces.residuals(problem.matrix.scores(weights), b)
        d, p = problem.n_features, problem.n_privileged
        halves = [(part.clip(0), (-part).clip(0)) for part in _blocks(weights, d, p, problem)]
        columns = np.concatenate(
            [*[x for pair in halves for x in pair], weights[-len(halves) + 1 :], b]
        )
        by_definition = (oracle.rows @ columns - oracle.limits).max()
        violation = problem.pieces.violation(residuals)
        assert violation == pytest.approx(max(by_definition, 0.0), abs=1e-9)
        seen.add(violation > 0)
    assert seen == {False, True}, "no model to tell one from the other"


def _blocks(weights, d, p, problem):
    starts = [d + k * p for k in range(problem.n_functions)]
    return [weights[:d], *[weights[start : start + p] for start in starts]]


@every_model
def test_columns_and_places_are_those_of_the_matrix(name):
    problem, _ = problem_with(name)
    sample = problem.sample
    for feature in range(problem.n_features):
        ((column, like),) = problem.columns_of(sample.X.dense()[:, feature], privileged=False)
        (place,) = problem.places_of(feature, privileged=False)
        np.testing.assert_array_equal(column, problem.matrix.column(place))
        assert problem.kinds[like] == problem.kinds[place] == MAIN
    for feature in range(problem.n_privileged):
        columns = problem.columns_of(sample.privileged[:, feature], privileged=True)
        places = problem.places_of(feature, privileged=True)
        assert len(columns) == len(places) == problem.n_functions
        for (column, like), place in zip(columns, places, strict=True):
            np.testing.assert_array_equal(column, problem.matrix.column(place))
            assert problem.kinds[like] == problem.kinds[place] == SIDE
    assert (problem.kinds == FREE).sum() == problem.n_functions


def test_a_classification_has_one_slack_function_and_the_others_two():
    assert {name: problem_with(name)[0].n_functions for name in MODELS} == {
        name: 1 if name == "classification" else 2 for name in MODELS
    }


@every_model
def test_loss_of_other_rows_is_what_they_need_or_what_the_functions_say(name):
    problem, random = problem_with(name)
    weights = random.normal(size=len(problem.kinds))
    b = np.sort(random.normal(size=problem.plain_pieces.n_offsets))
    other = problem_with(name, n=9)[0].sample
    fitted = Penalised(1.0, weights, b, np.zeros(0), 0.0, 0.0)
    d, p = problem.n_features, problem.n_privileged
    factors = np.array(_blocks(weights, d, p, problem)[1:])
    constants = weights[-problem.n_functions :]
    pieces = problem.model.pieces(other.target, other.weight)
    needed = pieces.residuals(other.X.dense() @ weights[:d], b)
    expected = np.zeros(len(other.X))
    functions = problem.model.slack_functions(pieces)
    asked = {(i, functions[k]): needed[k] for k, i in enumerate(pieces.row)}
    for i in range(len(expected)):
        for function, given in slack_values(problem.model, other, factors, constants, i):
            expected[i] += other.weight[i] * max(asked.get((i, function), 0.0), given, 0.0)
    np.testing.assert_allclose(problem.losses_on(other, fitted), expected)


@every_model
def test_constant_loss_is_the_least_without_any_feature(name):
    problem, _ = problem_with(name)
    sample = problem.sample
    bare = replace(sample, X=0.0 * sample.X.dense(), privileged=0.0 * sample.privileged)
    expected = oracle_of(problem.model, bare).baseline(1.0, 1.0)
    assert problem.constant_loss() == pytest.approx(expected, rel=1e-6)


def test_the_problem_follows_from_the_sample():
    problem, _ = problem_with("regression-eps0")
    assert isinstance(problem_of(Regression(0.0), problem.sample), PrivilegedProblem)
    plain = problem_of(Regression(0.0), problem.sample.plain())
    assert type(plain) is Problem
    assert (plain.n_privileged, plain.n_functions, plain.kinds.any()) == (0, 0, False)
    np.testing.assert_array_equal(plain.matrix.dense(), problem.sample.X.dense())


def test_without_privileged_columns_slacks_are_constants():
    """Then the loss is what the worst sample of each direction needs, times all."""
    this = worked("classification", hard_and_easy, C=3.0)
    sample = this.problem.sample.without_columns()
    problem = PrivilegedProblem(Classification(), sample)
    baseline = problem.path().solve(3.0)
    needed = problem.plain_pieces.residuals(
        sample.X.dense() @ baseline.weights[:4], baseline.offsets
    )
    worst = max(float(needed.max()), 0.0)
    assert baseline.loss == pytest.approx(worst * sample.weight.sum(), rel=1e-6)
    assert baseline.side_norm == 0.0


# Samples with privileged columns


def test_rows_are_equal_only_if_what_is_privileged_is_equal():
    X, target, count = np.zeros((4, 1)), np.zeros(4), np.ones(4)
    privileged = np.array([[1.0], [2.0], [1.0], [1.0]])
    sample = merged(X, target, count, privileged)
    assert sorted(zip(sample.privileged[:, 0], sample.count, strict=True)) == [
        (1.0, 3.0),
        (2.0, 1.0),
    ]


def test_arranging_keeps_rows_together_whatever_their_order():
    random = np.random.default_rng(0)
    X, privileged = random.normal(size=(20, 3)), random.normal(size=(20, 2))
    target, count = random.integers(0, 2, 20).astype(float), random.integers(1, 4, 20).astype(float)
    one = arranged(Sample(X, target, count, count, privileged))
    order = random.permutation(20)
    other = arranged(
        Sample(X[order], target[order], count[order], count[order], privileged[order][:, ::-1])
    )
    assert len(one.X) == count.sum()
    np.testing.assert_array_equal(one.X.dense(), other.X.dense())
    np.testing.assert_array_equal(one.privileged, other.privileged[:, ::-1])
    pairs = {(*x, *p) for x, p in zip(X, privileged, strict=True)}
    assert {(*x, *p) for x, p in zip(one.X.dense(), one.privileged, strict=True)} == pairs


def test_parts_of_a_sample_keep_its_privileged_rows():
    random = np.random.default_rng(0)
    sample = Sample(random.normal(size=(5, 2)), np.arange(5.0), np.ones(5), np.ones(5))
    assert sample.take(np.array([3, 1])).privileged is None
    sample = replace(sample, privileged=random.normal(size=(5, 3)))
    part = sample.take(np.array([3, 1]))
    np.testing.assert_array_equal(part.privileged, sample.privileged[[3, 1]])
    assert sample.plain().privileged is None
    assert sample.without_columns().privileged.shape == (5, 0)
