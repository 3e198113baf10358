"""Which processes live, and whose they are."""

import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")


def processes(belongs):
    """Command lines of the living processes with such a parent and session."""
    found = {}
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        try:
            state, parent, _, session, *_ = (folder / "stat").read_text().rpartition(")")[2].split()
            if state != "Z" and belongs(int(parent), int(session)):
                found[int(folder.name)] = (folder / "cmdline").read_text().replace("\0", " ")
        except OSError:  # it has just ended
            continue
    return found


def processes_of(leader):
    """Those of a session but its leader."""
    found = processes(lambda parent, session: session == leader)
    return {pid: command for pid, command in found.items() if pid != leader}


def is_worker(command):
    return "popen_loky" in command


def workers_of(leader):
    return [pid for pid, command in processes_of(leader).items() if is_worker(command)]


def own_workers():
    found = processes(lambda parent, session: parent == os.getpid())
    return [pid for pid, command in found.items() if is_worker(command)]


def wait_until(condition, seconds):
    deadline = time.monotonic() + seconds
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.05)
    return condition()


@contextmanager
def started(*arguments, **environment):
    """A Python program in a session of its own; nothing of it is left afterwards."""
    with subprocess.Popen(
        [sys.executable, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **environment},
    ) as process:
        try:
            yield process
        finally:
            for pid in [*processes_of(process.pid), process.pid]:
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    continue
