"""Answers to questions: objects that cannot be changed, as plain values and as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from types import MappingProxyType
from typing import Any

import numpy as np


class PlainAnswer:
    """Base of frozen dataclasses (with ``eq=False``) that people get as answers."""

    def __post_init__(self) -> None:
        self.__setstate__(vars(self))

    def __getstate__(self) -> dict[str, Any]:
        # Read-only mappings do not pickle.
        return {
            name: dict(value) if isinstance(value, MappingProxyType) else value
            for name, value in vars(self).items()
        }

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        # Also where it is read again: numpy forgets that an array was read-only.
        for name, value in state.items():
            if isinstance(value, np.ndarray):
                value.flags.writeable = False
            own = MappingProxyType(value) if isinstance(value, dict) else value
            vars(self)[name] = own

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain values."""
        entries = fields(self)  # type: ignore[arg-type]
        return {entry.name: _plain(getattr(self, entry.name)) for entry in entries}

    def to_json(self, indent: int | None = None) -> str:
        """All of it as JSON; labels that JSON does not know become text."""
        return json.dumps(self.to_dict(), indent=indent, default=_as_json)


def _plain(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, PlainAnswer):
        return value.to_dict()
    if isinstance(value, Mapping):
        return {key: _plain(one) for key, one in value.items()}
    if hasattr(value, "_asdict"):
        return value._asdict()
    return [_plain(one) for one in value] if isinstance(value, tuple) else value


def _as_json(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else str(value)
