"""What all files of fitted estimators share: format and version, parameters, and what damage is."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from allrelevant.base.archive import ArchiveError, read_archive, write_archive
from allrelevant.base.packing import Packer
from allrelevant.base.versions import package_versions

__all__ = ["NotSaved", "damage_in", "open_saved", "packed_parameters", "write_saved"]

FORMAT, VERSION = "allrelevant.model", (1, 0)
_DAMAGE = (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError)


@dataclass(frozen=True)
class NotSaved:
    """What a parameter was that no file can hold, such as a function or somebody's estimator."""

    was: str

    def __repr__(self) -> str:
        return f"<not saved: {self.was}>"


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
    about = {
        "format": FORMAT,
        "version": list(VERSION),
        "written_by": package_versions(),
        "estimator": estimator,
    }
    write_archive(path, about | content | {"objects": packer.objects}, packer.arrays)


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


@contextmanager
def damage_in(path: str | os.PathLike[str]) -> Iterator[None]:
    """Whatever goes wrong while a file's content is made use of, the file is to blame."""
    try:
        yield
    except _DAMAGE as error:
        raise ArchiveError(f"{path} is damaged: {type(error).__name__}: {error}") from error
