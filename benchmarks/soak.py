"""Thousands of fits, to see whether one fails: random, degenerate, nearly equal and real columns.

Run as ``make soak`` or ``python -m benchmarks.soak [--minutes 10] [--kinds random real]``. Counts
are kept in out/soak.json, so that the next run goes on where the last one ended; ``--afresh``
forgets them, ``--write`` puts them into docs/results/robustness.md, ``--only near-copies 17`` does
one fit and shows its error.
"""

from __future__ import annotations

import os

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_name] = "1"

import argparse
import json
import time
import warnings
from dataclasses import asdict, dataclass, field
from pathlib import Path

from benchmarks.marked import write_between
from benchmarks.soak_cases import KINDS, case

ROOT = Path(__file__).parent.parent
COUNTS = ROOT / "out" / "soak.json"
SLOW = 60.0  # CPU seconds that no fit of up to 10,000 numbers should take
_LEFT_OUT = "could not be computed"  # what the warning about folds says
_HEDGED = ("is a bound:", "probes were left out", "could be shown to be the best one at C")


@dataclass
class Count:
    """What has become of the fits of one kind."""

    tried: int = 0
    failed: dict[str, str] = field(default_factory=dict)  # by number: what the error said
    slow: dict[str, float] = field(default_factory=dict)  # by number: CPU seconds
    left_out: int = 0
    hedged: int = 0  # fits in which a range is a bound, a probe was left out or C has moved
    seconds: float = 0.0
    slowest: float = 0.0

    def add(self, number: int, seconds: float, error: str | None, said: list[str]) -> None:
        """Count one more fit, with what it has warned of."""
        self.tried += 1
        self.left_out += any(_LEFT_OUT in message for message in said)
        self.hedged += any(word in message for message in said for word in _HEDGED)
        self.seconds += seconds
        self.slowest = max(self.slowest, seconds)
        if error is not None:
            self.failed[str(number)] = error
        if seconds > SLOW:
            self.slow[str(number)] = round(seconds, 1)


def run_one(kind: str, number: int) -> tuple[float, str | None, list[str]]:
    """CPU seconds of one fit, what its error says, and its warnings."""
    asked = case(kind, number)
    start, error = time.process_time(), None
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        try:
            asked.fit()
        except Exception as failure:  # whatever it is, it is counted
            error = f"{type(failure).__name__}: {failure}"[:200]
    return time.process_time() - start, error, [str(warning.message) for warning in said]


def load() -> dict[str, Count]:
    """The counts so far."""
    kept = json.loads(COUNTS.read_text()) if COUNTS.exists() else {}
    return {kind: Count(**kept.get(kind, {})) for kind in KINDS}


def save(counts: dict[str, Count]) -> None:
    """Keep the counts; whole or not at all."""
    COUNTS.parent.mkdir(exist_ok=True)
    new = COUNTS.with_suffix(".new")
    new.write_text(json.dumps({kind: asdict(count) for kind, count in counts.items()}, indent=1))
    new.replace(COUNTS)


def soak(kinds: list[str], minutes: float) -> dict[str, Count]:
    """Do fits of all kinds in turn until the time is over."""
    counts = load()
    until = time.monotonic() + 60.0 * minutes
    while time.monotonic() < until:
        for kind in kinds:
            number = counts[kind].tried
            seconds, error, said = run_one(kind, number)
            counts[kind].add(number, seconds, error, said)
            if error is not None or seconds > SLOW:
                print(f"{kind} {number}: {seconds:.1f} s, {error}", flush=True)
        save(counts)
    return counts


def table(counts: dict[str, Count]) -> str:
    """The counts as a table."""
    lines = [
        "| kind | fits | failed | over 60 s | a C left out | a bound | mean CPU s | slowest |",
        "|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for kind, count in counts.items():
        lines.append(
            f"| {kind} | {count.tried} | {len(count.failed)} | {len(count.slow)} | "
            f"{count.left_out} | {count.hedged} | "
            f"{count.seconds / max(count.tried, 1):.2f} | {count.slowest:.1f} |"
        )
    every = counts.values()
    lines.append(
        f"| **all** | **{sum(c.tried for c in every)}** | "
        f"**{sum(len(c.failed) for c in every)}** | **{sum(len(c.slow) for c in every)}** | "
        f"**{sum(c.left_out for c in every)}** | **{sum(c.hedged for c in every)}** | | |"
    )
    return "\n".join(lines)


def write(counts: dict[str, Count]) -> None:
    """Put the table into its place in the page."""
    write_between("robustness.md", "counts", table(counts))


def main() -> None:
    """Do what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0, help="how long")
    parser.add_argument("--kinds", nargs="+", choices=list(KINDS), default=list(KINDS))
    parser.add_argument("--afresh", action="store_true", help="forget what was counted before")
    parser.add_argument("--write", action="store_true", help="write docs/results/robustness.md")
    parser.add_argument("--only", nargs=2, metavar=("KIND", "NUMBER"), help="one fit")
    asked = parser.parse_args()
    if asked.only is not None:
        case(asked.only[0], int(asked.only[1])).fit()
        return
    if asked.afresh:
        COUNTS.unlink(missing_ok=True)
    counts = soak(asked.kinds, asked.minutes)
    print(table(counts))
    if asked.write:
        write(counts)


if __name__ == "__main__":
    main()
