"""Plot of the relevance intervals, in the manner of scikit-learn's displays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from allrelevant._render import CLASS_COLORS, describe_rest, shorten
from allrelevant.result import RelevanceResult

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure

__all__ = ["RelevanceDisplay"]

# Fill lightness, edge and hatch differ too, so that the classes survive a grey print. The edge is
# drawn in points, not in data units: it keeps an interval of width zero visible where it is.
_BAR_STYLES: dict[str, dict[str, Any]] = {
    "strong": {"facecolor": CLASS_COLORS["strong"], "edgecolor": CLASS_COLORS["strong"]},
    "weak": {"facecolor": CLASS_COLORS["weak"], "edgecolor": "#7A5400", "hatch": "////"},
    "irrelevant": {"facecolor": CLASS_COLORS["irrelevant"], "edgecolor": "#777777"},
}
_ROW_INCHES, _FRAME_INCHES, _WIDTH_INCHES = 0.24, 1.25, 7.0
_NAME_LENGTH = 32


class RelevanceDisplay:
    """Bars from the smallest to the largest relevance of each feature.

    It is best made by `from_estimator` or `from_result`.

    Parameters
    ----------
    result : RelevanceResult
        The result to show.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Axes with the bars; exists after `plot`.
    figure_ : matplotlib Figure
        Figure of the axes; exists after `plot`.

    Examples
    --------
    >>> from allrelevant.display import RelevanceDisplay
    >>> from allrelevant.result import RelevanceResult
    >>> result = RelevanceResult(
    ...     task="classification", names=["age", "dose"],
    ...     intervals=[[0.25, 0.5], [0.0, 0.125]], signed_intervals=[[0.25, 0.5], [-0.125, 0.0]],
    ...     classes=[2, 0], weights=[0.5, 0.0], thresholds=[0.0625, 0.25],
    ... )
    >>> display = RelevanceDisplay.from_result(result)
    >>> [label.get_text() for label in display.ax_.get_yticklabels()]
    ['age', 'dose']
    """

    ax_: Axes
    figure_: Figure | SubFigure

    def __init__(self, result: RelevanceResult) -> None:
        self.result = result

    @classmethod
    def from_result(
        cls, result: RelevanceResult, *, ax: Axes | None = None, **kwargs: Any
    ) -> RelevanceDisplay:
        """Plot a result.

        Parameters
        ----------
        result : RelevanceResult
            The result to show.
        ax : matplotlib Axes or None, default None
            Where to draw; None makes a new figure.
        **kwargs
            Passed on to `plot`.

        Returns
        -------
        RelevanceDisplay
            The display, drawn.
        """
        return cls(result).plot(ax, **kwargs)

    @classmethod
    def from_estimator(
        cls, estimator: Any, *, ax: Axes | None = None, **kwargs: Any
    ) -> RelevanceDisplay:
        """Plot the result of a fitted estimator.

        Parameters
        ----------
        estimator : object
            A fitted estimator with the attribute ``result_``.
        ax : matplotlib Axes or None, default None
            Where to draw; None makes a new figure.
        **kwargs
            Passed on to `plot`.

        Returns
        -------
        RelevanceDisplay
            The display, drawn.
        """
        check_is_fitted(estimator, "result_")
        return cls.from_result(estimator.result_, ax=ax, **kwargs)

    def plot(
        self, ax: Axes | None = None, *, signed: bool = False, max_features: int | None = 40
    ) -> RelevanceDisplay:
        """Draw one horizontal bar per feature, the most relevant on top.

        Parameters
        ----------
        ax : matplotlib Axes or None, default None
            Where to draw; None makes a new figure that is tall enough for all rows. Make your own
            with ``layout="constrained"``, so that there is room for the names.
        signed : bool, default False
            Show the interval of the signed weight, which says whether a feature's direction is
            settled, in place of the relevance.
        max_features : int or None, default 40
            Show this many features at most and count the others in a note; None shows all.

        Returns
        -------
        RelevanceDisplay
            The display itself.
        """
        if max_features is not None and max_features < 1:
            raise ValueError(f"max_features must be at least 1 or None, found {max_features}")
        shown = self.result.order[:max_features]
        n_rows = len(shown) + (len(shown) < self.result.n_features)
        self.ax_ = _new_axes(n_rows) if ax is None else ax
        self.figure_ = self.ax_.figure
        self.ax_.set_ylim(n_rows - 0.4, -0.6)

        room = self.ax_.bbox.height / self.figure_.dpi * 72 / max(n_rows, 1)  # points per row
        self._draw_bars(shown, signed)
        self._draw_references(shown, signed, markersize=min(4.0, 0.35 * room))
        self._label_rows(shown, max_fontsize=max(0.85 * room, 3.0))
        self._finish(signed)
        return self

    def _draw_bars(self, shown: NDArray[np.intp], signed: bool) -> None:
        result = self.result
        ends = (result.signed_intervals if signed else result.intervals)[shown]
        words = np.array(result.class_names)[shown]
        for word, style in _BAR_STYLES.items():
            rows = np.flatnonzero(words == word)
            if len(rows):
                low, high = ends[rows].T
                self.ax_.barh(
                    rows, high - low, left=low, height=0.62, label=word, linewidth=1.6, **style
                )

    def _draw_references(self, shown: NDArray[np.intp], signed: bool, markersize: float) -> None:
        threshold = self.result.thresholds[1]
        if np.isfinite(threshold):
            style: dict[str, Any] = {"color": "black", "linestyle": (0, (4, 2)), "linewidth": 1.0}
            self.ax_.axvline(threshold, label="noise threshold", **style)
            if signed:
                self.ax_.axvline(-threshold, **style)
        if signed:
            self.ax_.axvline(0.0, color="#555555", linewidth=0.8, zorder=0.9)
        weights = self.result.weights[shown]
        if len(weights) and np.isnan(weights).all():
            return  # privileged features have a weight in each of several functions
        self.ax_.plot(
            weights if signed else np.abs(weights),
            np.arange(len(shown)),
            linestyle="none",
            marker="D",
            markersize=markersize,
            markerfacecolor="white",
            markeredgecolor="black",
            markeredgewidth=0.8,
            clip_on=False,  # a weight of zero sits on the axis
            zorder=3,
            label="baseline model",
        )

    def _label_rows(self, shown: NDArray[np.intp], max_fontsize: float) -> None:
        names = [shorten(self.result.names[j], _NAME_LENGTH) for j in shown]
        # A name such as "$_to_$" is not a formula.
        self.ax_.set_yticks(np.arange(len(shown)), labels=names, parse_math=False)
        for label in self.ax_.get_yticklabels():
            label.set_fontsize(min(label.get_fontsize(), max_fontsize))
        if len(shown) < self.result.n_features:
            note = self.ax_.text(
                0.01,
                len(shown),
                f"and {describe_rest(self.result, len(shown))}",
                transform=self.ax_.get_yaxis_transform(),
                verticalalignment="center",
                style="italic",
                color="#444444",
                bbox={"facecolor": self.ax_.get_facecolor(), "edgecolor": "none", "pad": 1.0},
            )
            note.set_fontsize(min(note.get_fontsize(), max_fontsize))

    def _finish(self, signed: bool) -> None:
        what = "signed weight" if signed else "relevance"
        unit = getattr(self.result, "unit", "share of the model's total weight")
        self.ax_.set_xlabel(f"{what} ({unit})")
        # Bars stick to the frame unless told otherwise; only relevance has a natural end, zero.
        self.ax_.use_sticky_edges = False
        self.ax_.autoscale_view(scaley=False)
        if not signed:
            self.ax_.set_xlim(left=0.0)
        self.ax_.spines[["top", "right", "left"]].set_visible(False)
        self.ax_.tick_params(axis="y", length=0, pad=8)
        self.ax_.grid(axis="x", color="#DDDDDD", linewidth=0.6)
        self.ax_.set_axisbelow(True)
        handles, labels = self.ax_.get_legend_handles_labels()
        first = sorted(range(len(labels)), key=lambda i: labels[i] not in _BAR_STYLES)
        self.ax_.legend(
            [handles[i] for i in first],
            [labels[i] for i in first],
            # Above the axes, where it hides no bar, and growing leftwards over the names' column.
            loc="lower right",
            bbox_to_anchor=(1.0, 1.0),
            ncols=len(labels),
            frameon=False,
            fontsize="small",
            handletextpad=0.5,
            columnspacing=1.4,
        )


def _new_axes(n_rows: int) -> Axes:
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError(
            'plotting needs matplotlib; install it with: pip install "allrelevant[plot]"'
        ) from error
    height = _FRAME_INCHES + _ROW_INCHES * n_rows
    _, ax = plt.subplots(figsize=(_WIDTH_INCHES, height), layout="constrained")
    return ax
