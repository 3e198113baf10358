"""One file of JSON and arrays, which is safe to open wherever it comes from.

The file is a zip that holds ``document.json`` and ``arrays/0.npy``, ``arrays/1.npy``, … None of it
is compressed, so that no file takes more memory than its own size. Nothing is unpacked to disk, and
no array holds objects.
"""

from __future__ import annotations

import errno
import io
import json
import os
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib import format as npy

from allrelevant.base.archive_mark import DOCUMENT, begins_as_archive
from allrelevant.base.writing import written_whole

_ARRAY = "arrays/{}.npy"
_KINDS = "biufUMm"  # numbers, text and times: nothing that would have to be made by code
_WHEN = (1980, 1, 1, 0, 0, 0)  # the same model is the same file


class ArchiveError(ValueError):
    """A file that is none of ours, or is damaged; the message is one line for people."""


def write_archive(
    path: str | os.PathLike[str], document: Mapping[str, Any], arrays: Sequence[np.ndarray]
) -> None:
    """Write a document and the arrays that it speaks of, by their numbers."""
    with written_whole(path) as place, zipfile.ZipFile(place, "w") as file:
        text = json.dumps(document, allow_nan=False, ensure_ascii=False, separators=(",", ":"))
        file.writestr(zipfile.ZipInfo(DOCUMENT, _WHEN), text.encode("utf-8"))
        for k, array in enumerate(arrays):
            content = io.BytesIO()
            npy.write_array(content, array, allow_pickle=False)
            file.writestr(zipfile.ZipInfo(_ARRAY.format(k), _WHEN), content.getvalue())


def read_archive(path: str | os.PathLike[str]) -> tuple[dict[str, Any], list[np.ndarray]]:
    """Read what `write_archive` has written.

    Raises
    ------
    ArchiveError
        If it is no such file, or not all of it is there.
    """
    try:
        with zipfile.ZipFile(path) as file:
            members = _checked(file, Path(path).stat().st_size)
            document = json.loads(file.read(members[0]).decode("utf-8"))
            arrays = [_array(file.read(member)) for member in members[1:]]
    except zipfile.BadZipFile as error:
        if begins_as_archive(path):
            # It begins as one of ours, so what zipfile calls no zip file lacks its end.
            is_cut = not zipfile.is_zipfile(path)
            why = "its end is missing" if is_cut else str(error)
            raise ArchiveError(f"{path} is damaged: {why}") from None
        raise ArchiveError(f"{path} is not a file that allrelevant saved") from None
    except ArchiveError as error:
        raise ArchiveError(f"{path} {error}") from None
    except OSError as error:
        if error.errno != errno.EINVAL or error.filename is not None:
            raise
        # A place that the list of members names is before the file begins.
        raise ArchiveError(f"{path} is damaged: its list of parts is wrong") from None
    except Exception as error:  # the readers of zip, JSON and arrays have all kinds of errors
        raise ArchiveError(f"{path} is damaged: {error}") from None
    if not isinstance(document, dict):
        raise ArchiveError(f"{path} is not a file that allrelevant saved")
    return document, arrays


def _checked(file: zipfile.ZipFile, size: int) -> list[zipfile.ZipInfo]:
    """The members in their order: those that there have to be, and none that grows when read."""
    members = file.infolist()
    names = [DOCUMENT, *(_ARRAY.format(k) for k in range(len(members) - 1))]
    if [member.filename for member in members] != names:
        raise ArchiveError("is not a file that allrelevant saved")
    plain = all(
        member.compress_type == zipfile.ZIP_STORED and member.file_size == member.compress_size
        for member in members
    )
    if not plain:
        raise ArchiveError("was packed by another program: its parts must not be compressed")
    if sum(member.file_size for member in members) > size:
        raise ArchiveError("is damaged: its parts are larger than the file")
    return members


def _array(content: bytes) -> np.ndarray:
    """An array whose numbers are all there; its size is looked at before memory is taken."""
    stream = io.BytesIO(content)
    if npy.read_magic(stream) != (1, 0):
        raise ArchiveError("is damaged: an array is of a kind that is not written")
    shape, by_column, dtype = npy.read_array_header_1_0(stream)
    if dtype.kind not in _KINDS or dtype.hasobject:
        raise ArchiveError(f"is damaged: an array holds {dtype}")
    n = 1
    for length in shape:
        n *= int(length)
    if min(shape, default=0) < 0 or n * dtype.itemsize != len(content) - stream.tell():
        raise ArchiveError("is damaged: an array is not whole")
    if not n:
        return np.zeros(shape, dtype)
    flat = np.frombuffer(content, dtype, n, stream.tell())
    return flat.reshape(shape, order="F" if by_column else "C").copy(order="K")
