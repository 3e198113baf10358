"""The picture of the reject option shows boundary and rejections of each model."""

from types import SimpleNamespace

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.collections import PathCollection
from plots_fakes import Plane, make_result

from allrelevant import RejectOptionDisplay

mpl.use("Agg")

import matplotlib.pyplot as plt


@pytest.fixture(autouse=True)
def close_figures():
    yield
    plt.close("all")


@pytest.fixture
def data():
    rng = np.random.default_rng(0)
    hidden = rng.normal(size=80)
    return hidden[:, None] + 0.4 * rng.normal(size=(80, 2)), np.where(hidden > 0, "ill", "well")


class Fitted(Plane):
    reject_cost, reject_threshold = 0.25, None
    result_ = make_result(1, 1, 0, names=["pulse", "pressure"])

    def __init__(self):
        super().__init__([1.0, 1.0])
        self.asked = []

    def witness(self, feature, bound):
        self.asked.append((feature, bound))
        return Plane([0.0, 2.0] if bound == "min" else [2.0, 0.0])


def test_three_panels_with_the_number_of_rejections_of_each(data):
    X, y = data
    fitted = Fitted()
    display = RejectOptionDisplay.from_estimator(fitted, X, y, feature="pulse")
    assert fitted.asked == [("pulse", "min"), ("pulse", "max")]
    for ax, model in zip(display.axes_, display.models.values(), strict=True):
        rejected = int((np.abs(model.decision_function(X)) <= 0.25).sum())
        assert ax.get_title().endswith(f"{rejected} of 80 rejected")
        drawn = [len(c.get_offsets()) for c in ax.collections if isinstance(c, PathCollection)]
        assert sum(drawn) == 80
    assert display.axes_[1].get_xlabel() == "pulse (weight 0)"
    assert display.axes_[2].get_ylabel() == "pressure (weight 0)"


def test_the_boundary_is_where_the_score_is_zero(data):
    X, y = data
    model = Plane([1.0, 2.0], intercept=-0.5)
    ax = RejectOptionDisplay({"one": model}, 0.25, ("a", "b")).plot(X, y).axes_[0]
    lines = [path for c in ax.collections for path in c.get_paths() if len(path.vertices) == 2]
    on_line = [np.abs(model.decision_function(path.vertices)).max() < 1e-9 for path in lines]
    assert any(on_line)


def test_more_than_two_features_are_refused(data):
    wide = SimpleNamespace(result_=make_result(1, 1, 1))
    with pytest.raises(ValueError, match="two features"):
        RejectOptionDisplay.from_estimator(wide, *data)
