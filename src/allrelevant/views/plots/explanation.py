"""Plot of what features add to one sample's score: a waterfall with ranges."""

from __future__ import annotations

from textwrap import fill
from typing import TYPE_CHECKING, Any

import numpy as np

from allrelevant.views.plots.lettering import name_ticks, number_text
from allrelevant.views.plots.style import (
    ALL_MODELS,
    GRID,
    INK,
    MODEL_MARK,
    MUTED,
    NAME_LENGTH,
    ONE_MODEL,
    OneAxes,
    legend_above,
    tidy,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Okabe and Ito's; hatches tell them apart in a grey print.
_STYLES: dict[int, dict[str, Any]] = {
    1: {"facecolor": ONE_MODEL, "edgecolor": "#7A3600", "label": "raises the score in all models"},
    -1: {
        "facecolor": ALL_MODELS,
        "edgecolor": "#005A8C",
        "hatch": "////",
        "label": "lowers the score in all models",
    },
    0: {"facecolor": GRID, "edgecolor": MUTED, "label": "depends on the model"},
}
_SCORE: dict[str, Any] = {"facecolor": "#F0E442", "edgecolor": "#6B6500", "label": "its score"}
_RANGE: dict[str, Any] = {"color": "black", "linewidth": 1.2, "capsize": 3.0, "fmt": "none"}
_ROW_INCHES, _FRAME_INCHES = 0.3, 1.4
_LABEL_LENGTH = 56  # characters below the axis of the figure that plot() makes


class ExplanationDisplay(OneAxes):
    """Bars from the mean score of the data to the sample's, one step per feature.

    Each bar is what a feature adds in the baseline, and begins where the one below ends. The line
    over it goes from the least to the most that it adds in any equivalent model, from the same
    beginning. The row on top is the score, with its range.

    Parameters
    ----------
    explanation : Explanation
        What ``estimator.explain(X, row)`` gives.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
        They exist after `plot`.

    Examples
    --------
    >>> from allrelevant import ExplanationDisplay, RelevanceClassifier
    >>> from allrelevant.datasets import make_classification
    >>> X, y, truth = make_classification(
    ...     80, n_strong=1, n_weak=2, n_irrelevant=1, random_state=0)
    >>> model = RelevanceClassifier(C=0.5, tolerance=0.05, n_probes=30, random_state=0).fit(X, y)
    >>> display = ExplanationDisplay.from_estimator(model, X, 0)
    >>> display.ax_.get_xlabel()
    'score: positive is 1 (dashed: mean of the data, -0.142)'
    """

    def __init__(self, explanation: Any) -> None:
        self.explanation = explanation

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        row: int = 0,
        *,
        ax: Axes | None = None,
        max_features: int | None = 12,
        **asked: Any,
    ) -> ExplanationDisplay:
        """Ask a fitted estimator about one sample and plot the answer.

        `asked` goes to ``estimator.explain``: groups and constraints.
        """
        found = estimator.explain(X, row, **asked)
        return cls(found).plot(ax, max_features=max_features)

    def plot(self, ax: Axes | None = None, *, max_features: int | None = 12) -> ExplanationDisplay:
        """Draw the steps, the largest on top.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; by default a new figure.
        max_features : int or None, default 12
            Show this many at most; what the others add in the baseline is one step.
        """
        if max_features is not None and max_features < 1:
            raise ValueError(f"max_features must be at least 1 or None, found {max_features}")
        one = self.explanation
        shown = one.order[:max_features]
        rest = np.setdiff1d(np.arange(len(one.names)), shown)
        n_rows = len(shown) + (len(rest) > 0) + 1
        ax = self._draw_on(ax, _FRAME_INCHES + _ROW_INCHES * n_rows)
        low, high, own = one.score
        ax.barh(0, high - low, left=low, height=0.5, zorder=2, **_SCORE)
        ax.plot([own], [0], ms=5, zorder=3, **MODEL_MARK)
        self._draw_steps(shown, rest, own)
        if one.speaks_for is not None:
            ax.axvline(0.0, color=INK, linewidth=1.0, zorder=0.9)
        ax.axvline(one.mean[2], color=MUTED, linewidth=0.8, linestyle=(0, (4, 2)), zorder=0.9)
        self._finish(shown, rest, n_rows)
        return self

    def _draw_steps(self, shown: np.ndarray, rest: np.ndarray, end: float) -> None:
        """From the top: each step ends where the one above begins."""
        one, ax, seen = self.explanation, self.ax_, set()
        for place, j in enumerate(shown.tolist(), 1):
            start, sign = end - float(one.baseline[j]), int(one.signs[j])
            style = dict(_STYLES[sign])
            if sign in seen:
                style["label"] = "_"
            seen.add(sign)
            ax.barh(place, one.baseline[j], left=start, height=0.6, zorder=2, **style)
            middle, half = start + (one.low[j] + one.high[j]) / 2, (one.high[j] - one.low[j]) / 2
            ax.errorbar([middle], [place], xerr=[half], zorder=4, **_RANGE)
            ax.plot([start, start], [place - 0.3, place + 1.3], color=MUTED, lw=0.6, zorder=1)
            end = start
        if len(rest):
            total = float(one.baseline[rest].sum())
            ax.barh(len(shown) + 1, total, left=end - total, height=0.3, color=GRID, zorder=2)

    def _finish(self, shown: np.ndarray, rest: np.ndarray, n_rows: int) -> None:
        from matplotlib.lines import Line2D

        one, ax = self.explanation, self.ax_
        predicted = " or ".join(str(label) for label in one.labels)
        names = [f"score: {predicted}" if predicted else "score", *map(one.described, shown)]
        if len(rest):
            names.append(f"{len(rest)} other{'s' * (len(rest) > 1)}, baseline only")
        name_ticks(ax.yaxis, names, NAME_LENGTH)
        ax.set_ylim(n_rows - 0.4, -0.6)
        what = "score" if one.speaks_for is None else f"score: positive is {one.speaks_for}"
        if one.rather_than is not None:
            what += f", negative {one.rather_than}"
        # Of centred data the mean is zero but for rounding.
        mean = one.mean[2] if abs(one.mean[2]) > 1e-9 * max(map(abs, one.score)) else 0.0
        what += f" (dashed: mean of the data, {number_text(mean)})"
        ax.set_xlabel(fill(what, _LABEL_LENGTH))
        tidy(ax, "x")
        line = Line2D([], [], color=INK, marker="|", ms=7, label="range over all good models")
        legend_above(ax, tuple(style["label"] for style in _STYLES.values()), 2, [line])
