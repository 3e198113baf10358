"""Records: plain, immutable data that equals, pickles and survives JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

# In mappings the string "inf" is not the number: numbers get a tag, keys like it one more "$".
_FLOAT_TAG = "$float"


class Record:
    """Base of frozen dataclasses (with ``eq=False``) of strings, arrays and mappings, by feature.

    A subclass names its JSON format in `_format`. Its fields say what they are by
    :mod:`allrelevant.results.entries`.
    """

    _format: ClassVar[str]
    names: tuple[str, ...]

    @property
    def n_features(self) -> int:
        """Number of features."""
        return len(self.names)

    def __post_init__(self) -> None:
        for entry in fields(self):  # type: ignore[arg-type]
            convert = entry.metadata.get("convert")
            if convert is not None:
                self._convert(entry.name, partial(convert, self))

    def _convert(self, name: str, convert: Callable[[Any], Any]) -> None:
        """Replace a field by what `convert` makes of it; say which it was where that fails."""
        try:
            value = convert(getattr(self, name))
        except (TypeError, ValueError, KeyError) as error:
            owner = type(self).__name__
            raise ValueError(f"{name!r} of a {owner} is not usable: {error}") from error
        object.__setattr__(self, name, value)

    def find_later(self, name: str, find: Callable[[], Any]) -> None:
        """Have a field, which was given in part only, found when it is first read."""
        object.__setattr__(self, "_later", {**vars(self).get("_later", {}), name: find})
        object.__delattr__(self, name)

    if not TYPE_CHECKING:  # else any name would pass for a field

        def __getattr__(self, name: str) -> Any:
            # Python asks this of what is missing, such as a field that is to be found.
            later = vars(self).get("_later", {})
            if name not in later:
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
            object.__setattr__(self, name, later[name]())
            (entry,) = (one for one in fields(self) if one.name == name)
            self._convert(name, partial(entry.metadata["convert"], self))
            del later[name]
            return getattr(self, name)

    def to_json(self, indent: int | None = None) -> str:
        """Return the whole result as strictly valid JSON, on one line unless `indent` is given.

        Infinite and missing numbers, which JSON lacks, are written as "inf", "-inf" and "nan" in
        arrays and as ``{"$float": "inf"}`` within mappings.
        """
        document = {"format": self._format, **self._content()}
        return json.dumps(document, indent=indent, allow_nan=False)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read a result written by `to_json`; it equals the one written.

        Raises
        ------
        ValueError
            If the text is not JSON, is of another format, or lacks or garbles a field.
        """
        try:
            document = json.loads(text, object_hook=_untag)
        except (TypeError, ValueError) as error:
            raise ValueError(f"this is not valid JSON: {error}") from error
        found = document.get("format") if isinstance(document, dict) else None
        if found != cls._format:
            raise ValueError(f"expected a JSON document of format {cls._format!r}, found {found!r}")
        return cls._from_content(document)

    @classmethod
    def _from_content(cls, document: dict[str, Any]) -> Self:
        names = [entry.name for entry in fields(cls)]  # type: ignore[arg-type]
        missing = [name for name in names if name not in document]
        if missing:
            raise ValueError(f"the JSON document lacks the fields {', '.join(missing)}")
        return cls(**{name: document[name] for name in names})

    def _content(self) -> dict[str, Any]:
        """The fields as JSON has them."""
        entries = fields(self)  # type: ignore[arg-type]
        return {entry.name: encode(getattr(self, entry.name)) for entry in entries}

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, type(self)):
            return NotImplemented
        return self._content() == other._content()

    # Read-only mappings do not pickle, and numpy forgets that an array was read-only.
    def __reduce__(self) -> tuple[Callable[[str], Self], tuple[str]]:
        return type(self).from_json, (self.to_json(),)


def encode(value: Any, tagged: bool = True) -> Any:
    """A field as JSON has it; numbers that JSON lacks are tagged where strings may be too."""
    if isinstance(value, np.ndarray):
        return encode(value.tolist(), tagged=False)
    if isinstance(value, Mapping):
        return {"$" * key.startswith("$") + key: encode(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [encode(item, tagged) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return {_FLOAT_TAG: repr(value)} if tagged else repr(value)
    return value


def _untag(item: dict[str, Any]) -> Any:
    if item.keys() == {_FLOAT_TAG}:
        return float(item[_FLOAT_TAG])
    return {key.removeprefix("$"): value for key, value in item.items()}
