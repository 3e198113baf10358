"""Plot of classifiers with a reject option in the plane of two features."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from allrelevant.base.names import short_names
from allrelevant.views.plots.lettering import drawable
from allrelevant.views.plots.style import GRID, INK, MUTED, NAME_LENGTH, WIDTH, Picture, new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["RejectOptionDisplay"]

_AXIS_NAME = 26  # columns; a weight follows
_FILLS = ("white", "black")


class RejectOptionDisplay(Picture):
    """Equivalent classifiers on data with two features, as in Figure 1 of the paper.

    Side by side are the baseline and the equivalent models that give a feature the smallest and
    the largest weight. The line is the decision boundary, and the samples in the grey band are
    rejected. It is best made by `from_estimator`.

    Parameters
    ----------
    models : mapping from str to object
        Title and model of each panel; a model has ``decision_function`` and, as an array of two,
        ``coef_``.
    threshold : float
        Samples whose absolute decision value is at most this are rejected.
    names : sequence of two str
        Names of the features.

    Attributes
    ----------
    axes_ : list of matplotlib Axes
        One for each model; exists after `plot`.
    figure_ : matplotlib Figure
        Their figure; exists after `plot`.

    Examples
    --------
    >>> from allrelevant import RejectOptionDisplay, papers
    >>> from allrelevant.datasets import make_reject
    >>> X, y = make_reject(kind=1, n_samples=40, random_state=0)
    >>> model = papers.reject2017(n_probes=20, random_state=0).fit(X, y)
    >>> display = RejectOptionDisplay.from_estimator(model, X, y)
    >>> len(display.axes_)
    3
    """

    axes_: list[Axes]

    def __init__(self, models: dict[str, Any], threshold: float, names: tuple[str, str]) -> None:
        self.models = dict(models)
        self.threshold = float(threshold)
        self.names = (str(names[0]), str(names[1]))

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any, y: Any, *, feature: int | str = 0, axes: Any = None
    ) -> RejectOptionDisplay:
        """Plot a fitted `RejectOptionRelevanceClassifier` and its extreme equivalent models.

        Parameters
        ----------
        estimator : RejectOptionRelevanceClassifier
            Fitted on two features.
        X, y : array-like
            Samples to show and their classes.
        feature : int or str, default 0
            Whose smallest and largest weight to show.
        axes : sequence of three matplotlib Axes, optional
            Where to draw; by default a new figure.
        """
        result = estimator.result_
        if result.n_features != 2:
            raise ValueError(
                f"a picture in the plane needs two features, this fit has {result.n_features}: "
                "fit on two columns."
            )
        name = result.names[feature] if isinstance(feature, int) else feature
        models = {
            "baseline": estimator,
            f"least weight on {name}": estimator.witness(feature, "min"),
            f"most weight on {name}": estimator.witness(feature, "max"),
        }
        given = estimator.reject_threshold
        threshold = estimator.reject_cost if given is None else given
        return cls(models, threshold, result.names).plot(X, y, axes)

    def plot(self, X: Any, y: Any, axes: Any = None) -> RejectOptionDisplay:
        """Draw one panel for each model.

        Parameters
        ----------
        X : array-like of shape (n_samples, 2)
            Samples.
        y : array-like of shape (n_samples,)
            Their classes, of which there are two.
        axes : sequence of matplotlib Axes, optional
            Where to draw; by default a new figure.
        """
        points, labels = np.asarray(X, dtype=float), np.asarray(y)
        if axes is None:
            figure = new_figure(0.9 + 0.9 * WIDTH / max(len(self.models), 2))
            axes = figure.subplots(1, len(self.models), sharex=True, sharey=True, squeeze=False)[0]
        self.axes_ = list(axes)
        self.figure_ = self.axes_[0].figure
        titles = short_names(list(self.models), NAME_LENGTH)
        texts, font = drawable(self.names)
        names = short_names(texts, _AXIS_NAME)
        for ax, title, model in zip(self.axes_, titles, self.models.values(), strict=True):
            scores = np.asarray(model.decision_function(X))
            rejected = np.abs(scores) <= self.threshold
            self._draw_plane(ax, model, points)
            self._draw_samples(ax, points, labels, rejected)
            weight = np.ravel(model.coef_)
            ax.set_title(
                f"{title}\n{int(rejected.sum())} of {len(points)} rejected",
                fontsize="medium",
            )
            ax.spines[["top", "right"]].set_visible(False)
            ax.set_xlabel(f"{names[0]} (weight {weight[0]:.3g})", **font)
            ax.set_ylabel(f"{names[1]} (weight {weight[1]:.3g})", **font)
        self._legend(np.unique(labels))
        return self

    def _draw_plane(self, ax: Axes, model: Any, points: np.ndarray) -> None:
        """Draw the boundary and the band of rejection; the score is linear, so corners tell all."""
        low, high = points.min(axis=0), points.max(axis=0)
        margin = 0.06 * (high - low)
        grid = [np.linspace(a - m, b + m, 2) for a, b, m in zip(low, high, margin, strict=True)]
        corners = np.array([[x, y] for y in grid[1] for x in grid[0]])
        weight = np.ravel(model.coef_)
        # Any frame the model was fitted on is no matter here: its score is w·x plus a constant.
        constant = float(np.ravel(model.intercept_)[0])
        score = (corners @ weight + constant).reshape(2, 2)
        if self.threshold > 0:
            edges = [-self.threshold, self.threshold]
            ax.contourf(*grid, score, levels=edges, colors=[GRID], zorder=0)
        ax.contour(*grid, score, levels=[0.0], colors=INK, linewidths=1.4, zorder=1)

    def _draw_samples(
        self, ax: Axes, points: np.ndarray, labels: np.ndarray, rejected: np.ndarray
    ) -> None:
        for fill, label, marker in zip(_FILLS, np.unique(labels), ("o", "s"), strict=True):
            mine = labels == label
            for part, color in ((mine & ~rejected, fill), (mine & rejected, "#888888")):
                ax.scatter(
                    points[part, 0],
                    points[part, 1],
                    s=18,
                    marker=marker,
                    facecolor=color,
                    edgecolor=INK,
                    linewidth=0.6,
                    zorder=2,
                )

    def _legend(self, classes: np.ndarray) -> None:
        from matplotlib.lines import Line2D
        from matplotlib.patches import Patch

        style: dict[str, Any] = {"linestyle": "none", "markeredgecolor": "black", "markersize": 5}
        handles: list[Any] = [
            Line2D([], [], marker=marker, markerfacecolor=fill, label=str(label), **style)
            for fill, label, marker in zip(_FILLS, classes, ("o", "s"), strict=True)
        ]
        handles += [
            Patch(facecolor=GRID, edgecolor=MUTED, label="rejected"),
            Line2D([], [], color=INK, label="decision boundary"),
        ]
        self.figure_.legend(
            handles=handles,
            loc="outside upper right",
            ncols=len(handles),
            frameon=False,
            fontsize="small",
        )
