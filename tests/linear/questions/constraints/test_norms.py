"""Features of several columns under constraints, against full programs."""

import pickle
from itertools import cycle

import numpy as np
import pandas as pd
import pytest
from constrained_models import Constrained, answers, grouped
from estimator_cases import CASES

from allrelevant import InfeasibleError
from allrelevant.base.three_classes import classify
from allrelevant.linear.engine.ranges import solver as ranges
from allrelevant.linear.questions import WhatIfResult

GROUPS = {"copies": [1, 2], "noise": [3, 4]}


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_upper_bounds_are_those_of_the_full_programs(name):
    """Alone, beside limits of a part, and where they leave nothing."""
    model = grouped(name, "split")
    low, high = model.result_.interval("copies")
    limit = 0.6 * low + 0.4 * high
    asked = [
        ({"copies": (0, limit)}, {}, {(1, 2): limit}),
        ({"copies": (0, limit), "noise": (0, 0.05)}, {}, {(1, 2): limit, (3, 4): 0.05}),
        ({1: (0, limit), "dose": (0.2 * limit, limit)}, {1: 0.2 * limit}, {(1, 2): limit}),
        ({"copies": (0, 0.5 * low)}, {}, {(1, 2): 0.5 * low}),
    ]
    bites = False
    requests = (
        (
            {"bounds": bounds},
            Constrained(model, {k: [(v, 9), (-9, -v)] for k, v in least.items()}, norms=norms),
        )
        for bounds, least, norms in asked
    )
    for found, full in answers(model, requests, at_least=2):
        bites |= found.interval("copies")[1] > limit - 1e-6
        for group, columns in GROUPS.items():
            np.testing.assert_allclose(found.interval(group), full.group(columns), atol=1e-6)
        signed, _ = full.intervals(range(5))
        parts = [found.columns[name]["signed_intervals"] for name in GROUPS]
        ends = np.vstack([found.signed_intervals[:1], *parts])
        np.testing.assert_allclose(ends, signed, atol=1e-6)
    assert bites


def test_a_part_that_must_exceed_what_is_left_for_all_is_a_contradiction():
    with pytest.raises(InfeasibleError, match="contradiction"):
        grouped("classification").what_if(bounds={"copies": (0, 0.1), "dose": (0.2, 1)})


def requests(model):
    """Requests of every kind, and the ranges of weights they mean."""
    most = model.intervals_[1, 1]
    upper, lower = (0.3 * most, 0.7 * most), (-0.7 * most, -0.3 * most)
    return [
        ({}, {}),
        ({"forbid": ["day"]}, {4: [(0, 0)]}),
        ({"forbid": ["copies"]}, {1: [(0, 0)], 2: [(0, 0)]}),
        ({"forbid": ["noise", "dose"]}, {k: [(0, 0)] for k in (1, 3, 4)}),
        ({"bounds": {"dose": (0.3 * most, 0.7 * most)}}, {1: [upper, lower]}),
        ({"signs": {"room": -1}, "bounds": {"age": (0, 0.6)}}, {3: [(-9, 0)], 0: [(-0.6, 0.6)]}),
        (
            {"bounds": {"room": (0.02, 1.0), "day": (0.01, 1.0)}},
            {3: [(0.02, 1.0), (-1.0, -0.02)], 4: [(0.01, 1.0), (-1.0, -0.01)]},
        ),
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "budget"), list(zip(CASES, cycle(["split", "joint"]), strict=False))
)
def test_both_ends_are_those_of_the_full_programs(name, budget):
    model = grouped(name, budget)
    asked = ((request, Constrained(model, ranges_)) for request, ranges_ in requests(model))
    for found, full in answers(model, asked, at_least=4):
        assert found.names == ("age", "copies", "noise")
        for group, columns in GROUPS.items():
            np.testing.assert_allclose(found.interval(group), full.group(columns), atol=1e-6)
            assert found.columns[group]["is_exact"]
            signed, _ = full.intervals(columns)
            np.testing.assert_allclose(found.columns[group]["signed_intervals"], signed, atol=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("task", ["classification", "regression"])
def test_beside_privileged_features(task):
    model = grouped(f"privileged-{task}")
    n = model.n_features_in_
    assert model.equivalent_models_.kinds.any()
    places = [n + 1] if task == "classification" else [n + 1, n + 3]
    found = model.what_if(forbid=["noise"])
    full = Constrained(model, {k: [(0, 0)] for k in places})
    np.testing.assert_allclose(found.interval("both"), full.group([0, 1]), atol=1e-6)
    with pytest.raises(InfeasibleError, match="forbid 'both'"):
        model.what_if(forbid=["both"])


@pytest.mark.slow
@pytest.mark.parametrize("asked", [{"forbid": ["day"]}, {"bounds": {"dose": (0.05, 0.5)}}])
def test_where_the_set_is_large(monkeypatch, asked):
    """Beyond the reach of the simplex method the answers are the same."""
    expected = grouped("classification").what_if(**asked)
    model = pickle.loads(pickle.dumps(grouped("classification")))
    monkeypatch.setattr(ranges, "SIMPLEX_PIECES", 0)
    found = model.what_if(**asked)
    assert found.class_names == expected.class_names
    np.testing.assert_allclose(found.intervals, expected.intervals, atol=1e-6)


# Classes and views


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_classes_follow_the_rules_of_the_fit(name):
    model = grouped(name)
    free, result = model.what_if(), model.result_
    assert free.class_names == result.class_names
    np.testing.assert_array_equal(free.upper_thresholds, result.upper_thresholds)
    found = model.what_if(forbid=["day"])
    for group in GROUPS:
        j, own = found.names.index(group), np.array(found.columns[group]["intervals"])
        fitted = model.fitted_set_.several[j]
        noise = fitted.noise
        if classify(own, result.thresholds, fitted.limits).any():
            noise = min(noise, fitted.limits.min())
        assert found.upper_thresholds[j] == noise
        assert found.classes[j] == classify(found.intervals[[j]], np.array([0.0, noise]))[0]


def test_what_can_be_spared_singly_is_needed_together_when_something_is_forbidden():
    model = grouped("classification")
    found = model.what_if(forbid=["girth"])
    frame = found.to_frame()
    assert frame["feature"].tolist() == ["age", "copies", "noise"]
    row = frame.iloc[1]
    left = np.array(found.columns["copies"]["intervals"])[0]
    assert (row["min"], row["max"]) == pytest.approx(tuple(left), abs=1e-6)
    assert (row["min_before"], row["max_before"]) == model.result_.interval("copies")
    assert row["class_before"] == model.result_.class_names[1]


def test_a_feature_that_is_forbidden_is_shown_as_that():
    model = grouped("regression")
    found = model.what_if(forbid=["noise"])
    assert found.constraints["forbid"] == ("noise",)
    by_columns = model.what_if(forbid=["room", "day"])
    for answer in (found, by_columns):
        assert answer.forbidden == ("noise",)
        assert answer.interval("noise") == (0.0, 0.0)
        frame = answer.to_frame(sort=True)
        assert frame[["feature", "class"]].to_numpy().tolist()[-1] == ["noise", "forbidden"]
        assert WhatIfResult.from_json(answer.to_json()) == answer
    np.testing.assert_allclose(found.intervals, by_columns.intervals, atol=1e-7)
    assert found.witness("dose").weights_[3:].tolist() == [0.0, 0.0]
    assert model.what_if(forbid=["room"]).forbidden == ()


def test_the_report_speaks_of_the_group(tmp_path):
    found = grouped("regression").what_if(forbid=["noise"])
    text = found.report(tmp_path / "report.html").read_text()
    assert "No model may use noise." in text
    assert "1 feature is forbidden, so that no model uses it: noise." in text
    assert text.count("before") > 1


# Questions by the group's name


def test_what_clashes_is_the_group_as_a_whole():
    model = grouped("classification")
    with pytest.raises(InfeasibleError, match="forbid 'copies'") as caught:
        model.what_if(forbid=["day", "copies"])
    assert caught.value.constraints == ("forbid 'copies'",)
    with pytest.raises(InfeasibleError, match="contradiction"):
        model.what_if(forbid=["copies"], keep=["dose"])


@pytest.mark.parametrize(
    ("ask", "parameter"),
    [
        (lambda m: m.what_if(keep=["copies"]), "keep"),
        (lambda m: m.what_if(bounds={"copies": (0.1, 1)}), "bounds"),
        (lambda m: m.what_if(signs={"copies": 1}), "signs"),
        (lambda m: m.what_if(bounds={1: (0.1, 1)}), "bounds"),
    ],
)
def test_where_a_single_weight_is_needed_that_is_said(ask, parameter):
    message = f"{parameter} names 'copies', which has several columns: give one of them, 'dose', "
    with pytest.raises(ValueError, match=message):
        ask(grouped("classification"))


@pytest.mark.slow
@pytest.mark.parametrize(
    "asked", [{"forbid": ["noise"]}, {"bounds": {"dose": (0.02, 0.5)}}, {"forbid": ["room"]}]
)
def test_streams_are_of_features(asked):
    model = grouped("regression")
    whole = model.what_if(**asked)
    found = list(model.what_if_stream([2, 1, 0], **asked))
    assert [one.position for one in found] == [0, 2, 1], "those of several columns come last"
    for one in found:
        np.testing.assert_allclose(one.relevance, whole.intervals[one.position], atol=1e-7)
        if whole.names[one.position] not in whole.forbidden:
            assert one.label == whole.classes[one.position]
        own = whole.columns.get(whole.names[one.position])
        if own is not None:
            np.testing.assert_allclose(one.columns, own["signed_intervals"], atol=1e-7)
    assert [one.position for one in model.what_if_stream(["copies"], **asked)] == [1]


def test_sets_do_without_what_is_forbidden():
    model = grouped("regression")
    for found in (*model.smallest_sets(forbid=["noise"]), model.cheapest_set(forbid=["noise"])):
        assert set(found.features) <= {"age", "copies"}
    with pytest.raises(InfeasibleError, match="forbid 'copies'"):
        grouped("classification").smallest_sets(forbid=["copies"])


def test_groups_called_like_other_columns_are_refused():
    X, y = CASES["classification"].data()
    frame = pd.DataFrame(X, columns=list("abcde"))
    for groups in ({"c": ["a", "b"]}, {"a": ["a", "b"]}):
        with pytest.raises(ValueError, match="which is the name of a column: give the group"):
            CASES["classification"].make(column_groups=groups).fit(frame, y)
    model = CASES["classification"].make(column_groups={"d": ["d"]}).fit(frame, y)
    assert model.what_if(forbid=["d"]).forbidden == ("d",)
    assert model.what_if(bounds={"d": (0, 0.01)}).interval("d")[1] <= 0.01 + 1e-9


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_groups_have_witnesses_under_constraints(name):
    model = grouped(name)
    limits = model.equivalent_models_.limits
    answered = 0
    for asked, _ in requests(model):
        try:
            found = model.what_if(**asked)
        except InfeasibleError:
            continue
        answered += 1
        for group, columns in GROUPS.items():
            for bound in ("min", "max"):
                witness = found.witness(group, bound)
                reached = np.abs(witness.weights_[columns]).sum()
                assert reached == pytest.approx(found.interval(group)[bound == "max"], abs=1e-6)
                assert witness.norm_ <= limits[0] * (1 + 1e-6)
                assert witness.loss_ <= limits[1] * (1 + 1e-6) + 1e-6
                assert not set(witness.features_) & set(found.forbidden)
    assert answered >= 4


def test_witnesses_where_the_set_is_large(monkeypatch):
    model = pickle.loads(pickle.dumps(grouped("classification")))
    monkeypatch.setattr(ranges, "SIMPLEX_PIECES", 0)
    found = model.what_if(forbid=["day"])
    for bound in ("min", "max"):
        witness = found.witness("noise", bound)
        assert witness.weights_[4] == 0.0
        reached = np.abs(witness.weights_[[3, 4]]).sum()
        assert reached == pytest.approx(found.interval("noise")[bound == "max"], abs=1e-6)
