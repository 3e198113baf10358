"""The page says how sure it is of a class."""

import numpy as np
import pytest
from explorer_fakes import FakeEstimator
from explorer_page import all_kinds, download, forbid, kind, row


@pytest.fixture
def unsure(serve, open_page):
    """A page where one weak feature could be either, and each has a threshold of its own."""
    plain = FakeEstimator()
    j = int(np.flatnonzero(plain.result_.classes == 1)[0])
    known = {
        "noise_thresholds": np.linspace(0.06, 0.13, 8),
        "p_values": np.linspace(0.001, 0.008, 8),
        "borderline": np.arange(8) == j,
    }
    estimator = FakeEstimator(known=known)
    return open_page(serve(estimator).address), estimator.result_


def test_what_could_be_either_is_marked_and_explained(unsure, tmp_path):
    page, result = unsure
    (name,) = result.borderline_names
    assert kind(page, name) == "weak ?"
    assert [word for word in all_kinds(page) if "?" in word] == ["weak ?"]
    assert page.locator("rect.bar.either").count() == 1
    title = row(page, name).locator(".kind").get_attribute("title")
    assert "noise threshold" in title
    assert "p 0.00" in title
    assert "could be either: with other shuffled columns" in title
    assert "could be either" in row(page, name).locator(".name").get_attribute("aria-label")
    assert page.locator(".legend .either").inner_text() == "? could be either"
    assert page.locator(".status").inner_text().endswith("3 irrelevant; 1 could be either")
    download(page, ".svg").save_as(tmp_path / "bars.svg")
    assert (tmp_path / "bars.svg").read_text().count(">?</text>") == 1


def test_what_is_forbidden_could_no_longer_be_either(unsure):
    page, result = unsure
    (name,) = result.borderline_names
    other = next(one for one in result.weak if one != name)
    forbid(page, other)
    assert kind(page, name).endswith(" ?")
    title = row(page, name).locator(".kind").get_attribute("title")
    assert "without constraints" in title
    forbid(page, name)
    assert kind(page, name) == "forbidden"
    assert page.locator("rect.bar.either").count() == 0


def test_each_bar_has_the_tick_of_its_own_threshold(unsure):
    page, result = unsure
    places = [
        float(row(page, name).locator("line.noise").get_attribute("x1").rstrip("%"))
        for name in result.names
    ]
    ratios = np.array(places) / result.noise_thresholds
    assert np.ptp(ratios) < 1e-3 * ratios.mean()


def test_without_borderline_features_nothing_is_said_of_them(serve, open_page):
    page = open_page(serve(FakeEstimator(1, 4, 3)).address)
    assert page.locator(".either").count() == 0
    assert "either" not in page.locator(".status").inner_text()
