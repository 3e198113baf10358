"""No rule of axe-core is broken: on the page in all its states, and in a report."""

from pathlib import Path

import pandas as pd
import pytest
from explorer_fakes import FakeEstimator
from explorer_page import press, row, wait
from plots_fakes import make_groups, make_result

AXE = Path(__file__).parents[3] / "web" / "node_modules" / "axe-core" / "axe.min.js"

pytestmark = pytest.mark.skipif(
    not AXE.exists(), reason="axe-core is missing (npm ci in web/): accessibility was NOT tested"
)

LOOKS = [(width, scheme) for width in (390, 1000, 1440) for scheme in ("light", "dark")]


def broken(page):
    """What axe-core finds, by rule and element."""
    found = page.evaluate("async () => (await axe.run()).violations")
    return [(one["id"], node["html"][:90]) for one in found for node in one["nodes"][:3]]


def look(page, looks=LOOKS):
    """In all widths and both schemes; the page is the same one."""
    page.evaluate(AXE.read_text(encoding="utf-8"))  # in no file of ours: the page stays offline
    found = []
    for width, scheme in looks:
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=scheme)
        found += [(width, scheme, *one) for one in broken(page)]
    assert found == []


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
