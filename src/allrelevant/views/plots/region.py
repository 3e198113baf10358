"""Plot of what the weights of two features can be together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from allrelevant.base.names import short_names
from allrelevant.views.plots.style import (
    ALL_MODELS,
    EDGE,
    GRID,
    INK,
    MODEL_MARK,
    NAME_LENGTH,
    OneAxes,
    legend_above,
    tidy,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class PairRegionDisplay(OneAxes):
    """The region of the weights of two features, over all equivalent models.

    A slope downwards says that one takes the place of the other: where one weight is large the
    other is small. Where the region meets an axis some model does without a feature.

    Parameters
    ----------
    region : PairRegion
        What ``estimator.region(first, second)`` gives.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
        With the region; they exist after `plot`.

    Examples
    --------
    >>> from allrelevant import PairRegionDisplay, RelevanceClassifier
    >>> from allrelevant.datasets import make_classification
    >>> X, y, truth = make_classification(
    ...     80, n_strong=1, n_weak=2, n_irrelevant=1, random_state=0)
    >>> model = RelevanceClassifier(C=0.5, tolerance=0.05, n_probes=30, random_state=0).fit(X, y)
    >>> display = PairRegionDisplay.from_estimator(model, "x1", "x2")
    >>> display.ax_.get_xlabel()
    'weight of x1, as a share'
    """

    def __init__(self, region: Any) -> None:
        self.region = region

    @classmethod
    def from_estimator(
        cls, estimator: Any, first: Any, second: Any, *, ax: Axes | None = None, **kwargs: Any
    ) -> PairRegionDisplay:
        """Ask a fitted estimator for the region of two features and plot it.

        `kwargs` go to ``estimator.region``.
        """
        return cls(estimator.region(first, second, **kwargs)).plot(ax)

    def plot(self, ax: Axes | None = None) -> PairRegionDisplay:
        """Draw the region, both axes through zero, and the baseline.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; by default a new figure.
        """
        self._draw_on(ax, 4.8)
        region = self.region
        for draw in (self.ax_.axhline, self.ax_.axvline):
            draw(0.0, color=INK, linewidth=1.0, zorder=0.9)
        if not region.is_exact:
            around = np.vstack([region.outside, region.outside[:1]])
            self.ax_.plot(
                *around.T,
                color=EDGE,
                linewidth=0.8,
                linestyle=(0, (4, 2)),
                label="no model beyond",
            )
        closed = np.vstack([region.corners, region.corners[:1]])
        self.ax_.fill(*closed.T, facecolor=ALL_MODELS, alpha=0.45, label="equally good models")
        self.ax_.plot(*closed.T, color=EDGE, linewidth=1.4, marker="o", markersize=2.5)
        self.ax_.plot(*region.baseline, ls="none", ms=6, label="baseline", zorder=3, **MODEL_MARK)
        names = short_names(region.names, NAME_LENGTH)
        self.ax_.set_xlabel(f"weight of {names[0]}, as a share")
        self.ax_.set_ylabel(f"weight of {names[1]}, as a share")
        tidy(self.ax_, "y")
        self.ax_.grid(axis="x", color=GRID, linewidth=0.6)
        self.ax_.margins(0.08)
        legend_above(self.ax_)
        return self
