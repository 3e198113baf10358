"""What all files of fitted estimators share: format and version, parameters, and what damage is."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from allrelevant.base.archive import ArchiveError, read_archive, write_archive
from allrelevant.base.packing import Packer, Unpacker
from allrelevant.base.versions import package_versions

FORMAT, VERSION = "allrelevant.model", (1, 0)
_DAMAGE = (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError)


@dataclass(frozen=True)
class NotSaved:
    """What a parameter was that no file can hold, such as a function or somebody's estimator."""

    was: str

    def __repr__(self) -> str:
        return f"<not saved: {self.was}>"


def known_name(estimator: Any, known: Mapping[str, Any]) -> str:
    """The name under which a fitted estimator is saved, if it is one of those that can be."""
    check_is_fitted(estimator)
    name = type(estimator).__name__
    if known.get(name) is not type(estimator):
        raise TypeError(f"only {', '.join(known)} can be saved, and {name} is none of them.")
    return name


def packed_parameters(packer: Packer, estimator: Any) -> dict[str, Any]:
    """An estimator's parameters; of those that no file can hold, what they were."""
    packed = {}
    parameters = {**estimator.get_params(deep=False), "checkpoint": None}  # a file of its own
    for name, value in parameters.items():
        try:
            packed[name] = packer.pack(value)
        except TypeError:
            packed[name] = packer.pack(NotSaved(repr(value)))
    return packed


def write_saved(
    path: str | os.PathLike[str], estimator: str, content: dict[str, Any], packer: Packer
) -> None:
    """Write what was packed of an estimator."""
    about = {"format": FORMAT, "version": list(VERSION), "written_by": package_versions()}
    document = {**about, "estimator": estimator, **content, "objects": packer.objects}
    write_archive(path, document | {"seal": _digest(document, packer.arrays)}, packer.arrays)


def check_seal(
    path: str | os.PathLike[str], document: Mapping[str, Any], arrays: Sequence[np.ndarray]
) -> None:
    """Refuse a file whose content was changed after `write_saved` had written it.

    What was changed may have the right shape, and answers would be wrong.
    """
    if document.get("seal") != _digest(document, arrays):
        raise ArchiveError(f"{path} is damaged: it was changed after it had been saved")


def _digest(document: Mapping[str, Any], arrays: Sequence[np.ndarray]) -> str:
    """A number that is another one if a value of the document, or of an array, is."""
    sealed = {key: value for key, value in document.items() if key != "seal"}
    found = hashlib.sha256(json.dumps(sealed, sort_keys=True).encode())
    for array in arrays:
        found.update(f"{array.dtype.str}{array.shape}".encode())
        found.update(np.ascontiguousarray(array).tobytes())
    return found.hexdigest()


def open_saved(path: str | os.PathLike[str]) -> tuple[dict[str, Any], list[np.ndarray]]:
    """Read what `write_saved` has written, whatever estimator it is of.

    Raises
    ------
    ArchiveError
        If it is no such file, is damaged, or of another version of the format.
    """
    document, arrays = read_archive(path)
    version = document.get("version")
    if document.get("format") != FORMAT or not isinstance(version, list) or not version:
        raise ArchiveError(f"{path} is not a file that allrelevant saved")
    if version[0] != VERSION[0]:
        writer = document.get("written_by")
        writer = writer.get("allrelevant") if isinstance(writer, dict) else None
        raise ArchiveError(
            f"{path} has version {version[0]} of the format, written by allrelevant {writer}, and "
            f"this is allrelevant {package_versions()['allrelevant']}, which reads version "
            f"{VERSION[0]}: use that one, or fit again"
        )
    return document, arrays


def remade(
    document: dict[str, Any], unpacker: Unpacker, known: Mapping[str, Any]
) -> tuple[Any, dict[str, Any]]:
    """The estimator that a file is of, with its parameters, and the state written beside them."""
    parameters, state = (
        {key: unpacker.unpack(value) for key, value in document[part].items()}
        for part in ("parameters", "state")
    )
    return known[document["estimator"]](**parameters), state


@contextmanager
def damage_in(path: str | os.PathLike[str]) -> Iterator[None]:
    """Whatever goes wrong while a file's content is made use of, the file is to blame."""
    try:
        yield
    except _DAMAGE as error:
        raise ArchiveError(f"{path} is damaged: {type(error).__name__}: {error}") from error
