"""The plot of projected classes."""

import matplotlib as mpl
import numpy as np
import pytest
from kernel_cases import few_labels
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from allrelevant import OrdinalKernelClassifier, OrdinalProjectionDisplay

mpl.use("Agg")
import matplotlib.pyplot as plt


@pytest.fixture(autouse=True)
def close_figures():
    yield
    plt.close("all")


@pytest.fixture(scope="module")
def fitted():
    X, y, _ = few_labels(80)
    return OrdinalKernelClassifier(gamma=0.1, ridge=0.01, mu=1.0).fit(X, y), X, y


def points_of(ax):
    return [np.asarray(collection.get_offsets()) for collection in ax.collections]


def test_one_strip_per_class_and_one_for_unlabelled_rows(fitted):
    model, X, y = fitted
    display = OrdinalProjectionDisplay.from_estimator(model, X, y)
    names = [label.get_text() for label in display.ax_.get_yticklabels()]
    assert names == ["unlabelled", "0", "1", "2", "3"]
    for height, (rank, points) in enumerate(
        zip([-1, 0, 1, 2, 3], points_of(display.ax_), strict=True)
    ):
        np.testing.assert_allclose(np.sort(points[:, 0]), np.sort(model.transform(X)[y == rank, 0]))
        assert np.abs(points[:, 1] - height).max() < 0.3


def test_thresholds_are_lines_within_sight(fitted):
    model, X, y = fitted
    ax = OrdinalProjectionDisplay.from_estimator(model, X, y).ax_
    lines = [line.get_xdata()[0] for line in ax.lines]
    np.testing.assert_allclose(lines, model.thresholds_)
    low, high = ax.get_xlim()
    assert low < min(lines)
    assert high > max(lines)


def test_without_labels_there_is_one_strip_and_with_all_of_them_none(fitted):
    model, X, y = fitted
    ax = OrdinalProjectionDisplay.from_estimator(model, X).ax_
    assert ax.get_yticklabels()[0].get_text() == "unlabelled"
    assert len(points_of(ax)[0]) == len(X)
    known = y != -1
    ax = OrdinalProjectionDisplay.from_estimator(model, X[known], y[known]).ax_
    assert "unlabelled" not in [label.get_text() for label in ax.get_yticklabels()]


def test_given_axes_are_used_and_options_passed_on(fitted):
    model, X, y = fitted
    figure, ax = plt.subplots()
    display = OrdinalProjectionDisplay.from_estimator(model, X, y, ax=ax, s=77)
    assert display.ax_ is ax
    assert display.figure_ is figure
    assert ax.collections[0].get_sizes().tolist() == [77]
    assert len(plt.get_fignums()) == 1


@pytest.mark.parametrize(
    ("options", "width"),
    [({"lw": 2}, 2.0), ({"linewidths": 2}, 2.0), ({"c": "red"}, 0.0), ({"marker": "x"}, 1.5)],
)
def test_options_by_any_of_their_names(fitted, options, width):
    ax = OrdinalProjectionDisplay.from_estimator(*fitted, **options).ax_
    assert ax.collections[0].get_linewidths().tolist() == [width]


def test_pipeline_is_its_last_step_and_others_are_refused(fitted):
    model, X, y = fitted
    pipeline = make_pipeline(StandardScaler(), clone(model)).fit(X, y)
    display = OrdinalProjectionDisplay.from_estimator(pipeline, X, y)
    np.testing.assert_array_equal(display.projections, pipeline.transform(X).ravel())
    other = LogisticRegression().fit(X, y)
    with pytest.raises(TypeError, match=r"OrdinalKernelClassifier.*got LogisticRegression"):
        OrdinalProjectionDisplay.from_estimator(other, X, y)


def test_same_seed_same_picture(fitted):
    model, X, y = fitted
    one, same, other = (
        points_of(OrdinalProjectionDisplay.from_estimator(model, X, y, random_state=s).ax_)[0]
        for s in (0, 0, 1)
    )
    np.testing.assert_array_equal(one, same)
    assert np.abs(one - other).max() > 0


def test_threshold_far_outside_does_not_squeeze_the_rows():
    projections = np.linspace(0, 1, 20)
    display = OrdinalProjectionDisplay(
        projections, np.arange(20) % 3, np.array([0.5, 500.0]), "abc"
    )
    low, high = display.plot().ax_.get_xlim()
    assert -0.2 < low < 0
    assert 1 < high < 1.2
    assert len(display.ax_.lines) == 1


def test_class_the_estimator_does_not_know_is_refused(fitted):
    model, X, y = fitted
    with pytest.raises(ValueError, match="not learned: 9"):
        OrdinalProjectionDisplay.from_estimator(model, X, np.where(y == 1, 9, y))


def test_unfitted_estimator_is_refused(fitted):
    with pytest.raises(NotFittedError):
        OrdinalProjectionDisplay.from_estimator(OrdinalKernelClassifier(), fitted[1])


def test_missing_matplotlib_names_the_extra(without_matplotlib, fitted):
    model, X, y = fitted
    with pytest.raises(ImportError, match=r'pip install "allrelevant\[plot\]"'):
        OrdinalProjectionDisplay.from_estimator(model, X, y)


def test_minus_one_beside_a_single_class_is_unlabelled():
    X, y, truth = few_labels(60, n_classes=3)
    model = OrdinalKernelClassifier(gamma=0.1, ridge=0.01, mu=1.0).fit(X, y)
    display = OrdinalProjectionDisplay.from_estimator(model, X, np.where(truth == 1, 1, -1))
    np.testing.assert_array_equal(display.ranks, np.where(truth == 1, 1, -1))
