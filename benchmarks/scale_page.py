"""The growth page and its picture, from what `benchmarks.scale` has measured."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from benchmarks.scale_cases import (
    C_TIMES_ROWS,
    CASES,
    COLUMNS,
    FOLDS_AND_PROBES,
    GIVEN,
    NARROW,
    NUMBERS,
    OMICS,
    PARQUET,
    PUBLISHED,
    TALL,
    TEXTS,
    WIDE,
    WIDE_NARROW,
    Case,
)

DOCS = Path(__file__).parent.parent / "docs"
PICTURE = "images/scale.png"
Known = dict[str, dict[str, float]]


def growth(known: Known, cases: list[Case], place: int) -> str:
    """The power of rows (1) or columns (2) with which CPU time grows, by least squares.

    Nothing is said where there are two tables, or where a larger one took less time.
    """
    points = [(case[place], known[case.key]["seconds"]) for case in cases if case.key in known]
    if len(points) < 3 or (np.diff([seconds for _, seconds in points]) <= 0).any():
        return ""
    slope = np.polyfit(*np.log(np.array(points, dtype=float)).T, 1)[0]
    (before, less), (last, most) = points[-2:]
    end = np.log(most / less) / np.log(last / before)
    what = ("rows", "columns")[place - 1]
    power = f"{slope:.2f} ({len(points)} tables; {end:.2f} between the last two)"
    return f" CPU time grows as {what} to the power of {power}."


def _table(known: Known, cases: list[Case]) -> list[str]:
    lines = [
        "| rows | columns | CPU s | MiB | MiB of data | features used | programs |",
        "|---|---|---|---|---|---|---|",
    ]
    for case in cases:
        one = known.get(case.key)
        if one is not None:
            numbers = f"{one['seconds']:.1f} | {one['mib']:.0f} | {one['data']:.0f}"
            rows = f"{case.rows:,}{'*' * int(one.get('is_old', 0))}"
            solved = f"{one['used']} | {one.get('solved', '–')}"
            lines.append(f"| {rows} | {case.columns:,} | {numbers} | {solved} |")
    return [*lines, ""]


def _not_measured(known: Known) -> list[str]:
    names = [case.key for case in CASES if case.key not in known]
    return [f"Not measured in this run: {'; '.join(names)}."] if names else []


def page(known: Known) -> str:
    """The page."""
    parts = [
        "# Growth",
        "",
        "CPU seconds on one thread and the largest memory of whole fits, each in a process of its",
        "own (`make bench-scale`). Memory includes the interpreter, its libraries (200 MiB) and",
        "the table. All other settings are the defaults. Powers are fitted to few tables, and the",
        "machine was busy with other work, which makes times longer. Tables are measured one by",
        "one, at different times; those marked * are of earlier versions.",
        *_not_measured(known),
        "",
        f"![CPU time and memory against rows, and against columns](../{PICTURE})",
        "",
        "What two cores bring is [measured elsewhere](cores.md), and so are fits to rows on [a",
        "cluster](outside.md).",
        "",
        "## Tall tables",
        "",
        "Two classes: 4 features that matter, 9 near copies of 3 hidden ones, otherwise noise. A",
        f"tenth of the labels is wrong.{growth(known, TALL[1:], 1)}",
        "",
        *_table(known, [*TALL, *COLUMNS]),
        f"With `C` given (C times rows is {C_TIMES_ROWS:g}).{growth(known, GIVEN, 1)}",
        "",
        *_table(known, GIVEN),
        f"With the papers' tolerance, 0.001.{growth(known, NARROW, 1)}",
        "",
        *_table(known, NARROW),
        f"Numbers, three values of ε tried.{growth(known, NUMBERS[1:], 1)}",
        "",
        *_table(known, NUMBERS),
        *_in_files(known),
        "## Wide tables",
        "",
        "200 rows, 4 features that matter and 12 near copies of 4 hidden ones, and noise; and a",
        "table as large as the largest of Stabl's paper, with half of the effects."
        f"{growth(known, WIDE, 2)}",
        "",
        *_table(known, [*WIDE, *OMICS]),
        "With the papers' tolerance:",
        "",
        *_table(known, WIDE_NARROW),
        "Words of short texts, as a sparse table that is never made dense:",
        "",
        *_table(known, TEXTS),
        "## The published way",
        "",
        "cvxpy builds every program from scratch and ECOS solves it, three for each feature and",
        f"{FOLDS_AND_PROBES} for folds and probes, as the published code does at the papers'",
        "tolerance. The three of one feature are measured, and the others taken to be like them.",
        "",
        *_table(known, PUBLISHED),
        _ADVICE,
    ]
    return "\n".join(parts)


def _in_files(known: Known) -> list[str]:
    if not any(case.key in known for case in PARQUET):
        return []
    return [
        "## Rows in Parquet files",
        "",
        "Similar tables that are read block by block, with `C` given; data are what the table",
        f"would take in memory.{growth(known, PARQUET, 1)}",
        "",
        *_table(known, PARQUET),
        *estimate(known),
    ]


def estimate(known: Known) -> list[str]:
    """What a thousand million rows would take, from the two tallest tables in files."""
    there = [case for case in PARQUET if case.key in known]
    if len(there) < 2:
        return []
    (fewer, less), (more, most) = ((case.rows, known[case.key]) for case in there[-2:])
    each = (most["seconds"] - less["seconds"]) / (more - fewer)
    share = most["core"] / more
    n, passes = 10**9, round(most["passes"])
    read = passes * n * 8 * 50 / 1e12
    return [
        f"On paper, for 1,000,000,000 rows: {passes} passes, as for {more:,}, read {read:.0f} TB.",
        f"Each row more takes {1e6 * each:.0f} µs in all passes together ({fewer:,} to {more:,}",
        f"rows), so {each * n / 3600:.0f} CPU hours, of which passes can be divided among workers.",
        f"What cannot be divided is the *core*, the rows that change sides: {100 * share:.1f} % of",
        f"{more:,} rows, which would be {share * n / 1e6:.0f} million rows and",
        f"{share * n * 8 * 50 / 1e9:.0f} GB in the memory of one process, and programs of that",
        "size. At that size, draw as many rows as one process can work on.",
        "",
    ]


_ADVICE = """## What to do at the limits

- **More than 50,000 rows.** C is chosen on 20,000 of them
  ([why](../notes/rules.md)); `result_.baseline["cv_rows"]` says so. Baseline,
  tolerance and intervals are those of all rows.
- **You know C.** With `C=` it need not be chosen.
- **Memory.** The tables above say what is needed beside the data. Give an array of 64-bit
  floats: anything else is copied once more.
- **Dense baselines.** Time grows with the number of features that the baseline uses; a smaller `C`
  uses fewer.
- **Wide tables.** Most columns get only a bound, shown with ≤. Give words as a sparse table.
- **Several cores.** `n_jobs=2` divides folds, intervals and probes, with the same answer.
- **More rows than memory.** [Parquet files and dask tables](../manual/large-data.md) are read
  block by block.
"""


def draw(known: Known) -> None:
    """CPU time and memory against rows, CPU time against columns."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt
    from matplotlib.ticker import LogLocator, NullFormatter

    figure, axes = plt.subplots(1, 3, figsize=(11, 3.4), layout="constrained")
    lines = [("two classes", TALL, "o-"), ("two classes, C given", GIVEN, "s--")]
    lines += [("tolerance 0.001", NARROW, "v-"), ("numbers", NUMBERS, "^-")]
    lines += [("Parquet, C given", PARQUET, "D:"), ("the published way", PUBLISHED[:2], "x-")]
    for ax, key, label in ((axes[0], "seconds", "CPU s"), (axes[1], "mib", "MiB")):
        for name, cases, style in lines:
            there = [case for case in cases if case.key in known]
            if not there:
                continue
            ax.loglog([c[1] for c in there], [known[c.key][key] for c in there], style, label=name)
        ax.set(xlabel="rows (50 columns)", ylabel=label)
    there = [case for case in (*TALL, PARQUET[-1]) if case.key in known]
    data_sizes = [known[case.key]["data"] for case in there]
    axes[1].loglog([case.rows for case in there], data_sizes, ":", color="0.5", label="the table")
    for name, cases, style in (("dense, 200 rows", WIDE, "o-"), ("words, 300 rows", TEXTS, "s--")):
        there = [case for case in cases if case.key in known]
        seconds = [known[case.key]["seconds"] for case in there]
        axes[2].loglog([case[2] for case in there], seconds, style, label=name)
    axes[2].set(xlabel="columns", ylabel="CPU s", ylim=(1.0, None))
    axes[2].xaxis.set_major_locator(LogLocator(subs=(1.0, 5.0)))
    axes[2].xaxis.set_major_formatter("{x:,g}")
    for ax in axes:
        for axis in (ax.xaxis, ax.yaxis):
            axis.set_minor_formatter(NullFormatter())
        ax.yaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
        ax.yaxis.set_major_formatter("{x:,g}")
    for ax in axes[1:]:  # the first has the lines of the second
        ax.legend(fontsize=8)
    for ax in axes:
        ax.grid(which="major", alpha=0.3)
    figure.savefig(DOCS / PICTURE, dpi=110)
