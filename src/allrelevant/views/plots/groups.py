"""Plot of the feature groups: their tree beside the relevance intervals of its leaves."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from scipy.cluster.hierarchy import dendrogram

from allrelevant.base.names import display_width
from allrelevant.results.relevance import RelevanceResult
from allrelevant.results.render import EITHER
from allrelevant.views.plots.lettering import name_ticks
from allrelevant.views.plots.noise import class_bars, mark_either, noise_lines
from allrelevant.views.plots.style import (
    ALERT,
    BAR_STYLES,
    DARK,
    NAME_LENGTH,
    SHADE,
    WIDTH,
    Picture,
    check_estimator,
    check_result,
    legend_above,
    new_figure,
    tidy,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["GroupsDisplay"]

_MOST_UPRIGHT = 22  # leaves; with more, names on their side no longer fit beneath the bars
_USUAL_LEAVES, _THICKNESS = 10, 0.6  # bars of few leaves are no thicker than those of so many
_LEAF_INCHES = 0.26
_USUAL_NAME, _COLUMN_INCHES = 24, 0.1  # longer names beneath the bars need a taller figure


class GroupsDisplay(Picture):
    """The tree of groups above the bars, as in Figure 3.3 of the thesis; beside them when many.

    The nearer to their names two features meet in the tree, the larger is their trade-off times
    their correlation: the better they stand in for one another. Features of one group share a
    background. It is best made by `from_estimator` or `from_result`.

    Parameters
    ----------
    result : RelevanceResult
        The result the groups were found in.
    groups : object
        What ``estimator.groups()`` gives: ``leaves`` (names of the features in the tree),
        ``linkage`` (scipy's linkage matrix over them), ``labels`` (group of each feature) and
        ``height`` (where the tree was cut).

    Attributes
    ----------
    axes_ : tuple of two matplotlib Axes
        The tree's and the bars'; exists after `plot`.
    figure_ : matplotlib Figure
        Their figure; exists after `plot`.

    Examples
    --------
    >>> from allrelevant import GroupsDisplay, RelevanceClassifier
    >>> from allrelevant.datasets import make_classification
    >>> X, y, truth = make_classification(
    ...     80, n_strong=1, n_weak=2, n_irrelevant=1, random_state=0)
    >>> model = RelevanceClassifier(C=0.5, tolerance=0.05, n_probes=30, random_state=0).fit(X, y)
    >>> display = GroupsDisplay.from_estimator(model)
    >>> len(display.axes_)
    2
    """

    axes_: tuple[Axes, Axes]

    def __init__(self, result: RelevanceResult, groups: Any) -> None:
        check_result(result)
        self.result = result
        self.groups = groups

    @classmethod
    def from_result(cls, result: RelevanceResult, groups: Any, **kwargs: Any) -> GroupsDisplay:
        """Plot groups with the result they were found in; `kwargs` go to `plot`."""
        return cls(result, groups).plot(**kwargs)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        *,
        n_groups: int | None = None,
        axes: tuple[Axes, Axes] | None = None,
        orientation: Literal["auto", "upright", "sideways"] = "auto",
        **constraints: Any,
    ) -> GroupsDisplay:
        """Find the groups of a fitted estimator and plot them.

        `axes` and `orientation` go to `plot`. With `constraints`, as in ``estimator.what_if``,
        bars and groups are those of the models that keep them.
        """
        check_estimator(estimator)
        result = estimator.what_if(**constraints) if constraints else estimator.result_
        groups = estimator.groups(n_groups=n_groups, **constraints)
        return cls.from_result(result, groups, axes=axes, orientation=orientation)

    def plot(
        self,
        axes: tuple[Axes, Axes] | None = None,
        *,
        orientation: Literal["auto", "upright", "sideways"] = "auto",
    ) -> GroupsDisplay:
        """Draw the tree and the bars.

        Parameters
        ----------
        axes : pair of matplotlib Axes, optional
            Where to draw the tree and the bars; they should share the axis of the features. By
            default a new figure that is large enough for all names.
        orientation : {"auto", "upright", "sideways"}, default "auto"
            Whether the bars stand, with the tree above them, or lie, with the tree to their right.
            "auto" lays them down when there are more than 22.
        """
        if orientation not in ("auto", "upright", "sideways"):
            raise ValueError(
                f"orientation must be 'auto', 'upright' or 'sideways', got {orientation!r}."
            )
        leaves, tree = self._tree()
        upright = orientation == "upright" or (
            orientation == "auto" and len(leaves) <= _MOST_UPRIGHT
        )
        self.axes_ = self._new_axes(len(leaves), upright) if axes is None else axes
        self.figure_ = self.axes_[1].figure
        self._shade_groups(leaves, upright)
        self._draw_tree(tree, upright)
        self._draw_bars(leaves, upright)
        return self

    def _tree(self) -> tuple[np.ndarray, dict[str, Any]]:
        """Features in the order of the tree, and the tree's lines."""
        leaves = np.array([self.result.names.index(n) for n in self.groups.leaves], dtype=np.intp)
        if len(leaves) < 2:
            return leaves, {"icoord": [], "dcoord": []}
        tree: Any = dendrogram(np.asarray(self.groups.linkage, dtype=float), no_plot=True)
        return leaves[tree["leaves"]], tree

    def _new_axes(self, n: int, upright: bool) -> tuple[Axes, Axes]:
        if upright:
            longest = max((display_width(name) for name in self.groups.leaves), default=0)
            excess = max(min(longest, NAME_LENGTH) - _USUAL_NAME, 0)
            height = 5.6 + _COLUMN_INCHES * excess
            figure = new_figure(height, max(WIDTH, 1.2 + _LEAF_INCHES * n))
            top, bottom = figure.subplots(2, 1, sharex=True, height_ratios=(1, 2))
            return top, bottom
        figure = new_figure(1.4 + _LEAF_INCHES * n)
        left, right = figure.subplots(1, 2, sharey=True, width_ratios=(2.2, 1))
        return right, left

    def _shade_groups(self, leaves: np.ndarray, upright: bool) -> None:
        labels = np.asarray(self.groups.labels)
        runs = [list(run) for _, run in groupby(range(len(leaves)), lambda k: labels[leaves[k]])]
        for run in runs[::2]:
            for ax in self.axes_:
                span = ax.axvspan if upright else ax.axhspan
                span(run[0] - 0.5, run[-1] + 0.5, color=SHADE, zorder=0, linewidth=0)

    def _draw_tree(self, tree: dict[str, Any], upright: bool) -> None:
        ax = self.axes_[0]
        for places, heights in zip(tree["icoord"], tree["dcoord"], strict=True):
            at = (np.asarray(places) - 5.0) / 10.0  # scipy puts leaves at 5, 15, 25, …
            x, y = (at, heights) if upright else (heights, at)
            ax.plot(x, y, color=DARK, linewidth=1.2, solid_capstyle="round")
        cut, top = self.groups.height, 1.04
        tidy(ax, "y" if upright else "x")
        axis = ax.yaxis if upright else ax.xaxis
        axis.set_major_formatter(lambda height, _: f"{1.0 - height:.2g}")
        if cut > 0:
            (ax.axhline if upright else ax.axvline)(cut, color=ALERT, linewidth=1, label="cut")
            legend_above(ax)
        if upright:
            ax.set_ylim(0.0, top)
            ax.set_ylabel("trade-off\n× correlation")  # in two lines: the tree is low
            ax.tick_params(axis="x", labelbottom=False)
        else:
            ax.set_xlim(0.0, top)
            ax.set_xlabel("trade-off × correlation")
            ax.tick_params(axis="y", labelleft=False)

    def _draw_bars(self, leaves: np.ndarray, upright: bool) -> None:
        ax, result = self.axes_[1], self.result
        ends = result.intervals[leaves]
        thickness = _THICKNESS * min(1.0, len(leaves) / _USUAL_LEAVES) if upright else _THICKNESS
        more = class_bars(
            ax, result, leaves, ends, upright=upright, thickness=thickness, linewidth=1.4
        )
        mark_either(ax, result, leaves, ends, upright=upright)
        more += noise_lines(ax, result, leaves, upright=upright)
        names = [result.names[j] for j in leaves]
        what = f"relevance ({result.unit})"
        tidy(ax, "y" if upright else "x")
        if upright:
            name_ticks(ax.xaxis, names, NAME_LENGTH, rotation=90)
            ax.set_xlim(-0.6, max(len(leaves), 1) - 0.4)
            ax.set_ylim(bottom=0.0)
            ax.set_ylabel(what.replace(" (", "\n("))
        else:
            name_ticks(ax.yaxis, names, NAME_LENGTH)
            ax.set_ylim(max(len(leaves), 1) - 0.4, -0.6)
            ax.set_xlim(left=0.0)
            ax.set_xlabel(what)
        legend_above(ax, first=(*BAR_STYLES, EITHER), more=more)
