"""Files that are whole or not there, and never take the place of what was read."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def written_whole(path: str | os.PathLike[str]) -> Iterator[Path]:
    """A file beside `path`, with the same ending, that takes its place once all is written.

    Where writing fails, what was there before is left as it was. Links are followed; a device or a
    pipe is written as it is.
    """
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        yield target
        return
    beside = target.with_name(f".{secrets.token_hex(6)}{target.suffix}")
    os.close(os.open(beside, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
    try:
        if target.exists():
            beside.chmod(target.stat().st_mode & 0o777)
        yield beside
        beside.replace(target)
    finally:
        beside.unlink(missing_ok=True)


def write_text(path: str | os.PathLike[str], text: str) -> Path:
    """Write a file of text, whole or not at all, and return its path."""
    with written_whole(path) as file:
        file.write_text(text, encoding="utf-8")
    return Path(path)


def refuse_overwriting(
    outputs: Mapping[str, Path | None], inputs: Mapping[str, Path | None]
) -> None:
    """Refuse to write one file twice, or onto one that is read, by whatever names they go."""
    taken = [(f"the file of {name}", path) for name, path in inputs.items() if path is not None]
    for name, path in outputs.items():
        if path is None:
            continue
        for what, other in taken:
            if _are_same(path, other):
                raise ValueError(f"{name}: {path} is {what}, which it would overwrite")
        taken.append((f"what {name} writes", path))


def _are_same(one: Path, other: Path) -> bool:
    if one.exists() and other.exists():
        return one.is_file() and one.samefile(other)
    return os.path.realpath(one) == os.path.realpath(other)
