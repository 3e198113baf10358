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
        (0.1, 0.2, "always positive"),
        (-0.2, -0.1, "always negative"),
        (-0.2, 0.1, "either"),
        (0.0, 0.1, "positive or none"),
        (-0.1, 0.0, "negative or none"),
        (0.0, 0.0, "none"),
    ],
)
def test_direction_of_an_effect(low, high, said):
    assert direction(low, high) == said
