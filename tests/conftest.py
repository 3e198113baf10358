"""Properties are tried on the same examples in every run: a failure stays one until it is mended.

``HYPOTHESIS_PROFILE=search make test`` looks for others.
"""

import builtins
import gc
import os
import signal
import sys

import pytest
from hypothesis import settings

# No deadline: how long an example takes says more about the machine than about us.
settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.register_profile("search", derandomize=False, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))

# Under nohup a hang-up is ignored here and in all that is started here. A handler that does nothing
# keeps the first, and what is started has the default again.
if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
    signal.signal(signal.SIGHUP, lambda number, frame: None)

# What takes longest comes first, so that no process is left with it at the end. Files that mostly
# wait for a browser or for other processes take turns with two that compute: where several of them
# waited at once, no core would have anything to do.
_LONG = (
    "tests/test_docs.py",
    "forest/test_forest_estimators.py",
    "linear/estimators/test_sklearn_contract.py",
    "linear/engine/ranges/test_solver.py",
    "tests/cli/test_signals.py",
    "forest/test_forest_stability.py",
    "questions/test_constrained_answers.py",
    "linear/engine/batch/test_guests.py",
    "linear/fit/ranges/test_several.py",
    "forest/test_forest_contract.py",
    "linear/questions/sets/test_groups.py",
    "linear/fit/ranges/test_relevance.py",
    "tests/test_readme.py",
)
_WAITING = ("tests/views/explorer/", "tests/backends/", "tests/data/test_cluster.py")


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
    """Put files that take long first, and those that wait among others; files stay whole."""

    def rank(file):
        return min((k for k, part in enumerate(_LONG) if part in file), default=len(_LONG))

    files = sorted(dict.fromkeys(item.path.as_posix() for item in items), key=rank)
    waiting = [file for file in files if any(part in file for part in _WAITING)]
    others = [file for file in files if file not in waiting]
    places = {file: 3 * k for k, file in enumerate(waiting)}
    places |= {file: 3 * (k // 2) + 1 + k % 2 for k, file in enumerate(others)}
    items.sort(key=lambda item: places[item.path.as_posix()])


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
