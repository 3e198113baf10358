"""No rule of axe-core is broken: on the page in all its states, and in a report."""

import pandas as pd
import pytest
from explorer_fakes import FakeEstimator
from explorer_looks import AXE, broken, look
from explorer_page import press, row, wait
from plots_fakes import make_groups, make_result

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


def test_a_report(browser, tmp_path):
    result = make_result(1, 4, 3)
    needed = dict.fromkeys(result.names, 0.1)
    path = result.report(tmp_path / "report.html", groups=make_groups(result), needed=needed)
    page = browser.new_page()
    page.goto(path.as_uri())
    look(page, [(390, "light"), (1440, "dark")])
    page.close()
