"""Properties are tried on the same examples in every run: a failure stays one until it is mended.

``HYPOTHESIS_PROFILE=search make test`` looks for others.
"""

import builtins
import os
import sys

import pytest
from hypothesis import settings

settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.register_profile("search", derandomize=False, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))


@pytest.fixture
def without_matplotlib(monkeypatch):
    """As on a machine that has no matplotlib."""
    genuine = builtins.__import__

    def without_matplotlib(name, *args, **kwargs):
        if name.startswith("matplotlib"):
            raise ImportError(name)
        return genuine(name, *args, **kwargs)

    for name in [name for name in sys.modules if name.startswith("matplotlib")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(builtins, "__import__", without_matplotlib)
