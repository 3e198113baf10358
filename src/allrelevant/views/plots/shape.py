"""Plot of what features add to the score, as bands over all equivalent models."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from allrelevant.base.names import short_names
from allrelevant.views.plots.style import (
    ALL_MODELS,
    EDGE,
    INK,
    NAME_LENGTH,
    ONE_MODEL,
    WIDTH,
    Picture,
    new_figure,
    tidy,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["ShapeBandDisplay"]

_MOST_IN_A_ROW = 3


class ShapeBandDisplay(Picture):
    """Bands of shape functions, one panel each with a common scale.

    Every equivalent model has a function within the band. Where the band keeps away from zero all
    models agree that such values raise, or lower, the score.

    Parameters
    ----------
    bands : list of ShapeBand
        What ``estimator.shape_range(feature)`` gives.

    Attributes
    ----------
    axes_ : list of matplotlib Axes
    figure_ : matplotlib Figure
        They exist after `plot`.

    Examples
    --------
    >>> from allrelevant import RelevanceClassifier, ShapeBandDisplay
    >>> from allrelevant.datasets import make_classification
    >>> X, y, truth = make_classification(
    ...     80, n_strong=1, n_weak=2, n_irrelevant=1, random_state=0)
    >>> model = RelevanceClassifier(C=0.5, tolerance=0.05, n_probes=30, random_state=0).fit(X, y)
    >>> display = ShapeBandDisplay.from_estimator(model, ["x0", "x1"])
    >>> len(display.figure_.axes)
    2
    """

    axes_: list[Axes]
    figure_: Figure

    def __init__(self, bands: Sequence[Any]) -> None:
        self.bands = list(bands)
        if not self.bands:
            raise ValueError("there is no band to draw: name a feature at least.")

    @classmethod
    def from_estimator(
        cls, estimator: Any, features: Sequence[Any] | None = None, **constraints: Any
    ) -> ShapeBandDisplay:
        """Ask a fitted estimator for the bands of some features and plot them.

        By default all features that are relevant. `constraints` go to ``estimator.shape_range``.
        """
        if features is None:
            result = estimator.result_
            order = np.argsort(-result.intervals[:, 1], kind="stable")
            features = [result.names[j] for j in order if result.classes[j] > 0]
        bands = [estimator.shape_range(feature, **constraints) for feature in features]
        return cls(bands).plot()

    def plot(self) -> ShapeBandDisplay:
        """Draw the bands and the baseline's own functions."""
        n_columns = min(len(self.bands), _MOST_IN_A_ROW)
        n_rows = -(-len(self.bands) // n_columns)
        self.figure_ = new_figure(0.5 + 0.82 * n_rows * WIDTH / max(n_columns, 2))
        grid = self.figure_.subplots(n_rows, n_columns, sharey=True, squeeze=False)
        self.axes_ = list(grid.flat[: len(self.bands)])
        for spare in grid.flat[len(self.bands) :]:
            spare.set_visible(False)
        names = short_names([band.feature for band in self.bands], NAME_LENGTH)
        for k, (ax, band, name) in enumerate(zip(self.axes_, self.bands, names, strict=True)):
            self._draw(ax, band)
            ax.set_xlabel(name)
            if k % n_columns == 0:
                ax.set_ylabel("adds to the score")
        handles, labels = self.axes_[0].get_legend_handles_labels()
        self.figure_.legend(
            handles, labels, loc="outside upper right", ncols=2, frameon=False, fontsize="small"
        )
        return self

    def _draw(self, ax: Axes, band: Any) -> None:
        ax.fill_between(
            band.values,
            band.low,
            band.high,
            facecolor=ALL_MODELS,
            alpha=0.45,
            edgecolor=EDGE,
            linewidth=0.8,
            label="all good models",
        )
        ax.plot(band.values, band.baseline, color=ONE_MODEL, linewidth=1.6, label="baseline")
        ax.axhline(0.0, color=INK, linewidth=0.8)
        tidy(ax, "y")
