"""What all plots share: one width, colours that survive a grey print, axes, names that fit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

from sklearn.utils.validation import check_is_fitted

from allrelevant.results.classified import ClassifiedFeatures
from allrelevant.results.notebook import CLASS_COLORS
from allrelevant.results.render import NOISE, STRONG

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure

WIDTH = 7.0  # inches: that of the text on a page, so that letters are as large in every picture
INK, DARK, MUTED, GRID, SHADE = "black", "#444444", "#777777", "#DDDDDD", "#EFEFEF"
ALERT = CLASS_COLORS["forbidden"]
# Okabe and Ito's: all good models, their edge, and one model or what is open among them.
ALL_MODELS, EDGE, ONE_MODEL = "#56B4E9", CLASS_COLORS["strong"], "#D55E00"
MODEL_MARK: dict[str, Any] = {"marker": "D", "markerfacecolor": "white", "markeredgecolor": INK}
# In files of vectors letters stay letters, which can be found, copied and edited.
_VECTORS = {"svg.fonttype": "none", "pdf.fonttype": 42, "ps.fonttype": 42}

# Fill lightness, edge and hatch differ too, so that the classes survive a grey print. The edge is
# drawn in points, not in data units: it keeps an interval of width zero visible where it is.
BAR_STYLES: dict[str, dict[str, Any]] = {
    "strong": {"facecolor": CLASS_COLORS["strong"], "edgecolor": CLASS_COLORS["strong"]},
    "weak": {"facecolor": CLASS_COLORS["weak"], "edgecolor": "#7A5400", "hatch": "////"},
    "irrelevant": {"facecolor": CLASS_COLORS["irrelevant"], "edgecolor": MUTED},
    "forbidden": {"facecolor": CLASS_COLORS["forbidden"], "edgecolor": CLASS_COLORS["forbidden"]},
}
THRESHOLD_STYLE: dict[str, Any] = {"color": INK, "linestyle": (0, (4, 2)), "linewidth": 1.0}
NAME_LENGTH = 32
_MOST_IN_A_ROW, _MOST_LETTERS = 6, 70  # of a legend that is as wide as a figure


def pyplot() -> Any:
    """Return matplotlib's pyplot, or say how to get it."""
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError(
            'plotting needs matplotlib; install it with: pip install "allrelevant[plot]"'
        ) from error
    return plt


def check_estimator(estimator: Any) -> None:
    """Refuse what is no estimator, and one that is not fitted."""
    if not hasattr(estimator, "fit"):
        raise TypeError(f"estimator must be a fitted estimator, got {type(estimator).__name__}.")
    check_is_fitted(estimator, "result_")


def check_result(result: Any, name: str = "result") -> None:
    """Refuse what is no result, and say where an estimator belongs."""
    if not isinstance(result, ClassifiedFeatures):
        found = type(result).__name__
        hint = "; from_estimator takes a fitted estimator" if hasattr(result, "fit") else ""
        raise TypeError(f"{name} must be a RelevanceResult (estimator.result_), got {found}{hint}.")


class Picture:
    """Base of all displays: after `plot` they have a figure, which can be saved."""

    figure_: Figure | SubFigure

    def save(self, file: Any, *, dpi: float = 150.0) -> None:
        """Write the picture, whose name says its kind: .png, .svg, .pdf.

        In vector graphics text stays text, with embedded fonts in a PDF.

        Parameters
        ----------
        file : str, path or open file
            Where to write it.
        dpi : float, default 150
            Pixels for each inch, in files of pixels.
        """
        with pyplot().rc_context(_VECTORS):
            self.figure_.get_figure(root=True).savefig(file, dpi=dpi)


class OneAxes(Picture):
    """Base of displays that draw on one pair of axes: given ones, or those of a new figure."""

    ax_: Axes

    def _draw_on(self, ax: Axes | None, height: float) -> Axes:
        """Take the axes, or make some that fill a figure of this height in inches."""
        if ax is None:
            ax = new_figure(height).subplots()
        self.ax_ = ax
        self.figure_ = self.ax_.figure
        return self.ax_


def new_figure(height: float, width: float = WIDTH) -> Figure:
    """Return a new figure of this size in inches, whose parts make room for one another."""
    return pyplot().figure(figsize=(width, height), layout="constrained")


def points_per_row(ax: Axes, n_rows: int) -> float:
    """Return the height of one of `n_rows` rows in points."""
    return float(ax.bbox.height) / float(ax.figure.dpi) * 72.0 / max(n_rows, 1)


def tidy(ax: Axes, value_axis: Literal["x", "y"], *, grid: bool = True) -> None:
    """Leave only the lines that help to read values off the axis "x" or "y"."""
    other: Literal["x", "y"] = "y" if value_axis == "x" else "x"
    ax.spines[["top", "right", "left"] if value_axis == "x" else ["top", "right"]].set_visible(
        False
    )
    ax.tick_params(axis=other, length=0)
    if grid:
        ax.grid(axis=value_axis, color=GRID, linewidth=0.6)
        ax.set_axisbelow(True)


def legend_above(
    ax: Axes, first: tuple[str, ...] = (), ncols: int | None = None, more: Sequence[Any] = ()
) -> None:
    """Put the legend above the axes, where it hides nothing.

    Entries named in `first` lead, in that order. Handles in `more` are added, or take the place of
    those on the axes that have the same label. Where there are strong features among intervals it
    says what that means.
    """
    handles, labels = ax.get_legend_handles_labels()
    entries = dict(zip(labels, handles, strict=True)) | {one.get_label(): one for one in more}
    labels = [label for label in first if label in entries]
    labels += [label for label in entries if label not in first]
    is_said = "strong" in labels and NOISE in labels
    n_letters = sum(map(len, labels))
    n_rows = max(-(-len(labels) // _MOST_IN_A_ROW), -(-n_letters // _MOST_LETTERS), 1)
    ax.legend(
        [entries[label] for label in labels],
        labels,
        loc="lower right",  # grows leftwards, over the names' column
        bbox_to_anchor=(1.0, 1.0),
        ncols=ncols or max(-(-len(labels) // n_rows), 1),
        title=f"strong: {STRONG}" if is_said else None,
        title_fontsize="small",
        alignment="right",
        frameon=False,
        fontsize="small",
        handletextpad=0.5,
        columnspacing=1.4,
    )
