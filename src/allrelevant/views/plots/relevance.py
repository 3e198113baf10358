"""Plot of the relevance intervals, in the manner of scikit-learn's displays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from allrelevant.results.entries import array_of
from allrelevant.results.relevance import RelevanceResult
from allrelevant.results.render import EITHER, describe_rest
from allrelevant.views.plots.noise import class_bars, mark_either, noise_lines
from allrelevant.views.plots.rows import FeatureRows
from allrelevant.views.plots.style import (
    BAR_STYLES,
    DARK,
    INK,
    MUTED,
    SHADE,
    check_estimator,
    check_result,
    legend_above,
    tidy,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class RelevanceDisplay(FeatureRows):
    """Bars from the smallest to the largest relevance of each feature.

    It is best made by `from_estimator` or `from_result`.

    Parameters
    ----------
    result : RelevanceResult
        The result to show.
    before : RelevanceResult, optional
        An earlier result on the same features, outlined behind the bars. By default what the
        result itself says came before it, which the answer to a what-if question does.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
        With the bars; they exist after `plot`.

    Examples
    --------
    >>> from allrelevant import RelevanceDisplay, RelevanceResult
    >>> result = RelevanceResult(
    ...     task="classification", names=["age", "dose"],
    ...     intervals=[[0.25, 0.5], [0.0, 0.125]], signed_intervals=[[0.25, 0.5], [-0.125, 0.0]],
    ...     classes=[2, 0], weights=[0.5, 0.0], thresholds=[0.0625, 0.25],
    ... )
    >>> display = RelevanceDisplay.from_result(result)
    >>> [label.get_text() for label in display.ax_.get_yticklabels()]
    ['age', 'dose']
    """

    def __init__(self, result: RelevanceResult, before: RelevanceResult | None = None) -> None:
        check_result(result)
        if before is not None:
            check_result(before, "before")
        self.result = result
        self.before: RelevanceResult | None = (
            getattr(result, "before", None) if before is None else before
        )
        if self.before is not None and self.before.names != result.names:
            raise ValueError("before must be a result on the same features, in the same order.")

    @classmethod
    def from_result(
        cls,
        result: RelevanceResult,
        *,
        before: RelevanceResult | None = None,
        ax: Axes | None = None,
        **kwargs: Any,
    ) -> RelevanceDisplay:
        """Plot a result; `ax` and `kwargs` go to `plot`."""
        return cls(result, before).plot(ax, **kwargs)

    @classmethod
    def from_estimator(
        cls, estimator: Any, *, ax: Axes | None = None, **kwargs: Any
    ) -> RelevanceDisplay:
        """Plot the ``result_`` of a fitted estimator, as `from_result` does."""
        check_estimator(estimator)
        return cls.from_result(estimator.result_, ax=ax, **kwargs)

    def plot(
        self,
        ax: Axes | None = None,
        *,
        signed: bool = False,
        max_features: int | None = 40,
        needed: ArrayLike | None = None,
    ) -> RelevanceDisplay:
        """Draw one horizontal bar per feature, the most relevant on top.

        Bars of features that could be either relevant or not, see `RelevanceResult.borderline`,
        are open and have a question mark. Where features have noise thresholds of their own that
        differ, each bar has a tick at its own in place of the common line.

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
        needed : array-like of shape (n_features,), optional
            The ``needed_up_to_`` of the estimator, written at the right: the tolerance up to which
            every model needs a feature. Nothing is written where the baseline does without it.
        """
        if needed is not None:
            prices = array_of(needed, (self.result.n_features,))
        shown, room = self._begin(ax, max_features)
        self._outline_before(shown, signed)
        ends = (self.result.signed_intervals if signed else self.result.intervals)[shown]
        more = class_bars(self.ax_, self.result, shown, ends, thickness=0.62, linewidth=1.6)
        mark_either(self.ax_, self.result, shown, ends)
        more += noise_lines(self.ax_, self.result, shown, signed=signed)
        self._draw_references(shown, signed, markersize=min(4.0, 0.35 * room))
        if signed:
            self._say_what_has_no_sign(shown, room)
        self._label_rows(shown, room, describe_rest(self.result, len(shown)))
        if needed is not None:
            self._write_prices(prices[shown], room)
        self._finish(signed, more)
        return self

    def _write_prices(self, prices: NDArray[np.float64], room: float) -> None:
        right = self.ax_.secondary_yaxis("right")
        words = ["any" if np.isinf(one) else f"{one:.2g}" if one > 0 else "" for one in prices]
        words = [
            "< 0.001" if 0 < p < 0.001 else word for p, word in zip(prices, words, strict=True)
        ]
        right.set_yticks(np.arange(len(prices)), words)
        right.tick_params(length=0, labelsize=min(8.0, max(0.85 * room, 3.0)), colors=DARK)
        right.spines["right"].set_visible(False)
        right.set_ylabel("needed up to a tolerance of", fontsize="small", color=DARK)

    def _outline_before(self, shown: NDArray[np.intp], signed: bool) -> None:
        if self.before is None:
            return
        low, high = (self.before.signed_intervals if signed else self.before.intervals)[shown].T
        self.ax_.barh(
            np.arange(len(shown)),
            high - low,
            left=low,
            height=0.86,
            label="before",
            facecolor=SHADE,
            edgecolor=MUTED,
            linewidth=0.9,
        )

    def _say_what_has_no_sign(self, shown: NDArray[np.intp], room: float) -> None:
        """Fill rows that would be empty: features of several columns have a weight for each."""
        unknown = np.isnan(self.result.signed_intervals[shown]).any(axis=1)
        for row in np.flatnonzero(unknown).tolist():
            size = min(8.0, max(0.7 * room, 3.0))
            self.ax_.annotate(
                "several weights, so no sign",
                (0.0, row),
                (4.0, 0.0),
                textcoords="offset points",
                va="center",
                fontsize=size,
                color=DARK,
            )

    def _draw_references(self, shown: NDArray[np.intp], signed: bool, markersize: float) -> None:
        if signed:
            self.ax_.axvline(0.0, color=DARK, linewidth=0.8, zorder=0.9)
        weights = self.result.weights[shown]
        if signed:  # several columns have only a sum of absolute weights
            has_sign = np.isfinite(self.result.signed_intervals[shown]).all(axis=1)
            weights = np.where(has_sign, weights, np.nan)
        if len(weights) and np.isnan(weights).all():
            return  # privileged features have a weight in each of several functions
        self.ax_.plot(
            weights if signed else np.abs(weights),
            np.arange(len(shown)),
            linestyle="none",
            marker="D",
            markersize=markersize,
            markerfacecolor="white",
            markeredgecolor=INK,
            markeredgewidth=0.8,
            clip_on=False,  # a weight of zero sits on the axis
            zorder=3,
            label="baseline model",
        )

    def _finish(self, signed: bool, more: list[Any]) -> None:
        what = "signed weight" if signed else "relevance"
        self.ax_.set_xlabel(f"{what} ({self.result.unit})")
        # Bars stick to the frame unless told otherwise; only relevance has a natural end, zero.
        self.ax_.use_sticky_edges = False
        self.ax_.autoscale_view(scaley=False)
        if not signed:
            self.ax_.set_xlim(left=0.0)
        tidy(self.ax_, "x")
        self.ax_.tick_params(axis="y", pad=8)
        legend_above(self.ax_, first=(*BAR_STYLES, EITHER), more=more)
