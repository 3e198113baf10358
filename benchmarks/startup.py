"""CPU time until the command says something, and of importing the package.

Run as ``make startup-bench`` or ``python -m benchmarks.startup``. Writes
docs/results/benchmarks-startup.md. Every call is a process of its own; the files of the standard
library and of the package are compiled before.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
from pathlib import Path

PAGE = Path(__file__).parent.parent / "docs" / "results" / "benchmarks-startup.md"
ASKED = 0.3  # seconds
TIMES = 15
COMMAND = ("-m", "allrelevant")
CALLS = {
    "allrelevant --version": (*COMMAND, "--version"),
    "allrelevant --help": (*COMMAND, "--help"),
    "allrelevant fit --help": (*COMMAND, "fit", "--help"),
    "allrelevant fit missing.csv --target y": (*COMMAND, "fit", "missing.csv", "--target", "y"),
    "import allrelevant": ("-c", "import allrelevant"),
    "from allrelevant import RelevanceClassifier": (
        *("-c", "from allrelevant import RelevanceClassifier"),
    ),
    "Python itself": ("-c", "pass"),
}
HEAD = """# Benchmark of starting

CPU seconds of a process, the median and the largest of {times} runs, by `make startup-bench`. The
command should print its version, its help, or that a file does not exist, within {asked} s.
Code that reads and fits tables is imported only when there is a table.

| call | median | largest |
|---|---|---|
"""


def cpu(arguments: tuple[str, ...]) -> float:
    """CPU seconds of one process, its own and the system's."""
    before = os.times()
    subprocess.run([sys.executable, *arguments], capture_output=True, check=False)
    after = os.times()
    own = after.children_user - before.children_user
    return own + after.children_system - before.children_system


def row(call: str, arguments: tuple[str, ...]) -> str:
    """One line of the table."""
    cpu(arguments)  # compiles
    seconds = [cpu(arguments) for _ in range(TIMES)]
    return f"| `{call}` | {statistics.median(seconds):.2f} | {max(seconds):.2f} |"


def main() -> None:
    """Measure all calls and write the page."""
    rows = []
    for call, arguments in CALLS.items():
        rows.append(row(call, arguments))
        print(rows[-1], flush=True)
    text = HEAD.format(times=TIMES, asked=ASKED) + "\n".join(rows) + "\n"
    PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
