"""Records: plain, immutable data that equals, pickles and survives JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import fields
from types import MappingProxyType
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "Record",
    "array_of",
    "encode",
    "no_classes",
    "no_flags",
    "no_numbers",
    "no_pairs",
    "optional_flags",
    "optional_numbers",
    "pairs_by_function",
    "plain_mapping",
    "strings",
]

# In mappings the string "inf" is not the number: numbers get a tag, keys like it one more "$".
_FLOAT_TAG = "$float"


class Record:
    """Base of frozen dataclasses (with ``eq=False``) of strings, arrays and mappings.

    A subclass names its JSON format in `_format`, the fields that older documents may lack in
    `_optional`, and converts its fields in ``__post_init__`` by `_convert`.
    """

    _format: ClassVar[str]
    _optional: ClassVar[tuple[str, ...]] = ()

    def _convert(self, name: str, convert: Callable[[Any], Any]) -> None:
        """Replace a field by what `convert` makes of it; say which it was where that fails."""
        try:
            value = convert(getattr(self, name))
        except (TypeError, ValueError, KeyError) as error:
            owner = type(self).__name__
            raise ValueError(f"{name!r} of a {owner} is not usable: {error}") from error
        object.__setattr__(self, name, value)

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
        missing = [name for name in names if name not in document and name not in cls._optional]
        if missing:
            raise ValueError(f"the JSON document lacks the fields {', '.join(missing)}")
        return cls(**{name: document[name] for name in names if name in document})

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


# What fields are made of


def strings(value: Any) -> tuple[str, ...]:
    """A sequence of strings."""
    if isinstance(value, str):
        raise TypeError("expected a sequence of strings, found a single string")
    return tuple(str(item) for item in value)


def array_of(value: Any, shape: tuple[int | None, ...]) -> NDArray[np.float64]:
    """A read-only copy as an array of numbers; the first length may be left open."""
    array = np.array(value, dtype=np.float64)
    wanted = tuple(len(array) if rows is None else rows for rows in shape)
    if array.size == 0 and 0 in wanted:  # an empty list does not know its columns
        array = array.reshape(wanted)
    if array.shape != wanted:
        raise ValueError(f"expected shape {wanted}, found {array.shape}")
    array.flags.writeable = False
    return array


def optional_numbers(value: Any, d: int) -> NDArray[np.float64]:
    """A read-only array of one number for each of d things; empty where none is known."""
    return array_of(value, (d,) if np.size(value) else (0,))


def optional_flags(value: Any, d: int) -> NDArray[np.bool_]:
    """A read-only array of one yes or no for each of d things; empty where none is known."""
    array = optional_numbers(value, d)
    if not np.isin(array, (0, 1)).all():
        raise ValueError("expected True or False for each feature")
    flags = array.astype(np.bool_)
    flags.flags.writeable = False
    return flags


def plain_mapping(value: Any) -> Mapping[str, Any]:
    """A read-only mapping of plain values: what JSON has no word for becomes its name or repr."""
    if not isinstance(value, Mapping):
        raise TypeError(f"expected a mapping, found {type(value).__name__}")
    return MappingProxyType({str(key): _plain(item) for key, item in value.items()})


def _plain(value: Any) -> Any:
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, Mapping):
        return plain_mapping(value)
    if isinstance(value, list | tuple):
        return tuple(_plain(item) for item in value)
    return getattr(value, "__qualname__", None) or repr(value)


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


def no_numbers() -> NDArray[np.float64]:
    """What one number for each feature is where none is known."""
    return np.empty(0)


def no_pairs() -> NDArray[np.float64]:
    """The same for two numbers each."""
    return np.empty((0, 2))


def no_flags() -> NDArray[np.bool_]:
    """The same for whether something is true."""
    return np.zeros(0, dtype=np.bool_)


def no_classes() -> NDArray[np.int64]:
    """The same for classes."""
    return np.zeros(0, dtype=np.int64)


def pairs_by_function(value: Any, p: int) -> NDArray[np.float64]:
    """Two numbers for each of p features in each function, however many; empty if not known."""
    n_functions = np.shape(value)[1] if np.ndim(value) > 1 else 0
    return array_of(value, shape=(p if n_functions else 0, n_functions, 2))
