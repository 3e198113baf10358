"""The report says what the result says, in one file that needs nothing else."""

import re
from dataclasses import replace
from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest
from plots_fakes import make_groups, make_ranges, make_result, make_several, make_what_if
from report_page import DAY, Page, page, sure_result, with_category

from allrelevant.views.report import render_report
from allrelevant.views.report.bands import tolerance_bands
from allrelevant.views.report.people import prediction_facts
from allrelevant.views.report.pictures import bar_chart, group_tree
from allrelevant.views.report.shapes import curve_pictures


def test_wide_tables_scroll_by_themselves_and_not_the_page():
    found = page(make_result(2, 2, 1), substitutes={"a": ["b"]}).tags
    before = [found[k - 1] for k, (tag, _) in enumerate(found) if tag == "table"]
    assert before == [("div", {"class": "scroll", "tabindex": "0"})] * 2


def test_it_is_one_well_formed_file_without_scripts_or_addresses(tmp_path):
    result = make_result(2, 6, 5)
    path = result.report(tmp_path / "report.html", groups=make_groups(result))
    html = path.read_text(encoding="utf-8")
    found = Page(html)
    assert found.mismatched == []
    assert found.open == []
    assert not {"script", "link", "img", "iframe", "object"} & {tag for tag, _ in found.tags}
    assert "http" not in html
    assert "@import" not in html
    assert not re.search(r"url\((?!#hatch\))", html)
    assert not [a for _, attributes in found.tags for a in attributes if a.startswith("on")]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("counts", "first", "also"),
    [
        ((0, 26, 4), "No single feature is indispensable.", "26 of the 30 features can help"),
        ((1, 0, 3), "Every good model needs this feature: x", "3 features need not be used"),
        ((2, 1, 0), "Every good model needs these 2 features: ", "1 more feature can help but is"),
        ((0, 0, 3), "No feature was found to be of use.", "shuffled"),
    ],
)
def test_the_verdict_comes_first_and_fits_the_counts(counts, first, also):
    text = page(make_result(*counts)).text
    assert first in text
    assert also in text
    assert text.index(first) < text.index("How much each feature can matter")


def test_names_cannot_break_out_of_the_page():
    evil = "<script>alert('x')</script>&\"'"
    result = make_result(1, 2, 0, names=[evil, "b", "c"], warnings=[evil])
    html = render_report(result, title=evil, target=evil, data={evil: evil}, notes=[evil], day=DAY)
    found = Page(html)
    assert "script" not in {tag for tag, _ in found.tags}
    assert evil in " ".join(found.texts)


def test_bars_are_where_the_numbers_say():
    result = make_result(2, 3, 2)
    found = page(result)
    bars = [a for tag, a in found.tags if tag == "rect" and a.get("class") in ("strong", "weak")]
    bars = [(float(a["x"]), float(a["width"])) for a in bars if "x" in a][:5]
    lows, highs = result.intervals[result.order[:5]].T
    starts, widths = np.array(bars).T
    # One scale for all: positions are a linear function of values.
    slope, zero = np.polyfit(np.r_[lows, highs], np.r_[starts, starts + widths], 1)
    np.testing.assert_allclose(starts, zero + slope * lows, atol=0.05)
    np.testing.assert_allclose(starts + widths, zero + slope * highs, atol=0.05)


def test_groups_substitutes_sets_and_predictions_where_given():
    result = make_result(0, 6, 2)
    groups = make_groups(result, cut=10.0)
    bare = page(result).text
    full = page(
        result,
        groups=groups,
        substitutes={"x1": ["x2", "x3"], "x4": []},
        sets=[["x1", "x2"]],
        predictions=make_ranges(50),
    )
    for heading in ("stand in for what", "left out", "that are enough", "depend on the model"):
        assert any(heading in text for text in full.texts)
    for heading in ("stand in for what", "If a feature is left out", "that are enough"):
        assert heading not in bare
    everyone = ", ".join(result.names[j] for j in result.order if result.classes[j])
    assert everyone in full.text
    n_open = int((~make_ranges(50).settled).sum())
    assert f"For {n_open} of 50 samples" in full.text
    assert sum(tag == "polyline" for tag, _ in full.tags) == 5


def test_open_cases_are_counted_by_what_models_predict():
    labels = [("low",)] * 30 + [("high",)] * 10 + [("low", "high")] * 15 + [("low", "mid")] * 5
    ranges = SimpleNamespace(
        outcomes=["low", "mid", "high"], labels=labels, settled=[len(own) == 1 for own in labels]
    )
    found = page(make_result(1, 1, 1), predictions=ranges)
    words = [text for text in found.texts if text in {"low", "high", "low or high", "low or mid"}]
    assert words[:4] == ["low", "high", "low or high", "low or mid"]
    facts = prediction_facts(ranges, None)
    assert [bar["n"] for bar in facts["bars"]] == [30, 10, 15, 5]
    assert [bar["width"] for bar in facts["bars"]] == ["100.0", "33.3", "50.0", "16.7"]
    assert facts["open"] == 20
    many = SimpleNamespace(
        outcomes=list(range(40)), labels=[(k, k + 1) for k in range(39)], settled=[False] * 39
    )
    assert prediction_facts(many, None)["bars"][-1]["labels"] == "other labels"


def test_what_if_constraints_are_said():
    result = make_result()
    bounds = {"age": (0.1, None), "size": (0.1, 0.3), "time": (0, 0.2)}
    constraints = {"forbid": ["race", "sex"], "bounds": bounds, "signs": {"dose": -1}}
    object.__setattr__(result, "constraints", constraints)
    object.__setattr__(result, "before", make_result())
    found = page(result)
    assert "No model may use race and sex." in found.text
    assert "age has a relevance of at least 0.1." in found.text
    assert "size has a relevance between 0.1 and 0.3." in found.text
    assert "time has a relevance of at most 0.2." in found.text
    assert "dose has a negative weight, or none." in found.text
    assert sum(a.get("class") == "before" for tag, a in found.tags if tag == "rect") > 9


def test_warnings_are_explained_and_close_calls_named():
    result = make_result(0, 1, 1, intervals=[[0, 0.0901], [0, 0.01]], classes=[1, 0])
    object.__setattr__(result, "warnings", ("3 of 50 probes infeasible", "something new"))
    text = page(result).text
    assert "Some of the shuffled columns" in text
    assert "(3 of 50 probes infeasible)" in text
    assert "Something new." in text
    assert "Close to the noise threshold: x0." in text


def test_settings_versions_and_command_to_reproduce_it():
    result = make_result(settings={"C": "cv", "n_probes": 50}, versions={"numpy": "9.9"})
    text = page(result, command="allrelevant fit data.csv --target y").text
    for part in ("'cv'", "n_probes", "numpy", "9.9", "allrelevant fit data.csv", "2026-01-02"):
        assert part in text
    assert "RelevanceClassifier" in page(result).text


@pytest.mark.slow
def test_odd_results_still_make_a_report():
    empty = make_result(0, 0, 0)
    assert "No feature was found" in page(empty).text
    endless = make_result(1, 1, 1, thresholds=[np.inf, np.inf], borderline=[True] * 3)
    assert "could not be measured" in page(endless).text
    one = SimpleNamespace(leaves=["x0"], linkage=np.empty((0, 4)), labels=np.zeros(3), height=0.5)
    assert "No two features" not in page(make_result(1, 1, 1), groups=one).text


def test_privileged_features_have_a_picture_of_their_own():
    result = make_result(
        1,
        1,
        1,
        privileged_names=["scan", "biopsy"],
        privileged_intervals=[[0.2, 0.5], [0.0, 0.05]],
        privileged_classes=[2, 0],
        privileged_thresholds=[0.0, 0.1],
    )
    found = page(result)
    assert "known in training only" in found.text
    assert "scan: strong, 0.200 to 0.500" in found.text
    assert "known in training only" not in page(make_result()).text


def test_no_picture_of_signs_where_all_features_are_categories():
    found = page(make_several("b", 0.63, 0, 1, 0, names=["b"]))
    assert "direction of an effect" not in found.text
    assert "Good models. A reference model" in found.text


def test_pictures_tell_long_names_apart():
    names = [f"questionnaire item number {k}: how you felt in the last months" for k in range(6)]
    result = make_result(0, 6, 0, names=names)
    drawn = bar_chart(result), bar_chart(result, signed=True)
    assert [len({bar.name for bar in chart.bars}) for chart in drawn] == [6, 6]
    tree = group_tree(result, make_groups(result))
    assert len({name for _, name in tree.names}) == 6


def test_the_legend_has_what_is_drawn_and_stand_ins_say_what_they_are():
    result = make_result(0, 2, 1, names=["a", "b", "c"], classes=[1, 1, 0])
    found = page(result, substitutes={"a": ["b", "c"]})
    assert "strong: no good model does without it" not in found.text
    assert "b, c (irrelevant otherwise)" in found.text
    assert "strong: no good model does without it" in page(make_result()).text


def test_a_threshold_of_its_own_is_drawn_and_said():
    found = page(with_category())
    assert "b: irrelevant, 0.200 to 0.600; its own noise threshold: 0.630" in found.text
    assert "b irrelevant 0.200 0.600 0.630" in found.text
    assert "its own noise threshold is 0.630 for b" in found.text
    marks = [a for tag, a in found.tags if tag == "line" and a.get("class") == "own"]
    assert len(marks) == 3  # the row's, on a wide screen and on a phone, and the legend's
    (chart,) = {bar.noise for bar in bar_chart(with_category()).bars if bar.noise}
    assert (float(marks[0]["x1"]),) == chart
    assert "own noise" not in page(make_result()).text
    assert "Close to the noise threshold: b." in found.text  # 0.60 of 0.63, far from the common one


def test_mappings_among_the_settings_are_plain():
    settings = {"column_groups": {"b": ["b=x", "b=y"]}, "class_weight": {}, "grid": [0.1, 1.0]}
    text = page(make_result(settings=settings | {"C": "cv"})).text
    for part in ("b: b=x, b=y", "class_weight none", "0.1, 1.0", "'cv'"):
        assert part in text
    assert "mappingproxy" not in text


def test_forbidden_features_are_not_counted_as_noise():
    result = make_result(1, 2, 3)
    barred = result.irrelevant[:2]
    found = page(make_what_if(result, forbid=barred))
    assert f"2 features are forbidden, so that no model uses them: {' and '.join(barred)}." in (
        found.text
    )
    assert "1 feature need not be used: no good model" in found.text
    assert "2 forbidden: must not be used" in found.text
    assert "1 irrelevant: need not be used" in found.text
    assert f"{barred[0]}: forbidden" in found.text
    assert sum(a.get("class") == "k-forbidden" for tag, a in found.tags if tag == "tr") == 2
    assert "forbidden" not in page(make_result(1, 2, 3)).text


def test_few_rows_say_little():
    baseline = {"score": 0.75, "score_error": 0.25, "score_name": "accuracy", "n_used": 0}
    tiny, enough = (
        page(make_result(0, 0, 3, baseline=baseline), data={"rows": rows}).text for rows in (3, 30)
    )
    assert "is right in 75% of the cases" in enough
    assert "75%" not in tiny
    assert "With 3 rows nothing can be said about how well" in tiny
    assert "only 3 rows: all of this may be chance" in tiny
    assert "shuffled, meaningless columns" not in tiny
    assert "can be dropped" in enough
    assert "can be dropped" not in tiny


# How sure it is


def test_thresholds_that_differ_are_drawn_on_their_bars():
    chart = bar_chart(sure_result())
    assert chart.thresholds == ()
    assert chart.ticked
    slope = (chart.bars[0].width) / 0.2  # x0's bar is 0.3 to 0.5
    zero = chart.bars[1].x
    np.testing.assert_allclose(
        [bar.noise[0] for bar in chart.bars], zero + slope * np.array([0.1, 0.2, 0.1]), atol=0.1
    )
    both = bar_chart(sure_result(), signed=True)
    assert [len(bar.noise) for bar in both.bars] == [2, 2, 2]
    assert [bar.either is not None for bar in chart.bars] == [False, True, True]
    assert all(bar.either >= bar.x + bar.width for bar in chart.bars[1:])
    text = page(sure_result()).text
    assert "0.1 to 0.2 for the upper end of its bar" in text
    alike = bar_chart(sure_result(noise_thresholds=[0.1, 0.101, 0.1]))
    assert len(alike.thresholds) == 1
    assert not alike.ticked
    assert not any(bar.noise for bar in alike.bars)


def test_all_scores_are_named():
    scores = {"accuracy": 0.82, "balanced accuracy": 0.71, "AUC": 0.85, "luck": 0.5}
    baseline = {"score": 0.82, "score_name": "accuracy", "score_error": 0.02, "scores": scores}
    found = page(make_result(baseline=baseline | {"n_used": 4, "fdr": 0.1}))
    assert "accuracy of 0.820 ± 0.020, that is, it is right in 82%" in found.text
    assert "Its balanced accuracy is 0.710 (the share that is right of each class, averaged)," in (
        found.text
    )
    assert "and its luck is 0.500." in found.text
    for part in ("accuracy 0.82 ± 0.02", "balanced accuracy 0.71", "share of noise allowed 10 %"):
        assert part in found.text
    assert "mappingproxy" not in found.text


def test_strong_and_the_end_of_noise_are_explained_where_they_are_drawn():
    found = page(sure_result(thresholds=[0.0, 0.1])).text
    assert "x0: strong, 0.300 to 0.500; no good model does without it" in found
    assert "strong: no good model does without it" in found
    assert "noise ends here" in found
    assert "one that does not is strong, if it also ends beyond the noise threshold" in found
    replaced = page(sure_result(thresholds=[0.05, 0.1])).text
    assert "one that starts above the noise threshold for lower ends, 0.05, is" in replaced


@pytest.mark.parametrize("needed", [None, {"x0": "0.12"}])
def test_on_a_phone_bars_have_the_whole_width_and_names_stand_above_them(needed):
    chart = bar_chart(make_result(1, 1, 4), needed=needed)
    phone = chart.phone
    assert phone.phone is None
    assert phone.width < 360 < chart.width
    assert [bar.kind for bar in phone.bars] == [bar.kind for bar in chart.bars]
    assert phone.height >= phone.bars[-1].y + 22
    assert " ".join(phone.axis) == " ".join(chart.axis)
    assert max(map(len, phone.axis)) * 7 <= phone.width
    for bar, below in pairwise(phone.bars):
        assert below.y - bar.y >= 22 + 14  # a bar, and a line of letters above the next one
    ratio = (phone.bars[0].width - 0.0) / chart.bars[0].width
    for one, other in zip(chart.bars, phone.bars, strict=True):
        assert other.width == pytest.approx(max(ratio * one.width, 2.0), abs=0.02)
        assert other.x + other.width <= phone.width
        assert other.marker <= phone.width


def test_where_all_have_several_columns_nothing_shares_a_line():
    plain = with_category()
    result = replace(plain, columns=dict.fromkeys(plain.names, plain.columns["b"]))
    chart = bar_chart(result)
    assert chart.thresholds == ()
    assert chart.ticked
    assert all(bar.noise for bar in chart.bars)


def test_bands_are_where_the_tolerances_say():
    result = make_result(1, 1, 1, baseline={"tolerance_norm": 0.1, "norm": 1.0})
    path = SimpleNamespace(
        factors=np.array([0.0, 1.0, 2.0]),
        tolerances=np.array([[0.0, 0.0], [0.1, 0.1], [0.2, 0.2]]),
        feature_intervals=np.array(
            [[[0.5, 0.5]] * 3, [[0.25, 0.75]] * 3, [[0.0, 1.0]] * 3], dtype=float
        ),
    )
    first, second = result.names[result.order[0]], result.names[result.order[1]]
    needed = {first: 0.15, second: np.inf}
    bands = tolerance_bands(result, path, needed)
    assert [band.name for band in bands] == [first, second]
    points = [tuple(map(float, point.split(","))) for point in bands[0].points.split()]
    low, here, high = 34.0, 134.0, 234.0  # tolerances of 0, 0.1 and 0.2
    assert points[:3] == [(low, 52.0), (here, 29.0), (high, 6.0)]
    assert points[3:] == [(high, 98.0), (184.0, 98.0), (here, 75.0), (low, 52.0)]
    assert bands[0].here == here
    assert bands[0].without == 184.0
    assert bands[1].without is None
    found = page(result, tolerance_path=path, needed=needed)
    assert "If models may be worse" in found.text
    assert sum(tag == "polygon" for tag, _ in found.tags) == 3  # one of them is hatched
    assert "any" in found.texts
    assert "If models may be worse" not in page(result).text


def with_curves():
    """One curve, one category and one column, with the band of the curve."""
    pieces = {"names": ["a: 0 to 1", "a: 1 to 2"]}
    levels = {"names": ["b=x", "b=y"]}
    own = {
        "signed_intervals": [[-0.1, 0.2]] * 2,
        "intervals": [[0.0, 0.2]] * 2,
        "weights": [0.1, 0.1],
        "noise_thresholds": [0.1] * 2,
    }
    settings = {"basis": "spline", "C": "cv", "cv": 5, "standardize": True}
    columns = {"a": pieces | own, "b": levels | own}
    result = make_result(2, 1, 0, names=["a", "b", "c"], columns=columns, settings=settings)
    band = SimpleNamespace(
        feature="a",
        values=np.array([0.0, 1.0, 2.0]),
        low=np.array([-1.0, -0.5, 0.5]),
        high=np.array([-0.5, 0.5, 1.0]),
        baseline=np.array([-0.75, 0.0, 0.75]),
        classes=None,
    )
    return result, band


def test_curves_are_drawn_and_their_pieces_are_not_listed():
    result, band = with_curves()
    found = page(result, curves=[band])
    assert "What the curves look like" in found.text
    assert "a: 0 to 1" not in found.text
    assert "a curve Does the direction" in found.text  # its row is the last
    assert "b=x" in found.text
    assert "models that add up one curve for each feature" in found.text
    assert "piecewise linear functions of the features" in found.text
    assert "Categories had a column for each level" in found.text
    (picture,) = curve_pictures([band])
    (_, line, outline) = picture.curves[0]
    heights = [float(point.split(",")[1]) for point in line.split()]
    assert heights[1] == picture.zero  # the baseline adds nothing in the middle
    assert heights[0] - heights[1] == pytest.approx(heights[1] - heights[2])
    ends = [float(point.split(",")[1]) for point in outline.split()]
    reach = heights[0] - picture.zero  # of the baseline, 0.75
    assert ends[0] == pytest.approx(picture.zero + 0.5 / 0.75 * reach, abs=0.02)
    assert ends[-1] == pytest.approx(picture.zero + 1.0 / 0.75 * reach, abs=0.02)
    assert picture.label == "a: adds between -1 and 1"
    band.classes = ("well", "ill")
    assert curve_pictures([band])[0].label == "a: ill rather than well: adds between -1 and 1"
    for end in ("low", "high", "baseline"):
        setattr(band, end, 1e5 * getattr(band, end))
    (picture,) = curve_pictures([band])
    assert [text for _, text in picture.ticks] == ["-100k", "-50k", "0", "50k", "100k"]
    plain = page(make_result()).text
    assert "What the curves look like" not in plain
    assert "nor that no curved relation exists" in plain
