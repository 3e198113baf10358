"""The plot shows the numbers of the result at their true positions."""

from dataclasses import replace
from itertools import pairwise

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_hex
from plots_fakes import make_groups, make_result, make_several, make_what_if
from sklearn.base import BaseEstimator
from sklearn.exceptions import NotFittedError

from allrelevant import GroupsDisplay, RelevanceClassifier, RelevanceDisplay
from allrelevant.datasets import make_classification

mpl.use("Agg")

import matplotlib.pyplot as plt

COLORS = {"strong": "#0072b2", "weak": "#e69f00", "irrelevant": "#999999"}


@pytest.fixture(autouse=True)
def close_figures():
    yield
    plt.close("all")


def bars_by_row(ax):
    return {round(bar.get_y() + bar.get_height() / 2): bar for bar in ax.patches}


def line_named(ax, label):
    return next(line for line in ax.lines if line.get_label() == label)


def legend_texts(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


@pytest.mark.slow
@pytest.mark.parametrize("signed", [False, True])
def test_bars_span_the_intervals_in_sorted_order(signed):
    result = make_result()
    ax = RelevanceDisplay.from_result(result, signed=signed).ax_
    columns = ["low", "high"] if signed else ["min", "max"]
    frame = result.to_frame(sort=True)
    bars = bars_by_row(ax)
    assert sorted(bars) == list(range(9))
    ends = [(bars[r].get_x(), bars[r].get_x() + bars[r].get_width()) for r in range(9)]
    np.testing.assert_allclose(ends, frame[columns], atol=1e-15)
    assert [label.get_text() for label in ax.get_yticklabels()] == list(frame["feature"])
    assert [to_hex(bars[r].get_facecolor()) for r in range(9)] == [
        COLORS[word] for word in frame["class"]
    ]
    bottom, top = ax.get_ylim()
    assert bottom > top, "the first row, the strongest, must be on top"


def test_classes_can_be_told_apart_without_colour():
    bars = bars_by_row(RelevanceDisplay(make_result()).plot().ax_)
    assert [bool(bars[r].get_hatch()) for r in range(9)] == [False] * 2 + [True] * 3 + [False] * 4


@pytest.mark.parametrize("signed", [False, True])
def test_markers_sit_at_the_baseline_weights(signed):
    result = make_result()
    line = line_named(RelevanceDisplay.from_result(result, signed=signed).ax_, "baseline model")
    weights = result.weights[result.order]
    np.testing.assert_array_equal(line.get_xdata(), weights if signed else np.abs(weights))
    np.testing.assert_array_equal(line.get_ydata(), np.arange(9))


def test_threshold_is_a_dashed_line_with_a_legend_entry():
    ax = RelevanceDisplay.from_result(make_result()).ax_
    line = line_named(ax, "noise ends here")
    assert list(line.get_xdata()) == [0.09, 0.09]
    assert line.get_linestyle() == "--"
    noise = ["noise starts here", "noise ends here"]
    assert legend_texts(ax) == ["strong", "weak", "irrelevant", *noise, "baseline model"]


def test_what_is_drawn_follows_from_what_is_said():
    """Strong is what ends beyond the end of noise and starts beyond its start, if it has one."""
    ax = RelevanceDisplay.from_result(make_result()).ax_
    assert line_named(ax, "noise starts here").get_xdata()[0] == make_result().thresholds[0]
    assert ax.get_legend().get_title().get_text() == "strong: no good model does without it"
    ax = RelevanceDisplay.from_result(make_result(thresholds=[0.0, 0.09])).ax_
    assert "noise starts here" not in legend_texts(ax)
    signed = RelevanceDisplay.from_result(make_result(), signed=True).ax_
    assert "noise starts here" not in legend_texts(signed)
    no_strong = RelevanceDisplay.from_result(make_result(n_strong=0)).ax_
    assert no_strong.get_legend().get_title().get_text() == ""


def test_signed_plot_has_the_threshold_on_both_sides():
    ax = RelevanceDisplay.from_result(make_result(), signed=True).ax_
    dashed = {line.get_xdata()[0] for line in ax.lines if line.get_linestyle() == "--"}
    assert dashed == {-0.09, 0.09}
    assert ax.get_xlabel() == "signed weight (share of the model's total weight)"
    assert ax.get_xlim()[0] < make_result().signed_intervals.min()


@pytest.mark.parametrize("threshold", [np.nan, np.inf])
def test_a_threshold_that_is_no_number_is_not_drawn(threshold):
    ax = RelevanceDisplay.from_result(make_result(thresholds=[0.0, threshold])).ax_
    assert "noise ends here" not in legend_texts(ax)
    assert np.isfinite(ax.get_xlim()).all()


def test_legend_lists_only_classes_present():
    ax = RelevanceDisplay.from_result(make_result(n_weak=0)).ax_
    assert legend_texts(ax)[:2] == ["strong", "irrelevant"]
    ax = RelevanceDisplay.from_result(make_result(), max_features=2).ax_
    noise = ["noise starts here", "noise ends here"]
    assert legend_texts(ax) == ["strong", *noise, "baseline model"]


def test_relevance_axis_starts_at_zero_and_says_what_it_is():
    ax = RelevanceDisplay.from_result(make_result()).ax_
    assert ax.get_xlim()[0] == 0
    assert ax.get_xlim()[1] > make_result().intervals.max()
    assert ax.get_xlabel() == "relevance (share of the model's total weight)"


@pytest.mark.slow
@pytest.mark.parametrize("class_", [0, 1, 2])
def test_a_point_interval_leaves_a_visible_mark(class_):
    result = make_result(
        1, 0, 0, classes=[class_], intervals=[[0.2, 0.2]], weights=[0.0], thresholds=[0, 0.4]
    )
    display = RelevanceDisplay.from_result(result)
    (bar,) = display.ax_.patches
    assert bar.get_width() == 0
    display.figure_.draw_without_rendering()
    (x, y) = display.ax_.transData.transform((0.2, 0.2))
    display.figure_.canvas.draw()
    pixels = np.asarray(display.figure_.canvas.buffer_rgba())[::-1]
    around = pixels[round(y), round(x) - 2 : round(x) + 3, :3]
    assert around.min() < 200


# -- before and after ---------------------------------------------------------------------------


@pytest.mark.parametrize("signed", [False, True])
def test_the_result_before_is_outlined_behind_the_bars(signed):
    after, before = make_result(), make_result(intervals=np.tile([0.0, 0.7], (9, 1)))
    ax = RelevanceDisplay.from_result(after, before=before, signed=signed).ax_
    outlines, bars = ax.patches[:9], ax.patches[9:]
    assert legend_texts(ax)[-1] == "before"
    assert max(o.get_zorder() for o in outlines) <= min(b.get_zorder() for b in bars)
    expected = (before.signed_intervals if signed else before.intervals)[after.order]
    ends = [(o.get_x(), o.get_x() + o.get_width()) for o in outlines]
    np.testing.assert_allclose(ends, expected, atol=1e-15)


def test_the_answer_to_a_what_if_question_brings_its_own_before():
    after, before = make_result(), make_result()
    object.__setattr__(after, "before", before)
    assert len(RelevanceDisplay.from_result(after).ax_.patches) == 18


def test_the_legend_is_within_the_figure_when_much_is_to_be_said():
    result = make_several("x0", 0.1)
    display = RelevanceDisplay.from_result(make_what_if(result, forbid=result.irrelevant[:2]))
    display.figure_.canvas.draw()
    legend = display.ax_.get_legend()
    texts = [text.get_text() for text in legend.get_texts()]
    assert len(texts) == 9
    assert "forbidden" in texts
    assert legend.get_window_extent().x0 >= 0


def test_before_must_be_about_the_same_features():
    with pytest.raises(ValueError, match="before"):
        RelevanceDisplay(make_result(), before=make_result(names=list("abcdefghi")))


# -- many features --------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    ("max_features", "note"),
    [
        (20, "and 180 irrelevant features"),
        (10, "and 190 more features: 10 weak, 180 irrelevant"),
        (199, "and 1 irrelevant feature"),
    ],
)
def test_note_counts_what_is_left_out(max_features, note):
    ax = RelevanceDisplay.from_result(make_result(5, 15, 180), max_features=max_features).ax_
    assert [text.get_text() for text in ax.texts] == [note]
    assert len(ax.patches) == max_features
    assert ax.get_ylim()[0] > max_features, "the note needs a row of its own"


@pytest.mark.parametrize("max_features", [9, 40, None])
def test_no_note_when_all_are_shown(max_features):
    ax = RelevanceDisplay.from_result(make_result(), max_features=max_features).ax_
    assert len(ax.patches) == 9
    assert len(ax.texts) == 0


def test_max_features_must_be_positive():
    with pytest.raises(ValueError, match="max_features"):
        RelevanceDisplay.from_result(make_result(), max_features=0)


def test_figure_grows_with_the_rows():
    heights = [
        RelevanceDisplay.from_result(
            make_result(2, 3, n), max_features=None
        ).figure_.get_figheight()
        for n in (0, 25, 95)
    ]
    rows = np.array([5, 30, 100])
    np.testing.assert_allclose(np.diff(heights) / np.diff(rows), 0.24)


def boxes_apart(boxes):
    tops = sorted((box.y0, box.y1) for box in boxes)
    return all(below[1] <= above[0] for below, above in pairwise(tops))


@pytest.mark.slow
@pytest.mark.parametrize("own_axes", [True, False])
def test_names_do_not_collide(own_axes):
    ax = None if own_axes else plt.subplots(figsize=(6, 4.8), layout="constrained")[1]
    display = RelevanceDisplay.from_result(make_result(5, 15, 180), ax=ax)
    display.figure_.canvas.draw()
    names = [label.get_window_extent() for label in display.ax_.get_yticklabels()]
    assert len(names) == 40
    assert boxes_apart(names)


def test_long_names_and_legend_stay_inside_the_figure():
    names = [f"{'a very long survey question ' * 3}{j}" for j in range(9)]
    display = RelevanceDisplay.from_result(make_result(names=names))
    display.figure_.canvas.draw()
    labels = display.ax_.get_yticklabels()
    assert len({label.get_text() for label in labels}) == 9
    boxes = [label.get_window_extent() for label in labels]
    boxes.append(display.ax_.get_legend().get_window_extent())
    assert min(box.x0 for box in boxes) >= 0
    assert max(box.x1 for box in boxes) <= display.figure_.bbox.width
    assert display.ax_.bbox.width > 0.5 * display.figure_.bbox.width


@pytest.mark.slow
def test_names_are_not_read_as_formulas():
    display = RelevanceDisplay.from_result(make_result(names=["$\\nonsense{$", *"abcdefgh"]))
    display.figure_.canvas.draw()
    assert "$\\nonsense{$" in [label.get_text() for label in display.ax_.get_yticklabels()]


# -- the manner of scikit-learn -------------------------------------------------------------------


def test_given_axes_are_used():
    figure, axes = plt.subplots(1, 2)
    display = RelevanceDisplay(make_result())
    assert display.plot(axes[1]) is display
    assert display.ax_ is axes[1]
    assert display.figure_ is figure
    assert len(axes[0].patches) == 0
    assert len(plt.get_fignums()) == 1


class Fitted(BaseEstimator):
    def fit(self, X=None, y=None):
        self.result_ = make_result()
        return self


def test_from_estimator_reads_its_result():
    _, ax = plt.subplots()
    estimator = Fitted().fit()
    display = RelevanceDisplay.from_estimator(estimator, ax=ax, max_features=3)
    assert display.result is estimator.result_
    assert display.ax_ is ax
    assert len(ax.patches) == 3


def test_from_estimator_wants_a_fitted_one():
    with pytest.raises(NotFittedError):
        RelevanceDisplay.from_estimator(Fitted())


def test_missing_matplotlib_names_the_extra(without_matplotlib):
    with pytest.raises(ImportError, match=r'pip install "allrelevant\[plot\]"'):
        RelevanceDisplay.from_result(make_result())


def test_no_features_still_plot():
    ax = RelevanceDisplay.from_result(make_result(0, 0, 0)).ax_
    assert len(ax.patches) == 0


def test_features_without_weights_of_their_own_have_no_markers():
    """Privileged features have one in each of several functions."""
    ax = RelevanceDisplay.from_result(make_result(weights=np.full(9, np.nan))).ax_
    assert "baseline model" not in legend_texts(ax)
    assert "baseline model" in legend_texts(RelevanceDisplay.from_result(make_result()).ax_)


def test_long_names_are_told_apart():
    names = [f"questionnaire item number {k}: how you felt in the last months" for k in range(9)]
    labels = RelevanceDisplay.from_result(make_result(names=names)).ax_.get_yticklabels()
    assert len({label.get_text() for label in labels}) == 9


def test_a_threshold_of_its_own_is_marked_on_its_row():
    result = make_several("x0", 0.4)
    ax = RelevanceDisplay.from_result(result).ax_
    row = [label.get_text() for label in ax.get_yticklabels()].index("x0")
    (marks,) = [c for c in ax.collections if c.get_label() == "its own threshold"]
    (mark,) = marks.get_segments()
    np.testing.assert_allclose(mark, [[0.4, row - 0.45], [0.4, row + 0.45]])
    assert ax.get_xlim()[1] > 0.4
    assert "its own threshold" in legend_texts(ax)
    assert "its own threshold" not in legend_texts(
        RelevanceDisplay.from_result(result, signed=True).ax_
    )


@pytest.mark.parametrize("signed", [False, True])
def test_several_columns_have_one_bar_without_a_sign(signed):
    result = make_several("x0", 0.4)
    whole = RelevanceDisplay.from_result(result, before=result, signed=signed)
    labels = [label.get_text() for label in whole.ax_.get_yticklabels()]
    (markers,) = [line for line in whole.ax_.lines if line.get_label() == "baseline model"]
    assert np.isnan(markers.get_xdata()[labels.index("x0")]) == signed
    if not signed:
        ends = [bar.get_x() + bar.get_width() for bar in whole.ax_.patches]
        assert any(end == pytest.approx(result.interval("x0")[1]) for end in ends)


def test_an_estimator_is_shown_by_feature():
    X, y, _ = make_classification(60, n_strong=1, n_weak=2, n_irrelevant=1, random_state=0)
    model = RelevanceClassifier(C=1.0, n_probes=5, random_state=0, column_groups={"pair": [1, 2]})
    display = RelevanceDisplay.from_estimator(model.fit(X, y))
    assert {label.get_text() for label in display.ax_.get_yticklabels()} == {"pair", "x0", "x3"}
    asked = RelevanceDisplay.from_result(model.what_if(forbid=["x3"]))
    assert asked.before.names == asked.result.names == ("x0", "pair", "x3")


@pytest.mark.parametrize("wrong", ["x", None, BaseEstimator()])
def test_what_is_no_result_is_refused(wrong):
    with pytest.raises(TypeError, match=f"must be a RelevanceResult.*got {type(wrong).__name__}"):
        RelevanceDisplay.from_result(wrong)
    with pytest.raises(TypeError, match="must be a RelevanceResult"):
        GroupsDisplay.from_result(wrong, None)
    with pytest.raises(TypeError, match=r"before must be a RelevanceResult.*got str\.$"):
        RelevanceDisplay.from_result(make_result(), before="x")


# -- how sure it is -------------------------------------------------------------------------------


def ticks_of(ax):
    """Where each row has a tick of its own, with the ticks' label."""
    return {
        round(float(segment[:, 1].mean())): (float(segment[0, 0]), lines.get_label())
        for lines in ax.collections
        for segment in lines.get_segments()
    }


def test_thresholds_that_differ_are_ticks_on_their_rows():
    limits = np.linspace(0.05, 0.2, 9)
    result = replace(make_several("x0", 0.3), noise_thresholds=[0.3, *limits[1:]])
    ax = RelevanceDisplay.from_result(result).ax_
    found = ticks_of(ax)
    assert sorted(found) == list(range(9))
    np.testing.assert_allclose(
        [found[row][0] for row in range(9)], result.upper_thresholds[result.order]
    )
    assert {label for _, label in found.values()} == {"noise ends here"}
    assert not [line for line in ax.lines if line.get_linestyle() == "--"]
    assert legend_texts(ax).count("noise ends here") == 1
    (tick,) = [
        handle
        for handle in ax.get_legend().legend_handles
        if handle.get_label() == "noise ends here"
    ]
    assert tick.get_marker() == "|"


def test_thresholds_that_are_alike_are_one_line_where_those_shown_are():
    # The two strong features share a threshold that others do not have.
    base = make_result()
    limits = np.where(base.classes == 2, [0.15, 0.151] * 4 + [0.15], np.linspace(0.05, 0.1, 9))
    result = make_result(noise_thresholds=limits)
    ax = RelevanceDisplay.from_result(result, max_features=2).ax_
    (at, _) = line_named(ax, "noise ends here").get_xdata()
    assert at == np.median(limits[base.classes == 2])
    assert ticks_of(ax) == {}


def test_ticks_are_on_both_sides_of_signed_weights():
    limits = np.linspace(0.05, 0.2, 9)
    ax = RelevanceDisplay.from_result(make_result(noise_thresholds=limits), signed=True).ax_
    at = [segment[0, 0] for lines in ax.collections for segment in lines.get_segments()]
    np.testing.assert_allclose(sorted(at), np.r_[-limits[::-1], limits])
    assert legend_texts(ax).count("noise ends here") == 1


def test_a_threshold_that_is_no_number_has_no_tick():
    limits = [0.1] * 8 + [np.inf]
    ax = RelevanceDisplay.from_result(make_result(noise_thresholds=limits)).ax_
    assert len(ticks_of(ax)) == 8
    assert np.isfinite(ax.get_xlim()).all()


@pytest.mark.parametrize("signed", [False, True])
def test_bars_that_could_be_either_are_open_and_marked(signed):
    flags = make_result().classes == 1
    flags[np.flatnonzero(make_result().classes == 0)[0]] = True
    result = make_result(borderline=flags)
    ax = RelevanceDisplay.from_result(result, signed=signed).ax_
    bars, marked = bars_by_row(ax), flags[result.order]
    assert len(bars) == 9
    faces = [to_hex(bars[row].get_facecolor()) for row in range(9)]
    assert [face not in COLORS.values() for face in faces] == marked.tolist()
    assert [bars[row].get_linestyle() != "solid" for row in range(9)] == marked.tolist()
    marks = {round(text.xy[1]): text.xy[0] for text in ax.texts if text.get_text() == "?"}
    assert sorted(marks) == np.flatnonzero(marked).tolist()
    for row, x in marks.items():
        assert x >= max(bars[row].get_x() + bars[row].get_width(), 0.09) - 1e-12
    # All weak bars are open, yet the legend shows what weak looks like.
    assert legend_texts(ax)[:4] == ["strong", "weak", "irrelevant", "could be either"]
    weak = ax.get_legend().legend_handles[1]
    assert to_hex(weak.get_facecolor()) == COLORS["weak"]


def test_nothing_is_open_where_nothing_is_known():
    ax = RelevanceDisplay.from_result(make_result()).ax_
    assert "could be either" not in legend_texts(ax)
    assert len(ax.texts) == 0


def test_the_legend_fits_when_everything_is_in_it():
    flags = np.ones(9, dtype=bool)
    result = make_result(borderline=flags, noise_thresholds=np.linspace(0.05, 0.2, 9))
    display = RelevanceDisplay.from_result(make_what_if(result, forbid=result.irrelevant[:2]))
    display.figure_.canvas.draw()
    assert len(legend_texts(display.ax_)) == 9
    assert display.ax_.get_legend().get_window_extent().x0 >= 0


@pytest.mark.slow
@pytest.mark.parametrize("counts", [(1, 5, 0), (2, 33, 0)])
def test_groups_mark_what_could_be_either_too(counts):
    d = sum(counts)
    flags = np.arange(d) == 3
    result = make_result(*counts, borderline=flags, noise_thresholds=np.linspace(0.05, 0.2, d))
    display = GroupsDisplay.from_result(result, make_groups(result))
    ax = display.axes_[1]
    assert "could be either" in legend_texts(ax)
    assert [text.get_text() for text in ax.texts].count("?") == 1
    assert sum(len(lines.get_segments()) for lines in ax.collections) >= d


def test_prices_are_written_beside_their_bars():
    result = make_result(1, 2, 1)
    needed = np.zeros(4)
    needed[result.order] = [np.inf, 0.0213, 1e-5, 0.0]
    display = RelevanceDisplay.from_result(result, needed=needed, max_features=3)
    (right,) = display.ax_.child_axes
    assert [text.get_text() for text in right.get_yticklabels()] == ["any", "0.021", "< 0.001"]
    np.testing.assert_array_equal(right.get_yticks(), [0, 1, 2])
    with pytest.raises(ValueError, match="expected shape"):
        RelevanceDisplay.from_result(result, needed=[0.1])


def test_rows_without_a_sign_say_so():
    result = make_several("x2", 0.2)
    said = "several weights, so no sign"
    signed = RelevanceDisplay.from_result(result, signed=True).ax_
    (note,) = [text for text in signed.texts if text.get_text() == said]
    row = [label.get_text() for label in signed.get_yticklabels()].index("x2")
    assert note.xy == (0.0, row)
    plain = RelevanceDisplay.from_result(result).ax_
    assert said not in [text.get_text() for text in plain.texts]


def test_a_table_is_no_estimator():
    with pytest.raises(TypeError, match="must be a fitted estimator, got DataFrame"):
        RelevanceDisplay.from_estimator(pd.DataFrame({"a": [1.0]}))
