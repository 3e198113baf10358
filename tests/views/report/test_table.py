"""The features of a report: what its table says of each."""

from dataclasses import replace

import numpy as np
import pytest
from plots_fakes import make_result, make_several, make_what_if
from report_page import page, sure_result, with_category

from allrelevant.views.report import render_report
from allrelevant.views.report.table import table_rows


def test_numbers_and_classes_of_all_features_are_in_the_table():
    result = make_result(2, 6, 5)
    text = page(result).text
    for row in result.to_frame().to_dict("records"):
        wanted = f"{row['feature']} {row['class']} {row['min']:.3f} {row['max']:.3f}"
        assert wanted in text


def test_many_irrelevant_features_are_listed_not_tabled():
    result = make_result(3, 7, 190)
    found = page(result)
    rows = [a for tag, a in found.tags if tag == "tr" and "k-irrelevant" in a.get("class", "")]
    assert len(rows) == 30
    assert "160 more features are irrelevant" in found.text
    assert "and 160 irrelevant features" in found.text  # below the 40 bars
    assert all(name in found.text for name in result.names)


def test_a_category_is_one_row_without_a_sign():
    found = page(with_category())
    assert "b irrelevant 0.200 0.600" in found.text
    assert "several columns" in found.text
    assert "b=x 0.000 0.000 noise" in found.text, "its columns follow"
    assert "b=y -0.200 0.100 either" in found.text
    assert "Features of several columns, such as categories, are left out" in found.text
    assert "direction of an effect" in found.text
    asked = make_what_if(with_category(), forbid=("b",))
    assert "b=x" not in page(asked).text


def test_features_that_have_a_weight_for_each_class_have_no_sign():
    signs = "smallest weight", "several columns", "direction of an effect", "size of a feature"
    usual = render_report(make_several("x2", 0.2))
    assert all(words in usual for words in signs)
    text = render_report(make_result(signed_intervals=np.full((9, 2), np.nan)))
    assert not any(words in text for words in signs)
    assert "the largest difference that a feature makes between two classes" in text


def test_p_and_q_are_in_the_table_and_explained():
    text = page(sure_result()).text
    assert "x0 strong 0.300 0.500 < 0.0001 < 0.0001" in text
    assert "x1 weak ? 0.000 0.215 0.0039 0.0058" in text
    assert "x2 irrelevant ? 0.000 0.098 0.0071 0.0071" in text
    assert "counts as relevant where p is at most 0.0042" in text
    assert "at most about 10% of the features found relevant are expected to be noise" in text
    plain = page(make_result()).text
    assert "How sure that is" not in plain
    assert "could be either" not in plain.lower()


def test_without_a_level_none_is_claimed():
    text = page(sure_result(baseline={"level": None})).text
    assert "How sure that is" in text
    assert "counts as relevant where" not in text
    assert "found relevant are expected" not in text


def test_what_could_be_either_is_marked_and_said():
    found = page(sure_result())
    first = found.text[: found.text.index("How much each feature can matter")]
    assert "Too close to call: x1 and x2 could be either useful or noise." in first
    said = "x1: weak, 0.000 to 0.215; its own noise threshold: 0.200; p 0.0039; could be either"
    assert said in found.text
    open_bars = [a["class"] for tag, a in found.tags if tag == "rect" and "y" in a]
    open_bars = [word for word in open_bars if word and word.endswith(" either")]
    assert sorted(open_bars)[:2] == ["irrelevant either", "irrelevant either"]
    assert open_bars.count("weak either") == 4  # with its sign and without, also on a phone
    assert sum(a.get("class") == "mark" for tag, a in found.tags if tag == "text") == 8
    assert "Leave open what could be either" in found.text
    settled = page(sure_result(borderline=[False] * 3)).text
    assert "There are none here." in settled
    assert "Leave open" not in settled


def test_close_calls_are_those_that_are_known_to_be():
    """x2 is within 5 % of its threshold, which is a guess where p-values are not known."""
    known = page(sure_result(borderline=[False] * 3)).text
    assert "Close to the noise threshold" not in known
    guessed = page(sure_result(borderline=[], p_values=[], q_values=[])).text
    assert "Close to the noise threshold: x2." in guessed


def test_directions_are_judged_by_the_features_own_threshold():
    signed = [[0.3, 0.5], [-0.15, 0.21], [-0.05, 0.098]]
    text = page(sure_result(signed_intervals=signed)).text
    assert "-0.150 0.210 positive or noise" in text  # 0.15 is less than its 0.2
    lower = sure_result(signed_intervals=signed, noise_thresholds=[0.1, 0.1, 0.1])
    assert "-0.150 0.210 either" in page(lower).text


@pytest.mark.parametrize("by_class", [False, True])
def test_levels_are_listed_with_the_one_they_are_compared_with(by_class):
    own = {
        "names": ["b=x", "b=y"],
        "signed_intervals": np.full((2, 2), np.nan) if by_class else [[0.0, 0.0], [-0.1, 0.2]],
        "intervals": [[0.0, 0.0], [0.0, 0.2]],
        "weights": [0.0, 0.1],
        "noise_thresholds": [0.1] * 2,
        "references": ["b=x"],
    }
    signed = np.full((2, 2), np.nan) if by_class else [[0.1, 0.3], [np.nan, np.nan]]
    result = make_result(2, 0, 0, names=["a", "b"], columns={"b": own}, signed_intervals=signed)
    found = page(result).text
    assert ("b=x: others are compared with it 0.000 0.000" in found) == by_class
    assert ("b=x 0.000 0.000 others are compared with it" in found) == (not by_class)
    assert ("b=y 0.000 0.200" if by_class else "b=y -0.100 0.200") in found
    how = "the largest of these" if by_class else "the sum over these"
    assert f"their relevance is {how}." in found


def test_hundreds_of_irrelevant_names_are_folded_away():
    few, many = (render_report(make_result(1, 1, n)) for n in (50, 150))
    assert "Also irrelevant: " in few
    assert "Also irrelevant: " not in many
    assert "<summary>120 more features are irrelevant</summary>" in many


def test_what_is_irrelevant_although_every_model_uses_it_says_why():
    names, said = ["a", "noise"], "noise: in every good model, but so would noise be: irrelevant."
    ends = {"intervals": [[0.3, 0.6], [0.02, 0.05]], "thresholds": (0.0, 0.1), "classes": [2, 0]}
    ends["baseline"] = make_result(1, 0, 1).baseline | {"norm": 1.0}
    assert said in page(make_result(1, 0, 1, names=names, **ends)).text
    ends["intervals"] = [[0.3, 0.6], [0.0, 0.05]]
    assert said not in page(make_result(1, 0, 1, names=names, **ends)).text


def test_zero_has_no_sign_and_what_is_needed_is_not_said_to_need_nothing():
    result = make_result(1, 0, 1, intervals=[[2e-4, 0.5], [0.0, 0.1]])
    result = replace(result, signed_intervals=[[2e-4, 0.5], [-2e-4, 0.1]])
    strong, irrelevant = table_rows(result)
    assert (strong["min"], strong["low"]) == ("<.001", "0.000")
    assert (irrelevant["min"], irrelevant["low"]) == ("0.000", "0.000")
    assert " <.001 " in repr(result)


def test_names_break_after_underscores():
    result = make_result(1, 0, 0, names=["x_<b>_y"])
    assert '<td class="left">x_<wbr>&lt;b&gt;_<wbr>y</td>' in render_report(result)
