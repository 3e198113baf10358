"""What-if answers against full linear programs, and what is said where there is no model."""

import json
import pickle
from copy import copy, deepcopy
from dataclasses import FrozenInstanceError, replace
from itertools import product

import numpy as np
import pandas as pd
import pytest
from constrained_models import Constrained, fitted
from estimator_cases import CASES
from oracle import FullProblem
from scipy.sparse import csr_matrix, vstack
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from allrelevant import InfeasibleError, RelevanceClassifier, RelevanceRegressor
from allrelevant.linear.questions import WhatIfResult
from allrelevant.linear.questions.constrained_solver import ConstrainedSolver

PLAIN = list(CASES)
every_model = pytest.mark.parametrize("name", PLAIN)
every_budget = pytest.mark.parametrize("budget", ["split", "joint"])


def requests(model):
    """Requests of every kind, and the ranges of weights they mean."""
    noise = model.result_.upper_thresholds[2]
    most = model.intervals_[1, 1]
    return [
        ({"forbid": ["dose"]}, {1: [(0, 0)]}),
        ({"bounds": {"dose": (0.0, 0.6 * most)}}, {1: [(-0.6 * most, 0.6 * most)]}),
        (
            {"bounds": {"dose": (0.3 * most, 0.7 * most)}, "forbid": ["day"]},
            {1: [(0.3 * most, 0.7 * most), (-0.7 * most, -0.3 * most)], 4: [(0, 0)]},
        ),
        ({"signs": {"room": -1, "dose": 1}}, {3: [(-np.inf, 0)], 1: [(0, np.inf)]}),
        (
            {"keep": ["girth"], "signs": {"day": 1}},
            {2: [(noise, np.inf), (-np.inf, -noise)], 4: [(0, np.inf)]},
        ),
        (
            {"bounds": {"room": (0.02, 1.0), "day": (0.01, 1.0)}},
            {3: [(0.02, 1.0), (-1.0, -0.02)], 4: [(0.01, 1.0), (-1.0, -0.01)]},
        ),
    ]


@every_budget
@every_model
def test_intervals_are_those_of_the_full_programs(name, budget):
    model = fitted(name, budget)
    answered = 0
    for asked, ranges in requests(model):
        full = Constrained(model, ranges)
        if not full.is_possible:
            with pytest.raises(InfeasibleError):
                model.what_if(**asked)
            continue
        answered += 1
        found = model.what_if(**asked)
        signed, relevance = full.intervals(range(5))
        np.testing.assert_allclose(found.signed_intervals, signed, atol=1e-6)
        np.testing.assert_allclose(found.intervals, relevance, atol=1e-6)
    assert answered >= 4


@pytest.mark.parametrize("name", ["privileged-classification", "privileged-regression"])
def test_privileged_features_are_constrained_by_name(name):
    model = fitted(name)
    models, n = model.equivalent_models_, model.n_features_in_
    assert models.kinds is not None, "the privileged features have been left out"
    side = model.result_.baseline["privileged_norm"]
    n_functions = 1 if name.endswith("classification") else 2
    off = [n + 2 * function for function in range(n_functions)]
    most = model.privileged_intervals_[0] @ [0.3, 0.7]  # of what it can be

    found = model.what_if(bounds={"off": (0.0, most)})
    full = Constrained(model, {k: [(-most, most)] for k in off}, side)
    _, relevance = full.intervals(range(len(models.kinds) - n_functions))
    share = side / model.result_.baseline["norm"]
    np.testing.assert_allclose(found.intervals, relevance[:n] * share, atol=1e-6)
    expected = np.maximum.reduce(np.split(relevance[n:], n_functions))
    np.testing.assert_allclose(found.privileged_intervals, expected, atol=1e-6)

    found = model.what_if(bounds={"off": (most, 10.0)})
    assert found.privileged_intervals[0, 0] >= most - 1e-6
    assert found.privileged_intervals[0, 1] == pytest.approx(model.privileged_intervals_[0, 1])
    without = model.what_if(forbid=["noise"], keep=["age"])
    np.testing.assert_array_equal(without.privileged_intervals[1], [0.0, 0.0])
    frame = without.to_frame()
    assert list(frame["feature"]) == ["age", "dose", "girth", "off", "noise"]
    assert frame["max_before"].notna().all()


def test_positions_are_those_of_the_features_that_predict():
    """Privileged features have names only: −1 is the last feature in every question."""
    model = fitted("privileged-classification")
    assert model.what_if(forbid=[-1]).constraints["forbid"] == ("girth",)
    assert model.smallest_sets(forbid=[-1])[0].features == model.smallest_sets()[0].features
    with pytest.raises(ValueError, match="names position 3, but there are 3 features"):
        model.what_if(forbid=[3])
    with pytest.raises(ValueError, match="one of 'age', 'dose', 'girth', 'off', 'noise'"):
        model.what_if(forbid=["height"])


def test_privileged_features_that_were_left_out_may_be_forbidden():
    X, y = CASES["classification"].data()
    useless = pd.DataFrame(np.random.default_rng(0).normal(size=(len(X), 2)), columns=["p", "q"])
    with pytest.warns(UserWarning, match="explain the slacks no better"):
        model = CASES["classification"].make(gamma=1.0).fit(X, y, X_privileged=useless)
    assert model.equivalent_models_.kinds is None
    found = model.what_if(forbid=["p"], bounds={"q": (0.0, 0.5)}, signs={"q": 1})
    np.testing.assert_allclose(found.intervals, model.intervals_, atol=1e-6)
    np.testing.assert_array_equal(found.privileged_intervals, np.zeros((2, 2)))
    assert found.privileged.class_names == ("forbidden", "irrelevant")
    with pytest.raises(InfeasibleError, match="keep 'q'") as caught:
        model.what_if(keep=["q"], forbid=[4])
    assert caught.value.constraints == ("keep 'q'",)
    assert caught.value.tolerance == np.inf


def test_what_is_kept_is_used_even_if_noise_reaches_nothing():
    model = copy(fitted("classification"))
    nothing = np.zeros(5)
    silent = replace(model.result_, thresholds=[0.0, 0.0], noise_thresholds=nothing)
    model.fitted_set_ = replace(model.fitted_set_, result=silent)
    found = model.what_if(keep=["room"])
    assert found.intervals[3, 0] == pytest.approx(1e-6, abs=1e-7)
    with pytest.raises(InfeasibleError, match="contradiction"):
        model.what_if(keep=["room"], forbid=["room"])


def test_a_lower_bound_is_the_union_of_both_signs():
    """Neither side is guessed: the answer is what two full programs give together."""
    model = fitted("classification")
    low, high = model.signed_intervals_[3]
    assert low < -0.02, "the feature can have either sign"
    assert high > 0.02
    found = model.what_if(bounds={"room": (0.02, 1.0)})
    sides = [
        Constrained(model, {3: [side]}).intervals(range(5)) for side in [(0.02, 1), (-1, -0.02)]
    ]
    signed = np.array([side[0] for side in sides])
    np.testing.assert_allclose(found.signed_intervals[:, 0], signed[:, :, 0].min(axis=0), atol=1e-6)
    np.testing.assert_allclose(found.signed_intervals[:, 1], signed[:, :, 1].max(axis=0), atol=1e-6)
    assert found.intervals[3, 0] == pytest.approx(0.02, abs=1e-6)


@every_model
def test_witnesses_attain_their_ends_and_keep_all_that_is_asked(name):
    model = fitted(name)
    most = model.intervals_[1, 1]
    found = model.what_if(bounds={"dose": (0.3 * most, 0.7 * most)}, forbid=["day"])
    limits = model.equivalent_models_.limits
    for k, interval in enumerate(found.intervals):
        for bound, share in zip(("min", "max"), interval, strict=True):
            witness = found.witness(k, bound)
            assert abs(witness.weights_[k]) == pytest.approx(share, abs=1e-6)
            assert 0.3 * most - 1e-6 <= abs(witness.weights_[1]) <= 0.7 * most + 1e-6
            assert witness.weights_[4] == pytest.approx(0.0, abs=1e-6)
            assert witness.norm_ <= limits[0] * (1 + 1e-6)
            assert witness.loss_ <= limits[1] * (1 + 1e-6)
    assert found.witness("dose").weights_[1] == found.witness(1).weights_[1]
    with pytest.raises(ValueError, match="bound must be one of"):
        found.witness("dose", "mean")


@every_model
def test_by_name_and_by_position(name):
    model = fitted(name)
    by_name = model.what_if(forbid=["day"], signs={"girth": 1}, bounds={"age": (0.0, 0.9)})
    by_place = model.what_if(forbid=[4], signs={2: 1}, bounds={np.int64(0): [0, 0.9]})
    np.testing.assert_allclose(by_name.intervals, by_place.intervals, atol=1e-9)
    for found in (by_name, by_place):  # what was asked is kept by name
        assert found.constraints["bounds"] == {"age": (0.0, 0.9)}
        assert found.constraints["forbid"] == ("day",)
        assert found.constraints["signs"] == {"girth": 1}


def test_any_iterable_of_features_is_read_once():
    model = fitted("classification")
    assert model.what_if(forbid=(k for k in [3, 4])).constraints["forbid"] == ("room", "day")
    assert model.what_if(forbid={"room": 1}.keys()).constraints["forbid"] == ("room",)


def test_nothing_asked_changes_nothing():
    model = fitted("classification")
    found = model.what_if()
    np.testing.assert_allclose(found.intervals, model.intervals_, atol=1e-6)
    np.testing.assert_allclose(found.change, 0.0, atol=1e-6)
    np.testing.assert_array_equal(found.classes, model.relevance_classes_)


@every_model
def test_forbidding_a_feature_never_widens_another_interval(name):
    model = fitted(name)
    for k in range(5):
        try:
            found = model.what_if(forbid=[k])
        except InfeasibleError:
            assert model.intervals_[k, 0] > 0
            continue
        assert model.intervals_[k, 0] < 1e-6
        low, high = found.change.T
        assert (low >= -1e-6).all()
        assert (high <= 1e-6).all()
        np.testing.assert_array_equal(found.signed_intervals[k], [0.0, 0.0])
        assert not np.signbit(found.signed_intervals[k]).any()


@every_budget
@pytest.mark.parametrize("name", ["classification", "ordinal-implicit", "regression"])
def test_warm_answers_are_cold_ones_in_any_order(name, budget):
    model = fitted(name, budget)
    asked = [request for request, _ in requests(model)]

    def answer(estimator, request):
        try:
            return estimator.what_if(**request).signed_intervals
        except InfeasibleError as error:
            return np.full((5, 2), error.tolerance)

    cold = [answer(deepcopy(model), request) for request in asked]  # a copy has no solver yet
    random = np.random.default_rng(0)
    for order in (random.permutation(len(asked)), random.permutation(len(asked))):
        warm = deepcopy(model)
        for k in [*order, *order[::-1]]:
            np.testing.assert_allclose(answer(warm, asked[k]), cold[k], atol=1e-6)


# Streams


def test_a_stream_gives_the_same_one_by_one():
    model = fitted("classification")
    asked = {"forbid": ["day"], "bounds": {"dose": (0.1, 0.3)}}
    found = model.what_if(**asked)
    seen = list(model.what_if_stream(["room", 0, "dose"], **asked))
    assert [k for k, _, _ in seen] == [3, 0, 1]
    for k, interval, signed in seen:
        assert interval == pytest.approx(found.intervals[k].tolist(), abs=1e-9)
        assert signed == pytest.approx(found.signed_intervals[k].tolist(), abs=1e-9)
    assert [k for k, _, _ in model.what_if_stream(**asked)] == list(range(5))


def test_a_stream_can_be_left_and_the_next_request_is_right():
    model = copy(fitted("classification"))
    stream = model.what_if_stream(forbid=["dose"])
    next(stream)
    stream.close()
    found = model.what_if(forbid=["day"]).intervals
    expected = fitted("classification").what_if(forbid=["day"]).intervals
    np.testing.assert_allclose(found, expected, atol=1e-9)


def test_two_streams_at_once_do_not_disturb_each_other():
    model = fitted("classification")
    one, other = model.what_if_stream(forbid=["dose"]), model.what_if_stream(forbid=["day"])
    mixed = [(next(one)[1], next(other)[1]) for _ in range(5)]
    for k, (of_one, of_other) in enumerate(mixed):
        assert of_one == pytest.approx(model.what_if(forbid=["dose"]).intervals[k], abs=1e-6)
        assert of_other == pytest.approx(model.what_if(forbid=["day"]).intervals[k], abs=1e-6)


def test_a_stream_refuses_what_what_if_refuses():
    model = fitted("classification")
    with pytest.raises(ValueError, match="order names 'height'"):
        model.what_if_stream(["height"])
    for order in ("age", 3):
        with pytest.raises(ValueError, match="order must be a list of features"):
            model.what_if_stream(order)
    with pytest.raises(InfeasibleError):
        model.what_if_stream(forbid=["age"], keep=["age"])


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


@every_budget
@every_model
def test_the_constraints_named_clash_and_none_of_them_can_be_spared(name, budget):
    model = fitted(name, budget)
    names, baseline = model.result_.names, model.result_.baseline
    solver = ConstrainedSolver(model.equivalent_models_, names, baseline)
    for asked, ranges in impossible(model):
        assert not Constrained(model, ranges).is_possible
        with pytest.raises(InfeasibleError, match="no equivalent model does this") as caught:
            model.what_if(**asked)
        every = model.fitted_set_.constraints(**asked)
        clash = [c for c in every if c.text in caught.value.constraints]
        assert len(clash) == len(caught.value.constraints) > 0
        assert not solver._feasible(clash)
        for constraint in clash:
            assert solver._feasible([c for c in clash if c is not constraint])


@every_budget
@every_model
def test_the_tolerance_named_is_the_smallest_that_will_do(name, budget):
    """By the elastic full program, and by fitting anew with a bit more and a bit less."""
    model = fitted(name, budget)
    for asked, ranges in impossible(model):
        with pytest.raises(InfeasibleError) as caught:
            model.what_if(**asked)
        needed = caught.value.tolerance
        assert needed == pytest.approx(elastic(model, ranges), rel=1e-5)
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
    full = FullProblem(models.X, models.pieces)
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


def test_a_pair_of_tolerances_needs_one_that_serves_both():
    X, y = CASES["classification"].data()
    model = CASES["classification"].make(tolerance=(0.2, 0.01)).fit(X, y)
    for asked, ranges in impossible(model):
        with pytest.raises(InfeasibleError, match=r"instead of \(0.2, 0.01\)") as caught:
            model.what_if(**asked)
        assert caught.value.tolerance == pytest.approx(elastic(model, ranges), rel=1e-5)
    check_by_refitting(model, (X, y), *impossible(model)[0])


def test_the_message_rounds_the_tolerance_up():
    model = fitted("classification")
    with pytest.raises(InfeasibleError) as caught:
        model.what_if(forbid=[0, 1, 2])
    error = caught.value
    shown = float(str(error).split("tolerance=")[1].split(" ")[0])
    assert error.tolerance <= shown <= 1.02 * error.tolerance
    assert "instead of 0.1" in str(error)
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
    with pytest.raises(InfeasibleError, match="No tolerance will do") as caught:
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


# The result


def test_a_result_under_constraints_is_a_result():
    model = fitted("classification")
    found = model.what_if(forbid=["day"], bounds={"dose": (0.0, 0.1)})
    assert found.before is model.result_
    np.testing.assert_allclose(found.change, found.intervals - model.intervals_)
    frame = found.to_frame(sort=True)
    assert list(frame.columns[-3:]) == ["min_before", "max_before", "class_before"]
    for k, row in frame.iterrows():
        assert row["feature"] == model.result_.names[k]
        assert row["max_before"] == model.intervals_[k, 1]
        assert row["max"] == found.intervals[k, 1]
    assert "5 features" in repr(found)


def test_a_result_cannot_be_changed():
    found = fitted("classification").what_if(forbid=["day"])
    with pytest.raises(ValueError, match="read-only"):
        found.intervals[0, 0] = 1.0
    with pytest.raises(FrozenInstanceError):
        found.intervals = None
    with pytest.raises(TypeError):
        found.constraints["forbid"] = ()
    with pytest.raises(TypeError):
        found.constraints["bounds"]["age"] = (0.0, 1.0)


@pytest.mark.parametrize("name", ["classification", "privileged-regression"])
def test_json_and_pickle_bring_the_same_back(name):
    found = fitted(name).what_if(forbid=["girth"], bounds={"dose": (0.0, np.inf)})
    document = json.loads(found.to_json())
    assert document["format"] == "allrelevant.WhatIfResult/1"
    for again in (WhatIfResult.from_json(found.to_json()), pickle.loads(pickle.dumps(found))):
        assert again == found
        assert again.before == found.before
        np.testing.assert_array_equal(again.change, found.change)
        pd.testing.assert_frame_equal(again.to_frame(), found.to_frame())
        with pytest.raises(ValueError, match="has no models any more"):
            again.witness(0)


# The estimator


def test_an_estimator_is_not_changed_by_questions():
    model = copy(fitted("classification"))
    before = model.result_
    found = model.what_if(forbid=["day"])
    assert model.result_ is before
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_allclose(again.what_if(forbid=["day"]).intervals, found.intervals, atol=1e-9)
    assert clone(model).get_params() == model.get_params()
    assert not hasattr(clone(model), "result_")


def test_a_new_fit_forgets_the_old_models():
    X, y = CASES["classification"].data()
    model = CASES["classification"].make(tolerance=0.1).fit(X, y)
    model.what_if(forbid=[4])
    other, labels = CASES["classification"].data(random_state=5)
    model.fit(other, labels)
    fresh = CASES["classification"].make(tolerance=0.1).fit(other, labels)
    found, expected = model.what_if(forbid=[4]), fresh.what_if(forbid=[4])
    np.testing.assert_array_equal(found.intervals, expected.intervals)


def test_a_single_feature():
    x = np.random.default_rng(0).normal(size=(40, 1))
    model = RelevanceClassifier(C=1.0, n_probes=3, tolerance=0.1, random_state=0)
    model.fit(x, np.sign(x[:, 0] + 0.3))
    low, high = model.intervals_[0]
    middle = (low + high) / 2
    found = model.what_if(bounds={0: (0.0, middle)})
    np.testing.assert_allclose(found.intervals, [[low, middle]], atol=1e-6)
    with pytest.raises(InfeasibleError) as caught:
        model.what_if(forbid=[0])
    assert caught.value.constraints == ("forbid 'x0'",)


def test_where_nothing_was_learned_there_is_nothing_to_ask():
    X = np.random.default_rng(0).normal(size=(40, 2))
    with pytest.warns(UserWarning, match="no learnable signal"):
        model = RelevanceClassifier(C=1e-6, n_probes=3).fit(X, np.arange(40) % 2)
    with pytest.raises(ValueError, match="no learnable signal: there is no model to put"):
        model.what_if(forbid=[0])
    with pytest.raises(ValueError, match="no learnable signal"):
        model.substitutes(0)
    assert model.groups().labels.tolist() == [0, 0]


def test_questions_need_a_fit():
    for ask in (
        lambda m: m.what_if(),
        lambda m: next(m.what_if_stream()),
        lambda m: m.groups(),
        lambda m: m.substitutes(0),
    ):
        with pytest.raises(NotFittedError):
            ask(RelevanceClassifier())


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
    assert needed(0.99 * enough) == pytest.approx(enough, rel=1e-5)
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


# What is forbidden is said to be that


def test_what_is_forbidden_is_not_called_irrelevant():
    model = fitted("classification")
    found = model.what_if(forbid=["room", 4])
    assert found.forbidden == ("room", "day")
    assert not {"room", "day"} & set(found.irrelevant)
    assert found.class_names[3:] == ("forbidden", "forbidden")
    assert found.classes[3:].tolist() == [0, 0], "numbers have three classes"
    assert found.order[-2:].tolist() == [3, 4]
    frame = found.to_frame(sort=True)
    assert frame["class"].tolist()[-2:] == ["forbidden", "forbidden"]
    assert frame["class_before"].tolist()[-2:] == list(model.result_.class_names[3:])
    lines = repr(found).splitlines()
    assert lines[0].endswith(", 2 forbidden")
    assert [line.split()[1] for line in lines if line.startswith(("room", "day"))] == [
        "forbidden",
        "forbidden",
    ]
    assert found._repr_html_().count("</span> forbidden") == 2
    assert "forbidden" not in repr(model.what_if(keep=["age"]))
    again = WhatIfResult.from_json(found.to_json())
    assert again == found
    assert repr(again) == repr(found)


def test_a_privileged_feature_that_is_forbidden_is_said_to_be():
    found = fitted("privileged-classification").what_if(forbid=["noise"])
    assert found.privileged.class_names == (found.privileged.class_names[0], "forbidden")
    frame = found.to_frame()
    assert frame["class"].tolist()[3:] == list(found.privileged.class_names)
    assert frame["class_before"].tolist()[4] != "forbidden"
    assert frame["max_before"].notna().all()
    assert "noise    forbidden" in repr(found)
