"""Plot of relevance along C, in the manner of scikit-learn's displays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from allrelevant.base.three_classes import CLASS_NAMES
from allrelevant.results.path import RelevancePath
from allrelevant.views.plots.rows import ResultRows
from allrelevant.views.plots.style import BAR_STYLES, GRID, THRESHOLD_STYLE, legend_above, tidy

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MOST_LABELS = 8  # values of C that fit beside each other
_HEIGHT = 0.84  # of a row, for the largest relevance of all


class RelevancePathDisplay(ResultRows):
    """A ribbon for each feature: from its smallest to its largest relevance, along C.

    A ribbon that leaves the floor of its row is that of a feature no model can do without. All rows
    have the same scale. It is best made by `from_estimator` or `from_result`.

    Parameters
    ----------
    result : RelevancePath
        What ``estimator.path_over_c()`` gives.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
        They exist after `plot`.

    Examples
    --------
    >>> from allrelevant import RelevancePath, RelevancePathDisplay
    >>> path = RelevancePath(
    ...     task="classification", names=["age", "dose"], C=[0.1, 1.0],
    ...     intervals=[[[0.9, 1.1], [0, 0.1]], [[0.2, 0.8], [0.3, 0.9]]],
    ...     classes=[[2, 0], [2, 2]], n_used=[1, 2], scores=[0.7, 0.8],
    ...     score_name="accuracy", chosen=1.0)
    >>> display = RelevancePathDisplay.from_result(path)
    >>> [label.get_text() for label in display.ax_.get_yticklabels()]
    ['age', 'dose']
    """

    _kind, _asked = RelevancePath, "estimator.path_over_c()"

    @classmethod
    def from_estimator(
        cls, estimator: Any, *, Cs: Any = None, ax: Axes | None = None, **kwargs: Any
    ) -> RelevancePathDisplay:
        """Ask a fitted estimator for its path over C and plot it."""
        return cls.from_result(estimator.path_over_c(Cs), ax=ax, **kwargs)

    def plot(
        self, ax: Axes | None = None, *, max_features: int | None = 30
    ) -> RelevancePathDisplay:
        """Draw one ribbon per feature, those on top that are indispensable first.

        Parameters
        ----------
        ax : matplotlib Axes or None, default None
            Where to draw; None makes a new figure that is tall enough for all rows.
        max_features : int or None, default 30
            Show this many features at most and count the others in a note; None shows all.
        """
        shown, room = self._begin(ax, max_features)
        if ax is None:  # ribbons need more height than bars
            height = self.figure_.get_figure(root=True).get_figheight()
            self.figure_.get_figure(root=True).set_figheight(1.5 * height)
            room *= 1.5
        self._draw_ribbons(shown)
        self._mark_chosen()
        self._label_rows(shown, 0.6 * room)
        self._finish()
        return self

    def _edges(self) -> np.ndarray:
        """Where the reign of each C begins and ends: halfway to its neighbours."""
        logs = np.log(self.result.C)
        middles = (logs[1:] + logs[:-1]) / 2.0
        first, last = (
            (0.5, 0.5) if not len(middles) else (middles[0] - logs[0], logs[-1] - middles[-1])
        )
        return np.exp(np.concatenate([[logs[0] - first], middles, [logs[-1] + last]]))

    def _draw_ribbons(self, shown: np.ndarray) -> None:
        edges = self._edges()
        scale = _HEIGHT / max(float(self.result.intervals.max(initial=0.0)), 1e-12)
        for row, j in enumerate(shown):
            floor = row + _HEIGHT / 2.0
            self.ax_.axhline(floor, color=GRID, linewidth=0.6, zorder=0.5)
            for i, label in enumerate(self.result.classes[:, j]):
                low, high = self.result.intervals[i, j] * scale
                word = CLASS_NAMES[label]
                self.ax_.bar(
                    edges[i],
                    low - high,
                    width=edges[i + 1] - edges[i],
                    bottom=floor - low,
                    align="edge",
                    linewidth=0.5,
                    label=word,
                    **BAR_STYLES[word],
                )

    def _mark_chosen(self) -> None:
        self.ax_.axvline(self.result.chosen, label="C of the fit", zorder=3, **THRESHOLD_STYLE)

    def _finish(self) -> None:
        ax, C = self.ax_, self.result.C
        ax.set_xscale("log")
        edges = self._edges()
        ax.set_xlim(edges[0], edges[-1])
        step = 1 if len(C) <= _MOST_LABELS else 2
        used = [f"{n:.0f}" for n in self.result.n_used]
        labels = [
            f"{n}\n{one:.1g}" if i % step == 0 else n
            for i, (n, one) in enumerate(zip(used, C, strict=True))
        ]
        ax.set_xticks(C, labels, fontsize="small")
        ax.minorticks_off()
        ax.set_xlabel("features the baseline uses\nC")
        tidy(ax, "x", grid=False)
        legend_above(ax, first=tuple(BAR_STYLES))
