"""How to tell a saved fit from tables without opening it: other files are zips, too."""

from __future__ import annotations

import os
from pathlib import Path

DOCUMENT = "document.json"
SUFFIX = ".fit"  # what names of fits usually end in; any other will do
_HEAD = 30  # bytes of a zip before the name of its first member


def begins_as_archive(path: str | os.PathLike[str]) -> bool:
    """Whether a file begins as `write_archive` begins one, whole or not."""
    try:
        with Path(path).open("rb") as file:
            start = file.read(_HEAD + len(DOCUMENT))
    except OSError:
        return False
    return start.startswith(b"PK\x03\x04") and start[_HEAD:] == DOCUMENT.encode()
