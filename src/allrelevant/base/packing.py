"""Objects as JSON and arrays, and back: plain data, and the kinds of objects that are listed.

In JSON every mapping says what it stands for by its one key::

    {"array": 3}  {"scalar": 3}          an array of the archive, or its only number
    {"labels": ["a", "b"]}               an array of words or whatever else has no kind of its own
    {"sparse": [[100, 5], data, columns, ends]}          a sparse table, by rows
    {"tuple": […]}  {"set": […]}  {"mapping": [[key, value], …]}  {"float": "inf"}
    {"object": 7}                        one of the objects, of which those before it are parts

An object is ``[kind, {field: value, …}]``. What a kind is, is looked up in a list that the caller
gives: a file can name nothing else.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp


@dataclass(frozen=True)
class Kind:
    """A class whose objects can be packed, and the attributes that it is made of."""

    owner: type
    names: tuple[str, ...]


def kinds_of(classes: Iterable[type]) -> dict[str, Kind]:
    """The kinds of dataclasses, and of classes without attributes, by their names."""
    return {
        one.__name__: Kind(
            one, tuple(f.name for f in fields(one) if f.init) if is_dataclass(one) else ()
        )
        for one in classes
    }


class Packer:
    """Packs values one after the other; what occurs twice is packed once."""

    def __init__(self, kinds: Mapping[str, Kind]) -> None:
        self._kinds = {kind.owner: (name, kind.names) for name, kind in kinds.items()}
        self._known: dict[int, tuple[Any, Any]] = {}  # with the value, so that no other gets its id
        self.arrays: list[np.ndarray] = []
        self.objects: list[Any] = []

    def pack(self, value: Any) -> Any:
        """A value as JSON has it.

        Raises
        ------
        TypeError
            If it is, or holds, an object that is not listed.
        """
        if value is None or isinstance(value, bool | str):
            return value
        if type(value) is int:
            return value
        if type(value) is float:
            return value if math.isfinite(value) else {"float": repr(value)}
        if id(value) not in self._known:
            self._known[id(value)] = value, self._packed(value)
        return self._known[id(value)][1]

    def _packed(self, value: Any) -> Any:
        if isinstance(value, np.ndarray):
            return self._array(value)
        if isinstance(value, np.generic):
            return {"scalar": self._added(np.asarray(value))}
        if isinstance(value, sp.csr_array):
            parts = (value.data, value.indices, value.indptr)
            return {"sparse": [list(value.shape), *map(self._added, parts)]}
        if isinstance(value, Mapping):
            return {"mapping": [[self.pack(key), self.pack(one)] for key, one in value.items()]}
        for name, kind in (("tuple", tuple), ("set", frozenset)):
            if type(value) is kind:
                return {name: [self.pack(one) for one in value]}
        if type(value) is list:
            return [self.pack(one) for one in value]
        if type(value) not in self._kinds:
            raise TypeError(f"a {type(value).__name__} cannot be saved")
        name, names = self._kinds[type(value)]
        content = {one: self.pack(getattr(value, one)) for one in names}
        self.objects.append([name, content])
        return {"object": len(self.objects) - 1}

    def _array(self, value: np.ndarray) -> Any:
        if value.dtype.kind != "O":
            return {"array": self._added(value)}
        if value.ndim != 1:
            raise TypeError("an array of objects cannot be saved")
        return {"labels": [self.pack(one) for one in value.tolist()]}

    def _added(self, array: np.ndarray) -> int:
        self.arrays.append(array)
        return len(self.arrays) - 1


class Unpacker:
    """Makes values of what a `Packer` has packed."""

    def __init__(
        self, kinds: Mapping[str, Kind], objects: list[Any], arrays: list[np.ndarray]
    ) -> None:
        self._kinds, self._arrays, self._objects = kinds, arrays, []
        for name, content in objects:
            self._objects.append(self._made(name, content))

    def unpack(self, value: Any) -> Any:
        """A value, from what JSON has of it.

        Raises
        ------
        ValueError
            If nothing of the kind is ever packed.
        """
        if isinstance(value, list):
            return [self.unpack(one) for one in value]
        if not isinstance(value, dict):
            return value
        if len(value) != 1:
            raise ValueError("a mapping of JSON says what it stands for by one key")
        ((tag, content),) = value.items()
        if tag == "float":
            return float(content)
        if tag == "object":
            return self._objects[_number(content)]
        if tag == "array":
            return self._arrays[_number(content)]
        if tag == "scalar":
            return self._arrays[_number(content)][()]
        if tag == "sparse":
            return self._sparse(*content)
        parts = [self.unpack(one) for one in content]
        if tag == "labels":
            labels = np.empty(len(parts), dtype=object)
            labels[:] = parts
            return labels
        if tag not in _COLLECTIONS:
            raise ValueError(f"unknown kind of value {tag!r}")
        return _COLLECTIONS[tag](parts)

    def _made(self, name: str, content: Mapping[str, Any]) -> Any:
        if name not in self._kinds:
            raise ValueError(f"unknown kind of object {name!r}")
        kind = self._kinds[name]
        strange = set(content) - set(kind.names)
        if strange:
            raise ValueError(f"a {name} has no {', '.join(sorted(strange))}")
        return kind.owner(**{field: self.unpack(value) for field, value in content.items()})

    def _sparse(self, shape: list[int], *parts: int) -> Any:
        data, columns, ends = (self._arrays[_number(k)] for k in parts)
        n_rows, n_columns = map(_number, shape)
        table = sp.csr_array((data, columns, ends), shape=(n_rows, n_columns))
        table.check_format(full_check=True)  # what lies outside would be read all the same
        return table


_COLLECTIONS: dict[str, Any] = {"tuple": tuple, "set": frozenset, "mapping": dict}


def _number(value: Any) -> int:
    """A position; one from the end would be an object that refers to itself."""
    if type(value) is not int or value < 0:
        raise ValueError(f"{value!r} is no position")
    return value
