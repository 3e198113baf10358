"""Plot of the importances of a forest, beside what noise has in it, or over several forests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from allrelevant.views.plots.lettering import name_ticks
from allrelevant.views.plots.style import (
    BAR_STYLES,
    NAME_LENGTH,
    ONE_MODEL,
    THRESHOLD_STYLE,
    OneAxes,
    legend_above,
    tidy,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_ROW_INCHES, _FRAME_INCHES = 0.24, 1.1
_IN, _OUT = "in the minimal set", "not in it"


class ImportanceDisplay(OneAxes):
    """Importances of features: bars of one forest, or boxes of several.

    Bars beside the bounds of noise are Figure 5.1 of the thesis, boxes its Figures 5.2 and 5.3.

    Parameters
    ----------
    importances : array-like of shape (n_features,) or (n_forests, n_features)
    names : sequence of str
    bounds : (float, float), optional
        Where the importance of a useless feature is to be expected; features above are in the
        minimal set.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
        They exist after `plot`.

    Examples
    --------
    >>> from allrelevant import ImportanceDisplay
    >>> display = ImportanceDisplay([0.9, 0.1], ["age", "dose"], bounds=(-0.1, 0.3)).plot()
    >>> [label.get_text() for label in display.ax_.get_yticklabels()]
    ['age', 'dose']
    """

    def __init__(
        self,
        importances: ArrayLike,
        names: Sequence[str],
        *,
        bounds: tuple[float, float] | None = None,
    ) -> None:
        self.importances = np.asarray(importances, dtype=float)
        self.names, self.bounds = list(names), bounds
        if self.importances.ndim not in (1, 2) or self.importances.shape[-1] != len(self.names):
            raise ValueError(
                f"importances must have one column for each of the {len(self.names)} names, got "
                f"an array of shape {self.importances.shape}."
            )

    @classmethod
    def from_estimator(cls, estimator: Any, *, ax: Axes | None = None) -> ImportanceDisplay:
        """Plot the forest that a fit of the thesis's algorithm has its minimal set from."""
        result = estimator.result_
        if not len(getattr(result, "minimal_bounds", ())):
            raise ValueError(
                "there is no minimal set to draw: ForestRelevanceClassifier(method='squamish') and "
                "ForestRelevanceRegressor(method='squamish') have one."
            )
        low, high = result.minimal_bounds.tolist()
        return cls(result.minimal_importances, result.names, bounds=(low, high)).plot(ax)

    def plot(self, ax: Axes | None = None) -> ImportanceDisplay:
        """Draw a row for each feature, in the order given.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; None makes a new figure.
        """
        n_rows = len(self.names)
        ax = self._draw_on(ax, _FRAME_INCHES + _ROW_INCHES * n_rows)
        if self.importances.ndim == 1:
            self._draw_bars(self.importances)
        else:
            self._draw_boxes(self.importances)
        self._draw_bounds()
        ax.set_ylim(n_rows - 0.4, -0.6)
        name_ticks(ax.yaxis, self.names, NAME_LENGTH)
        ax.set_xlabel("importance in a forest")
        tidy(ax, "x")
        if ax.get_legend_handles_labels()[1]:
            legend_above(ax)
        return self

    def _draw_bars(self, values: np.ndarray) -> None:
        rows = np.arange(len(values))
        chosen = np.ones(len(values), bool) if self.bounds is None else values > self.bounds[1]
        for mask, word, style in ((chosen, _IN, "strong"), (~chosen, _OUT, "irrelevant")):
            label = None if self.bounds is None else word
            look = {**BAR_STYLES[style], "height": 0.62, "linewidth": 0.8}
            self.ax_.barh(rows[mask], values[mask], label=label, **look)

    def _draw_boxes(self, values: np.ndarray) -> None:
        self.ax_.boxplot(
            values,
            positions=np.arange(values.shape[1]),
            orientation="horizontal",
            widths=0.62,
            medianprops={"color": BAR_STYLES["strong"]["edgecolor"]},
            flierprops={"markersize": 3},
        )
        self.ax_.axvline(values.mean(), color=ONE_MODEL, linewidth=1.0, label="mean of all")

    def _draw_bounds(self) -> None:
        if self.bounds is None:
            return
        low, high = self.bounds
        self.ax_.axvline(high, **THRESHOLD_STYLE, label="bounds of noise, Γ")
        if low > 0:  # a bound below zero is none
            self.ax_.axvline(low, **THRESHOLD_STYLE)
