"""Run as ``python -m benchmarks.defaults [--part unequal,ar] [--seeds N] [--write]``."""

from __future__ import annotations

import argparse
import json
import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

from importlib import import_module
from pathlib import Path

from benchmarks.defaults.fits import Setup, check_options
from benchmarks.defaults.page import Page

PARTS = (
    "unequal",
    "ordinal",
    "breast",
    "noise",
    "groups",
    "shapes",
    "categories",
    "classes",
    "sums",
    "shared",
    "alike",
    "wide",
    "ar",
    "coverage",
    "cpu",
)
FIRST = 7000  # the defaults were chosen on seeds below


def main() -> None:
    """Print the tables of some parts, or of all, and write them into the docs if asked."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.defaults")
    parser.add_argument("--part", default=",".join(PARTS), help="which parts, with commas between")
    parser.add_argument("--seeds", type=int, help="runs of each case; each part has its own number")
    parser.add_argument("--first", type=int, default=FIRST, help="the first seed")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--options", default="{}", help="estimator parameters, as JSON")
    parser.add_argument("--limit", type=float, default=300.0, help="CPU seconds a fit may take")
    parser.add_argument("--data", type=Path, default=Path("data/ordinal"), help="ordinal sets")
    parser.add_argument("--splits", type=int, default=30, help="how many of the published splits")
    parser.add_argument(
        "--widths", type=_whole_numbers, default=(2000, 10_000), help="numbers of features of wide"
    )
    parser.add_argument("--only", default="", help="only rows whose names have this in them")
    parser.add_argument("--quick-peers", action="store_true", help="only those that take seconds")
    parser.add_argument("--peers-python", default="", help="a Python that has ipss and knockpy")
    parser.add_argument("--before", type=Path, help="a source tree to compare CPU time with")
    parser.add_argument("--write", action="store_true", help="put the tables into the docs")
    given = vars(parser.parse_args())
    parts, write = given.pop("part").split(","), given.pop("write")
    unknown = sorted(set(parts) - set(PARTS))
    if unknown:
        parser.error(f"no such part: {', '.join(unknown)}; there are {', '.join(PARTS)}")
    given["options"] = json.loads(given["options"])
    setup = Setup(**given)
    check_options(setup.options)
    for part in parts:
        page = Page(part)
        import_module(f"benchmarks.defaults.{part}").run(setup, page)
        if write:
            page.write(some=bool(setup.only))


def _whole_numbers(text: str) -> tuple[int, ...]:
    return tuple(int(each) for each in text.split(","))


if __name__ == "__main__":
    main()
