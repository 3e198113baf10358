"""Versions of what an answer depends on."""

from __future__ import annotations

import platform
from functools import cache
from importlib import metadata

from allrelevant._version import __version__

_PACKAGES = ("numpy", "scipy", "scikit-learn", "pandas", "highspy", "joblib")
_version = cache(metadata.version)


def package_versions(*more: str) -> dict[str, str]:
    """Versions of everything that can change a number."""
    versions = {"allrelevant": __version__, "python": platform.python_version()}
    return versions | {package: _version(package) for package in (*_PACKAGES, *more)}
