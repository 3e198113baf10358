"""What a run is: digests of everything that its answer depends on."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from numbers import Integral
from typing import Any

import numpy as np

from allrelevant.base.versions import package_versions

_MATTER_NOT = ("n_jobs", "verbose", "checkpoint")  # parameters that change no number
_NUMBERS_AT_ONCE = 2**20


def check_checkpoint(checkpoint: Any, random_state: Any) -> None:
    """Raise ValueError for a checkpoint that is no file, or of a run that could not go on."""
    if checkpoint is None:
        return
    if not isinstance(checkpoint, str | os.PathLike):
        raise ValueError(f"checkpoint must be the name of a file or None, got {checkpoint!r}.")
    if not isinstance(random_state, Integral):
        raise ValueError(
            "with a checkpoint random_state must be a whole number, so that a resumed run "
            f"draws the same random numbers, got {random_state!r}."
        )


def settings_of(estimator: Any) -> dict[str, Any]:
    """The parameters that an answer hangs on; where it was kept meanwhile is none of them."""
    settings = estimator.get_params(deep=False)
    return {name: value for name, value in settings.items() if name != "checkpoint"}


def identity_of(estimator: Any, *data: Any) -> Mapping[str, str]:
    """What a fit of an estimator to prepared data is, part by part."""
    parameters = estimator.get_params(deep=True)
    kept = {name: value for name, value in parameters.items() if name not in _MATTER_NOT}
    return {
        "the kind of estimator": type(estimator).__name__,
        "a version": json.dumps(package_versions(), sort_keys=True),
        "a parameter": _digest(sorted(kept.items())),
        "the data": _digest(data),
    }


def question_of(estimator: Any, question: str, asked: Any, *data: Any) -> Mapping[str, str]:
    """What a question to a fitted estimator is, part by part."""
    return {**identity_of(estimator, *data), "the question": f"{question} {_digest(asked)}"}


def _digest(value: Any) -> str:
    digest = hashlib.sha256()
    for part in _bytes_of(value):
        digest.update(part)
    return digest.hexdigest()


def _bytes_of(value: Any) -> Iterator[bytes]:
    """All that tells a value from others; two things of one kind never run into one another."""
    yield f"\0{type(value).__name__}\0".encode()
    if isinstance(value, np.ndarray) and value.dtype != object:
        yield f"{value.dtype} {value.shape}".encode()
        yield np.ascontiguousarray(value).tobytes()
    elif hasattr(value, "block") and hasattr(value, "shape"):  # a Matrix, wherever its rows live
        yield from _rows_of(value)
    elif isinstance(value, list | tuple | np.ndarray):
        for one in value:
            yield from _bytes_of(one)
    elif isinstance(value, Mapping):
        yield from _bytes_of(list(value.items()))
    elif is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            yield from _bytes_of(getattr(value, field.name))
    elif callable(value):  # its address says nothing
        yield f"{getattr(value, '__module__', '')}.{getattr(value, '__qualname__', '')}".encode()
    else:
        yield repr(value).encode()


def _rows_of(matrix: Any) -> Iterator[bytes]:
    n, d = matrix.shape
    yield f"{n} {d}".encode()
    step = max(_NUMBERS_AT_ONCE // max(d, 1), 1)
    for first in range(0, n, step):
        rows = np.arange(first, min(first + step, n))
        yield np.ascontiguousarray(matrix.block(rows, np.arange(d))).tobytes()
