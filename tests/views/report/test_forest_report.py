"""The report of a forest: the same page without what only linear models have."""

import re
from datetime import date

import numpy as np
import pytest
from report_page import Page

from allrelevant import ForestRelevanceResult
from allrelevant.forest import SubstituteGroup
from allrelevant.views.report import render_report


def make(**changes):
    content = {
        "task": "classification",
        "names": ["age", "copy", "twin", "day", "<b>"],
        "intervals": [[0.3, 1.4], [0.0, 0.2], [0.0, 0.25], [0.0, 0.001], [0.0, 0.02]],
        "classes": [2, 1, 1, 0, 0],
        "importances": [0.35, 0.05, 0.1, 0.0, 0.0],
        "thresholds": [0.0, 0.03],
        "noise_thresholds": [0.02, 0.05, 0.03, 0.01, 0.03],
        "losses": [[0.3, 0.1], [0.02, 0.15], [0.01, 0.15], [np.nan] * 2, [np.nan] * 2],
        "p_values": [[0.001, 0.0], [1.0, 0.0], [1.0, 0.0], [np.nan, 0.03], [np.nan, 1.0]],
        "predictability": [0.1, 0.98, 0.98, np.nan, np.nan],
        "tentative": ["day"],
        "groups": [SubstituteGroup(("copy", "twin"), (1, 2), 0.3, 1e-5)],
        "baseline": {"score_name": "share of the loss explained by trees", "score": 0.7},
        "settings": {"alpha": 0.05},
        "versions": {"allrelevant": "0"},
    }
    return ForestRelevanceResult(**(content | changes))


def page(result, **details):
    return Page(render_report(result, day=date(2026, 1, 2), **details))


def test_it_is_written_by_the_result(tmp_path):
    path = make().report(tmp_path / "report.html", target="risk")
    found = Page(path.read_text(encoding="utf-8"))
    assert found.mismatched == []
    assert found.open == []
    assert "Which features matter for risk?" in found.text
    assert "<b>" in found.text


def test_it_says_what_the_result_says():
    text = page(make()).text
    assert "Every good model needs this feature: age." in text
    assert "takes 70% off the loss of a constant prediction" in text
    assert "Too close to call: day could be either useful or noise." in text
    assert "copy, twin" in text
    assert "copy weak 0.000 0.200 0.050 0.020 0.150" in re.sub(r"\s+", " ", text)
    assert "ForestRelevanceClassifier" in text
    assert "1: that of a constant prediction" in text


def test_what_only_linear_models_have_is_left_out():
    text = page(make()).text
    for word in ("sign", "one fitted model", "Reference model", "share of the reference", "linear"):
        assert word not in text.replace("one fitted model gives", "")


@pytest.mark.parametrize(
    ("score", "said"), [(-0.1, "no better than a constant"), (np.nan, "Which features")]
)
def test_without_a_model_that_predicts(score, said):
    baseline = {} if np.isnan(score) else {"score_name": "share", "score": score}
    changes = {"classes": [0] * 5, "groups": [], "baseline": baseline}
    changes["warnings"] = ["no learnable signal: nothing"]
    assert said in page(make(**changes)).text


def test_the_thesis_algorithm_has_no_thresholds():
    text = page(
        make(
            thresholds=[0.0, np.nan],
            noise_thresholds=np.full(5, np.nan),
            p_values=np.full((5, 2), np.nan),
            settings={"method": "squamish"},
        )
    ).text
    assert "could not be measured" not in text
    assert "share of all features' importance" in text
    assert "noise threshold is" not in text
