"""The example of the reject option draws the paper's figure."""

import runpy
from pathlib import Path

import matplotlib as mpl
import pytest

mpl.use("Agg")

import matplotlib.pyplot as plt

pytestmark = pytest.mark.slow

EXAMPLE = Path(__file__).parents[2] / "examples" / "plot_reject.py"


def test_three_rows_of_three_models():
    example = runpy.run_path(str(EXAMPLE))
    rows = [example["fitted"](kind) for kind in (1, 2, 3)]
    figure = example["plot"](rows)
    titles = [ax.get_title().split("\n")[0] for ax in figure.axes]
    assert titles == ["baseline", "least weight on x0", "most weight on x0"] * 3
    assert len(figure.legends) == 1
    # The first measurement alone will not do where it is the noisier one, and will in the third.
    reach = [model.intervals_[0, 1] for _, _, model in rows]
    assert reach[0] < 0.6
    assert reach[2] > 0.99
    plt.close("all")
