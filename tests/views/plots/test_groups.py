"""The tree of groups stands where its features' bars are."""

from itertools import pairwise
from types import SimpleNamespace

import matplotlib as mpl
import numpy as np
import pytest
from plots_fakes import make_groups, make_result, make_several

from allrelevant import GroupsDisplay

mpl.use("Agg")

import matplotlib.pyplot as plt


@pytest.fixture(autouse=True)
def close_figures():
    yield
    plt.close("all")


def bars_of(ax, upright):
    """Name and interval of every bar."""
    labels = (ax.get_xticklabels if upright else ax.get_yticklabels)()
    names = [label.get_text() for label in labels]
    found = {}
    for bar in [bar for container in ax.containers for bar in container]:
        (x, y), (width, height) = bar.get_xy(), (bar.get_width(), bar.get_height())
        at, start, size = (x + width / 2, y, height) if upright else (y + height / 2, x, width)
        found[names[round(at)]] = (start, start + size)
    return found


@pytest.mark.parametrize("orientation", ["upright", "sideways"])
def test_every_leaf_has_its_bar_and_irrelevant_features_have_none(orientation):
    result = make_result(3, 6, 4)
    display = GroupsDisplay.from_result(result, make_groups(result), orientation=orientation)
    bars = bars_of(display.axes_[1], orientation == "upright")
    relevant = np.flatnonzero(result.classes > 0)
    assert set(bars) == {result.names[j] for j in relevant}
    for j in relevant:
        np.testing.assert_allclose(bars[result.names[j]], result.intervals[j], atol=1e-12)


def test_features_that_meet_low_in_the_tree_stand_side_by_side():
    result = make_result(0, 8, 0)
    groups = make_groups(result)
    display = GroupsDisplay.from_result(result, groups)
    names = [label.get_text() for label in display.axes_[1].get_xticklabels()]
    a, b = groups.linkage[0, :2].astype(int)  # the first two that are joined
    first, second = (names.index(groups.leaves[k]) for k in (a, b))
    assert abs(first - second) == 1
    height = groups.linkage[0, 2]
    joints = [line for line in display.axes_[0].lines if len(line.get_xdata()) == 4]
    lowest = min(joints, key=lambda line: max(line.get_ydata()))
    assert max(lowest.get_ydata()) == pytest.approx(height)
    assert sorted({round(x) for x in lowest.get_xdata()}) == sorted([first, second])


@pytest.mark.slow
@pytest.mark.parametrize(("n", "upright"), [(22, True), (23, False)])
def test_many_leaves_lie_down(n, upright):
    result = make_result(0, n, 0)
    tree, bars = GroupsDisplay.from_result(result, make_groups(result)).axes_
    assert (tree.get_position().y0 > bars.get_position().y0) == upright


@pytest.mark.slow
@pytest.mark.parametrize("n", [5, 30, 200])
def test_names_do_not_collide(n):
    result = make_result(0, n, 0, names=[f"a rather long feature name {k}" for k in range(n)])
    display = GroupsDisplay.from_result(result, make_groups(result))
    display.figure_.canvas.draw()
    ax = display.axes_[1]
    labels = ax.get_xticklabels() if n <= 30 else ax.get_yticklabels()
    boxes = [label.get_window_extent() for label in labels]
    spans = sorted((b.x0, b.x1) if n <= 30 else (b.y0, b.y1) for b in boxes)
    assert all(one[1] <= other[0] + 0.5 for one, other in pairwise(spans))


@pytest.mark.parametrize("n", [0, 1])
def test_no_tree_of_fewer_than_two(n):
    result = make_result(0, n, 3)
    display = GroupsDisplay.from_result(result, make_groups(result))
    display.figure_.canvas.draw()
    assert len(bars_of(display.axes_[1], True)) == n


def test_unknown_orientation():
    result = make_result()
    with pytest.raises(ValueError, match="orientation"):
        GroupsDisplay(result, make_groups(result)).plot(orientation="diagonal")


def test_long_names_are_told_apart():
    names = [f"questionnaire item number {k}: how you felt in the last months" for k in range(4)]
    result = make_result(0, 4, 0, names=names)
    display = GroupsDisplay.from_result(result, make_groups(result))
    labels = display.axes_[1].get_xticklabels()
    assert len({label.get_text() for label in labels}) == 4
    short = make_result(0, 4, 0)
    usual = GroupsDisplay.from_result(short, make_groups(short))
    assert display.figure_.get_figheight() > usual.figure_.get_figheight()


@pytest.mark.parametrize("upright", [True, False])
def test_the_axis_of_the_tree_says_what_it_is(upright):
    result = make_result(1, 5, 0)
    orientation = "upright" if upright else "sideways"
    ax, _ = GroupsDisplay.from_result(result, make_groups(result), orientation=orientation).axes_
    axis = ax.yaxis if upright else ax.xaxis
    assert axis.get_label_text().split() == ["trade-off", "×", "correlation"]
    assert [axis.get_major_formatter()(height, 0) for height in (0.0, 0.75, 1.0)] == [
        "1",
        "0.25",
        "0",
    ]
    assert axis.get_view_interval().tolist() == [0.0, 1.04]


def test_a_group_of_columns_is_one_leaf():
    result = make_several("pair", 0.1, 0, 3, 0, names=["pair", "x2", "x3"])
    groups = SimpleNamespace(
        names=("pair", "x2", "x3"),
        leaves=("pair", "x2", "x3"),
        labels=np.array([1, 1, 2]),
        linkage=np.array([[0.0, 1.0, 0.4, 2.0], [2.0, 3.0, 0.9, 3.0]]),
        height=0.8,
    )
    display = GroupsDisplay.from_result(result, groups)
    bars = bars_of(display.axes_[1], True)
    assert set(bars) == {"pair", "x2", "x3"}
    assert bars["pair"] == pytest.approx(result.interval("pair"))
