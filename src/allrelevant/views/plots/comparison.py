"""Plot of two fits beside each other, in the manner of scikit-learn's displays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from allrelevant.results.comparison import Comparison
from allrelevant.views.plots.rows import ResultRows
from allrelevant.views.plots.style import ALERT, BAR_STYLES, legend_above, tidy

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_HEIGHT = 0.36  # of a row, for either bar
_BEYOND = "change beyond noise"


class ComparisonDisplay(ResultRows):
    """Two bars for each feature: how much it could matter before, and below it after.

    Features whose change is beyond noise come first, and have a mark. It is best made by
    `from_result`.

    Parameters
    ----------
    result : Comparison
        What ``compare(a, b)`` gives.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
        They exist after `plot`.

    Examples
    --------
    >>> from allrelevant import Comparison, ComparisonDisplay
    >>> found = Comparison(
    ...     names=["age", "dose"], before=["strong", "irrelevant"], after=["strong", "weak"],
    ...     intervals_before=[[0.2, 0.5], [0, 0.1]], intervals_after=[[0.1, 0.4], [0, 0.6]],
    ...     p_values=[0.8, 0.001], is_beyond_noise=[False, True], same_rows=False)
    >>> display = ComparisonDisplay.from_result(found)
    >>> [label.get_text() for label in display.ax_.get_yticklabels()]
    ['dose', 'age']
    """

    _kind, _asked = Comparison, "compare(a, b)"

    def plot(self, ax: Axes | None = None, *, max_features: int | None = 40) -> ComparisonDisplay:
        """Draw both bars of each feature, changes first.

        Parameters
        ----------
        ax : matplotlib Axes or None, default None
            Where to draw; None makes a new figure that is tall enough for all rows.
        max_features : int or None, default 40
            Show this many features at most and count the others in a note; None shows all.
        """
        shown, room = self._begin(ax, max_features)
        self._draw(shown, self.result.before, self.result.intervals_before, -_HEIGHT / 2, 0.45)
        self._draw(shown, self.result.after, self.result.intervals_after, _HEIGHT / 2, 1.0)
        self._mark(shown, markersize=min(5.0, 0.4 * room))
        self._label_rows(shown, room)
        self.ax_.set_xlim(left=0.0)
        self.ax_.set_xlabel("relevance (share of the model's total weight); pale: before")
        tidy(self.ax_, "x")
        self.ax_.tick_params(axis="y", pad=12)
        legend_above(self.ax_, first=tuple(BAR_STYLES), more=self._kinds_shown(shown))
        return self

    def _kinds_shown(self, shown: np.ndarray) -> list[Any]:
        """Bars for the legend, none of them pale, also of a class that no feature has any more."""
        from matplotlib.patches import Patch

        pairs = zip(self.result.before, self.result.after, strict=True)
        words = {word for j, pair in enumerate(pairs) if j in shown for word in pair}
        styles = {word: style for word, style in BAR_STYLES.items() if word in words}
        return [Patch(label=word, linewidth=0.8, **style) for word, style in styles.items()]

    def _draw(
        self,
        shown: np.ndarray,
        kinds: tuple[str, ...],
        intervals: np.ndarray,
        shift: float,
        alpha: float,
    ) -> None:
        words = np.array(kinds, dtype=object)[shown]
        ends = intervals[shown]
        for word, style in BAR_STYLES.items():
            rows = np.flatnonzero(words == word)
            if not len(rows):
                continue
            low, high = ends[rows].T
            self.ax_.barh(
                rows + shift,
                high - low,
                left=low,
                height=_HEIGHT,
                linewidth=0.8,
                alpha=alpha,
                **style,
            )

    def _mark(self, shown: np.ndarray, markersize: float) -> None:
        rows = np.flatnonzero(self.result.is_beyond_noise[shown])
        if len(rows):
            self.ax_.plot(
                np.full(len(rows), -0.012),
                rows,
                linestyle="none",
                marker=">",
                markersize=markersize,
                color=ALERT,
                clip_on=False,
                transform=self.ax_.get_yaxis_transform(),
                label=_BEYOND,
            )
