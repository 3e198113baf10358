"""Plot of what the equivalent models predict for each sample."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from allrelevant.views.plots.lettering import name_ticks
from allrelevant.views.plots.style import (
    ALL_MODELS,
    INK,
    ONE_MODEL,
    OneAxes,
    legend_above,
    tidy,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["PredictionRangeDisplay"]

_SETTLED, _OPEN = ALL_MODELS, ONE_MODEL  # the lighter is the settled one
_NAMED = 40  # samples; with more, they are no longer named
_HALF = 0.15  # of the height of a bar at one class


class PredictionRangeDisplay(OneAxes):
    """Bars from the smallest to the largest prediction of the equivalent models, one per sample.

    Where all of them agree on the label the prediction is settled; where they do not it depends on
    which model happened to be fitted. Three or more ordered classes have no common scale, so their
    bars go from the lowest class to the highest; without an order there is a bar at every class
    that some model predicts. It is best made by `from_estimator`.

    Parameters
    ----------
    ranges : object
        What ``estimator.prediction_range(X)`` gives: ``low`` and ``high``, and for classes
        ``outcomes``, ``allowed`` and ``settled``.
    boundaries : sequence of float, default ()
        Decision values that separate the labels, drawn as lines.
    names : sequence of str, optional
        What the samples are called; by default their numbers.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
        With the bars; they exist after `plot`.

    Examples
    --------
    >>> from allrelevant import PredictionRangeDisplay, RelevanceClassifier
    >>> from allrelevant.datasets import make_classification
    >>> X, y, truth = make_classification(
    ...     80, n_strong=1, n_weak=2, n_irrelevant=1, random_state=0)
    >>> model = RelevanceClassifier(C=0.5, tolerance=0.05, n_probes=30, random_state=0).fit(X, y)
    >>> display = PredictionRangeDisplay.from_estimator(model, X)
    >>> display.ax_.get_xlabel()
    'samples, by their prediction'
    """

    def __init__(self, ranges: Any, boundaries: Any = (), names: list[str] | None = None) -> None:
        self.ranges = ranges
        self.boundaries = tuple(float(value) for value in np.ravel(boundaries))
        self.names = [str(k) for k in range(len(ranges.low))] if names is None else list(names)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        *,
        ax: Axes | None = None,
        max_samples: int | None = 400,
        **constraints: Any,
    ) -> PredictionRangeDisplay:
        """Ask a fitted estimator for the ranges of these samples and plot them.

        The index of a pandas frame names the samples; `ax` and `max_samples` go to `plot`. With
        `constraints`, as in ``estimator.what_if``, only models that keep them count.
        """
        index = getattr(X, "index", None)
        names = None if index is None else [str(name) for name in index]
        ranges = estimator.prediction_range(X, **constraints)
        return cls.of_ranges(estimator, ranges, names).plot(ax, max_samples=max_samples)

    @classmethod
    def of_ranges(
        cls, estimator: Any, ranges: Any, names: list[str] | None = None
    ) -> PredictionRangeDisplay:
        """Make one of ranges that this estimator has found, with the boundaries of its labels."""
        given = getattr(estimator, "reject_threshold", None)
        limit = float(getattr(estimator, "reject_cost", 0.0) if given is None else given)
        boundaries = sorted({-limit, limit})
        if not hasattr(estimator, "classes_") or np.ndim(ranges.low) == 2:
            boundaries = []
        return cls(ranges, boundaries, names)

    def plot(
        self, ax: Axes | None = None, *, max_samples: int | None = 400
    ) -> PredictionRangeDisplay:
        """Draw the samples from the smallest to the largest prediction.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; by default a new figure.
        max_samples : int or None, default 400
            Show this many at most, evenly chosen from all; None shows all.
        """
        rows, low, high, key = self._bars()
        settled = self._settled()
        order = np.argsort(key, kind="stable")
        n = len(order)
        if max_samples is not None and n > max_samples:
            order = order[np.linspace(0, n - 1, max_samples).round().astype(int)]
        self._draw_on(ax, 4.2)
        place = np.full(n, -1)
        place[order] = np.arange(len(order))
        for chosen, color, width, word in (
            (settled, _SETTLED, 1.4, "settled"),
            (~settled, _OPEN, 2.4, "depends on the model"),
        ):
            own = np.flatnonzero(chosen[rows] & (place[rows] >= 0))
            if len(own):
                at = place[rows[own]]
                label = f"{word} ({int(chosen.sum())} of {n})" if self._has_labels else "_"
                self.ax_.vlines(at, low[own], high[own], color=color, lw=width, label=label)
                # Ends keep a range of width zero visible.
                self.ax_.plot(at, low[own], "_", color=color, ms=3)
                self.ax_.plot(at, high[own], "_", color=color, ms=3)
        for value in self.boundaries:
            self.ax_.axhline(value, color=INK, linewidth=1.0, zorder=0.9)
        self._finish(order, n)
        return self

    @property
    def _has_labels(self) -> bool:
        return len(self.ranges.outcomes) > 0

    def _settled(self) -> np.ndarray:
        if not self._has_labels:
            return np.ones(len(self.ranges.low), dtype=bool)
        return np.asarray(self.ranges.settled, dtype=bool)

    @property
    def _has_no_order(self) -> bool:
        """Whether every class has a lead of its own, instead of a step to the next one."""
        low = np.asarray(self.ranges.low)
        return low.ndim == 2 and low.shape[1] == len(self.ranges.outcomes)

    def _bars(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Of each bar the sample and both ends, and what samples are sorted by."""
        low, high = np.asarray(self.ranges.low), np.asarray(self.ranges.high)
        every = np.arange(len(low))
        if low.ndim == 1:
            return every, low, high, low + high
        allowed = np.asarray(self.ranges.allowed, dtype=bool)
        if self._has_no_order:
            rows, classes = np.nonzero(allowed)
            likeliest = np.nan_to_num(high, nan=0.0).argmax(axis=1)
            key = likeliest + allowed.sum(axis=1) / (1.0 + allowed.shape[1])
            return rows, classes - _HALF, classes + _HALF, key
        first = allowed.argmax(axis=1)
        last = allowed.shape[1] - 1 - allowed[:, ::-1].argmax(axis=1)
        key = (first + last) + 1e-3 * np.tanh((low + high).sum(axis=1))  # ties: by the score
        return every, first - _HALF, last + _HALF, key

    def _finish(self, order: np.ndarray, n: int) -> None:
        shown = "" if len(order) == n else f" ({len(order)} of {n} shown)"
        self.ax_.set_xlabel(f"samples, by their prediction{shown}")
        if np.ndim(self.ranges.low) == 2:
            outcomes = [str(label) for label in self.ranges.outcomes]
            name_ticks(self.ax_.yaxis, outcomes)
            what = (
                "classes that models predict" if self._has_no_order else "lowest to highest class"
            )
            self.ax_.set_ylabel(what)
        else:
            what = "decision value" if self._has_labels else "prediction"
            self.ax_.set_ylabel(f"{what}: smallest to largest")
        if len(order) <= _NAMED:
            names = [self.names[k] for k in order]
            name_ticks(self.ax_.xaxis, names, rotation=90, fontsize="small")
        else:
            self.ax_.set_xticks([])
        tidy(self.ax_, "y")
        if len(order) and self._has_labels:
            legend_above(self.ax_)
