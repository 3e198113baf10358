"""The report's section about halves says what the result says."""

import numpy as np
import pytest
from plots_fakes import make_result
from report_page import Page

from allrelevant import StabilityResult
from allrelevant.views.report import render_report
from allrelevant.views.report.stability import stability_section, stacked_chart

NAMES = ("age", "girth", "weight", "luck")


def make(halves, **changes):
    content = {"task": "classification", "names": NAMES, "classes": [2, 1, 1, 0], "halves": halves}
    return StabilityResult(**(content | changes))


@pytest.fixture
def result():
    halves = np.tile([2, 1, 0, 0], (20, 1))
    halves[::2, 1:3] = [0, 1]
    return make(halves, groups={"size": ["girth", "weight"]})


def test_the_section_is_there_only_when_asked_for(result):
    plain = make_result(1, 2, 1, names=list(NAMES))
    assert "Would half of the data" not in render_report(plain)
    html = render_report(plain, stability=result)
    page = Page(html)
    assert not page.mismatched
    text = " ".join(" ".join(page.texts).split())
    assert "split at random into two halves, 10 times" in text
    assert "At least nine of ten halves find this feature useful: age." in text
    assert "Whether these 2 features are useful depends on the rows: girth and weight." in text
    assert "girth and weight 100% 50%" in text


def test_lists_that_agree_and_lists_that_do_not():
    same = stability_section(make([[2, 1, 0, 0]] * 4), NAMES)
    assert "very much alike" in " ".join(same["sentences"])
    rng = np.random.default_rng(0)
    chance = stability_section(make(rng.integers(0, 2, (40, 4))), NAMES)
    assert "hardly alike" in " ".join(chance["sentences"])
    nothing = stability_section(make([[0] * 4] * 4), NAMES)["sentences"]
    assert nothing == [
        "No feature is found useful by nine of ten halves.",
        "Every half finds no feature at all useful.",
    ]


def test_parts_of_bars_are_the_shares(result):
    chart = stacked_chart(result)
    (whole,) = chart.rows[0]["parts"]
    assert whole["kind"] == "strong"
    weak, rest = chart.rows[1]["parts"]
    assert (weak["kind"], rest["kind"]) == ("weak", "irrelevant")
    assert weak["width"] == pytest.approx(rest["width"]) == pytest.approx(whole["width"] / 2)
    assert weak["x"] + weak["width"] == pytest.approx(rest["x"])
    assert "weak in 50%" in chart.rows[1]["label"]
    assert stacked_chart(result, most=1).rest == "and 3 more features"


def test_names_cannot_break_out(result):
    names = ["<script>", "b", "c", "d"]
    html = render_report(
        make_result(1, 2, 1, names=names), stability=make([[1, 0, 0, 0]] * 2, names=names)
    )
    assert "<script>" not in html


def test_what_does_not_belong_is_refused(result):
    with pytest.raises(TypeError, match=r"estimator\.stability"):
        stability_section({"age": 1.0}, NAMES)
    with pytest.raises(ValueError, match="same features"):
        stability_section(result, ("age", "girth"))
