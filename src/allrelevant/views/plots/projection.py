"""Plot of the projected classes, in the manner of scikit-learn's displays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import check_consistent_length, check_is_fitted

from allrelevant.base.arrays import Floats
from allrelevant.kernel.target import column, labelled, natural
from allrelevant.views.plots.lettering import name_ticks
from allrelevant.views.plots.style import MUTED, THRESHOLD_STYLE, OneAxes, tidy

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_ROW_INCHES, _FRAME_INCHES = 0.55, 1.1
_UNLABELLED = MUTED
_NAME_LENGTH = 24


class OrdinalProjectionDisplay(OneAxes):
    """Where rows are projected to: one strip for each class, one for unlabelled rows.

    It is best made by `from_estimator`.

    Parameters
    ----------
    projections : array of shape (n_samples,)
        The projection of each row.
    ranks : array of shape (n_samples,)
        Rank of each row's class among `classes`, −1 where it has no label.
    thresholds : array of shape (n_classes − 1,)
        Where the projection passes from one class to the next.
    classes : sequence
        The classes from lowest to highest.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
        With the strips; they exist after `plot`.

    Examples
    --------
    >>> import numpy as np
    >>> from allrelevant import OrdinalKernelClassifier, OrdinalProjectionDisplay
    >>> from allrelevant.datasets import make_ordinal
    >>> X, y, _ = make_ordinal(60, n_classes=3, random_state=0)
    >>> y[::2] = -1
    >>> display = OrdinalProjectionDisplay.from_estimator(OrdinalKernelClassifier().fit(X, y), X, y)
    >>> [label.get_text() for label in display.ax_.get_yticklabels()]
    ['unlabelled', '0', '1', '2']
    """

    def __init__(self, projections: Floats, ranks: Any, thresholds: Floats, classes: Any) -> None:
        self.projections = projections
        self.ranks = ranks
        self.thresholds = thresholds
        self.classes = classes

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any, y: Any = None, *, ax: Axes | None = None, **kwargs: Any
    ) -> OrdinalProjectionDisplay:
        """Project rows by a fitted estimator and plot them.

        Parameters
        ----------
        estimator : OrdinalKernelClassifier, or a Pipeline that ends in one
            Fitted.
        X : array-like of shape (n_samples, n_features)
            Rows to project.
        y : array-like of shape (n_samples,), optional
            Their labels; −1, NaN or None where there is none, as for the estimator.
        ax, **kwargs
            Passed on to `plot`.
        """
        final = estimator[-1] if isinstance(estimator, Pipeline) else estimator
        if not hasattr(final, "thresholds") or not hasattr(final, "transform"):
            raise TypeError(
                "estimator must be an OrdinalKernelClassifier or a Pipeline that ends in one, got "
                f"{type(final).__name__}."
            )
        check_is_fitted(final, "thresholds_")
        projections = estimator.transform(X)
        projections = np.asarray(projections, dtype=float).ravel()
        ranks = np.full(len(projections), -1)
        if y is not None:
            check_consistent_length(projections, y)
            known = labelled(y, final.classes_)
            place = {label: rank for rank, label in enumerate(final.classes_.tolist())}
            labels = natural(column(y)[known]).tolist()
            unknown = sorted({str(label) for label in labels if label not in place})
            if unknown:
                raise ValueError(
                    f"y holds classes the estimator has not learned: {', '.join(unknown[:5])}."
                )
            ranks[known] = [place[label] for label in labels]
        display = cls(projections, ranks, final.thresholds_, final.classes_)
        return display.plot(ax, **kwargs)

    def plot(
        self, ax: Axes | None = None, *, random_state: int = 0, **kwargs: Any
    ) -> OrdinalProjectionDisplay:
        """Draw one strip of points per class, the highest on top, and the thresholds.

        Parameters
        ----------
        ax : matplotlib Axes or None, default None
            Where to draw; None makes a new figure.
        random_state : int, default 0
            Seed of the points' scatter across their strip, which has no meaning.
        **kwargs
            Passed on to matplotlib's ``scatter``.
        """
        ranks = np.asarray(self.ranks)
        has_unlabelled = bool((ranks < 0).any())
        strips = list(range(-1 if has_unlabelled else 0, len(self.classes)))
        height = _FRAME_INCHES + _ROW_INCHES * len(strips)
        self._draw_on(ax, height)
        colors = _colors(len(self.classes))
        self._shade(colors)
        rng = np.random.RandomState(random_state)
        size = 30 if (ranks >= 0).sum() < 50 else 14
        for height, rank in enumerate(strips):
            values = self.projections[ranks == rank]
            style: dict[str, Any] = {
                "s": size if rank >= 0 else 8,
                "color": colors[rank] if rank >= 0 else _UNLABELLED,
                "alpha": 0.85 if rank >= 0 else 0.45,
                "linewidth": 0.0,
                "zorder": 3,
            }
            scatter = height + rng.uniform(-0.28, 0.28, len(values))
            self.ax_.scatter(values, scatter, **_changed(style, kwargs))
        said = ["unlabelled" if r < 0 else str(self.classes[r]) for r in strips]
        name_ticks(self.ax_.yaxis, said, _NAME_LENGTH)
        self._finish(len(strips))
        return self

    def _shade(self, colors: list[Any]) -> None:
        """Each class's interval in its own pale colour, thresholds as lines between them."""
        low, high = _limits(self.projections, self.thresholds)
        edges = np.clip(np.concatenate([[low], self.thresholds, [high]]), low, high)
        for color, start, end in zip(colors, edges[:-1], edges[1:], strict=True):
            self.ax_.axvspan(start, end, color=color, alpha=0.12, linewidth=0.0, zorder=0)
        for k, threshold in enumerate(self.thresholds):
            if low < threshold < high:
                label = "threshold" if k == 0 else None
                self.ax_.axvline(threshold, label=label, **THRESHOLD_STYLE)
        self.ax_.set_xlim(low, high)

    def _finish(self, n_strips: int) -> None:
        self.ax_.set_ylim(-0.5, n_strips - 0.5)
        self.ax_.set_xlabel("projection (dashed: thresholds; shaded: the class predicted there)")
        tidy(self.ax_, "x", grid=False)


def _changed(style: dict[str, Any], given: dict[str, Any]) -> dict[str, Any]:
    """The style with what was given instead, under whichever of its names in matplotlib."""
    from matplotlib.cbook import normalize_kwargs
    from matplotlib.collections import Collection

    given = normalize_kwargs(given, Collection)
    replaced = {"color"} if {"c", "facecolor"} & set(given) else set()
    if {"marker", "edgecolor"} & set(given):
        replaced.add("linewidth")  # crosses and edges are nothing but lines
    return {name: value for name, value in style.items() if name not in replaced} | given


def _limits(projections: Floats, thresholds: Floats) -> tuple[float, float]:
    """Room for all rows; a threshold far outside of them may stay out of sight."""
    if not len(projections):
        values = np.asarray(thresholds, dtype=float)
    else:
        low, high = projections.min(), projections.max()
        reach = max(high - low, 1e-12)
        near = thresholds[(thresholds > low - 0.3 * reach) & (thresholds < high + 0.3 * reach)]
        values = np.concatenate([[low, high], near])
    margin = 0.04 * max(float(np.ptp(values)), 1e-12)
    return float(values.min() - margin), float(values.max() + margin)


def _colors(n: int) -> list[Any]:
    """From dark to light, an order that also survives a grey print."""
    from matplotlib import colormaps

    return [colormaps["viridis"](0.05 + 0.8 * k / max(n - 1, 1)) for k in range(n)]
