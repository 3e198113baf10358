"""What the values of options look like: names with commas, numbers or one of a few words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import Path
from typing import Any

import click


class NumberOr(click.ParamType):
    """A number within limits, or one of a few words; the word none stands for None.

    Parameters
    ----------
    words : str
        What may be given in place of a number.
    above, below : float, optional
        Limits that the number itself must not reach.
    least : float, optional
        The smallest number there may be.
    whole : bool, default False
        Whether it must be a whole number.
    """

    def __init__(
        self,
        *words: str,
        above: float | None = None,
        below: float = float("inf"),
        least: float | None = None,
        whole: bool = False,
    ) -> None:
        self.words, self.whole = words, whole
        self.above, self.below, self.least = above, below, least
        self.name = "|".join([*words, "number"])

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        """Return the number, the word, or None."""
        if value in self.words:
            return None if value == "none" else value
        try:
            number = (int if self.whole else float)(value)
        except ValueError:
            number = float("nan")
        too_low = self.above is not None and not number > self.above
        too_low = too_low or (self.least is not None and not number >= self.least)
        if too_low or not number < self.below:
            allowed = [*(f"'{word}'" for word in self.words), self._numbers()]
            self.fail(f"{value!r} must be {' or '.join(allowed)}", param, ctx)
        return number

    def _numbers(self) -> str:
        noun = "a whole number" if self.whole else "a number"
        if self.least is not None:
            return f"{noun} of at least {self.least:g}"
        return f"{noun} between {self.above:g} and {self.below:g}"


class Names(click.ParamType):
    """Names with commas between them; a backslash before a comma that belongs to a name."""

    name = "a,b,…"

    def convert(self, value: Any, param: Any, ctx: Any) -> tuple[str, ...]:
        """The names."""
        if not isinstance(value, str):
            return tuple(value)
        parts = value.replace("\\,", "\0").split(",")
        return tuple(part.replace("\0", ",").strip() for part in parts if part.strip())


def names_option(*flags: str, text: str, **kwargs: Any) -> Callable[..., Any]:
    """Return an option that takes names with commas between them, and may be repeated."""

    def joined(ctx: Any, param: Any, value: tuple[tuple[str, ...], ...]) -> tuple[str, ...]:
        return tuple(name for part in value for name in part)

    return click.option(*flags, type=Names(), multiple=True, callback=joined, help=text, **kwargs)


def file_option(flag: str, text: str, **kwargs: Any) -> Callable[..., Any]:
    """Return an option that takes a path."""
    return click.option(flag, type=click.Path(path_type=Path), help=text, **kwargs)


def packing(
    kind: Any, name: str, options: Sequence[Callable[..., Any]], function: Callable[..., Any]
) -> Callable[..., Any]:
    """Add options to a command, which gets those that a dataclass has as one object of it."""
    own = list(kind.__dataclass_fields__)

    @wraps(function)
    def command(*args: Any, **values: Any) -> Any:
        packed = kind(**{key: values.pop(key) for key in own if key in values})
        return function(*args, **{name: packed}, **values)

    for option in reversed(options):
        command = option(command)
    return command
