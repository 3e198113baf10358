"""Other selectors, run by another Python so that nothing of theirs is needed here."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from benchmarks.defaults.data import Data
from benchmarks.defaults.fits import Setup

SCRIPT = Path(__file__).parent / "peers_run.py"
MOST = {  # the columns up to which a peer is asked: knockpy's own knockoffs of 10,000 take too long
    "ipss": 10_000,
    "ipss, boosting": 10_000,
    "knockpy": 3_000,
    "knockpy, equicorrelated": 10_000,
}
QUICK = ("ipss", "knockpy, equicorrelated")
LEVEL = 0.2  # their target of the false discovery rate


def available(python: str) -> bool:
    """Whether that Python has them."""
    if not python:
        return False
    command = [python, "-c", "import ipss, knockpy"]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def selected(name: str, data: Data, seed: int, setup: Setup) -> tuple[np.ndarray, float] | None:
    """Which features a peer selects, and its CPU time; None where it fails or runs out of time."""
    seconds = int(setup.limit)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "data.npz"
        np.savez(path, X=data.X, y=data.y)
        command = [setup.peers_python, str(SCRIPT), name, str(path), str(LEVEL), str(seed)]
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            check=False,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds)),
        )
    if done.returncode != 0:
        if done.returncode > 0:  # an error, where running out of time is a signal
            print(f"{name} failed:\n{done.stderr}", file=sys.stderr)
        return None
    answer = json.loads(done.stdout.splitlines()[-1])
    return np.isin(np.arange(data.X.shape[1]), answer["selected"]), answer["seconds"]
