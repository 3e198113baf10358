"""Ranges of predictions under constraints against full linear programs, branch by branch."""

import numpy as np
import pandas as pd
import pytest
from constrained_models import Constrained, grouped
from constrained_models import fitted as fitted_kind
from estimator_cases import CASES, every_case

from allrelevant import InfeasibleError, RelevanceClassifier

INFINITE = np.inf


def fitted(case, **parameters):
    X, _ = case.data()
    model = case.fitted(**({"tolerance": 0.3} | parameters))
    return model, np.vstack([X[:4], 1.5 * X[6:8] + 0.2])


def questions(model):
    """Constraints, and the ranges of the columns they are about, as shares."""
    intervals, signed = model.intervals_, model.signed_intervals_
    first, second = np.argsort(-intervals[:, 1])[:2]
    weakest = int(np.argmin(intervals[:, 0]))
    top = intervals[first, 1]
    yield {"forbid": [weakest]}, {weakest: [(0.0, 0.0)]}
    yield {"bounds": {first: (0.0, 0.6 * top)}}, {first: [(-0.6 * top, 0.6 * top)]}
    low = 0.7 * intervals[second, 1]
    two = [(low, INFINITE), (-INFINITE, -low)]
    yield {"bounds": {second: (low, INFINITE)}}, {second: two}
    sign = 1 if signed[first, 1] > -signed[first, 0] else -1
    side = (0.0, INFINITE) if sign > 0 else (-INFINITE, 0.0)
    yield {"signs": {first: sign}, "forbid": [weakest]}, {first: [side], weakest: [(0.0, 0.0)]}


def decision_ends(model, every, branches, sample):
    """Least and greatest decision values of a sample over all branches, by full programs."""
    scaled = model.fitted_set_.scaling.apply(sample[None])[0]
    q = every.models.pieces.n_offsets
    scale = getattr(model.fitted_set_.decoder, "scale", 1.0)
    centre = getattr(model.fitted_set_.decoder, "centre", model.offset_shift_)
    for t in range(q):
        offsets = np.zeros(q)
        offsets[t] = model.offset_scale_ * model.model_.offset_sign
        cost = every.cost(scaled, offsets)
        low = min(every.least(cost, more=more) for more in branches)
        high = max(-every.least(-cost, more=more) for more in branches)
        yield scale * low + centre, scale * high + centre


def named(model, asked):
    """The same constraints with the names of features in place of their positions."""
    names = list(model.feature_names_in_)
    return {
        kind: {names[j]: value for j, value in about.items()}
        if isinstance(about, dict)
        else [names[j] for j in about]
        for kind, about in asked.items()
    }


@pytest.mark.slow
@every_case
@pytest.mark.parametrize("budget", ["split", "joint"])
def test_ends_are_those_of_the_full_programs(case, budget):
    model, samples = fitted(case, budget=budget)
    for asked, ranges in questions(model):
        constrained = Constrained(model, ranges)
        found = model.prediction_range(samples, **asked)
        branches = constrained.branches()
        for i, sample in enumerate(samples):
            expected = np.array(list(decision_ends(model, constrained.every, branches, sample)))
            np.testing.assert_allclose(np.ravel(found.low[i]), expected[:, 0], atol=1e-6)
            np.testing.assert_allclose(np.ravel(found.high[i]), expected[:, 1], atol=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_ends_under_a_bound_on_several_columns(name):
    model = grouped(name)
    limit = float(np.mean(model.result_.interval("copies")))
    constrained = Constrained(model, {}, norms={(1, 2): limit})
    samples = [[0.5, -1.0, 0.2, 0.0, 1.0], [0.0, 3.0, 3.0, 0.0, 0.0]]
    samples = pd.DataFrame(samples, columns=model.feature_names_in_)
    found = model.prediction_range(samples, bounds={"copies": (0, limit)})
    free = model.prediction_range(samples)
    assert (found.high - found.low < free.high - free.low - 1e-3).any()
    branches = constrained.branches()
    for i, sample in enumerate(samples.to_numpy()):
        expected = np.array(list(decision_ends(model, constrained.every, branches, sample)))
        np.testing.assert_allclose(np.ravel(found.low[i]), expected[:, 0], atol=1e-6)
        np.testing.assert_allclose(np.ravel(found.high[i]), expected[:, 1], atol=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("budget", ["split", "joint"])
@pytest.mark.parametrize(
    "name",
    [
        *("logistic", "quantile", "survival", "ordinal-logistic", "l2"),
        *("privileged-classification", "privileged-regression"),
    ],
)
def test_ends_of_other_losses_are_those_of_the_full_programs(name, budget):
    model = fitted_kind(name, budget)
    names = model.feature_names_in_
    random = np.random.default_rng(3)
    samples = pd.DataFrame(random.normal(size=(4, len(names))), columns=names)
    n_possible = 0
    for asked, ranges in questions(model):
        constrained, asked = Constrained(model, ranges), named(model, asked)
        branches = constrained.branches()
        if not branches:
            with pytest.raises(InfeasibleError):
                model.prediction_range(samples, **asked)
            continue
        n_possible += 1
        found = model.prediction_range(samples, **asked)
        for i, sample in enumerate(samples.to_numpy()):
            ends = np.array(list(decision_ends(model, constrained.every, branches, sample))).T
            if name == "survival":  # models are of the logarithm of time
                ends = np.exp(ends)
            given = np.vstack([np.ravel(found.low[i]), np.ravel(found.high[i])])
            np.testing.assert_allclose(given, ends, 1e-6, 1e-6)
    assert n_possible >= 3


@pytest.mark.slow
@every_case
def test_constraints_only_take_models_away(case):
    model, samples = fitted(case)
    free = model.prediction_range(samples)
    for asked, _ in questions(model):
        found = model.prediction_range(samples, **asked)
        assert (found.low >= free.low - 1e-6).all()
        assert (found.high <= free.high + 1e-6).all()
        assert (found.allowed <= free.allowed).all()
        labels = model.prediction_range(samples, ends=False, **asked)
        assert labels.outcomes == found.outcomes
        assert (labels.allowed == found.allowed).all()
        assert np.isnan(labels.low).all() == bool(labels.outcomes)
        assert found.outcomes == free.outcomes


def test_witnesses_under_the_constraints_predict_within_the_range():
    model, samples = fitted(CASES["classification"])
    for asked, _ in questions(model):
        found, answer = model.prediction_range(samples, **asked), model.what_if(**asked)
        for k in range(5):
            decisions = answer.witness(k).decision_function(samples)
            assert (found.low <= decisions + 1e-6).all()
            assert (found.high >= decisions - 1e-6).all()


def test_what_lies_between_two_branches_is_predicted_by_no_model():
    """Either sign of a weight, but none near zero: a rejection is between the two."""
    random = np.random.default_rng(0)
    x = random.normal(size=(60, 2))
    y = np.where(x[:, 1] + 0.3 * random.normal(size=60) > 0, 1, -1)
    model = CASES["reject"].make(C=0.5, tolerance=2.0, standardize=False).fit(x, y)
    top = model.intervals_[0, 1]
    sample = np.array([[1e4, 0.0]])
    found = model.prediction_range(sample, bounds={0: (0.5 * top, np.inf)})
    assert found.low[0] < 0 < found.high[0]
    assert found.allowed.tolist() == [[True, False, True]]
    assert model.prediction_range(sample).allowed.all()


@pytest.mark.slow
def test_what_no_model_does_has_no_predictions():
    X, y = CASES["classification"].data()
    model = RelevanceClassifier(C=1.0, tolerance=0.04, random_state=0).fit(X, y)
    with pytest.raises(InfeasibleError):
        model.prediction_range(X[:2], forbid=list(range(5)))
    with pytest.raises(ValueError, match="forbid"):
        model.prediction_range(X[:2], forbid=["nobody"])
    with pytest.raises(TypeError):
        model.prediction_range(X[:2], without=[0])


@pytest.mark.slow
def test_processes_give_the_same():
    model, samples = fitted(CASES["classification"])
    one = model.prediction_range(samples, forbid=[4])
    two = model.set_params(n_jobs=2).prediction_range(samples, forbid=[4])
    np.testing.assert_allclose(one.low, two.low, atol=1e-8)
    np.testing.assert_allclose(one.high, two.high, atol=1e-8)
