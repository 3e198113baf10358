"""What-if answers against full linear programs."""

from copy import copy, deepcopy
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from constrained_models import Constrained, answers, fitted
from estimator_cases import CASES

from allrelevant import InfeasibleError

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


@pytest.mark.slow
@every_budget
@every_model
def test_intervals_are_those_of_the_full_programs(name, budget):
    model = fitted(name, budget)
    asked = ((request, Constrained(model, ranges)) for request, ranges in requests(model))
    for found, full in answers(model, asked, at_least=4):
        signed, relevance = full.intervals(range(5))
        np.testing.assert_allclose(found.signed_intervals, signed, atol=1e-6)
        np.testing.assert_allclose(found.intervals, relevance, atol=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["privileged-classification", "privileged-regression"])
def test_privileged_features_are_constrained_by_name(name):
    model = fitted(name)
    models, n = model.equivalent_models_, model.n_features_in_
    assert models.kinds.any(), "the privileged features have been left out"
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
    assert not model.equivalent_models_.kinds.any()
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


@pytest.mark.slow
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


@pytest.mark.slow
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
