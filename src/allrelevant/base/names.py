"""Names of features: cut so that they fit and still differ, found by name or place or nearly so."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from numbers import Integral
from typing import Any

# They join or part letters in several scripts; all other invisible characters only mislead.
_JOINERS = "\u200c\u200d"
_UNSEEN = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")


def short_names(names: Sequence[str], width: int) -> list[str]:
    """Fit each name on one line of `width` columns; different names stay different.

    Names that fit are kept. Of longer ones both ends are kept, as many differ in their last
    characters only. Where that makes names alike, they are shown from about where they begin to
    differ, and where nothing else helps they are numbered.

    Parameters
    ----------
    names : sequence of str
        All names that are shown together.
    width : int
        The most columns a name may take; wide characters, such as Chinese ones, take two.

    Returns
    -------
    list of str
        One label for each name.

    Examples
    --------
    >>> short_names(["age", "how often in the last year: item 1 of the first form"], 20)
    ['age', 'how often …irst form']
    >>> short_names([f"how often in the last year: item {k} of the form" for k in (1, 2)], 20)
    ['how of…item 1 of th…', 'how of…item 2 of th…']
    """
    lines = [visible(" ".join(name.split())) for name in names]
    labels = {line: _both_ends(line, width) for line in lines}
    todo = _alike(labels)
    while todo:
        alike = todo.pop()
        where = _first_difference(alike)
        told = {line: _from_difference(line, where, width) for line in alike}
        labels |= told
        todo += [rest for rest in _alike(told) if len(rest) < len(alike)]
    return _numbered([labels[line] for line in lines], width)


def visible(text: str, keep: str = "") -> str:
    r"""Write out what would not be seen, or would steer a terminal or turn the writing around.

    Examples
    --------
    >>> print(visible("a\x1b[31mb\nc"))
    a\x1b[31mb\nc
    """
    if text.isprintable():
        return text
    kept = {" ", *_JOINERS, *keep}
    return "".join(c if c.isprintable() or c in kept else _written_out(c) for c in text)


def _written_out(character: str) -> str:
    # Blanks of any width are seen.
    is_blank = unicodedata.category(character) == "Zs"
    return character if is_blank else character.encode("unicode_escape").decode("ascii")


def same_look(names: Iterable[str]) -> tuple[str, str] | None:
    """The first two names that are the same, or differ in nothing that is seen but blanks."""
    seen: dict[str, str] = {}
    for name in names:
        look = unicodedata.normalize("NFC", " ".join(_UNSEEN.sub("", name).split()))
        if look in seen:
            return seen[look], name
        seen[look] = name
    return None


def closest(name: str, known: Sequence[str]) -> str | None:
    """Return the known name that is most like a mistyped one; None where none is."""
    by_lower = {other.lower(): other for other in known}
    found = get_close_matches(name.lower(), list(by_lower), n=1)
    return by_lower[found[0]] if found else None


def position(names: list[str], feature: Any, parameter: str, *, also: Sequence[str] = ()) -> int:
    """The place of a name, or of a position counted from either end.

    Names that were meant are looked for among `also`, too: those of groups.
    """
    n = len(names)
    if isinstance(feature, Integral) and not isinstance(feature, bool):
        if -n <= int(feature) < n:
            return int(feature) % n
        raise ValueError(
            f"{parameter} names position {feature}, but there are {n} features: give 0 to {n - 1}."
        )
    if isinstance(feature, str) and feature in names:
        if names.count(feature) > 1:
            raise ValueError(f"{parameter} names {feature!r}, which several features are called.")
        return names.index(feature)
    meant = closest(feature, [*also, *names]) if isinstance(feature, str) else None
    shown = ", ".join(repr(name) for name in names[:8]) + (", …" if n > 8 else "")
    advice = f"did you mean {meant!r}?" if meant else f"give a position or one of {shown}."
    raise ValueError(f"{parameter} names {feature!r}, which is not a feature: {advice}")


def display_width(text: str) -> int:
    """Return how many columns of a terminal a text takes."""
    return len(text) if text.isascii() else sum(map(_columns, text))


def padded(text: str, width: int) -> str:
    """Fill a text with blanks until it takes `width` columns."""
    return text + " " * (width - display_width(text))


def _columns(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):  # drawn upon the one before
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _first_difference(lines: list[str]) -> int:
    first, last = min(lines), max(lines)  # whatever all share, these two share
    same = (a == b for a, b in zip(first, last, strict=False))
    return next((k for k, agrees in enumerate(same) if not agrees), len(first))


def _both_ends(line: str, width: int) -> str:
    if display_width(line) <= width:
        return line
    tail = (width - 1) // 2
    return f"{_start(line, width - 1 - tail)}…{_end(line, tail)}"


def _from_difference(line: str, where: int, width: int) -> str:
    """Show a long line so that the character at `where` is seen, with some of what precedes it."""
    if display_width(line) <= width:
        return line
    if display_width(line[:where]) <= width // 2:
        return f"{_start(line, width - 1).rstrip()}…"
    head = _start(line, width // 3)
    room = width - display_width(head) - 1
    context = _end(line[:where], room // 2 - 1)
    _, _, words = context.partition(" ")
    rest = (words or context) + line[where:]
    if display_width(rest) <= room:
        return f"{head}…{_end(line, room)}"
    return f"{head}…{_start(rest, room - 1).rstrip()}…"


def _alike(labels: dict[str, str]) -> list[list[str]]:
    """Return the names that share a label, a list for each such label."""
    owners: dict[str, list[str]] = {}
    for name, label in labels.items():
        owners.setdefault(label, []).append(name)
    return [names for names in owners.values() if len(names) > 1]


def named_columns(names: Sequence[str]) -> str:
    """Name columns in a message; of many the first five.

    Examples
    --------
    >>> named_columns(["age"]), named_columns(["age", "dose"])
    ("column 'age'", "columns 'age', 'dose'")
    """
    more = f" and {len(names) - 5} more" if len(names) > 5 else ""
    return f"column{'s' * (len(names) > 1)} {', '.join(map(repr, names[:5]))}{more}"


def _numbered(labels: list[str], width: int) -> list[str]:
    """Put a number at the end of labels that have been used before."""
    taken, found = set(labels), []
    seen: set[str] = set()
    for label in labels:
        candidate, k = label, 1
        while candidate in seen or (k > 1 and candidate in taken):
            k += 1
            candidate = f"{_start(label, width - len(str(k)) - 1)}~{k}"
        seen.add(candidate)
        found.append(candidate)
    return found


def _start(text: str, width: int) -> str:
    """Return as much of a text's beginning as takes at most `width` columns."""
    used = 0
    for k, character in enumerate(text):
        used += _columns(character)
        if used > width:
            return text[:k]
    return text


def _end(text: str, width: int) -> str:
    return _start(text[::-1], width)[::-1]
