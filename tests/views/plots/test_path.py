"""The picture of a path shows its intervals, in the colours of its classes."""

import numpy as np
import pytest
from matplotlib.colors import to_rgba

from allrelevant import RelevancePath, RelevancePathDisplay
from allrelevant.views.plots.style import BAR_STYLES

plt = pytest.importorskip("matplotlib.pyplot")


def make(k=3, d=4):
    random = np.random.default_rng(0)
    return RelevancePath(
        task="regression",
        names=[f"x{j}" for j in range(d)],
        C=np.geomspace(0.01, 1.0, k),
        intervals=np.sort(random.random((k, d, 2)), axis=2),
        classes=random.integers(0, 3, (k, d)),
        n_used=np.arange(k),
        scores=random.random(k),
        score_name="R²",
        chosen=0.1,
    )


@pytest.fixture(autouse=True)
def close():
    yield
    plt.close("all")


@pytest.mark.parametrize("k", [1, 3, 12])
def test_ribbons_are_the_intervals_on_one_scale(k):
    path = make(k)
    ax = RelevancePathDisplay.from_result(path).ax_
    scale = 0.84 / path.intervals.max()
    bars = iter(ax.patches)
    for row, j in enumerate(path.order):
        for i in range(k):
            bar, (low, high) = next(bars), path.intervals[i, j] * scale
            top = bar.get_y() + min(bar.get_height(), 0.0)
            assert row + 0.42 - top == pytest.approx(high)
            assert abs(bar.get_height()) == pytest.approx(high - low)
            assert bar.get_x() <= path.C[i] <= bar.get_x() + bar.get_width()
            word = ("irrelevant", "weak", "strong")[path.classes[i, j]]
            assert bar.get_facecolor() == to_rgba(BAR_STYLES[word]["facecolor"])
    assert next(bars, None) is None
    assert [text.get_text() for text in ax.get_yticklabels()] == [path.names[j] for j in path.order]


def test_what_is_not_shown_is_counted_and_other_things_are_refused():
    display = RelevancePathDisplay.from_result(make(), max_features=1)
    assert "and 3 more features" in [text.get_text() for text in display.ax_.texts]
    with pytest.raises(TypeError, match="result must be a RelevancePath"):
        RelevancePathDisplay(3)
