"""The result is plain, immutable data, and every view reads it."""

import dataclasses
import json
import pickle

import matplotlib
import numpy as np
import pytest

from allrelevant import ForestRelevanceResult, RelevanceDisplay
from allrelevant.forest import SubstituteGroup

matplotlib.use("Agg")


def make(**changes):
    content = {
        "task": "classification",
        "names": ["age", "copy", "twin", "day"],
        "intervals": [[0.3, 0.4], [0.0, 0.2], [0.0, 0.25], [0.0, 0.001]],
        "classes": [2, 1, 1, 0],
        "importances": [0.35, 0.05, 0.1, 0.0],
        "thresholds": [0.0, 0.02],
        "p_values": [[0.001, 0.0], [1.0, 0.0], [1.0, 0.0], [np.nan, 0.03]],
        "predictability": [0.1, 0.98, 0.98, np.nan],
        "noise_thresholds": [0.02, 0.05, 0.03, 0.01],
        "losses": [[0.3, 0.1], [0.02, 0.15], [0.01, 0.15], [np.nan, np.nan]],
        "tentative": ["day"],
        "groups": [SubstituteGroup(("copy", "twin"), (1, 2), 0.3, 1e-5)],
        "baseline": {"score_name": "share of the loss explained", "score": 0.7},
        "work": {"fits": 60},
        "settings": {"alpha": 0.05},
    }
    return ForestRelevanceResult(**(content | changes))


def test_names_by_class_and_order():
    result = make()
    assert result.strong == ("age",)
    assert result.weak == ("copy", "twin")
    assert result.irrelevant == ("day",)
    assert result.order.tolist() == [0, 2, 1, 3]
    assert result.support.tolist() == [True, True, True, False]


def test_table():
    frame = make().to_frame()
    assert frame["class"].tolist() == ["strong", "weak", "weak", "irrelevant"]
    assert frame["group"].fillna(-1).tolist() == [-1, 1, 1, -1]
    assert frame["noise"].tolist() == [0.02, 0.05, 0.03, 0.01]
    assert frame["lost_limit"].tolist()[:3] == [0.1, 0.15, 0.15]
    assert frame["tentative"].tolist() == [False, False, False, True]
    assert make().to_frame(sort=True).index.tolist() == [0, 2, 1, 3]


def test_text_and_html_tell_groups_and_features_that_could_be_either():
    for view in (repr(make()), make()._repr_html_()):
        assert "1 strong, 2 weak, 1 irrelevant" in view
        assert "group 1: copy, twin" in view
        assert "? could be either: with other probes this feature may" in view


def test_html_escapes_names():
    names = ["<b>", "c", "d", "e"]
    group = SubstituteGroup(("<i>", "d"), (1, 2), 0.1, 0.1)
    html = make(names=names, tentative=[], groups=[group])._repr_html_()
    assert "<b>&lt;" not in html
    assert "&lt;b&gt;" in html
    assert "&lt;i&gt;" in html


def test_json_and_pickle_round_trips():
    result = make()
    text = result.to_json()
    json.loads(text, parse_constant=lambda word: pytest.fail(f"{word} is not JSON"))
    assert ForestRelevanceResult.from_json(text) == result
    assert pickle.loads(pickle.dumps(result)) == result
    assert make(classes=[2, 1, 0, 0]) != result


@pytest.mark.parametrize("text", ["", "{}", '{"format": "allrelevant.RelevanceResult/1"}', "[1]"])
def test_other_documents_are_refused(text):
    with pytest.raises(ValueError, match="JSON"):
        ForestRelevanceResult.from_json(text)


def test_immutable():
    result = make()
    with pytest.raises(dataclasses.FrozenInstanceError):
        result.task = "x"
    with pytest.raises(ValueError, match="read-only"):
        result.intervals[0, 0] = 1.0


@pytest.mark.parametrize(
    "changes",
    [{"classes": [3, 1, 1, 0]}, {"intervals": np.zeros((3, 2))}, {"groups": [{"names": ["a"]}]}],
    ids=str,
)
def test_unusable_fields_are_named(changes):
    with pytest.raises(ValueError, match=repr(next(iter(changes)))):
        make(**changes)


def test_display_says_what_the_numbers_are():
    display = RelevanceDisplay.from_result(make())
    assert "constant prediction" in display.ax_.get_xlabel()
    shown = [label.get_text() for label in display.ax_.get_yticklabels()]
    assert shown == ["age", "twin", "copy", "day"]
    # No single model stands behind the bars, so none is marked.
    legend = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert legend == ["strong", "weak", "irrelevant", "could be either", "noise ends here"]


def test_every_row_of_the_text_has_its_noise_threshold():
    rows = [line.split()[:5] for line in repr(make()).splitlines()]
    assert ["copy", "weak", "0.000", "0.200", "0.050"] in rows


def test_thresholds_and_losses_by_feature_need_not_be_known():
    result = dataclasses.replace(make(), noise_thresholds=(), losses=())
    np.testing.assert_array_equal(result.upper_thresholds, 0.02)
    assert result.to_frame()["lost"].isna().all()
