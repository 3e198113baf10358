"""Ranges of predictions are drawn where they are, settled ones apart from the others."""

from types import SimpleNamespace

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest

from allrelevant import PredictionRangeDisplay
from plots.fakes import make_ranges

mpl.use("Agg")

import matplotlib.pyplot as plt


@pytest.fixture(autouse=True)
def close_figures():
    yield
    plt.close("all")


def segments(ax):
    return {c.get_label(): np.array(c.get_segments()) for c in ax.collections}


def test_ranges_in_order_of_their_middle():
    ranges = make_ranges(60)
    ax = PredictionRangeDisplay(ranges).plot().ax_
    found = np.concatenate(list(segments(ax).values()))
    found = found[np.argsort(found[:, 0, 0])][:, :, 1]
    order = np.argsort(ranges.low + ranges.high)
    np.testing.assert_allclose(found, np.column_stack([ranges.low, ranges.high])[order])


def test_unsettled_samples_are_counted_and_told_apart():
    ranges = make_ranges(60)
    parts = segments(PredictionRangeDisplay(ranges).plot().ax_)
    n_open = int((~ranges.settled).sum())
    assert set(parts) == {
        f"settled ({60 - n_open} of 60)",
        f"depends on the model ({n_open} of 60)",
    }
    loose = parts[f"depends on the model ({n_open} of 60)"][:, :, 1]
    assert ((loose[:, 0] <= 0) & (loose[:, 1] >= 0)).all()


def test_more_samples_than_fit_are_thinned_and_said_so():
    ax = PredictionRangeDisplay(make_ranges(1000)).plot(max_samples=50).ax_
    assert sum(len(part) for part in segments(ax).values()) == 50
    assert "50 of 1000 shown" in ax.get_xlabel()


class Asked:
    def prediction_range(self, X):
        return make_ranges(len(X))


def test_an_estimator_is_asked_and_the_index_names_samples():
    frame = pd.DataFrame({"a": range(5)}, index=[f"patient {k}" for k in range(5)])
    display = PredictionRangeDisplay.from_estimator(Asked(), frame)
    shown = {label.get_text() for label in display.ax_.get_xticklabels()}
    assert shown == set(frame.index)
    assert display.boundaries == (), "a regression has no boundary"
    assert display.ax_.get_ylabel().startswith("prediction")


def test_boundaries_of_classes():
    class Classifier(Asked):
        classes_ = (0, 1)

    class Ordinal(Classifier):
        thresholds_ = np.array([-1.0, 2.0])

    frame = pd.DataFrame({"a": range(5)})
    assert PredictionRangeDisplay.from_estimator(Classifier(), frame).boundaries == (0.0,)
    assert PredictionRangeDisplay.from_estimator(Ordinal(), frame).boundaries == (-1.0, 2.0)


def test_no_samples():
    empty = SimpleNamespace(low=np.empty(0), high=np.empty(0), settled=np.empty(0, dtype=bool))
    assert len(PredictionRangeDisplay(empty).plot().ax_.collections) == 0
