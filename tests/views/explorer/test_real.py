"""The explorer with a real fit: what a page is told is what the estimator says."""

import json

import numpy as np
import pandas as pd
import pytest

from allrelevant import RelevanceClassifier
from allrelevant.datasets import make_classification
from allrelevant.views.explorer import Session, answers
from allrelevant.views.explorer.checks import BadQuestionError


@pytest.fixture(scope="module")
def data():
    return make_classification(100, n_strong=1, n_weak=3, n_irrelevant=2, noise=0.1, random_state=0)


@pytest.fixture(scope="module")
def model(data):
    X, y, _ = data
    return RelevanceClassifier(random_state=0).fit(X, y)


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
    session = Session(model, data[0])  # in a process of its own
    for name, body in [
        ("start", {}),
        ("groups", {}),
        ("samples", {}),
        ("substitutes", {"feature": "x1"}),
        ("cheapest", {"costs": {"x1": 0.5}}),
    ]:
        json.dumps(session.answer(name, body), allow_nan=False)
    page = session.answer("report", {"constraints": {"forbid": ["x1"]}})
    assert "No model may use x1." in page
    found = session.answer("cheapest", {"costs": {"x1": 0.5, "x2": 3, "x3": 4}})
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
def test_a_group_of_columns_is_paid_for_once(in_groups):
    session = Session(in_groups, costs={"panel": 0.1}, processes=False)
    assert session.start()["costs"] == {"panel": 0.1}
    costs = {"panel": 0.1, "x0": 2, "x3": 9}
    found = session.answer("cheapest", {"costs": costs})
    assert found["cost"] == pytest.approx(in_groups.cheapest_set(costs).cost) == pytest.approx(2.1)
    # Who types a cost of a column means the column.
    apart = session.answer("cheapest", {"costs": costs | {"x1": 4}})
    assert apart["cost"] == in_groups.cheapest_set({"x0": 2, "x3": 9, "x1": 4}).cost
    with pytest.raises(BadQuestionError, match="no feature 'nobody'"):
        session.answer("cheapest", {"costs": {"nobody": 1}})


def test_the_page_says_what_a_group_costs(in_groups, serve, open_page):
    page = open_page(serve(in_groups, costs={"panel": 0.1}).address)
    hint = page.locator(".hint", has_text="what it costs")
    once = "Paid for once, whichever columns are needed: "
    assert hint.inner_text().endswith(f"{once}panel (0.1), visit (1).")
    page.locator(".find-cheapest").click()
    page.wait_for_selector(".row.chosen")
    assert "cost 1.1: " in page.locator(".cheapest").inner_text()
    cost = page.locator('.row[data-name="x1"] .cost')
    cost.fill("3")
    cost.press("Tab")
    assert hint.inner_text().endswith(f"{once}visit (1).")


def test_columns_of_a_feature_are_in_its_group(in_groups):
    labels = answers.groups(in_groups)["labels"]
    found = in_groups.groups()
    by_feature = dict(zip(found.names, found.labels.tolist(), strict=True))
    owner = {"x1": "panel", "x2": "panel", "x4": "visit", "x5": "visit"}
    names = in_groups.result_.names
    assert labels == [by_feature[owner.get(name, name)] for name in names]
    assert len(names) > len(found.names)
