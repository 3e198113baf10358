"""One horizontal bar per feature: the axes, which features are shown, and their names."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from allrelevant.views.plots.lettering import name_ticks
from allrelevant.views.plots.style import DARK, NAME_LENGTH, OneAxes, points_per_row

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

_ROW_INCHES, _FRAME_INCHES = 0.24, 1.3


class FeatureRows(OneAxes):
    """Base of displays with a row for each feature of a result, the first on top.

    A last row counts the features that are not shown.
    """

    result: Any

    def _begin(self, ax: Axes | None, max_features: int | None) -> tuple[np.ndarray, float]:
        """Make the axes; give the features to show, and the height of a row in points."""
        if max_features is not None and max_features < 1:
            raise ValueError(f"max_features must be at least 1 or None, found {max_features}")
        shown = np.asarray(self.result.order, dtype=np.intp)[:max_features]
        n_rows = len(shown) + (len(shown) < self.result.n_features)
        ax = self._draw_on(ax, _FRAME_INCHES + _ROW_INCHES * n_rows)
        ax.set_ylim(n_rows - 0.4, -0.6)
        return shown, points_per_row(ax, n_rows)

    def _label_rows(
        self, shown: Sequence[int] | np.ndarray, room: float, rest: str | None = None
    ) -> None:
        """Name the rows in letters that fit; say what the others are, where not all are shown."""
        n_more = self.result.n_features - len(shown)
        rest = rest or f"{n_more} more feature{'' if n_more == 1 else 's'}"
        name_ticks(self.ax_.yaxis, [self.result.names[j] for j in shown], NAME_LENGTH)
        texts = list(self.ax_.get_yticklabels())
        if n_more:
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


class ResultRows(FeatureRows):
    """Base of those of an answer of one kind, which is all that they need."""

    _kind: ClassVar[type]
    _asked: ClassVar[str]  # what gives such an answer

    def __init__(self, result: Any) -> None:
        if not isinstance(result, self._kind):
            method = self._asked.removeprefix("estimator.").removesuffix("()")
            hint = "; from_estimator takes a fitted estimator" * hasattr(result, method)
            raise TypeError(
                f"result must be a {self._kind.__name__} ({self._asked}), got "
                f"{type(result).__name__}{hint}."
            )
        self.result = result

    @classmethod
    def from_result(cls, result: Any, *, ax: Axes | None = None, **kwargs: Any) -> Self:
        """Plot an answer; `ax` and `kwargs` go to `plot`."""
        return cls(result).plot(ax, **kwargs)

    @abstractmethod
    def plot(self, ax: Axes | None = None, *, max_features: int | None = 40) -> Self:
        """Draw a row for each feature."""
