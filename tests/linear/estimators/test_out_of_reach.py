"""Noise thresholds that no feature could exceed: said, and drawn so that bars are still seen."""

import numpy as np
import pytest

from allrelevant import RelevanceClassifier, RelevanceDisplay
from allrelevant.linear.fit.cautions import few_probes, out_of_reach
from allrelevant.views.explorer.session import Session

LABEL = "noise ends farther out, at 1.67 or more"


@pytest.fixture(scope="module")
def few_rows():
    rng = np.random.default_rng(8)
    X = rng.normal(size=(12, 4))
    y = X[:, 0] + 0.3 * rng.normal(size=12)
    with pytest.warns(
        UserWarning, match="^no feature can be distinguished from noise, whatever the data"
    ):
        return RelevanceClassifier(random_state=0).fit(X, y > np.median(y))


@pytest.mark.slow
def test_it_is_said_with_what_to_do(few_rows):
    result = few_rows.result_
    most = result.baseline["largest_possible"]
    assert (result.upper_thresholds > most).all()
    assert result.intervals.max() <= most * (1 + 1e-9)
    assert result.warnings == (
        "no feature can be distinguished from noise, whatever the data say: with 12 rows that "
        "takes a "
        "relevance above 1.67, and the most that any feature can have is 1.1. Take more rows, or "
        "let more noise pass: a smaller confidence.",
    )
    assert "in every good model, but noise could have any effect of that size" in repr(result)


@pytest.mark.slow
def test_a_smaller_confidence_does_help(few_rows):
    other = RelevanceClassifier(random_state=0, confidence=0.9)
    X = np.random.default_rng(8).normal(size=(12, 4))
    assert other.fit(X, X[:, 0] > np.median(X[:, 0])).result_.strong == ("x0",)


@pytest.mark.parametrize("asked", [{}, {"forbid": ["x3"]}], ids=["fit", "what-if"])
def test_pictures_show_bars_and_not_the_way_to_the_line(few_rows, asked):
    result = few_rows.what_if(**asked) if asked else few_rows.result_
    assert len(result.warnings) == 1
    axes = RelevanceDisplay.from_result(result).ax_
    assert axes.get_xlim()[1] < 1.5
    assert LABEL in [text.get_text() for text in axes.get_legend().get_texts()]


def test_report_and_page_show_the_same(few_rows, tmp_path):
    text = few_rows.result_.report(tmp_path / "report.html").read_text(encoding="utf-8")
    assert LABEL in text
    assert "No feature can be distinguished from noise, whatever the data say" in text
    assert "No feature could have been: no possible weight exceeds the noise threshold." in text
    assert "can be dropped" not in text
    start = Session(few_rows, processes=False).start()
    assert start["noise_label"] == LABEL
    assert max(row["noise_at"] for row in start["features"]) < 1.4
    assert max(row["noise"] for row in start["features"]) > 2.0
    assert "no feature can be distinguished from noise" in start["warnings"][0]


def test_some_features_are_named_and_few_probes_are_said_once():
    names, limits = [f"x{j}" for j in range(9)], np.array([0.2, 2.0, *[0.3] * 7])
    said = out_of_reach(names, limits, 1.1, 30, None)
    assert said is not None
    assert said.startswith("'x1' cannot be distinguished from noise, whatever the data say: with 3")
    many = out_of_reach(names, np.where(limits < 0.25, limits, 2.0), 1.1, 30, 20)
    assert many is not None
    assert many.startswith("'x1', 'x2', 'x3', 'x4', 'x5' and 3 more cannot be dist")
    assert many.endswith(
        "Leave n_probes at 'auto', or give more: a few probes leave a wide margin."
    )
    assert out_of_reach(names, limits, 1.1, 30, 2) is None
    assert out_of_reach(names, limits / 2.0, 1.1, 30, None) is None
    few = few_probes(2, 17.9, 1.1)
    assert few is not None
    assert "(17.9) is a guess, beyond the most that any feature can have (1.1), and" in few
