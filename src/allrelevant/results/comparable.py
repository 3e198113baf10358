"""What two fits have in common: whether they can be compared, and what to know about it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from allrelevant.base.names import short_names

if TYPE_CHECKING:
    from allrelevant.results.relevance import RelevanceResult

_MOST = 8  # names in a sentence


def first_few(names: Sequence[str], most: int = _MOST) -> str:
    """Names in a sentence, the first of many."""
    return ", ".join(names[:most]) + (" …" if len(names) > most else "")


def check_comparable(first: RelevanceResult, second: RelevanceResult) -> None:
    """Refuse fits whose relevance means different things, or is of different features."""
    if first.task != second.task:
        raise ValueError(f"a is a fit for {first.task} and b one for {second.task}.")
    if first.has_weights_by_class != second.has_weights_by_class:
        counts = ("several", "two") if first.has_weights_by_class else ("two", "several")
        raise ValueError(
            f"a is a fit of {counts[0]} classes, b of {counts[1]}. Relevance is a weight with two "
            "classes and a difference of weights with several: fit the same classes in both."
        )
    problem = nothing_in_common(first.names, second.names)
    if problem is not None:
        raise ValueError(f"{problem}.")


def nothing_in_common(first: Iterable[str], second: Iterable[str]) -> str | None:
    """What to say of two fits without a common feature."""
    own, other = list(first), list(second)
    if set(own) & set(other):
        return None
    advice = "give the same columns the same names in both"
    alike = _only_spelt_differently(own, other)
    if alike:
        advice = f"{' and '.join(map(repr, alike[0]))} are two names, {advice}"
    names = [first_few(short_names(one[:3], 40) + one[3:4], 3) for one in (own, other)]
    return f"no feature is in both fits: {names[0]} in one, {names[1]} in the other; {advice}"


def remarks_on(
    a: Any, b: Any, first: RelevanceResult, second: RelevanceResult, settings: dict[str, Any]
) -> list[str]:
    """What else is not the same in both fits: classes, columns, what is known when predicting.

    What the settings have to say of the same is taken out of them.
    """
    said = _on_classes(a, b, first, second, settings)
    if "basis" not in settings:
        said += _on_columns(first, second)
    for names, others, when in (
        (first.privileged_names, second.names, "before"),
        (second.privileged_names, first.names, "after"),
    ):
        moved = [name for name in names if name in set(others)]
        if moved:
            said.append(f"Known in training only {when}, and not compared: {first_few(moved)}.")
    both = [name for name in first.privileged_names if name in set(second.privileged_names)]
    if both:
        said.append(f"Known in training only, and not compared: {first_few(both)}.")
    for one, other in _only_spelt_differently(first.names, second.names)[:_MOST]:
        said.append(f"{one!r} and {other!r} are two names: spell them alike to compare them.")
    return said


def _on_classes(
    a: Any, b: Any, first: RelevanceResult, second: RelevanceResult, settings: dict[str, Any]
) -> list[str]:
    """Say which classes are told apart, if they are not the same."""
    known = [getattr(one, "classes_", None) for one in (a, b)]
    if any(one is None for one in known):
        n = [one.baseline.get("n_classes") for one in (first, second)]
        return [] if n[0] == n[1] else [f"There are {n[0]} classes before and {n[1]} after."]
    settings.pop("classes", None)
    own, other = ([str(label) for label in one] for one in known)  # type: ignore[union-attr]
    if own == other:
        return []
    return [f"The classes are not the same: {first_few(own)} before, and {first_few(other)} after."]


def _on_columns(first: RelevanceResult, second: RelevanceResult) -> list[str]:
    """Say which features are not made of the same columns, such as categories with other levels."""
    common = set(first.names) & set(second.names)
    said = []
    for name in dict.fromkeys([*first.columns, *second.columns]):
        own, other = (_columns(one, name) for one in (first, second))
        if name not in common or set(own) == set(other):
            continue
        if len(own) == 1 or len(other) == 1:
            said.append(f"{name} is {_counted(own)} before and {_counted(other)} after.")
            continue
        gone = [column for column in own if column not in other]
        new = [column for column in other if column not in own]
        parts = [
            f"{first_few(part)} only {when}" for part, when in ((gone, "before"), (new, "after"))
        ]
        kept = [part for part, names in zip(parts, (gone, new), strict=True) if names]
        said.append(f"{name} has other columns: {', '.join(kept)}.")
    return said[:_MOST]


def _columns(result: RelevanceResult, name: str) -> list[str]:
    own = result.columns.get(name)
    return [name] if own is None else [str(column) for column in own["names"]]


def _counted(columns: Sequence[str]) -> str:
    return "one column" if len(columns) == 1 else f"{len(columns)} columns ({first_few(columns)})"


def _only_spelt_differently(first: Iterable[str], second: Iterable[str]) -> list[tuple[str, str]]:
    """Names that differ in case and blanks alone."""
    own, others = list(first), list(second)
    common = set(own) & set(others)
    spelt = {_plain(name): name for name in own if name not in common}
    found = [(_plain(name), name) for name in others if name not in common]
    return [(spelt[plain], name) for plain, name in found if plain in spelt]


def _plain(name: str) -> str:
    return "".join(char for char in name.casefold() if char not in " _-.") or name
