"""The picture of halves shows the shares of the result, and marks the classes of the fit."""

import numpy as np
import pytest

from allrelevant import RelevanceClassifier, StabilityDisplay, StabilityResult
from allrelevant.datasets import make_classification
from allrelevant.views.plots.style import BAR_STYLES

plt = pytest.importorskip("matplotlib.pyplot")


def make(d=4, n=8, names=None):
    rng = np.random.default_rng(0)
    return StabilityResult(
        task="classification",
        names=names or [f"x{k}" for k in range(d)],
        classes=np.arange(d)[::-1] % 3,
        halves=rng.integers(0, 3, (n, d)),
    )


@pytest.fixture(autouse=True)
def close():
    yield
    plt.close("all")


def test_bars_are_the_shares_and_fill_the_row():
    result = make()
    ax = StabilityDisplay.from_result(result).ax_
    for row, j in enumerate(result.order):
        bars = [b for b in ax.patches if abs(b.get_y() + b.get_height() / 2 - row) < 0.1]
        widths = {
            word: sum(
                bar.get_width()
                for bar in bars
                if bar.get_facecolor() == plt.matplotlib.colors.to_rgba(style["facecolor"])
            )
            for word, style in BAR_STYLES.items()
        }
        shares = result.frequencies[j]
        assert [widths[w] for w in ("irrelevant", "weak", "strong")] == pytest.approx(shares)
        assert max(bar.get_x() + bar.get_width() for bar in bars) == pytest.approx(1.0)


def test_the_class_of_the_fit_stands_before_the_bar():
    result = make()
    ax = StabilityDisplay.from_result(result).ax_
    marked = {
        int(y): line.get_markerfacecolor()
        for line in ax.lines
        for y in line.get_ydata()
        if line.get_xdata()[0] < 0
    }
    for row, j in enumerate(result.order):
        assert marked[row] == BAR_STYLES[result.class_names[j]]["facecolor"]


@pytest.mark.slow
def test_names_in_any_script_and_many_features():
    names = ["年齢", "$_to_$", *(f"a very long name of a column, number {k}" for k in range(50))]
    display = StabilityDisplay.from_result(make(52, names=names), max_features=10)
    assert len(display.ax_.get_yticklabels()) == 10
    assert [text.get_text() for text in display.ax_.texts] == ["and 42 more features"]
    assert len({label.get_text() for label in display.ax_.get_yticklabels()}) == 10
    display.figure_.canvas.draw()
    assert len(StabilityDisplay(make(52)).plot(max_features=None).ax_.get_yticklabels()) == 52


def test_axes_of_ones_own():
    _, ax = plt.subplots()
    display = StabilityDisplay(make()).plot(ax)
    assert display.ax_ is ax
    assert display.figure_ is ax.figure


def test_of_an_estimator():
    X, y, _ = make_classification(60, n_strong=1, n_weak=0, n_irrelevant=2, random_state=0)
    model = RelevanceClassifier(random_state=0, C=1.0, n_probes=5).fit(X, y)
    display = StabilityDisplay.from_estimator(model, n_splits=2, random_state=1)
    assert display.result == model.stability(2, groups=None, random_state=1)
    assert "share of 4 fits" in display.ax_.get_xlabel()


def test_what_is_no_result_is_refused():
    with pytest.raises(TypeError, match="from_estimator takes a fitted estimator"):
        StabilityDisplay(RelevanceClassifier())
    with pytest.raises(TypeError, match="got int"):
        StabilityDisplay(3)
    with pytest.raises(ValueError, match="max_features"):
        StabilityDisplay(make()).plot(max_features=0)
