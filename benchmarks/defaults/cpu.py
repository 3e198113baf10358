"""CPU time of a default fit, relative to that of another source tree."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np

import allrelevant
from allrelevant.datasets import PAPER_SETS
from benchmarks.defaults.fits import Setup
from benchmarks.defaults.page import Page

USUAL = 3
OTHERS = ("breast cancer", "diabetes")
ROOT = Path(__file__).parent.parent.parent


def run(setup: Setup, page: Page) -> None:
    """One row per set; the bar is for the median of the simulated ones."""
    if setup.before is None:
        page.say("", "(cpu: skipped, for it wants another source tree: --before PATH.)")
        return
    table = page.table(
        "CPU time of a default fit",
        "Both trees in turn, each in a process of its own that has fitted before.",
        {"CPU s": 2, "CPU s before": 2, "ratio": 2},
    )
    now = _Tree(Path(allrelevant.__file__).parent.parent, setup)
    before = _Tree(setup.before / "src", setup)
    ratios = []
    for name in filter(setup.wants, (*PAPER_SETS, *OTHERS)):
        pairs = [(now.seconds(name, k), before.seconds(name, k)) for k in setup.numbers(USUAL)]
        after, earlier = np.mean(pairs, axis=0)
        row = {"CPU s": after, "CPU s before": earlier, "ratio": after / earlier}
        if name in PAPER_SETS:
            ratios.append(row["ratio"])
        bars = {"ratio": ("≤", 5.0)} if name == "breast cancer" else {}
        table.row(name, [row] * len(pairs), bars)
    if not setup.only:
        table.row("**median of the sets**", [{"ratio": np.median(ratios)}], {"ratio": ("≤", 1.5)})
    now.close()
    before.close()


class _Tree:
    """A process that fits by the source in a folder, one set after the other."""

    def __init__(self, source: Path, setup: Setup) -> None:
        paths = os.pathsep.join([str(source.resolve()), str(ROOT)])
        self.process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.defaults.timed", json.dumps(setup.options)],
            env={**os.environ, "PYTHONPATH": paths},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.seconds("Set 1", 0)  # what is loaded at the first fit does not count

    def seconds(self, name: str, seed: int) -> float:
        """CPU time of one fit."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps([name, seed]) + "\n")
        self.process.stdin.flush()
        return float(self.process.stdout.readline())

    def close(self) -> None:
        """End the process."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()
