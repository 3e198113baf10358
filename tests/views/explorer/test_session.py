"""Questions of pages, answered as plain values."""

import json
import time

import numpy as np
import pandas as pd
import pytest
from explorer_fakes import FakeEstimator

from allrelevant.views.explorer import Session
from allrelevant.views.explorer.checks import BadQuestionError

WEAK = "feature 0"


@pytest.fixture
def session():
    samples = pd.DataFrame({"a": range(30)})
    return Session(FakeEstimator(), samples, target="illness", processes=False)


def weak_of(session, k=0):
    return session.result.weak[k]


def test_the_start_holds_every_feature_and_is_plain_json(session):
    start = json.loads(json.dumps(session.start(), allow_nan=False))
    assert [f["name"] for f in start["features"]] == list(session.result.names)
    assert [f["max"] for f in start["features"]] == session.result.intervals[:, 1].tolist()
    assert start["order"] == session.result.order.tolist()
    assert start["title"] == "What illness depends on"


def test_the_fingerprint_tells_fits_apart():
    one, again, other = (Session(FakeEstimator(seed=k)) for k in (0, 0, 1))
    assert one.fingerprint == again.fingerprint != other.fingerprint


def test_bars_come_in_the_order_asked_for_and_each_once(session):
    body = {"constraints": {"forbid": [weak_of(session)]}, "order": [5, 2, 5, 99, "x", -1]}
    events = list(session.ask(body))
    assert [event.get("j") for event in events[:2]] == [5, 2]
    assert sorted(event["j"] for event in events[:-1]) == list(range(8))
    assert events[-1] == {"kind": "done"}


def test_without_constraints_the_fit_itself_answers(session):
    events = list(session.ask({}))
    assert session.estimator.work.steps == 0
    for event in events[:-1]:
        assert (event["min"], event["max"]) == tuple(session.result.intervals[event["j"]])
        assert event["class"] == session.result.class_names[event["j"]]


def test_classes_follow_the_thresholds(session):
    forbidden = weak_of(session)
    events = list(session.ask({"constraints": {"forbid": [forbidden]}}))
    by_name = {session.result.names[e["j"]]: e for e in events[:-1]}
    assert by_name[forbidden]["class"] == "forbidden"
    assert by_name[session.estimator.heir([forbidden])]["class"] == "strong"


def test_the_impossible_is_an_answer_not_an_error(session):
    strong = session.result.strong[0]
    events = list(session.ask({"constraints": {"forbid": [strong]}}))
    assert [event["kind"] for event in events] == ["impossible"]
    assert strong in events[0]["message"]


def test_a_page_finds_its_solver_warm(session):
    session.start("mine")
    deadline = time.monotonic() + 10
    while session.estimator.work.closed < 1:
        assert time.monotonic() < deadline
        time.sleep(0.001)
    assert session.estimator.work.steps == 1


def test_closing_the_answer_ends_the_work(session):
    events = session.ask({"constraints": {"forbid": [weak_of(session)]}})
    next(events)
    events.close()
    assert session.estimator.work.steps == 1
    assert session.estimator.work.closed == 1


@pytest.mark.parametrize(
    ("constraints", "said"),
    [
        ([], "object"),
        ({"forbid": "feature 1"}, "list"),
        ({"forbid": ["nobody"]}, "no feature"),
        ({"forbid": [{}]}, "no feature"),
        ({"forbid": ["feature 1"], "keep": ["feature 1"]}, "both"),
        ({"bounds": {"feature 1": [0.2]}}, "two numbers"),
        ({"bounds": {"feature 1": "ab"}}, "two numbers"),
        ({"bounds": {"feature 1": [0.3, 0.1]}}, "in order"),
        ({"bounds": {"feature 1": [-1, 1]}}, "not a number"),
        ({"bounds": {"feature 1": [True, 1]}}, "not a number"),
        ({"bounds": {"feature 1": [float("nan"), 1]}}, "not a number"),
        ({"bounds": {"feature 1": ["0", 1]}}, "not a number"),
    ],
)
def test_nonsense_is_refused(session, constraints, said):
    with pytest.raises(BadQuestionError, match=said):
        session.constraints(constraints)


def test_open_ends_of_bounds(session):
    asked = session.constraints({"bounds": {"feature 1": [None, 0.2], "feature 2": [0.1, None]}})
    assert asked == {"bounds": {"feature 1": (0.0, 0.2), "feature 2": (0.1, float("inf"))}}


def test_other_questions(session):
    assert len(session.answer("groups", {})["labels"]) == 8
    samples = session.answer("samples", {})
    assert samples["n"] == len(samples["rows"]) == 30
    settled = [row["settled"] for row in samples["rows"]]
    assert settled == sorted(settled), "open questions come first"
    assert settled.count(False) == samples["open"]
    chosen = weak_of(session, 1)
    assert session.answer("cheapest", {"costs": {chosen: 0.1}})["features"] == [chosen]
    without = {"costs": {chosen: 0.1}, "constraints": {"forbid": [chosen]}}
    assert chosen not in session.answer("cheapest", without)["features"]
    found = session.answer("substitutes", {"feature": chosen})
    assert found["names"]
    assert chosen not in found["names"]
    fewer = {"feature": chosen, "constraints": {"forbid": found["names"][:1]}}
    assert found["names"][0] not in session.answer("substitutes", fewer)["names"]
    assert "<!DOCTYPE html>" in session.answer("report", {"constraints": {}})
    with pytest.raises(BadQuestionError, match="unknown question"):
        session.answer("secrets", {})
    with pytest.raises(BadQuestionError, match="no feature"):
        session.answer("substitutes", {})


def test_long_answers_are_remembered(session, monkeypatch):
    first = session.answer("groups", {})
    monkeypatch.setattr(FakeEstimator, "groups", None)
    assert session.answer("groups", {}) is first


def test_a_page_can_ask_about_some_samples_at_a_time():
    model = FakeEstimator()
    samples = pd.DataFrame({"a": range(70)})
    session = Session(model, samples, processes=False)
    parts = [session.answer("samples", {"first": first, "count": 30}) for first in (0, 30, 60, 90)]
    assert [(part["n"], len(part["rows"])) for part in parts] == [
        (70, 30),
        (70, 30),
        (70, 10),
        (70, 0),
    ]
    names = [int(row["name"]) for row in parts[1]["rows"]]
    assert sorted(names) == list(range(30, 60))
    rows = np.array([[row] for row in range(70)])
    one = Session(model, rows, processes=False).answer("samples", {"first": 30, "count": 30})
    assert [int(row["name"]) for row in one["rows"]] == names
    with pytest.raises(BadQuestionError, match="not a number"):
        session.answer("samples", {"first": -1})


def test_at_most_500_samples_are_listed():
    session = Session(FakeEstimator(), pd.DataFrame({"a": range(700)}), processes=False)
    found = session.answer("samples", {})
    assert (found["n"], len(found["rows"])) == (700, 500)


# How sure it is


def sure_session():
    """Each feature has a threshold of its own; the first two weak ones could be either."""
    plain = FakeEstimator()
    weak = np.flatnonzero(plain.result_.classes == 1)
    known = {
        "noise_thresholds": np.linspace(0.06, 0.13, 8),
        "p_values": np.linspace(0.001, 0.008, 8),
        "q_values": np.full(8, 0.008),
        "borderline": np.isin(np.arange(8), weak[:2]),
        "baseline": {"score": 0.8, "score_name": "accuracy", "scores": {"AUC": 0.9}},
    }
    return Session(FakeEstimator(known=known), processes=False)


def test_the_start_says_how_sure_each_class_is():
    session = sure_session()
    start = json.loads(json.dumps(session.start(), allow_nan=False))
    features = start["features"]
    for key, name in [("noise", "noise_thresholds"), ("p", "p_values"), ("q", "q_values")]:
        assert [f[key] for f in features] == getattr(session.result, name).tolist()
    assert [f["borderline"] for f in features] == session.result.borderline.tolist()
    assert start["common_noise"] is None
    assert start["quality"] == "accuracy 0.800, AUC 0.900"


def test_the_score_of_ordered_classes_is_said_in_words():
    baseline = {"score": 0.8, "score_error": 0.05, "score_name": "1 − MMAE/(K−1)"}
    known = Session(FakeEstimator(known={"baseline": baseline | {"n_classes": 4}}), processes=False)
    assert known.start()["quality"] == "on average 0.60 ± 0.15 classes off"
    other = Session(FakeEstimator(known={"baseline": baseline}), processes=False)
    words = "on average off by 20% of the way from the lowest class to the highest"
    assert other.start()["quality"] == words


def test_what_is_not_known_is_not_said(session):
    start = session.start()
    assert {(f["p"], f["q"], f["borderline"]) for f in start["features"]} == {(None, None, False)}
    assert start["common_noise"] == 0.09


def test_what_if_keeps_what_the_fit_says():
    session = sure_session()
    barred, other = (session.result.names[j] for j in np.flatnonzero(session.result.borderline))
    events = list(session.ask({"constraints": {"forbid": [barred]}}))
    by_name = {session.result.names[e["j"]]: e for e in events[:-1]}
    assert by_name[other]["borderline"] is True
    assert by_name[barred]["borderline"] is False
    assert sum(e["borderline"] for e in events[:-1]) == 1


def test_classes_follow_each_features_own_threshold():
    session = sure_session()
    weak = session.result.weak[0]
    j = session.result.names.index(weak)
    limit = float(session.result.noise_thresholds[j])
    assert limit != session.result.thresholds[1]
    for most, kind in [(limit * 1.01, "weak"), (limit * 0.99, "irrelevant")]:
        events = session.ask({"constraints": {"bounds": {weak: [0.0, most]}}, "order": [j]})
        assert next(events)["class"] == kind
        events.close()
