"""Hundreds of features on the page: sorted, searched, folded, and asked for only where listed."""

import pandas as pd
import pytest
from explorer_fakes import FakeEstimator
from explorer_page import forbid, kind, row, wait


@pytest.fixture
def estimator():
    return FakeEstimator(2, 10, 108)


@pytest.fixture
def page(serve, open_page, estimator):
    return open_page(serve(estimator, pd.DataFrame({"a": range(40)})).address)


def listed(page):
    return page.locator(".row[data-j] .name").all_text_contents()


def test_what_is_irrelevant_is_folded_and_not_asked_for(page, estimator):
    assert len(listed(page)) == 12
    before = estimator.work.steps
    forbid(page, estimator.result_.weak[0])
    assert estimator.work.steps - before == 12
    page.get_by_role("button", name="Show 108 irrelevant features").click()
    wait(page)
    assert len(listed(page)) == 120
    assert estimator.work.steps - before == 120
    page.get_by_role("button", name="Fold irrelevant features").click()
    assert len(listed(page)) == 12


def test_sorting_filters_and_a_search_without_a_hit(page, estimator):
    page.get_by_label("Sort by").select_option("name")
    names = listed(page)
    assert names == sorted(names, key=lambda name: int(name.split()[1]))
    page.get_by_label("Show").select_option("strong")
    assert sorted(listed(page)) == sorted(estimator.result_.strong)
    page.get_by_label("Find a feature").fill("zebra")
    assert "No feature has “zebra” in its name" in page.locator(".none").inner_text()
    page.get_by_role("button", name="Show all features").click()
    assert len(listed(page)) == 12
    page.get_by_label("Find a feature").fill("feature 11")  # the folded ones are found, too
    assert len(listed(page)) == 11


def test_axis_and_legend_stay_in_view_and_hide_no_focus(page):
    page.get_by_role("button", name="Show 108 irrelevant features").click()
    page.mouse.move(400, 500)
    page.mouse.wheel(0, 3000)
    page.wait_for_timeout(100)
    key = page.locator(".key-and-axis").bounding_box()
    assert page.evaluate("scrollY") > 1000
    assert 0 <= key["y"] < 250
    # Going up by keyboard, what has the focus is never behind what stays in view.
    names = page.locator(".row[data-j] .name")
    names.nth(60).focus()
    for _ in range(25):
        page.keyboard.press("ArrowUp")
    box = page.evaluate("document.activeElement.getBoundingClientRect().toJSON()")
    assert page.evaluate("document.activeElement.innerText") == names.nth(35).inner_text()
    assert box["top"] >= key["y"] + key["height"] - 1


def test_everything_by_keyboard(page, estimator):
    names = listed(page)
    page.get_by_label("Find a feature").focus()
    page.keyboard.type(names[3])
    page.locator(f'.row[data-name="{names[3]}"] .name').focus()
    page.keyboard.press("Enter")
    page.locator(".details h2").wait_for()
    row(page, names[3]).locator(".forbid").focus()
    page.keyboard.press("Space")
    wait(page)
    assert kind(page, names[3]) == "forbidden"
    assert page.evaluate("document.activeElement.classList.contains('forbid')")
    page.get_by_label("Find a feature").fill("")
    row(page, names[4]).locator(".forbid").focus()
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.ariaLabel").startswith(f"forbid {names[5]}")


def test_a_stand_in_of_the_same_group_shows_both(page, estimator):
    first = next(name for name in listed(page) if name in estimator.result_.weak)
    row(page, first).locator(".name").click()
    page.locator(".row.substitute.grouped").first.wait_for()
    looks = page.locator(".row.substitute.grouped").first.evaluate(
        "node => [getComputedStyle(node).backgroundColor, getComputedStyle(node).boxShadow]"
    )
    plain = page.locator(".row:not(.substitute):not(.grouped)[data-j]").first.evaluate(
        "node => [getComputedStyle(node).backgroundColor, getComputedStyle(node).boxShadow]"
    )
    assert looks[0] != plain[0]
    assert looks[1] != plain[1]
    assert page.locator(".details .key .tint").all_inner_texts() == [
        "takes its place",
        "same group",
    ]


def test_names_are_whole_where_there_is_room(serve, open_page):
    long = [f"a measurement of the {j}th visit, in millimetres" for j in range(8)]
    page = open_page(serve(FakeEstimator(known={"names": long})).address)
    cut = page.evaluate(
        """() => [...document.querySelectorAll('.row[data-j] .name')]
            .filter((node) => node.scrollHeight > node.clientHeight + 1).length"""
    )
    assert cut == 0


def test_two_thousand_features_are_built_when_they_are_shown(serve, open_page):
    page = open_page(serve(FakeEstimator(1, 5, 1994)).address)
    assert page.locator(".row[data-j]").count() == 6
    page.get_by_role("button", name="Show 1994 irrelevant features").click()
    assert page.locator(".row[data-j]").count() == 200
    page.get_by_role("button", name="Show 200 more of 1800").click()
    assert page.locator(".row[data-j]").count() == 400
