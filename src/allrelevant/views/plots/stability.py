"""Plot of the classes that halves of the rows find, in the manner of scikit-learn's displays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from allrelevant.base.three_classes import CLASS_NAMES
from allrelevant.results.stability.result import StabilityResult
from allrelevant.results.stability.views import index_words
from allrelevant.views.plots.rows import ResultRows
from allrelevant.views.plots.style import BAR_STYLES, DARK, legend_above, tidy

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_WITH_ALL = "left: with all rows"
_MARK = -0.035  # where the class of all rows is marked, left of the bars


class StabilityDisplay(ResultRows):
    """Bars of how often each feature was strong, weak and irrelevant in halves of the rows.

    A square left of the bar is the class that the fit of all rows has found. It is best made by
    `from_estimator` or `from_result`.

    Parameters
    ----------
    result : StabilityResult
        What ``estimator.stability()`` gives.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
        With the bars; they exist after `plot`.

    Examples
    --------
    >>> from allrelevant import StabilityDisplay, StabilityResult
    >>> result = StabilityResult(
    ...     task="classification", names=["age", "dose"], classes=[2, 0],
    ...     halves=[[2, 0], [2, 1]])
    >>> display = StabilityDisplay.from_result(result)
    >>> [label.get_text() for label in display.ax_.get_yticklabels()]
    ['age', 'dose']
    """

    _kind, _asked = StabilityResult, "estimator.stability()"

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        *,
        n_splits: int | None = None,
        random_state: Any = None,
        ax: Axes | None = None,
        **kwargs: Any,
    ) -> StabilityDisplay:
        """Fit halves of the rows of a fitted estimator and plot what they find.

        `n_splits` (by default as many as the method takes) and `random_state` go to
        ``estimator.stability``, `ax` and `kwargs` to `plot`.
        """
        given = {} if n_splits is None else {"n_splits": n_splits}
        result = estimator.stability(**given, groups=None, random_state=random_state)
        return cls.from_result(result, ax=ax, **kwargs)

    def plot(self, ax: Axes | None = None, *, max_features: int | None = 40) -> StabilityDisplay:
        """Draw one horizontal bar per feature, in the order of the fit's own result.

        Parameters
        ----------
        ax : matplotlib Axes or None, default None
            Where to draw; None makes a new figure that is tall enough for all rows. Make your own
            with ``layout="constrained"``, so that there is room for the names.
        max_features : int or None, default 40
            Show this many features at most and count the others in a note; None shows all.
        """
        shown, room = self._begin(ax, max_features)
        self._draw_bars(shown)
        self._mark_classes(shown, markersize=min(6.0, 0.5 * room))
        self._label_rows(shown, room)
        self._finish()
        return self

    def _draw_bars(self, shown: np.ndarray) -> None:
        start = np.zeros(len(shown))
        for word, style in self._styles():
            width = self.result.frequencies[shown, CLASS_NAMES.index(word)]
            # Where a class did not occur there is nothing to draw, not even an edge.
            rows = np.flatnonzero(width > 0)
            self.ax_.barh(
                rows, width[rows], left=start[rows], height=0.62, linewidth=0.8, label=word, **style
            )
            start += width

    def _mark_classes(self, shown: np.ndarray, markersize: float) -> None:
        words = np.array(self.result.class_names)[shown]
        for word, style in self._styles():
            rows = np.flatnonzero(words == word)
            if not len(rows):  # a line without points would be made room for at the figure's corner
                continue
            self.ax_.plot(
                np.full(len(rows), _MARK),
                rows,
                linestyle="none",
                marker="s",
                markersize=markersize,
                markerfacecolor=style["facecolor"],
                markeredgecolor=style["edgecolor"],
                clip_on=False,
                zorder=3,
            )
        self.ax_.scatter(
            [], [], marker="s", s=25, facecolor="none", edgecolor=DARK, label=_WITH_ALL
        )

    def _finish(self) -> None:
        from matplotlib.ticker import PercentFormatter

        n = 2 * self.result.n_splits
        self.ax_.set_xlabel(
            f"share of {n} fits of half the rows\nstability of the selected sets: "
            f"{index_words(self.result)}"
        )
        self.ax_.set_xlim(-0.06, 1.005)
        self.ax_.set_xticks(np.linspace(0.0, 1.0, 5))
        self.ax_.xaxis.set_major_formatter(PercentFormatter(1.0))
        tidy(self.ax_, "x")
        self.ax_.tick_params(axis="y", pad=4)
        legend_above(self.ax_, first=tuple(BAR_STYLES))

    @staticmethod
    def _styles() -> list[tuple[str, dict[str, Any]]]:
        """The classes as they are stacked, the most relevant first."""
        return [(word, BAR_STYLES[word]) for word in reversed(CLASS_NAMES)]
