"""Importances of one forest beside the bounds of noise, or of several."""

import numpy as np
import pytest
from forest_cases import classifier

from allrelevant import ImportanceDisplay, SquamishRecipe


def test_bars_tell_what_is_beyond_the_bounds_of_noise():
    display = ImportanceDisplay([0.9, 0.1, 0.4], ["a", "b", "c"], bounds=(0.05, 0.3)).plot()
    chosen, others = display.ax_.containers
    assert [bar.get_width() for bar in chosen] == [0.9, 0.4]
    assert [bar.get_width() for bar in others] == [0.1]
    assert sorted(line.get_xdata()[0] for line in display.ax_.get_lines()) == [0.05, 0.3]
    assert [text.get_text() for text in display.ax_.get_legend().get_texts()] == [
        "bounds of noise, Γ",
        "in the minimal set",
        "not in it",
    ]


def test_boxes_of_several_forests_and_their_mean():
    values = np.arange(12.0).reshape(4, 3)
    display = ImportanceDisplay(values, ["a", "b", "c"]).plot()
    means = [line for line in display.ax_.get_lines() if line.get_label() == "mean of all"]
    assert means[0].get_xdata()[0] == values.mean()
    assert len(display.ax_.get_yticklabels()) == 3


def test_what_cannot_be_drawn():
    with pytest.raises(ValueError, match="for each of the 2 names, got an array of shape"):
        ImportanceDisplay([0.1, 0.2, 0.3], ["a", "b"])
    X, y = np.random.default_rng(0).normal(size=(60, 2)), np.arange(60) % 2
    with pytest.warns(UserWarning, match="no learnable signal"):
        model = classifier(estimator="linear").fit(X, y)
    with pytest.raises(ValueError, match="there is no minimal set to draw"):
        ImportanceDisplay.from_estimator(model)


@pytest.mark.slow
def test_the_minimal_set_of_a_fit():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((150, 4))
    model = classifier(method=SquamishRecipe()).fit(X, X[:, 0] + X[:, 1] > 0)
    result = model.result_
    assert (result.minimal_importances[:2] > result.minimal_bounds[1]).all()
    display = ImportanceDisplay.from_estimator(model)
    drawn = [bar.get_width() for bars in display.ax_.containers for bar in bars]
    np.testing.assert_allclose(sorted(drawn), sorted(result.minimal_importances))
    again = type(result).from_json(result.to_json())
    np.testing.assert_array_equal(again.minimal_bounds, result.minimal_bounds)
    assert result.unit == "share of all features' importance"
