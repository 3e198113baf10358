"""The page of a forest: features listed, sorted, sifted and looked into, in one file."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from explorer_looks import AXE, look

from allrelevant import ForestRelevanceResult
from allrelevant.forest.result import SubstituteGroup
from allrelevant.forest.shapes import FeatureShape
from allrelevant.views.explorer.forest import render_forest_page


def made(n=60):
    """Two strong features, four weak ones of which three are a group, one nearly found."""
    random = np.random.default_rng(0)
    classes = np.repeat([2, 1, 0], [2, 4, n - 6])
    intervals = np.column_stack([np.where(classes == 2, 0.2, 0.0), random.uniform(0.0, 0.02, n)])
    intervals[:6, 1] = [0.9, 0.5, 0.8, 0.4, 0.3, 0.2]
    names = ("</script><b>", *(f"x{j}" for j in range(1, n)))
    return ForestRelevanceResult(
        task="classification",
        names=names,
        intervals=intervals,
        classes=classes,
        importances=intervals[::-1, 1].copy(),
        thresholds=np.array([0.0, 0.03]),
        p_values=np.column_stack([np.full(n, np.nan), random.uniform(size=n)]),
        predictability=np.full(n, np.nan),
        groups=(SubstituteGroup(names[2:5], (2, 3, 4), 0.6, 0.001),),
        tentative=("x7",),
        baseline={"score_name": "share of the loss explained", "score": 0.63},
        settings={},
        versions={},
        work={},
        warnings=(),
    )


def shapes():
    """Of a number and of a category, for three classes."""
    curve = np.column_stack([np.linspace(0.1, 0.8, 5), np.linspace(0.8, 0.1, 5), np.full(5, 0.1)])
    outcomes = ("low <b>", "middle", "top")
    number = FeatureShape("x1", np.arange(5.0), outcomes, curve, curve - 0.1, curve + 0.1)
    levels = tuple(f"town {k}" for k in range(5))
    return [number, FeatureShape("x2", levels, outcomes, curve, curve - 0.1, curve + 0.1)]


def test_all_that_was_found_is_in_the_file_and_nothing_of_it_is_run():
    text = render_forest_page(made(), shapes=shapes(), target="<illness>")
    assert "&lt;illness&gt;" in text
    assert "low &lt;b&gt;" in text
    assert "http://" not in text.replace("http://www.w3.org/2000/svg", "")
    assert "https://" not in text
    (found,) = re.findall(r'<script type="application/json" id="found">(.*?)</script>', text)
    found = json.loads(found)
    assert found["features"][0]["name"] == "</script><b>"
    assert found["features"][0]["class"] == "strong"
    assert found["features"][0]["p_strong"] is None
    assert found["groups"] == [{"features": [2, 3, 4], "importance": 0.6}]
    assert text.count("<template id=") == 2


@pytest.fixture
def page(browser, tmp_path):
    path = made().page(tmp_path / "forest.html", shapes=shapes(), target="illness")
    assert isinstance(path, Path)
    opened = browser.new_page(viewport={"width": 1440, "height": 900})
    errors = []
    opened.on("pageerror", lambda error: errors.append(str(error)))
    opened.goto(path.as_uri())
    yield opened
    opened.close()
    assert errors == []


def test_features_are_sorted_sifted_folded_and_looked_into(page):
    names = page.locator("ol.rows li .name")
    assert names.count() == 6  # what is irrelevant is folded
    page.locator(".fold").click()
    assert names.count() == 60
    page.get_by_label("Sort by").select_option("importance")
    assert names.first.text_content() == "x59"
    page.get_by_label("Find a feature").fill("zebra")
    assert "No feature has “zebra”" in page.locator(".none").text_content()
    page.locator(".show-all").click()
    page.get_by_label("Sort by").select_option("relevance")
    # By keyboard alone: down to the next row, and look into it.
    names.first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    assert page.locator(".details h2").text_content() == "x2"
    assert page.locator(".details figure svg circle").count() == 15
    assert page.locator(".row.grouped").count() == 2
    page.locator(".details .link").first.click()
    assert page.locator(".details h2").text_content() == "x3"
    page.set_viewport_size({"width": 390, "height": 800})
    page.locator("li .details").wait_for()  # below its row, where there is no room beside
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    axis, bar = (page.locator(f"{own} .picture").first.bounding_box() for own in (".head", "li"))
    assert axis["x"] == pytest.approx(bar["x"], abs=1.0)


@pytest.mark.skipif(not AXE.exists(), reason="axe-core is missing: accessibility was NOT tested")
def test_no_rule_of_accessibility_is_broken(page):
    page.locator("ol.rows li .name").nth(1).click()
    look(page)
