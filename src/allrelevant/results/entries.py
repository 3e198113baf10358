"""What the fields of records are: words, facts, numbers, yes or no, classes.

A field is declared by one of the functions that give one, such as ``numbers("names", 2)``: two
numbers for each name. Lengths are those of other fields, by their names, or numbers, or None where
any will do. With ``empty=True`` it may be empty whatever the lengths, and is so by default.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, field
from functools import partial
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

Length = int | str | None


def entry(convert: Callable[[Any, Any], Any], *, default: Any = MISSING) -> Any:
    """A field whose value is what `convert` makes of the record and the value given."""
    return field(default=default, metadata={"convert": convert})


def words(*, default: Any = MISSING) -> Any:
    """A field of strings."""
    return entry(lambda _, value: _strings(value), default=default)


def facts() -> Any:
    """A field of plain values by their names, by default none."""
    return field(default_factory=dict, metadata={"convert": lambda _, value: plain_mapping(value)})


def numbers(*shape: Length, **more: Any) -> Any:
    """A field of numbers."""
    return _arrays(array_of, shape, **more)


def flags(*shape: Length, **more: Any) -> Any:
    """A field of yes and no."""
    return _arrays(_flags, shape, **more)


def labels(*shape: Length, **more: Any) -> Any:
    """A field of the three classes."""
    return _arrays(class_array, shape, **more)


def _arrays(
    make: Callable[..., Any],
    shape: tuple[Length, ...],
    *,
    default: Any = MISSING,
    empty: bool = False,
) -> Any:
    default = () if empty else default
    return entry(partial(_shaped, make, shape, empty), default=default)


def _shaped(
    make: Callable[..., Any], shape: tuple[Length, ...], empty: bool, record: Any, value: Any
) -> Any:
    wanted = [len(getattr(record, one)) if isinstance(one, str) else one for one in shape]
    if empty and not np.size(value):
        wanted[0] = 0
    return make(value, tuple(wanted))


def _strings(value: Any) -> tuple[str, ...]:
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


def _flags(value: Any, shape: tuple[int | None, ...]) -> NDArray[np.bool_]:
    array = array_of(value, shape)
    if not np.isin(array, (0, 1)).all():
        raise ValueError("expected True or False for each feature")
    found = array.astype(np.bool_)
    found.flags.writeable = False
    return found


def class_array(value: Any, shape: tuple[int | None, ...]) -> NDArray[np.int64]:
    """A read-only array of classes."""
    array = array_of(value, shape)
    if not np.isin(array, (0, 1, 2)).all():
        raise ValueError("expected 0 (irrelevant), 1 (weak) or 2 (strong) for each feature")
    classes = array.astype(np.int64)
    classes.flags.writeable = False
    return classes


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
