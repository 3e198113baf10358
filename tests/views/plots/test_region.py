"""The picture of a region shows its polygon, what is open, and the baseline."""

import numpy as np
import pytest

from allrelevant import PairRegion, PairRegionDisplay

plt = pytest.importorskip("matplotlib.pyplot")

CORNERS = np.array([[0.0, 0.0], [0.5, 0.0], [0.0, 0.5]])


@pytest.fixture(autouse=True)
def close():
    yield
    plt.close("all")


@pytest.mark.parametrize("open_part", [0.0, 0.1])
def test_polygon_bounds_and_baseline(open_part):
    region = PairRegion(
        ("dose", "a name that goes on and on for more than one line of a picture"),
        CORNERS,
        CORNERS * (1 + open_part),
        np.array([0.1, 0.2]),
        12,
    )
    display = PairRegionDisplay(region).plot()
    _, labels = display.ax_.get_legend_handles_labels()
    assert ("no model beyond" in labels) == (open_part > 0) == (not region.is_exact)
    (patch,) = display.ax_.patches
    np.testing.assert_allclose(np.unique(patch.get_xy(), axis=0), np.unique(CORNERS, axis=0))
    assert display.ax_.get_xlabel() == "weight of dose, as a share"
    assert len(display.ax_.get_ylabel()) < 60
    assert display.figure_ is display.ax_.figure
    axes = plt.figure().subplots()
    assert PairRegionDisplay(region).plot(axes).ax_ is axes
