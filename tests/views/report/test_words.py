"""Plain words that fit the numbers."""

from dataclasses import replace

import pytest
from plots_fakes import make_result, make_what_if

from allrelevant.views.report.words import direction, joined, next_steps, quality, question, verdict


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


def test_ordered_classes_are_off_by_classes_where_their_number_is_known():
    result = make_result()
    object.__setattr__(result, "task", "ordinal")
    object.__setattr__(result, "baseline", {"score": 0.8, "score_name": "1 − MMAE/(K−1)"})
    assert "on average it is off by 20% of the way from the lowest class" in quality(result)
    assert "on average it is 0.60 classes off" in quality(
        replace(result, baseline=dict(result.baseline) | {"n_classes": 4})
    )


@pytest.mark.parametrize(("target", "said"), [("time", "the time"), ("days", "the time days")])
def test_a_time_is_not_named_twice(target, said):
    result = make_result()
    object.__setattr__(result, "task", "survival")
    assert f"models that predict {said} equally well" in question(result, target)


@pytest.mark.parametrize(
    ("name", "score", "said"),
    [
        ("R²", 0.444, "explains 44% of the variance of cases it was not fitted on"),
        ("R²", -0.1, "of -0.100 (1 is perfect)"),
        ("C-index", 0.722, "tells in 72% of the pairs of cases it was not fitted on"),
    ],
)
def test_scores_of_numbers_and_times_are_said_in_words(name, score, said):
    assert said in quality(make_result(baseline={"score": score, "score_name": name}))


@pytest.mark.parametrize(
    ("n_used", "score", "said"), [(1, 1.0, True), (2, 1.0, False), (1, 0.99, False)]
)
def test_one_feature_that_tells_the_target_is_looked_at_twice(n_used, score, said):
    result = make_result(1, 0, 2, baseline={"score": score, "n_used": n_used})
    assert ("was not made from the target" in quality(result)) == said
