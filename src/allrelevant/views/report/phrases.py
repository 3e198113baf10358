"""Numbers, lists and settings as people write them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

_PERFECT = 0.9999  # score


def joined(items: Iterable[str], most: int = 6) -> str:
    """Return a list as people write it: "a, b and c", or "a, b and 7 more"."""
    listed = list(items)
    if len(listed) > most:
        listed = [*listed[: most - 1], f"{len(listed) - most + 1} more"]
    return " and ".join([", ".join(listed[:-1]), listed[-1]] if len(listed) > 1 else listed)


def direction(low: float, high: float, noise: float = 0.0) -> str:
    """Return the sign of a weight over all equivalent models.

    A weight that noise would reach, too, has no sign to speak of.
    """
    if not np.isfinite([low, high]).all():
        return "several columns"
    noise = max(noise, 1e-9) if np.isfinite(noise) else 1e-9
    if low < -noise and high > noise:
        return "either"
    for size, other, word in ((high, -low, "positive"), (-low, high, "negative")):
        if size > noise:
            return f"always {word}" if other < 0 else f"{word} or noise" if other > 1e-9 else word
    return "noise"


def readable_p(value: float) -> str:
    """Return a probability as papers print it."""
    if not np.isfinite(value):
        return ""
    return "<\u200a0.0001" if value < 1e-4 else f"{value:.2g}"


def plain_setting(value: Any) -> str:
    """Return a parameter as people write it; text stands in quotes."""
    if isinstance(value, Mapping):
        return "; ".join(f"{key}: {_listed(item)}" for key, item in value.items()) or "none"
    return _listed(value) if isinstance(value, tuple | list) else repr(value)


def _listed(value: Any) -> str:
    if isinstance(value, Mapping):
        return f"({plain_setting(value)})"
    if isinstance(value, tuple | list):
        return ", ".join(map(_listed, value)) or "none"
    return str(value)


def number(value: float | None) -> str:
    """Return a number with three digits; None is any."""
    return "any value" if value is None else f"{value:.3g}"


def counted(n: int, noun: str) -> str:
    """Return how many there are of something."""
    return f"{n} {noun}{'' if n == 1 else 's'}"


def given_away(n_used: int | None, score: float) -> str:
    """Return a word of caution where one feature tells the target, which is hardly ever honest."""
    if n_used != 1 or score < _PERFECT:
        return ""
    return " One feature predicts every case: make sure that it was not made from the target."


def sentence(text: str) -> str:
    """Begin with a capital letter and end with a full stop."""
    text = text.strip()
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?")) else ".")
