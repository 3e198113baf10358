"""Groups of columns under constraints, against full programs for every pattern of signs."""

import pickle

import numpy as np
import pandas as pd
import pytest
from constrained_models import Constrained, grouped
from estimator_cases import CASES

from allrelevant import InfeasibleError, RelevanceClassifier
from allrelevant.base.three_classes import classify
from allrelevant.linear.engine import ranges
from allrelevant.linear.questions import WhatIfResult
from allrelevant.results.grouped import by_feature

GROUPS = {"copies": [1, 2], "noise": [3, 4]}


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
@pytest.mark.parametrize("budget", ["split", "joint"])
@pytest.mark.parametrize("name", CASES)
def test_both_ends_are_those_of_the_full_programs(name, budget):
    model = grouped(name, budget)
    answered = 0
    for asked, ranges_ in requests(model):
        full = Constrained(model, ranges_)
        if not full.is_possible:
            with pytest.raises(InfeasibleError):
                model.what_if(**asked)
            continue
        answered += 1
        found = model.what_if(**asked).column_groups
        for group, columns in GROUPS.items():
            interval = found[group]["min"], found[group]["max"]
            np.testing.assert_allclose(interval, full.group(columns), atol=2e-6)
            assert found[group]["is_exact"]
    assert answered >= 4


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_beside_privileged_features(task):
    model = grouped(f"privileged-{task}")
    n = model.n_features_in_
    assert model.equivalent_models_.kinds is not None
    places = [n + 1] if task == "classification" else [n + 1, n + 3]
    found = model.what_if(forbid=["noise"]).column_groups["both"]
    full = Constrained(model, {k: [(0, 0)] for k in places})
    np.testing.assert_allclose((found["min"], found["max"]), full.group([0, 1]), atol=2e-6)
    with pytest.raises(InfeasibleError, match="forbid 'both'"):
        model.what_if(forbid=["both"])


@pytest.mark.slow
@pytest.mark.parametrize("asked", [{"forbid": ["day"]}, {"bounds": {"dose": (0.05, 0.5)}}])
def test_where_the_set_is_large(monkeypatch, asked):
    """Beyond the reach of the simplex method the answers are the same."""
    expected = grouped("classification").what_if(**asked).column_groups
    model = pickle.loads(pickle.dumps(grouped("classification")))
    model.fitted_set_.solver.ranges.is_large = True
    monkeypatch.setattr(ranges, "SIMPLEX_PIECES", 0)
    found = model.what_if(**asked).column_groups
    for group, known in expected.items():
        assert found[group]["class"] == known["class"]
        for end in ("min", "max"):
            assert found[group][end] == pytest.approx(known[end], abs=1e-5)


# Classes and views


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_classes_follow_the_rules_of_the_fit(name):
    model = grouped(name)
    free = model.what_if().column_groups
    for group, known in model.result_.column_groups.items():
        assert free[group]["class"] == known["class"]
        assert free[group]["threshold"] == known["threshold"]
    found = model.what_if(forbid=["day"])
    for group, columns in GROUPS.items():
        shown = found.column_groups[group]
        noise = model.fitted_set_.column_groups[group].noise
        if found.classes[columns].any():
            noise = min(noise, model.result_.upper_thresholds[columns].min())
        assert shown["threshold"] == noise
        word = classify(np.array([[shown["min"], shown["max"]]]), np.array([0.0, noise]))[0]
        assert shown["class"] == ("irrelevant", "weak", "strong")[word]


def test_what_can_be_spared_singly_is_needed_together_when_something_is_forbidden():
    model = grouped("classification")
    found = model.what_if(forbid=["girth"])
    frame = found.to_frame(grouped=True)
    assert frame["feature"].tolist() == ["age", "copies", "noise"]
    row = frame.iloc[1]
    assert (row["min"], row["max"]) == pytest.approx(tuple(found.intervals[1]), abs=1e-6)
    before = (row["min_before"], row["max_before"])
    assert before == model.column_group_intervals_["copies"]
    assert row["class_before"] == model.result_.column_groups["copies"]["class"]


def test_a_group_that_is_forbidden_is_shown_as_that():
    model = grouped("regression")
    found = model.what_if(forbid=["noise"])
    assert found.constraints["forbid"] == ("noise",)
    assert found.forbidden == ("room", "day")
    by_columns = model.what_if(forbid=[3, -1])
    for answer in (found, by_columns):
        assert answer.column_groups["noise"]["class"] == "forbidden"
        assert answer.column_groups["noise"]["max"] == 0.0
        frame = answer.to_frame(sort=True, grouped=True)
        assert frame[["feature", "class"]].to_numpy().tolist()[-1] == ["noise", "forbidden"]
        assert "noise (2 columns): forbidden" in repr(answer)
        assert by_feature(answer).forbidden == ("noise",)
        assert WhatIfResult.from_json(answer.to_json()) == answer
    np.testing.assert_allclose(found.intervals, by_columns.intervals, atol=1e-7)
    assert found.witness("dose").weights_[3:].tolist() == [0.0, 0.0]
    some = model.what_if(forbid=["room"])
    assert some.column_groups["noise"]["class"] != "forbidden"
    assert by_feature(some).forbidden == ()


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
        (lambda m: m.what_if(bounds={"copies": (0, 1)}), "bounds"),
        (lambda m: m.what_if(signs={"copies": 1}), "signs"),
        (lambda m: m.what_if_stream(order=["copies"]), "order"),
    ],
)
def test_where_a_group_is_no_feature_that_is_said(ask, parameter):
    message = f"{parameter} names 'copies', which is a group of columns: give one of them, 'dose', "
    with pytest.raises(ValueError, match=message):
        ask(grouped("classification"))


def test_streams_and_sets_can_do_without_a_group():
    model = grouped("regression")
    streamed = [interval for _, interval, _ in model.what_if_stream(forbid=["noise"])]
    np.testing.assert_allclose(streamed, model.what_if(forbid=["noise"]).intervals, atol=1e-7)
    for found in (*model.smallest_sets(forbid=["noise"]), model.cheapest_set(forbid=["noise"])):
        assert set(found.features) <= {"age", "dose", "girth"}
    with pytest.raises(InfeasibleError, match="forbid 'copies'"):
        grouped("classification").smallest_sets(forbid=["copies"])


def test_groups_called_like_other_columns_are_refused():
    X, y = CASES["classification"].data()
    frame = pd.DataFrame(X, columns=list("abcde"))
    for groups in ({"c": ["a", "b"]}, {"a": ["a", "b"]}):
        with pytest.raises(ValueError, match="which is the name of a column: give the group"):
            CASES["classification"].make(column_groups=groups).fit(frame, y)
    model = CASES["classification"].make(column_groups={"d": ["d"]}).fit(frame, y)
    assert model.what_if(forbid=["d"]).column_groups["d"]["class"] == "forbidden"
    assert model.what_if(bounds={"d": (0, 0.01)}).column_groups["d"]["max"] <= 0.01 + 1e-9


def test_stand_ins_need_no_groups(monkeypatch):
    model = RelevanceClassifier(**grouped("classification").get_params(deep=False))
    X, y = CASES["classification"].data()
    model.fit(pd.DataFrame(X, columns=["age", "dose", "girth", "room", "day"]), y)
    monkeypatch.setattr("allrelevant.linear.questions.what_if.groups_under", None)
    assert model.substitutes("dose").stand_ins == ("girth",)


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
                assert reached == pytest.approx(found.column_groups[group][bound], abs=2e-6)
                assert witness.norm_ <= limits[0] * (1 + 1e-6)
                assert witness.loss_ <= limits[1] * (1 + 1e-6) + 1e-6
                assert not set(witness.features_) & set(found.forbidden)
    assert answered >= 4


def test_witnesses_where_the_set_is_large(monkeypatch):
    model = pickle.loads(pickle.dumps(grouped("classification")))
    model.fitted_set_.solver.ranges.is_large = True
    monkeypatch.setattr(ranges, "SIMPLEX_PIECES", 0)
    found = model.what_if(forbid=["day"])
    for bound in ("min", "max"):
        witness = found.witness("noise", bound)
        assert "day" not in witness.features_
        reached = np.abs(witness.weights_[[3, 4]]).sum()
        assert reached == pytest.approx(found.column_groups["noise"][bound], abs=2e-6)
