"""What is said where no equivalent model is left."""

import pickle
from copy import copy
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from constrained_models import Constrained, fitted
from estimator_cases import CASES
from oracle import FullProblem
from scipy.sparse import csr_matrix, vstack
from sklearn.base import clone

from allrelevant import InfeasibleError, RelevanceClassifier, RelevanceRegressor
from allrelevant.linear.questions import WhatIfResult
from allrelevant.linear.questions.constraints.solver import ConstrainedSolver

PLAIN = list(CASES)
every_model = pytest.mark.parametrize("name", PLAIN)
every_budget = pytest.mark.parametrize("budget", ["split", "joint"])


# Where there is no model


def impossible(model):
    """Requests that no equivalent model meets, and the ranges of weights they mean."""
    most = model.intervals_[:, 1]
    far = 1.3 * most[1]
    nine = 0.9 * most
    return [
        ({"forbid": [0, 1, 2]}, {k: [(0, 0)] for k in (0, 1, 2)}),
        ({"bounds": {1: (far, 10.0)}, "forbid": [4]}, {1: [(far, 10), (-10, -far)], 4: [(0, 0)]}),
        (
            {"bounds": {k: (nine[k], np.inf) for k in (0, 1, 2)}, "signs": {4: 1}},
            {k: [(nine[k], np.inf), (-np.inf, -nine[k])] for k in (0, 1, 2)} | {4: [(0, np.inf)]},
        ),
    ]


@pytest.mark.slow
@every_budget
@every_model
def test_the_constraints_named_clash_and_none_of_them_can_be_spared(name, budget):
    model = fitted(name, budget)
    names, baseline = model.result_.names, model.result_.baseline
    solver = ConstrainedSolver(model.equivalent_models_, names, baseline)
    for asked, ranges in impossible(model):
        assert not Constrained(model, ranges).is_possible
        with pytest.raises(InfeasibleError, match="no equivalent model can do this") as caught:
            model.what_if(**asked)
        every = model.fitted_set_.constraints(**asked)
        clash = [c for c in every if c.text in caught.value.constraints]
        assert len(clash) == len(caught.value.constraints) > 0
        assert not solver._feasible(clash)
        for constraint in clash:
            assert solver._feasible([c for c in clash if c is not constraint])


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:no feature is strong:UserWarning")
@every_budget
@every_model
def test_the_tolerance_named_is_the_smallest_that_will_do(name, budget):
    """By the elastic full program, and by fitting anew with a bit more and a bit less."""
    model = fitted(name, budget)
    for asked, ranges in impossible(model):
        with pytest.raises(InfeasibleError) as caught:
            model.what_if(**asked)
        needed = caught.value.tolerance
        assert needed == pytest.approx(elastic(model, ranges), rel=1e-6)
        assert needed > 0.1
    check_by_refitting(model, CASES[name].data(), *impossible(model)[0])


def check_by_refitting(model, data, asked, ranges):
    with pytest.raises(InfeasibleError) as caught:
        model.what_if(**asked)
    needed = caught.value.tolerance
    more = clone(model).set_params(tolerance=1.0001 * needed).fit(*data)
    assert isinstance(more.what_if(**asked), WhatIfResult)
    less = clone(model).set_params(tolerance=0.9999 * needed).fit(*data)
    with pytest.raises(InfeasibleError):
        less.what_if(**asked)
    assert not Constrained(less, ranges).is_possible


def elastic(model, ranges):
    """The least tolerance of any pattern of signs, from the baseline's norm and loss."""
    models, baseline = model.equivalent_models_, model.result_.baseline
    full = FullProblem(models.X.dense(), models.pieces)
    norm, loss = baseline["norm"], baseline["loss"]
    base = [b.norm * norm + b.loss * loss for b in models.budgets]
    constrained = Constrained(model, ranges)
    narrow = [replace(b, limit=limit) for b, limit in zip(models.budgets, base, strict=True)]
    found = []
    for pattern in product(*ranges.values()):
        rows, limits = constrained.rows(pattern)
        some = copy(full)
        some.rows = vstack([full.rows, csr_matrix(rows)], format="csr")
        some.limits = np.append(full.limits, limits)
        found.append(some.least_excess(narrow, base))
    return min(found)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:no feature is strong:UserWarning")
def test_a_pair_of_tolerances_needs_one_that_serves_both():
    X, y = CASES["classification"].data()
    model = CASES["classification"].make(tolerance=(0.2, 0.01)).fit(X, y)
    for asked, ranges in impossible(model):
        with pytest.raises(InfeasibleError, match=r"this fit has \(0.2, 0.01\)") as caught:
            model.what_if(**asked)
        assert caught.value.tolerance == pytest.approx(elastic(model, ranges), rel=1e-6)
    check_by_refitting(model, (X, y), *impossible(model)[0])


def test_the_message_rounds_the_tolerance_up():
    model = fitted("classification")
    with pytest.raises(InfeasibleError) as caught:
        model.what_if(forbid=[0, 1, 2])
    error = caught.value
    shown = float(str(error).split("tolerance of ")[1].split(";")[0])
    assert error.tolerance <= shown <= 1.02 * error.tolerance
    assert str(error).endswith("; this fit has 0.1.")
    copy_of = pickle.loads(pickle.dumps(error))
    assert (str(copy_of), copy_of.constraints) == (str(error), error.constraints)
    assert copy_of.tolerance == error.tolerance
    assert isinstance(error, ValueError)


def test_contradictions_are_beyond_any_tolerance():
    with pytest.raises(InfeasibleError, match="that is a contradiction") as caught:
        fitted("classification").what_if(forbid=["age", "room"], keep=["dose", "room"])
    assert caught.value.constraints == ("forbid 'room'", "keep 'room'")
    assert caught.value.tolerance == np.inf


def separable():
    X = np.array([[-2.0, -1, 1], [-1, -1, 0], [1, 1, 0], [2, 1, 1], [-1, -1.5, 1], [1, 2, 0]])
    return X, np.sign(X[:, 0])


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:the target of 6 rows has only 20:UserWarning")
@pytest.mark.parametrize("tolerance", ["auto", 0.1])
def test_where_the_baseline_makes_no_error_only_the_norm_can_grow(tolerance):
    """Without the first feature the second one still tells the classes apart: at a price."""
    X, y = separable()
    model = RelevanceClassifier(C=100.0, n_probes=4, standardize=False, tolerance=tolerance)
    model.fit(X * [1.0, 0.5, 1.0], y)
    assert model.result_.baseline["loss"] == pytest.approx(0.0, abs=1e-9)
    with pytest.raises(InfeasibleError) as caught:
        model.what_if(forbid=[0])
    # min ‖w‖ with y (w·x + b) ≥ 1: 1 for the first feature, 2 for half of the second.
    assert caught.value.tolerance == pytest.approx(1.0, rel=1e-4)
    check_by_refitting(model, (X * [1.0, 0.5, 1.0], y), {"forbid": [0]}, {0: [(0, 0)]})
    with pytest.raises(InfeasibleError, match="No tolerance is enough") as caught:
        model.what_if(forbid=[0, 1])
    assert caught.value.tolerance == np.inf


def test_privileged_constraints_can_be_impossible():
    model = fitted("privileged-classification")
    with pytest.raises(InfeasibleError, match="relevance of 'off'") as caught:
        model.what_if(bounds={"off": (3.0, 4.0)})
    needed = caught.value.tolerance
    base = [model.result_.baseline[key] for key in ("norm", "loss", "privileged_norm")]
    models = model.equivalent_models_
    for tolerance, is_enough in ((1.001 * needed, True), (0.999 * needed, False)):
        wider = copy(model)
        budgets = zip(models.budgets, base, strict=True)
        budgets = tuple(replace(b, limit=(1 + tolerance) * size) for b, size in budgets)
        wider.equivalent_models_ = replace(models, budgets=budgets)
        full = Constrained(wider, {3: [(3.0, 4.0), (-4.0, -3.0)]}, base[2])
        assert full.is_possible == is_enough


def test_too_many_lower_bounds():
    X = np.random.default_rng(0).normal(size=(40, 10))
    model = RelevanceClassifier(C=1.0, n_probes=3, random_state=0).fit(X, np.sign(X[:, 0]))
    with pytest.raises(ValueError, match="9 features have a positive lower bound"):
        model.what_if(bounds=dict.fromkeys(range(9), (0.01, 1.0)))


# Other constraints beside the one that is impossible, and small units


def test_a_sign_beside_it_does_not_raise_the_tolerance_that_would_do():
    y = np.arange(40) % 2
    X = np.column_stack([2.0 * y - 1.0, np.random.default_rng(0).uniform(-1, 1, 40)])
    settings = {"C": 10.0, "standardize": False, "n_probes": 5, "random_state": 0}
    asked = {"bounds": {1: (2.0, np.inf)}, "signs": {0: 1}}

    def needed(tolerance):
        with pytest.raises(InfeasibleError) as error:
            RelevanceClassifier(tolerance=tolerance, **settings).fit(X, y).what_if(**asked)
        return error.value.tolerance

    enough = needed(0.1)
    assert needed(0.99 * enough) == pytest.approx(enough, rel=1e-6)
    model = RelevanceClassifier(tolerance=1.01 * enough, **settings).fit(X, y)
    assert model.what_if(**asked).intervals[1, 0] >= 2.0 - 1e-6


def test_constraints_mean_the_same_in_small_units():
    random = np.random.default_rng(0)
    X = random.normal(size=(60, 4))
    y = X[:, 0] + X[:, 1] + 0.5 * random.normal(size=60)
    settings = {"epsilon": 0.0, "C": 1.0, "tolerance": 0.1, "standardize": False, "n_probes": 5}
    found = []
    for unit in (1.0, 1e-4):
        model = RelevanceRegressor(**settings, random_state=0).fit(X, y * unit)
        answer = model.what_if(bounds={3: (0.0, 0.02)})
        assert abs(answer.witness(0, "max").weights_[3]) <= 0.02 + 1e-6
        found.append(answer.intervals)
        with pytest.raises(InfeasibleError, match="contradiction"):
            model.what_if(forbid=[2], bounds={2: (1e-4, 1.0)})
    np.testing.assert_allclose(found[0], found[1], atol=1e-6)
