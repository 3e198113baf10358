"""No rule of axe-core is broken: on the page in all its states, and in a report."""

import numpy as np
import pandas as pd
import pytest
from explorer_fakes import FakeEstimator
from explorer_looks import AXE, broken, look
from explorer_page import forbid, press, row, wait
from plots_fakes import make_groups, make_result

from allrelevant import RelevanceClassifier, RelevanceRegressor, SurvivalRelevanceRegressor
from allrelevant.datasets import make_classification, make_regression, make_survival

pytestmark = pytest.mark.skipif(
    not AXE.exists(), reason="axe-core is missing (npm ci in web/): accessibility was NOT tested"
)


def test_the_page_in_all_its_states(serve, open_page):
    estimator = FakeEstimator(1, 4, 60)
    page = open_page(serve(estimator, pd.DataFrame({"a": range(9)}), target="illness").address)
    weak, strong = estimator.result_.weak, estimator.result_.strong[0]
    press(page, weak[1], "keep")
    wait(page)
    row(page, weak[0]).locator(".name").click()
    page.locator(".row.substitute.grouped").first.wait_for()
    page.locator(".show-samples").click()
    page.locator(".samples table").wait_for()
    page.locator(".find-cheapest").click()
    page.locator(".row.chosen").wait_for()
    press(page, strong, "forbid")
    page.locator(".notice:visible").wait_for()
    wait(page)
    look(page)
    page.get_by_label("Find a feature").fill("zebra")
    assert broken(page) == []


@pytest.mark.parametrize("width", [390, 1000])
def test_what_is_said_of_a_feature_does_not_run_into_its_bar(serve, open_page, width):
    estimator = FakeEstimator(2, 4, 3)
    estimator.needed_up_to_ = np.full(9, 0.00123)
    size = {"width": width, "height": 900}
    page = open_page(serve(estimator).address, viewport=size)
    page.locator(".needed:visible").first.wait_for()
    rows = page.locator(".row[data-j]").all()
    assert len(rows) == 9
    for one in rows:
        said, bar = (one.locator(part).bounding_box() for part in (".needed", ".picture"))
        if width == 1000:  # there is room for one line
            assert abs(said["y"] - one.locator(".kind").bounding_box()["y"]) < 8
        assert said["x"] + said["width"] <= bar["x"] or said["y"] + said["height"] <= bar["y"]
    forbid(page, estimator.result_.weak[0])  # of the models that are left something else is true
    assert page.locator(":is(.needed, .needed-key):visible").count() == 0


def test_a_report(browser, tmp_path):
    result = make_result(1, 4, 3)
    needed = dict.fromkeys(result.names, 0.1)
    path = result.report(tmp_path / "report.html", groups=make_groups(result), needed=needed)
    page = browser.new_page()
    page.goto(path.as_uri())
    look(page, [(390, "light"), (1440, "dark")])
    page.close()


QUICK = {"C": 1.0, "n_probes": 5, "confidence": 0.9, "random_state": 0}
MADE = {"n_strong": 1, "n_weak": 2, "n_irrelevant": 1, "random_state": 0}


def three_classes():
    X, y, _ = make_classification(60, n_classes=3, **MADE)
    return RelevanceClassifier(**QUICK).fit(X, np.array(["low", "mid", "high"])[y]), X


def survival():
    X, y, _ = make_survival(60, **MADE)
    return SurvivalRelevanceRegressor(**QUICK).fit(X, y), X


def curves():
    X, y, _ = make_regression(60, **MADE)
    return RelevanceRegressor(basis="spline", **QUICK).fit(X, y), X


@pytest.mark.slow
@pytest.mark.parametrize("made", [three_classes, survival, curves], ids=lambda made: made.__name__)
def test_reports_of_other_kinds_with_all_that_they_tell(browser, tmp_path, made):
    model, X = made()
    model.needed_up_to_  # noqa: B018 - the report has it then
    path = model.result_.report(
        tmp_path / "report.html",
        groups=model.groups(),
        predictions=model.prediction_range(X, ends=False),
        tolerance_path=model.path_over_tolerance(),
        curves=[model.shape_range(0)] if model.get_params().get("basis") else None,
    )
    page = browser.new_page()
    page.goto(path.as_uri())
    assert page.get_by_text("needed up to").count() > 0
    look(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.close()


@pytest.mark.slow
def test_a_comparison(browser, tmp_path):
    X, y, _ = make_classification(60, **MADE)
    one, other = (RelevanceClassifier(**QUICK | {"C": C}).fit(X, y) for C in (1.0, 0.1))
    path = one.compare(other).report(tmp_path / "compared.html")
    page = browser.new_page()
    page.goto(path.as_uri())
    look(page)
    page.close()


def test_the_page_of_a_fit_that_found_nothing_says_so(serve, open_page):
    draws = np.random.default_rng(1)
    X, y = draws.normal(size=(80, 4)), draws.integers(0, 2, 80)
    with pytest.warns(UserWarning, match="no learnable signal"):
        model = RelevanceClassifier(n_probes=10, random_state=0).fit(X, y)
    page = open_page(serve(model).address)
    page.locator(".remarks li", has_text="no learnable signal").wait_for()
    press(page, "x0", "forbid")
    page.locator(".notice:visible", has_text="no model to put constraints on").wait_for()
    assert page.locator(".row[data-j]").count() == 4
    look(page)
