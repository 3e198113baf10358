"""Feature sets against brute force: one linear program for every subset."""

import itertools
import json
from functools import cache

import numpy as np
import pandas as pd
import pytest
from estimator_cases import CASES, every_case
from every_model import EveryModel, privileged_models, simulated_models
from helpers import MODELS
from hypothesis import given, settings
from hypothesis import strategies as st

from allrelevant import InfeasibleError, RelevanceClassifier, RelevanceRegressor, SolverError
from allrelevant.linear.engine.simplex.excess import ExcessProgram
from allrelevant.linear.models import Classification
from allrelevant.linear.questions.sets.choice import OutOfTime
from allrelevant.linear.questions.sets.hitting import SetSearch
from allrelevant.linear.questions.sets.subsets import PartsSolver, SubsetSolver

every_model = pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)


def search(models, costs=None, time_limit=60.0, n_main=None):
    d = models.n_features
    possible = np.arange(d) < (d if n_main is None else n_main)
    costs = np.ones(d) if costs is None else np.asarray(costs, dtype=float)
    solver = PartsSolver([models], possible)
    nothing = np.zeros(d, dtype=bool)
    return SetSearch(solver, costs, possible, nothing, time_limit, np.arange(d))


def enumerated(found):
    return [tuple(np.flatnonzero(chosen)) for chosen, _ in iter(found.next, None)]


def keeps_budgets(models, weights, offsets):
    loss = models.pieces.loss(models.X.scores(weights), offsets)
    spent = models.norm_table @ models.norms(weights) + models.loss_factors * loss
    hard = models.pieces.violation(models.pieces.residuals(models.X.scores(weights), offsets))
    return (spent <= models.limits * (1 + 1e-6) + 1e-6).all() and hard <= 1e-6


# Enumeration


@pytest.mark.slow
@every_model
@pytest.mark.parametrize("budget", ["split", "joint"])
def test_all_minimal_sets_and_no_others(model, budget):
    models = simulated_models(model, budget=budget, tolerance=0.15)
    expected = EveryModel(models).minimal_sets(6)
    assert len(expected) > 1
    found = enumerated(search(models))
    assert [len(chosen) for chosen in found] == sorted(len(chosen) for chosen in found)
    assert sorted(found) == sorted(expected)


@pytest.mark.slow
@given(st.integers(0, 10_000), st.sampled_from([0.01, 0.1, 0.4]), st.sampled_from([0.3, 2.0]))
@settings(derandomize=True, deadline=None, max_examples=12)
def test_minimal_sets_of_any_data(seed, tolerance, C):
    models = simulated_models(Classification(), seed=seed, d=5, n=25, tolerance=tolerance, C=C)
    assert sorted(enumerated(search(models))) == sorted(EveryModel(models).minimal_sets(5))


@pytest.mark.slow
def test_minimal_and_cheapest_sets_of_ten_features():
    models = simulated_models(Classification(), d=10, n=20, tolerance=0.2)
    expected = EveryModel(models).minimal_sets(10)
    assert len({len(chosen) for chosen in expected}) > 1, "some minimal sets are larger than others"
    assert sorted(enumerated(search(models))) == sorted(expected)
    costs = np.random.default_rng(0).integers(1, 9, 10).astype(float)
    chosen, _ = search(models, costs).next()
    assert costs[chosen].sum() == min(costs[list(chosen)].sum() for chosen in expected)


def test_side_information_is_in_no_set_and_always_there():
    models = privileged_models(d=5, tolerance=0.5)
    expected = EveryModel(models).minimal_sets(5)
    assert len(expected) > 1
    assert sorted(enumerated(search(models, n_main=5))) == sorted(expected)


@pytest.mark.parametrize("budget", ["split", "joint"])
def test_few_features_may_leave_more_to_slack_functions_than_any_equivalent_model_does(budget):
    y = np.linspace(-3.0, 3.0, 41)
    off = np.arange(41) % 10 == 3
    x = y + 0.5 * off
    common = {"C": 1.0, "gamma": 0.1, "epsilon": 0.1, "tolerance": 0.1, "n_probes": 3}
    model = RelevanceRegressor(**common, budget=budget, standardize=False, random_state=0)
    model.fit(np.column_stack([x, x]), y, X_privileged=off[:, None].astype(float))
    assert {found.features for found in model.smallest_sets()} == {("x0",), ("x1",)}


@every_model
def test_each_set_has_a_model_that_uses_nothing_else(model):
    models = simulated_models(model, tolerance=0.15)
    found = search(models)
    for chosen, verdict in iter(found.next, None):
        assert not verdict.weights[~chosen].any(), "exactly 0, not nearly"
        assert verdict.weights[chosen].all()
        assert keeps_budgets(models, verdict.weights, verdict.offsets)


# Costs


@pytest.mark.slow
@given(
    st.lists(st.sampled_from([0.0, 0.5, 1.0, 1.0, 3.0, 100.0]), min_size=5, max_size=5),
    st.integers(0, 100),
)
@settings(derandomize=True, deadline=None, max_examples=10)
def test_the_cheapest_set_costs_what_brute_force_finds(costs, seed):
    models = simulated_models(Classification(), seed=seed, d=5, n=25, tolerance=0.15)
    expected = min(sum(costs[k] for k in chosen) for chosen in EveryModel(models).minimal_sets(5))
    found = search(models, costs)
    chosen, verdict = found.next()
    assert np.asarray(costs)[chosen].sum() == pytest.approx(expected)
    assert found.bound == pytest.approx(expected)
    assert verdict.weights[chosen].all(), "nothing is in it that could be spared, even for free"


@pytest.mark.slow
@every_model
def test_a_mixed_integer_program_with_big_m_agrees(model):
    models = simulated_models(model, n=30, d=12, tolerance=0.15)
    costs = np.array([3.0, 1.0, 2.0, 1.0, 4.0, 1.5, 2.5, 1.0, 2.0, 3.5, 0.5, 1.5])
    chosen, _ = search(models, costs).next()
    expected = EveryModel(models).cheapest_by_big_m(costs)
    assert costs[chosen].sum() == pytest.approx(expected, rel=1e-6)


# The linear program behind it


@pytest.mark.slow
@every_model
def test_a_subset_holds_a_model_exactly_if_the_full_program_says_so(model):
    models = simulated_models(model, d=4, tolerance=0.15)
    every, solver = EveryModel(models), SubsetSolver(models, np.ones(4, dtype=bool))
    verdicts = []
    for picked in itertools.product([True, False], repeat=4):
        allowed = np.array(picked)
        verdict = solver.best(allowed)
        verdicts.append(verdict.holds)
        assert verdict.holds == every.holds(allowed)
        assert not verdict.weights[~allowed].any()
        if not verdict.holds:  # what is not wanted does not help
            assert not every.holds(allowed | ~verdict.wanted)
    assert any(verdicts)
    assert not all(verdicts)


@pytest.mark.parametrize("fails", ["warm", "always"])
def test_a_subset_is_decided_from_scratch_where_the_last_program_leads_nowhere(monkeypatch, fails):
    models = simulated_models(MODELS["classification"], d=4, tolerance=0.15)
    three = np.array([True, True, True, False])
    holds, asked, solve = EveryModel(models).holds(three), [], ExcessProgram.solve

    def attempt(self, method, *, cold=False, excluded=None):
        asked.append(cold)
        if fails == "always" or not cold:
            return None
        return solve(self, method, cold=cold, excluded=excluded)

    monkeypatch.setattr(ExcessProgram, "solve", attempt)
    solver = SubsetSolver(models, np.ones(4, dtype=bool))
    if fails == "always":
        with pytest.raises(SolverError, match="could not be decided"):
            solver.best(three)
    else:
        assert solver.best(three).holds == holds
    assert asked == [False, True]


# As a person asks


@cache
def named(case):
    """A fitted estimator that knows its features by name, and the data."""
    X, y = case.data()
    frame = pd.DataFrame(X, columns=["a", "b", "c", "d", "e"])
    return case.make(tolerance=0.15).fit(frame, y), frame


@pytest.mark.slow
@every_case
def test_smallest_sets_of_an_estimator(case):
    model, frame = named(case)
    expected = EveryModel(model.equivalent_models_).minimal_sets(5)
    found = model.smallest_sets(100)
    names = [tuple("abcde"[k] for k in chosen) for chosen in expected]
    assert sorted(s.features for s in found) == sorted(names)
    assert found.is_complete
    assert found.is_exhaustive
    assert found.is_optimal
    limits = model.equivalent_models_.limits * (1 + 1e-6)
    for one in found:
        assert one.cost == len(one) == len(one.features)
        assert one.model.features_ == one.features == tuple(one)
        assert one.model.norm_ <= limits[0]
        assert one.model.loss_ <= limits[1]
        assert np.isfinite(one.model.decision_function(frame)).all()
    first = model.smallest_sets(1)
    assert len(first) == 1
    assert first.is_complete
    assert first[0].features == found[0].features
    assert not first.is_exhaustive or len(found) == 1


def test_strong_features_are_in_every_set_and_shared():
    model = CASES["classification"].fitted()
    strong = {model.result_.names[k] for k in np.flatnonzero(model.intervals_[:, 0] > 0)}
    assert strong
    found = model.smallest_sets()
    assert strong <= set(found.shared)
    assert all(strong <= set(one.features) for one in found)


def test_cheapest_set_by_name_and_position():
    model, _ = named(CASES["classification"])
    sets = [one.features for one in model.smallest_sets(100)]
    costs = {"a": 1.0, "b": 10.0, "c": 2.0}
    price = lambda names: sum(costs.get(name, 0.5) for name in names)  # noqa: E731
    found = model.cheapest_set(costs, default_cost=0.5)
    assert found.cost == pytest.approx(min(map(price, sets))) == price(found.features)
    assert found.is_optimal
    assert found.gap == 0.0
    by_place = model.cheapest_set({0: 1.0, 1: 10.0, -3: 2.0}, default_cost=0.5)
    assert by_place.features == found.features
    assert model.cheapest_set().cost == min(map(len, sets))


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:no feature is strong:UserWarning")
def test_sets_without_forbidden_features():
    X, y = CASES["classification"].data()
    model = RelevanceClassifier(random_state=0).fit(X, y)
    free = model.smallest_sets(100)
    assert free.is_exhaustive
    names = model.result_.names
    for k, name in enumerate(names):
        wanted = [found.features for found in free if name not in found]
        if not wanted:
            with pytest.raises(InfeasibleError, match=f"forbid '{name}'"):
                model.smallest_sets(100, forbid=[name])
            continue
        found = model.smallest_sets(100, forbid=[k])
        assert sorted(one.features for one in found) == sorted(wanted)
        cheap = model.cheapest_set(forbid=[name])
        assert cheap.cost == min(map(len, wanted))
        hurried = model.cheapest_set(forbid=[name], time_limit=1e-9)
        assert name not in hurried
        assert hurried.cost >= cheap.cost
    with pytest.raises(ValueError, match="forbid names 'nobody'"):
        model.cheapest_set(forbid=["nobody"])
    for ask in (model.cheapest_set, model.smallest_sets):
        for forbid in (3, "age"):
            with pytest.raises(ValueError, match="forbid must be a list of features"):
                ask(forbid=forbid)


def test_without_time_there_is_still_a_set_and_an_honest_gap():
    model = CASES["classification"].fitted(tolerance=0.15)
    found = model.smallest_sets(time_limit=1e-9)
    assert len(found) == 1
    assert not found.is_complete
    assert not found.is_exhaustive
    assert found.gap == found[0].gap >= 0.0
    assert found[0].bound <= model.smallest_sets(1)[0].cost <= found[0].cost
    assert "time limit" in repr(found)
    dear = model.cheapest_set({"x0": 7.0}, time_limit=1e-9)
    assert dear.bound <= model.cheapest_set({"x0": 7.0}).cost <= dear.cost
    assert dear.model.loss_ <= model.equivalent_models_.limits[1] * (1 + 1e-6)


def test_time_runs_out_between_sets():
    models = simulated_models(Classification(), tolerance=0.15)
    found = search(models)
    assert found.next() is not None
    found._deadline = -np.inf
    with pytest.raises(OutOfTime):
        found.next()


def test_where_nothing_is_learned_no_feature_is_enough():
    X = np.random.default_rng(0).normal(size=(40, 2))
    with pytest.warns(UserWarning, match="no learnable signal"):
        model = RelevanceClassifier(C=1e-6, n_probes=3).fit(X, np.arange(40) % 2)
    (one,) = model.smallest_sets()
    assert one.features == ()
    assert model.cheapest_set({0: 5.0}).cost == 0.0
    assert "no feature" in repr(model.smallest_sets())


def test_views():
    model = CASES["classification"].fitted(tolerance=0.15)
    found = model.smallest_sets()
    frame = found.to_frame()
    assert frame["size"].tolist() == [len(one) for one in found]
    for row, one in zip(frame.itertuples(index=False), found, strict=True):
        inside = {name for name, used in zip(frame.columns[1:], row[1:], strict=True) if used}
        assert inside == set(one.features)
    document = json.loads(found.to_json())
    assert [entry["features"] for entry in document["sets"]] == [list(one) for one in found]
    assert json.loads(found[0].to_json())["is_optimal"]
    assert ", ".join(found[0].features) in repr(found)
    assert "FeatureSet of cost" in repr(found[0])
    assert set(found[0].to_frame()["feature"]) == set(found[0].features)


@pytest.mark.parametrize(
    ("question", "message"),
    [
        (lambda m: m.smallest_sets(0), "k must be a whole number of at least 1"),
        (lambda m: m.smallest_sets(2.5), "k must be a whole number"),
        (lambda m: m.smallest_sets(time_limit=0), "time_limit must be a number above 0"),
        (lambda m: m.cheapest_set({"x9": 1.0}), "costs names 'x9', which is not a feature"),
        (lambda m: m.cheapest_set({"x1": -1.0}), "the cost of 'x1' must be a number of at least 0"),
        (lambda m: m.cheapest_set({"x1": "dear"}), "the cost of 'x1'"),
        (lambda m: m.cheapest_set({"x1": 1.0, 1: 2.0}), "names one feature twice: 'x1' and 1"),
        (lambda m: m.cheapest_set([1.0]), "costs must map features to numbers"),
        (lambda m: m.cheapest_set(default_cost=-1), "default_cost"),
    ],
)
def test_bad_questions(question, message):
    model = CASES["classification"].fitted()
    with pytest.raises(ValueError, match=message):
        question(model)
