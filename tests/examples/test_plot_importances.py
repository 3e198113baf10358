"""The example of importances draws the thesis's three figures."""

import runpy
from pathlib import Path

import matplotlib as mpl
import pytest

mpl.use("Agg")

import matplotlib.pyplot as plt

from allrelevant import ForestRelevanceClassifier

pytestmark = pytest.mark.slow

EXAMPLE = Path(__file__).parents[2] / "examples" / "plot_importances.py"


def test_three_figures():
    example = runpy.run_path(str(EXAMPLE))
    X, y = example["data"](100)
    model = ForestRelevanceClassifier(method="squamish", random_state=0).fit(X, y)
    figure = example["plot"](X, y, model, n_forests=2)
    labels = [ax.get_xlabel() for ax in figure.axes]
    assert labels[0] == "importance in a forest"
    assert "10%" in labels[1]
    assert "100%" in labels[2]
    plt.close("all")
