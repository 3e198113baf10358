"""Names of a package that are imported when they are first used."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def lazily(
    package: str, homes: Mapping[str, str], parts: str = ""
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return the functions ``__getattr__`` and ``__dir__`` of a package whose names come later.

    Type checkers read the imports that stand in the other branch of ``TYPE_CHECKING``.

    Parameters
    ----------
    package : str
        Its ``__name__``.
    homes : mapping of str to str
        By module, the names that come from there, with blanks between them.
    parts : str
        Modules of the package that are found without being imported by hand.
    """
    home = {name: module for module, names in homes.items() for name in names.split()}

    def find(name: str) -> Any:
        if name in home:
            value = getattr(import_module(home[name]), name)
        elif name in parts.split():
            value = import_module(f"{package}.{name}")
        else:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        setattr(sys.modules[package], name, value)
        return value

    def names() -> list[str]:
        return sorted({*vars(sys.modules[package]), *home, *parts.split()})

    return find, names
