"""Plain words that fit the numbers."""

import pytest

from allrelevant.report.words import direction, joined


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
