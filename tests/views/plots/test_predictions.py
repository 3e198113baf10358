"""Ranges of predictions are drawn where they are, settled ones apart from the others."""

from types import SimpleNamespace

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from plots_fakes import make_ranges

from allrelevant import PredictionRangeDisplay

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
    kind = "numbers"

    def prediction_range(self, X):
        return make_ranges(len(X), kind=self.kind)


FRAME = pd.DataFrame({"a": range(5)}, index=[f"patient {k}" for k in range(5)])


def test_an_estimator_is_asked_and_the_index_names_samples():
    display = PredictionRangeDisplay.from_estimator(Asked(), FRAME)
    shown = {label.get_text() for label in display.ax_.get_xticklabels()}
    assert shown == set(FRAME.index)


def test_a_regression_has_neither_boundary_nor_settled_labels():
    display = PredictionRangeDisplay.from_estimator(Asked(), FRAME)
    assert display.boundaries == ()
    assert display.ax_.get_ylabel().startswith("prediction")
    assert display.ax_.get_legend() is None


class Classifier(Asked):
    kind, classes_ = "classes", (0, 1)


class Rejecting(Classifier):
    reject_cost, reject_threshold = 0.2, None


class Ordinal(Asked):
    kind, classes_ = "ranks", ("low", "medium", "high")


@pytest.mark.parametrize(
    ("estimator", "boundaries"),
    [(Classifier(), (0.0,)), (Rejecting(), (-0.2, 0.2)), (Ordinal(), ())],
)
def test_boundaries_of_classes(estimator, boundaries):
    assert PredictionRangeDisplay.from_estimator(estimator, FRAME).boundaries == boundaries


def test_ordered_classes_go_from_the_lowest_to_the_highest_allowed():
    ranges = make_ranges(50, kind="ranks")
    ax = PredictionRangeDisplay(ranges).plot().ax_
    assert [label.get_text() for label in ax.get_yticklabels()] == ["low", "medium", "high"]
    found = np.concatenate(list(segments(ax).values()))[:, :, 1]
    spans = {(round(low + 0.15), round(high - 0.15)) for low, high in found}
    wanted = {(int(row.argmax()), int(2 - row[::-1].argmax())) for row in ranges.allowed}
    assert spans == wanted


def test_classes_without_an_order_have_a_bar_each():
    allowed = np.array([[True, False, True], [False, True, False]])
    leads = np.where(allowed, 1.0, -1.0)
    ranges = SimpleNamespace(
        low=leads - 2, high=leads, outcomes=("a", "b", "c"), allowed=allowed, settled=[False, True]
    )
    ax = PredictionRangeDisplay(ranges).plot().ax_
    parts = segments(ax)
    (settled,) = parts["settled (1 of 2)"]
    assert settled[:, 1].tolist() == pytest.approx([0.85, 1.15])
    middles = parts["depends on the model (1 of 2)"][:, :, 1].mean(axis=1)
    assert sorted(middles) == pytest.approx([0.0, 2.0]), "none at b, which no model predicts"
    assert ax.get_ylabel() == "classes that models predict"


def test_no_samples():
    none = np.empty(0)
    empty = SimpleNamespace(low=none, high=none, outcomes=(0, 1), settled=none.astype(bool))
    assert len(PredictionRangeDisplay(empty).plot().ax_.collections) == 0
