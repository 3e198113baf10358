"""CPU time and memory of fits as tables get taller and wider: `make bench-scale`.

Each fit runs in a process of its own, with data that another one has made, so that the memory is
its own, too. What was measured is kept in a file, so that a run that was stopped goes on, and parts
(``--only wide``, ``--most-rows 10000``) can be measured one by one. Writes docs/results/scale.md
and its picture.
"""

from __future__ import annotations

import os

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_name] = "1"

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np
import scipy.sparse as sp

from allrelevant import RelevanceClassifier, RelevanceRegressor
from allrelevant.datasets import make_classification, make_regression, make_text
from benchmarks.kept import keep, read_kept

DOCS = Path(__file__).parent.parent / "docs"
PICTURE = "images/scale.png"
_C_TIMES_ROWS = 307.0  # about what is chosen for the tall classes
Case = tuple[str, int, int, bool]  # what, rows, columns, whether C is given
TALL: list[Case] = [("classes", n, 50, False) for n in (10**3, 10**4, 10**5, 10**6)]
GIVEN: list[Case] = [("classes", n, 50, True) for n in (10**4, 10**5, 10**6)]
NUMBERS: list[Case] = [("numbers", n, 50, False) for n in (10**3, 10**4, 10**5)]
COLUMNS: list[Case] = [("classes", 10**4, d, False) for d in (15, 200)]
WIDE: list[Case] = [("wide", 200, d, False) for d in (1000, 2000, 5000, 20000)]
TEXTS: list[Case] = [("text", 300, d, False) for d in (3000, 20000)]
CASES = [*TALL, *GIVEN, *NUMBERS, *COLUMNS, *WIDE, *TEXTS]


def data(what: str, n: int, d: int) -> tuple[object, np.ndarray]:
    """A table and its target.

    Tall ones have 4 features that matter, 9 near copies of 3 others, and noise; a tenth of the
    labels is wrong. Wide ones have 4 that matter, 12 near copies of 4 others, and noise.
    """
    kinds = {"n_strong": 4, "n_weak": 9, "n_groups": 3, "n_irrelevant": d - 13, "random_state": 0}
    if what == "classes":
        return make_classification(n, noise=0.1, label_noise=0.1, **kinds)[:2]
    if what == "numbers":
        return make_regression(n, noise=0.5, **kinds)[:2]
    if what == "text":
        return make_text(n, n_irrelevant=d - 7, random_state=0)[:2]
    random = np.random.default_rng(0)
    X, hidden = random.normal(size=(n, d)), random.normal(size=(n, 4))
    X[:, 4:16] = np.repeat(hidden, 3, axis=1) + 0.3 * random.normal(size=(n, 12))
    y = np.where(X[:, :4].sum(axis=1) + hidden.sum(axis=1) > 0, 1, -1)
    return X, np.where(random.random(n) < 0.05, -y, y)


def make(case: Case, folder: Path) -> None:
    """Write the data of a case."""
    X, y = data(*case[:3])
    np.save(folder / "y.npy", y)
    if sp.issparse(X):
        sp.save_npz(folder / "X.npz", sp.csr_matrix(X))
    else:
        np.save(folder / "X.npy", X)


def fit(case: Case, folder: Path) -> dict[str, float]:
    """What the fit of a case takes."""
    what, n, _, is_given = case
    is_sparse = (folder / "X.npz").exists()
    X = sp.load_npz(folder / "X.npz") if is_sparse else np.load(folder / "X.npy")
    y = np.load(folder / "y.npy")
    kind = RelevanceRegressor if what == "numbers" else RelevanceClassifier
    settings = {"C": _C_TIMES_ROWS / n} if is_given else {}
    begun = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = kind(random_state=0, **settings).fit(X, y)
    return {
        "seconds": time.process_time() - begun,
        "mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "data": (X.data.nbytes if is_sparse else X.nbytes) / 2**20,
        "used": model.result_.baseline["n_used"],
        "solved": model.result_.work["lps_solved"],
    }


def measured(case: Case) -> dict[str, float]:
    """The same in processes of their own."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "benchmarks.scale", "--case", json.dumps(case), folder]
        subprocess.check_call([*command, "--make"])
        found: dict[str, float] = json.loads(subprocess.check_output(command, text=True))
        return found


def growth(known: dict[str, dict[str, float]], cases: list[Case], place: int) -> str:
    """The power of rows (1) or columns (2) with which CPU time grows, by least squares.

    Nothing is said where there are two tables, or where a larger one took less time.
    """
    points = [(case[place], known[str(case)]["seconds"]) for case in cases if str(case) in known]
    if len(points) < 3 or (np.diff([seconds for _, seconds in points]) <= 0).any():
        return ""
    slope = np.polyfit(*np.log(np.array(points, dtype=float)).T, 1)[0]
    (before, less), (last, most) = points[-2:]
    end = np.log(most / less) / np.log(last / before)
    what = ("rows", "columns")[place - 1]
    power = f"{slope:.2f} ({len(points)} tables; {end:.2f} between the last two)"
    return f" CPU time grows as {what} to the power of {power}."


def _table(known: dict[str, dict[str, float]], cases: list[Case]) -> list[str]:
    lines = [
        "| rows | columns | CPU s | MiB | MiB of data | features used | programs |",
        "|---|---|---|---|---|---|---|",
    ]
    for case in cases:
        one = known.get(str(case))
        if one is not None:
            numbers = f"{one['seconds']:.1f} | {one['mib']:.0f} | {one['data']:.0f}"
            lines.append(
                f"| {case[1]:,} | {case[2]:,} | {numbers} | {one['used']} | "
                f"{one.get('solved', '–')} |"
            )
    return [*lines, ""]


def _not_measured(known: dict[str, dict[str, float]]) -> list[str]:
    left = [case for case in CASES if str(case) not in known]
    names = [f"{what} {n:,} × {d:,}" + (" (C given)" if C else "") for what, n, d, C in left]
    return [f"Not measured in this run: {'; '.join(names)}."] if names else []


def page(known: dict[str, dict[str, float]]) -> str:
    """The page."""
    parts = [
        "# Growth",
        "",
        "CPU seconds on one thread and the largest memory of whole fits, each in a process of its",
        "own (`make bench-scale`). Memory includes the interpreter, its libraries (200 MiB) and",
        "the table. All other settings are the defaults. Powers are fitted to few tables, and the",
        "machine was busy with other work, which makes times longer. Tables are measured one by",
        "one: those of 10,000 × 50 without C and of 5,000 and more columns are the latest, the",
        "others are of earlier versions.",
        *_not_measured(known),
        "",
        f"![CPU time and memory against rows, and against columns](../{PICTURE})",
        "",
        "## Tall tables",
        "",
        "Two classes: 4 features that matter, 9 near copies of 3 hidden ones, otherwise noise. A",
        f"tenth of the labels is wrong.{growth(known, TALL[1:], 1)}",
        "",
        *_table(known, [*TALL, *COLUMNS]),
        f"With `C` given (C times rows is {_C_TIMES_ROWS:g}).{growth(known, GIVEN, 1)}",
        "",
        *_table(known, GIVEN),
        f"Numbers, three values of ε tried.{growth(known, NUMBERS[1:], 1)}",
        "",
        *_table(known, NUMBERS),
        "## Wide tables",
        "",
        "200 rows, 4 features that matter and 12 near copies of 4 hidden ones, and noise."
        + growth(known, WIDE, 2),
        "",
        *_table(known, WIDE),
        "Words of short texts, as a sparse table that is never made dense:",
        "",
        *_table(known, TEXTS),
        _ADVICE,
    ]
    return "\n".join(parts)


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
"""


def draw(known: dict[str, dict[str, float]]) -> None:
    """CPU time and memory against rows, CPU time against columns."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt
    from matplotlib.ticker import LogLocator, NullFormatter

    figure, axes = plt.subplots(1, 3, figsize=(11, 3.4), layout="constrained")
    lines = [("two classes", TALL, "o-"), ("two classes, C given", GIVEN, "s--")]
    lines.append(("numbers", NUMBERS, "^-"))
    for ax, key, label in ((axes[0], "seconds", "CPU s"), (axes[1], "mib", "MiB")):
        for name, cases, style in lines:
            there = [case for case in cases if str(case) in known]
            ax.loglog([c[1] for c in there], [known[str(c)][key] for c in there], style, label=name)
        ax.set(xlabel="rows (50 columns)", ylabel=label)
    there = [case for case in TALL if str(case) in known]
    data_sizes = [known[str(case)]["data"] for case in there]
    axes[1].loglog([case[1] for case in there], data_sizes, ":", color="0.5", label="the table")
    for name, cases, style in (("dense, 200 rows", WIDE, "o-"), ("words, 300 rows", TEXTS, "s--")):
        there = [case for case in cases if str(case) in known]
        seconds = [known[str(case)]["seconds"] for case in there]
        axes[2].loglog([case[2] for case in there], seconds, style, label=name)
    axes[2].set(xlabel="columns", ylabel="CPU s", ylim=(1.0, None))
    axes[2].xaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
    axes[2].xaxis.set_major_formatter("{x:,g}")
    for ax in axes:
        for axis in (ax.xaxis, ax.yaxis):
            axis.set_minor_formatter(NullFormatter())
        ax.yaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
        ax.yaxis.set_major_formatter("{x:,g}")
        ax.legend(fontsize=8)
        ax.grid(which="major", alpha=0.3)
    figure.savefig(DOCS / PICTURE, dpi=110)


def main() -> None:
    """Measure what is not known yet, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--case", nargs=2, metavar=("CASE", "FOLDER"), help="one fit, printed")
    parser.add_argument("--make", action="store_true", help="only make the data of that fit")
    parser.add_argument("--kept", type=Path, default=Path("out/scale.json"), help="what is known")
    parser.add_argument("--most-rows", type=int, default=10**6, help="no taller tables")
    parser.add_argument("--only", help="one kind of tables: classes, numbers, wide or text")
    arguments = parser.parse_args()
    if arguments.case:
        what, n, d, is_given = json.loads(arguments.case[0])
        case, folder = (what, n, d, is_given), Path(arguments.case[1])
        print("" if arguments.make else json.dumps(fit(case, folder)), end="")
        if arguments.make:
            make(case, folder)
        return
    kept = arguments.kept
    known = read_kept(kept)
    for case in CASES:
        asked = arguments.only in (None, case[0]) and case[1] <= arguments.most_rows
        if asked and str(case) not in known:
            known[str(case)] = measured(case)
            keep(kept, known)
            print(case, known[str(case)], flush=True)
    draw(known)
    (DOCS / "results" / "scale.md").write_text(page(known), encoding="utf-8")


if __name__ == "__main__":
    main()
