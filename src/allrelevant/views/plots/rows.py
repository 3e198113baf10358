"""One horizontal bar per feature: the axes, which features are shown, and their names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from allrelevant.views.plots.lettering import name_ticks
from allrelevant.views.plots.style import DARK, NAME_LENGTH, WIDTH, new_axes, points_per_row

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure

__all__ = ["FeatureRows"]

_ROW_INCHES, _FRAME_INCHES = 0.24, 1.3


class FeatureRows:
    """Base of displays with a row for each feature of a result, the first on top.

    A last row counts the features that are not shown.
    """

    ax_: Axes
    figure_: Figure | SubFigure
    result: Any

    def _begin(self, ax: Axes | None, max_features: int | None) -> tuple[np.ndarray, float]:
        """Make the axes; give the features to show, and the height of a row in points."""
        if max_features is not None and max_features < 1:
            raise ValueError(f"max_features must be at least 1 or None, found {max_features}")
        shown = np.asarray(self.result.order, dtype=np.intp)[:max_features]
        n_rows = len(shown) + (len(shown) < self.result.n_features)
        if ax is None:
            ax = new_axes(WIDTH, _FRAME_INCHES + _ROW_INCHES * n_rows)
        self.ax_, self.figure_ = ax, ax.figure
        ax.set_ylim(n_rows - 0.4, -0.6)
        return shown, points_per_row(ax, n_rows)

    def _label_rows(self, shown: Sequence[int] | np.ndarray, rest: str, room: float) -> None:
        """Name the rows in letters that fit; say what the others are, where not all are shown."""
        name_ticks(self.ax_.yaxis, [self.result.names[j] for j in shown], NAME_LENGTH)
        texts = list(self.ax_.get_yticklabels())
        if len(shown) < self.result.n_features:
            note = self.ax_.text(
                0.01,
                len(shown),
                f"and {rest}",
                transform=self.ax_.get_yaxis_transform(),
                verticalalignment="center",
                style="italic",
                color=DARK,
                bbox={"facecolor": self.ax_.get_facecolor(), "edgecolor": "none", "pad": 1.0},
            )
            texts.append(note)
        for text in texts:
            text.set_fontsize(min(text.get_fontsize(), max(0.85 * room, 3.0)))
