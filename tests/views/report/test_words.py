"""Plain words that fit the numbers."""

import pytest
from plots_fakes import make_result, make_what_if

from allrelevant.views.report.words import direction, joined, next_steps, verdict


@pytest.mark.parametrize(
    ("items", "text"),
    [
        ([], ""),
        (["a"], "a"),
        (["a", "b"], "a and b"),
        (["a", "b", "c"], "a, b and c"),
        (list("abcdefgh"), "a, b, c, d, e and 3 more"),
    ],
)
def test_lists_read_as_people_write_them(items, text):
    assert joined(items) == text


@pytest.mark.parametrize(
    ("low", "high", "said"),
    [
        (0.15, 0.3, "always positive"),
        (-0.3, -0.01, "always negative"),
        (-0.2, 0.2, "either"),
        (0.0, 0.2, "positive"),
        (-0.2, 0.0, "negative"),
        (-0.2, 0.05, "negative or noise"),
        (-0.05, 0.2, "positive or noise"),
        (-0.05, 0.05, "noise"),
        (0.0, 0.0, "noise"),
        (float("nan"), float("nan"), "several columns"),
    ],
)
def test_direction_of_an_effect(low, high, said):
    assert direction(low, high, noise=0.1) == said


def test_a_verdict_counts_what_may_be_used():
    result = make_result(0, 3, 2)
    result = make_what_if(result, forbid=result.irrelevant)
    first, helpful, barred = verdict(result)
    assert first == "No single feature is indispensable."
    assert helpful.startswith("3 of the 3 features that may be used can help")
    assert barred.startswith("2 features are forbidden")
    assert not any("noise" in step for step in next_steps(result))


def test_a_single_replaceable_feature_is_no_group():
    assert verdict(make_result(0, 1, 2))[1] == (
        "One of the 3 features can help, but it can be left out: others then do as well."
    )


def test_when_all_that_is_useful_is_forbidden():
    result = make_what_if(make_result(0, 0, 3), forbid=("x1",))
    assert verdict(result)[1:] == [
        "No good model gets more out of any feature that may be used than out of shuffled, "
        "meaningless columns.",
        "1 feature is forbidden, so that no model uses it: x1.",
    ]
