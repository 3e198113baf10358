"""The explorer with a real fit: what a page is told is what the estimator says."""

import json

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array

from allrelevant import RelevanceClassifier, RelevanceRegressor
from allrelevant.datasets import make_classification, make_regression
from allrelevant.views.explorer import Session
from allrelevant.views.explorer.checks import BadQuestionError


@pytest.fixture(scope="module")
def data():
    return make_classification(100, n_strong=1, n_weak=3, n_irrelevant=2, noise=0.1, random_state=0)


@pytest.fixture(scope="module")
def model(data):
    X, y, _ = data
    return RelevanceClassifier(tolerance=0.15, random_state=0).fit(X, y)


@pytest.mark.slow
@pytest.mark.parametrize(
    "constraints",
    [{"forbid": ["x1"]}, {"keep": ["x2"]}, {"bounds": {"x1": [0.1, 0.3], "x2": [None, 0.2]}}],
)
def test_bars_are_those_of_what_if(model, constraints):
    session = Session(model)
    asked = session.constraints(constraints)
    wanted = model.what_if(**asked)
    events = list(session.ask({"constraints": constraints, "order": [3, 1]}))
    assert [event.get("j") for event in events[:2]] == [3, 1]
    for event in events[:-1]:
        j = event["j"]
        np.testing.assert_allclose([event["min"], event["max"]], wanted.intervals[j], atol=1e-6)
        assert event["class"] == wanted.class_names[j]


def test_two_pages_that_take_turns_do_not_mix_their_answers(model):
    session = Session(model)
    asked = {"one": {"forbid": ["x1"]}, "other": {"forbid": ["x2"]}}
    streams = {page: session.ask({"constraints": c, "page": page}) for page, c in asked.items()}
    answers = {page: [] for page in asked}
    for _ in range(7):
        for page, stream in streams.items():
            answers[page].append(next(stream))
    for page, constraints in asked.items():
        wanted = model.what_if(**constraints)
        for event in answers[page][:-1]:
            ends = [event["min"], event["max"]]
            np.testing.assert_allclose(ends, wanted.intervals[event["j"]], atol=1e-6)


def test_a_question_can_be_given_up_and_asked_again(model):
    session = Session(model)
    body = {"constraints": {"forbid": ["x1"]}, "page": "p"}
    stream = session.ask(body)
    next(stream)
    stream.close()
    assert len(list(session.ask(body))) == 7


def test_the_impossible_says_which_constraint_clashes(model):
    (event,) = Session(model).ask({"constraints": {"forbid": ["x0"]}})
    assert event["kind"] == "impossible"
    assert "x0" in event["message"]


@pytest.mark.slow
def test_every_other_question_is_answered_in_plain_json(model, data):
    here, session = Session(model, data[0], processes=False), Session(model, data[0])
    for name, body in [("start", {}), ("groups", {}), ("substitutes", {"feature": "x1"})]:
        json.dumps(here.answer(name, body), allow_nan=False)
    page = here.answer("report", {"constraints": {"forbid": ["x1"]}})
    assert "No model may use x1." in page
    # In processes of their own.
    assert session.answer("samples", {}) == here.answer("samples", {})
    found = session.answer("cheapest", {"costs": {"x1": 0.5, "x2": 3, "x3": 4}})
    json.dumps(found, allow_nan=False)
    assert "x1" in found["features"]
    session.close()


def test_drag_and_forbid_in_a_browser(model, data, serve, open_page):
    page = open_page(serve(model, data[0]).address)
    row = page.locator('.row[data-name="x1"]')
    row.locator(".forbid").click()
    page.wait_for_function("() => !document.querySelector('.stale')")
    wanted = model.what_if(forbid=["x1"])
    kinds = [page.locator(f'.row[data-name="{name}"] .kind').inner_text() for name in wanted.names]
    assert kinds == list(wanted.class_names)
    page.locator('.row[data-name="x0"] .forbid').click()
    page.wait_for_selector(".notice:not([hidden])")
    assert "x0" in page.locator(".notice").inner_text()


@pytest.fixture(scope="module")
def in_groups(data):
    X, y, _ = data
    groups = {"panel": ["x1", "x2"], "visit": ["x4", "x5"]}
    frame = pd.DataFrame(X, columns=[f"x{j}" for j in range(6)])
    return RelevanceClassifier(random_state=0, column_groups=groups).fit(frame, y)


@pytest.mark.slow
def test_a_feature_of_several_columns_is_paid_for_once(in_groups):
    session = Session(in_groups, costs={"panel": 0.1}, processes=False)
    assert session.start()["costs"] == {"panel": 0.1}
    costs = {"panel": 0.1, "x0": 2, "x3": 9}
    found = session.answer("cheapest", {"costs": costs})
    assert found["cost"] == pytest.approx(in_groups.cheapest_set(costs).cost) == pytest.approx(2.1)
    assert found["features"] == ["x0", "panel"]
    for name in ("nobody", "x1"):
        with pytest.raises(BadQuestionError, match=f"no feature '{name}'"):
            session.answer("cheapest", {"costs": {name: 1}})


def test_bars_are_those_of_features(in_groups):
    session = Session(in_groups, processes=False)
    rows = {row["name"]: row for row in session.start()["features"]}
    assert list(rows) == ["x0", "panel", "x3", "visit"]
    assert [part["name"] for part in rows["panel"]["columns"]] == ["x1", "x2"]
    assert rows["x0"]["columns"] == []
    assert rows["panel"]["low"] is None
    *events, last = session.ask({"constraints": {"forbid": ["visit"]}})
    assert last == {"kind": "done"}
    wanted = in_groups.what_if(forbid=["visit"])
    for event in events:
        name = wanted.names[event["j"]]
        assert (event["min"], event["max"]) == pytest.approx(wanted.interval(name), abs=1e-9)
        assert event["class"] == wanted.class_names[event["j"]]
    (panel,) = [event for event in events if event["j"] == 1]
    found = [(part["low"], part["high"]) for part in panel["columns"]]
    np.testing.assert_allclose(found, wanted.columns["panel"]["signed_intervals"], atol=1e-9)


def test_a_category_is_one_row_of_the_page(in_groups, serve, open_page):
    page = open_page(serve(in_groups, costs={"panel": 0.1}).address)
    row = page.locator('.row[data-name="panel"]')
    assert page.locator(".row:not(.head)").count() == 4
    assert "x1: weight " in row.locator(".name").get_attribute("title")
    assert row.locator(".handle").count() == 0
    assert not row.locator(".keep").is_visible()
    row.locator(".name").click()
    page.wait_for_selector(".details .parts")
    assert page.locator(".details .parts li").count() == 2
    page.locator(".find-cheapest").click()
    page.wait_for_selector(".row.chosen")
    assert "2 features, cost 1.1: x0, panel" in page.locator(".cheapest").inner_text()
    page.locator('.row[data-name="visit"] .forbid').click()
    page.wait_for_function("() => !document.querySelector('.stale')")
    wanted = in_groups.what_if(forbid=["visit"])
    kinds = [page.locator(f'.row[data-name="{name}"] .kind').inner_text() for name in wanted.names]
    assert kinds == list(wanted.class_names)


def test_bars_at_another_tolerance_are_those_of_the_path(in_groups):
    session = Session(in_groups, processes=False)
    path = in_groups.path_over_tolerance([0.5], features=in_groups.result_.names)
    *events, last = session.ask({"tolerance": 0.5})
    assert last == {"kind": "done"}
    found = np.zeros((4, 2))
    for event in events:
        found[event["j"]] = event["min"], event["max"]
    np.testing.assert_allclose(found, path.feature_intervals[0], atol=1e-6)
    assert session.answer("needed", {})["needed"] == in_groups.needed_up_to_.tolist()
    start = session.start()
    assert start["tolerance"] == list(in_groups.tolerance_)


@pytest.mark.slow
def test_of_several_classes_the_columns_of_a_category_have_differences():
    X, y, _ = make_classification(
        90, n_strong=1, n_weak=2, n_irrelevant=1, n_classes=3, random_state=0
    )
    frame = pd.DataFrame(X, columns=list("abcd")).assign(town=np.array(["p", "q", "r"])[y])
    model = RelevanceClassifier(C=1.0, n_probes=10, random_state=0).fit(frame, y)
    session = Session(model, processes=False)
    start = {feature["name"]: feature for feature in session.start()["features"]}
    wanted = model.result_.columns["town"]
    found = [(part["low"], part["high"]) for part in start["town"]["columns"]]
    np.testing.assert_allclose(found, wanted["intervals"], atol=1e-9)
    said = [part["name"] for part in start["town"]["columns"] if part["reference"]]
    assert said == list(wanted["references"])
    events = session.ask({"constraints": {"forbid": ["a"]}})
    under = next(event for event in events if event.get("j") == 4)
    assert [part["low"] for part in under["columns"]] == [None] * 3
    assert session.answer("groups", {})["labels"] == model.groups().labels.tolist()


@pytest.mark.slow
def test_groups_and_samples_of_several_classes_are_those_of_the_fit():
    X, y, _ = make_classification(
        60, n_strong=1, n_weak=2, n_irrelevant=1, n_classes=3, noise=0.05, random_state=0
    )
    model = RelevanceClassifier(C=1.0, n_probes=10, tolerance=0.2, random_state=0).fit(X, y)
    session = Session(model, X, processes=False)
    labels = session.answer("groups", {})["labels"]
    assert labels == model.groups().labels.tolist()
    assert labels[1] == labels[2] > 0, "the copies"
    found = session.answer("samples", {"constraints": {}})
    ranges = model.prediction_range(X)
    assert found["open"] == int((~ranges.settled).sum()) > 0
    assert {row["low"] for row in found["rows"]} == {None}
    by_name = {row["name"]: row["labels"] for row in found["rows"]}
    assert [by_name[str(k)] for k in range(60)] == [
        [str(one) for one in own] for own in ranges.labels
    ]


def test_samples_of_a_sparse_table():
    X, y, _ = make_classification(60, n_strong=1, n_weak=2, n_irrelevant=1, random_state=0)
    table = csr_array(np.where(np.abs(X) < 0.5, 0.0, X))
    model = RelevanceClassifier(C=1.0, n_probes=5, random_state=0).fit(table, y)
    found = Session(model, table, processes=False).answer("samples", {"constraints": {}})
    assert found["n"] == 60
    assert found["open"] == round(60 * model.ambiguity(table))


@pytest.mark.slow
def test_a_curve_is_shown_without_its_pieces():
    X, y, _ = make_regression(80, n_strong=1, n_weak=2, n_irrelevant=1, random_state=0)
    model = RelevanceRegressor(basis="spline", C=1.0, n_probes=5, random_state=0).fit(X, y)
    session = Session(model, processes=False)
    assert all(one["curve"] and one["columns"] == [] for one in session.start()["features"])
    weak = model.result_.names[1]
    events = list(session.ask({"constraints": {"forbid": [weak]}}))
    assert all(event["columns"] == [] for event in events if "j" in event)


def test_samples_of_numbers_have_no_labels_and_come_by_how_much_models_differ():
    X, y, _ = make_regression(40, n_strong=1, n_weak=2, n_irrelevant=1, random_state=0)
    model = RelevanceRegressor(C=1.0, n_probes=5, random_state=0).fit(X, y)
    rows = Session(model, X, processes=False).answer("samples", {})["rows"]
    widths = [row["high"] - row["low"] for row in rows]
    assert widths[0] > 0
    assert widths == sorted(widths, reverse=True)
    assert not any(row["labels"] for row in rows)
