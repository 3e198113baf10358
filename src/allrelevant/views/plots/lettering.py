"""Names that can be drawn: other fonts at hand for what the usual one lacks, boxes for the rest."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from allrelevant.base.names import short_names

if TYPE_CHECKING:
    from matplotlib.axis import Axis

_FALLBACKS = (
    "Noto Sans",
    "Noto Sans CJK JP",
    "Noto Sans CJK SC",
    "Noto Sans JP",
    "Noto Sans SC",
    "Source Han Sans",
    "WenQuanYi Zen Hei",
    "WenQuanYi Micro Hei",
    "IPAexGothic",
    "Hiragino Sans",
    "PingFang SC",
    "Yu Gothic",
    "Microsoft YaHei",
    "Malgun Gothic",
    "Apple SD Gothic Neo",
    "NanumGothic",
    "Arial Unicode MS",
    "Segoe UI Symbol",
    "Noto Sans Arabic",
    "Noto Sans Hebrew",
    "Noto Sans Devanagari",
    "Noto Sans Thai",
)
_MINUS = re.compile(r"(?<![\w)])-(?=\d)")
_BOX = "□"  # what browsers show, too; matplotlib's own box comes with a warning for each character


def name_ticks(axis: Axis, names: Sequence[str], width: int | None = None, **kwargs: Any) -> None:
    """Put names at 0, 1, 2, … of an axis, of at most `width` columns each; `kwargs` style them."""
    texts, font = drawable(names)
    if width is not None:
        texts = short_names(texts, width)
    # A name such as "$_to_$" is not a formula.
    axis.set_ticks(np.arange(len(texts)), labels=texts, parse_math=False, **font, **kwargs)


def number_text(value: float) -> str:
    """Return a number of three digits; a large one whole, without an exponent."""
    return f"{value:,.0f}" if 1e3 <= abs(value) < 1e7 else f"{value:.3g}"


def drawable(names: Sequence[str]) -> tuple[list[str], dict[str, Any]]:
    """Return names as fonts at hand can draw them, and the properties of such a text."""
    wanted = {ord(character) for name in names for character in name if not character.isspace()}
    if max(wanted, default=0) < 128:
        return list(names), {}
    names = [_with_minus_in_front(name) for name in names]
    usual = _usual_families()
    missing = wanted - _characters(usual)
    helpful = []
    for family in _at_hand(_FALLBACKS):
        found = missing & _characters([family])
        if found:
            helpful.append(family)
            missing -= found
    boxes = dict.fromkeys(missing, _BOX)
    return [name.translate(boxes) for name in names], (
        {"fontfamily": [*usual, *helpful]} if helpful else {}
    )


def _with_minus_in_front(text: str) -> str:
    """Keep a minus before its number, also after a name that is written from right to left."""
    is_leftward = any(unicodedata.bidirectional(one) in ("R", "AL") for one in text)
    return _MINUS.sub("\u200e-", text) if is_leftward else text


def _usual_families() -> list[str]:
    """Return the fonts that matplotlib is set to draw with and finds."""
    from matplotlib import rcParams

    settings: Any = rcParams
    families: list[str] = []
    for family in settings["font.family"]:
        families += settings.get(f"font.{family}", [family])  # such as "sans-serif"
    return _at_hand(families)


def _at_hand(families: Iterable[str]) -> list[str]:
    from matplotlib.font_manager import fontManager

    known = {font.name for font in fontManager.ttflist}
    return [family for family in families if family in known]


def _characters(families: Iterable[str]) -> set[int]:
    from matplotlib.font_manager import FontProperties, findfont, get_font

    found: set[int] = set()
    for family in families:
        found |= get_font(findfont(FontProperties(family=[family]))).get_charmap().keys()
    return found
