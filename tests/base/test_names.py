"""Names that fit and still differ."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from allrelevant.base.names import display_width, padded, short_names, visible

ITEMS = [
    f"questionnaire item number {k}: how often did you feel that way in the last twelve months"
    for k in range(6)
]
FORMS = [
    f"first form, page {page}, a long way in between, question {k}, in the last twelve months"
    for page in (1, 2)
    for k in (1, 2)
]


@pytest.mark.parametrize("width", [12, 20, 28, 30, 32, 60])
@pytest.mark.parametrize("names", [ITEMS, FORMS, ["x" * n for n in range(70, 400, 7)]])
def test_long_names_stay_different(names, width):
    labels = short_names(names, width)
    assert len(set(labels)) == len(names)
    assert all(display_width(label) <= width for label in labels)


def test_what_differs_is_shown():
    assert short_names(ITEMS[:2], 28) == [
        "questionn…number 0: how oft…",
        "questionn…number 1: how oft…",
    ]
    assert short_names([f"{'x' * 14}{k}{'y' * 60}" for k in "ab"], 28) == [
        f"{'x' * 14}{k}{'y' * 12}…" for k in "ab"
    ]


def test_names_that_fit_are_kept_and_both_ends_of_others():
    names = ["age", "size in\ncm", "x" * 40 + "_1", "x" * 40 + "_2"]
    assert short_names(names, 28) == [
        "age",
        "size in cm",
        "x" * 14 + "…" + "x" * 11 + "_1",
        "x" * 14 + "…" + "x" * 11 + "_2",
    ]


def test_the_last_resort_is_a_number_no_other_name_has():
    assert short_names(["a b", "a  b", "a b~2"], 10) == ["a b", "a b~3", "a b~2"]


texts = st.text(alphabet="ab …_身e\u0301", max_size=40)


@pytest.mark.slow
@given(st.lists(texts, max_size=12, unique=True), st.integers(8, 24))
@example(["ab" * 20, "ab" * 10, "a" * 40], 8)
def test_any_names_become_short_and_different(names, width):
    labels = short_names(names, width)
    assert len(set(labels)) == len(names)
    assert all(display_width(label) <= width for label in labels)


def test_wide_and_combining_characters_take_the_columns_they_take():
    texts = ("abc", "身長", "e\u0301", "größe 身長")
    assert [display_width(text) for text in texts] == [3, 4, 1, 10]
    assert padded("身長", 6) == "身長  "
    assert short_names(["身" * 20], 11) == ["身" * 2 + "…" + "身" * 2]


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("plain é 中 name", "plain é 中 name"),
        ("\x1b[31mred", "\\x1b[31mred"),
        ("a\nb\tc\x9b", "a\\nb\\tc\\x9b"),
        ("\u202eback\u2066", "\\u202eback\\u2066"),
        ("zero\u200bwidth", "zero\\u200bwidth"),
        ("a\u00a0b\u200cc\u200dd", "a\u00a0b\u200cc\u200dd"),
        ("\ud800", "\\ud800"),
    ],
)
def test_what_would_not_be_seen_is_written_out(text, seen):
    assert visible(text) == seen
    assert visible(text, keep=text) == text


def test_short_names_steer_no_terminal():
    assert short_names(["\x1b[31mred", "two\nlines"], 20) == ["\\x1b[31mred", "two lines"]
