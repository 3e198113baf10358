"""The table of a result as pandas styles tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from allrelevant.results.notebook import CLASS_COLORS

if TYPE_CHECKING:
    from pandas.io.formats.style import Styler

# Darker than the bars where those are too light for letters.
_LETTERS = CLASS_COLORS | {"weak": "#7A5400", "irrelevant": "#595959"}
_BAR = "#CFE3F1"


def styled(result: Any) -> Styler:
    """Classes in their colours, numbers of three digits, a bar behind the largest relevance."""
    frame = result.to_frame(sort=True)
    styler = frame.style.hide(axis="index").format(precision=3, na_rep="–")
    return styler.map(_of_class, subset=["class"]).bar(
        subset=["max"], color=_BAR, vmin=0.0, vmax=float(frame["max"].max()) or 1.0
    )


def _of_class(word: str) -> str:
    return f"color: {_LETTERS[word]}; font-weight: 600"
