"""Properties are tried on the same examples in every run: a failure stays one until it is mended.

``HYPOTHESIS_PROFILE=search make test`` looks for others.
"""

import builtins
import gc
import os
import sys

import pytest
from hypothesis import settings

# No deadline: how long an example takes says more about the machine than about us.
settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.register_profile("search", derandomize=False, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))

# What takes longest comes first, so that no process is left with it at the end; so does what waits
# for browsers and other processes.
_LONG = (
    "tests/views/explorer/",
    "tests/data/test_cluster.py",
    "tests/cli/test_signals.py",
    "tests/test_docs.py",
    "linear/fit/test_relevance.py",
    "linear/estimators/test_sklearn_contract.py",
    "forest/test_forest_estimators.py",
    "linear/estimators/test_sparse.py",
    "linear/fit/test_screening.py",
    "tests/test_readme.py",
    "forest/test_forest_stability.py",
    "linear/fit/test_baseline_kinds.py",
)


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """What is collected stays: looking for garbage meanwhile would take half of the time."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()


def pytest_collection_modifyitems(items):
    """Put the tests that take long first; files stay whole."""

    def rank(item):
        places = [k for k, part in enumerate(_LONG) if part in item.path.as_posix()]
        return min(places, default=len(_LONG))

    items.sort(key=rank)


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


@pytest.fixture(autouse=True)
def processes_at_once(monkeypatch):
    """What ``n_jobs`` asks for is done by processes, however short it is."""
    monkeypatch.setattr("allrelevant.backends.starting.SECONDS", 0.0)
