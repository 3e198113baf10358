"""The page about other methods: a table for each kind of data, and one picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.marked import write_between
from benchmarks.peers.cases import Case
from benchmarks.peers.measures import NAMES, measures, stability
from benchmarks.peers.runner import METHODS

PICTURE = Path(__file__).parent.parent.parent / "docs" / "images" / "peers.png"
PINNED = sorted(Path(__file__).parent.glob("requirements-*.txt"))
Row = tuple[str, np.ndarray, float, float, int]  # method, measures, stability, seconds, runs


def rows_of(known: dict[str, Any], case: Case, seeds: Sequence[int], n_halves: int) -> list[Row]:
    """What is known of every method on one kind of data, as means over the seeds."""
    rows, drawn = [], {seed: case.data(seed) for seed in seeds}
    for method, (_, _, _, has_strong) in METHODS.items():
        values, stable, seconds = [], [], []
        for seed, data in drawn.items():
            parts = [known.get(f"{case.name}|{seed}|{method}|{k}", {}) for k in range(1 + n_halves)]
            if "strong" not in parts[0]:
                continue
            classes = [classes_of(part, len(data.truth)) for part in parts if "strong" in part]
            values.append(measures(classes[0], data, case.task, has_strong=has_strong))
            seconds.append(parts[0]["seconds"])
            chosen = [own > 0 for own in classes[1:]]
            is_known = n_halves > 1 and len(chosen) == n_halves
            stable.append(stability(chosen) if is_known else np.nan)
        if values:
            means = _means(np.array(values)), _means(np.array(stable)[:, None])[0]
            rows.append((method, means[0], float(means[1]), float(np.mean(seconds)), len(values)))
    return rows


def with_halves(known: dict[str, Any], seeds: Sequence[int]) -> int:
    """For how many of the seeds halves of the rows are known, of any kind of data."""
    return len({int(key.split("|")[1]) for key in known if key.endswith("|2")} & {*seeds})


def versions() -> str:
    """What the environments of other methods hold, and ours."""
    lines = [line for path in PINNED for line in path.read_text(encoding="utf-8").split()]
    pinned = sorted(line.replace("==", " ") for line in lines if "==" in line)
    return ", ".join([*pinned, f"scikit-learn {version('scikit-learn')}"])


def classes_of(found: dict[str, Any], n_columns: int) -> np.ndarray:
    """The class of every column."""
    classes = np.zeros(n_columns, dtype=int)
    classes[found["weak"]], classes[found["strong"]] = 1, 2
    return classes


def _means(values: np.ndarray) -> np.ndarray:
    """Means of what is known in each column."""
    known = ~np.isnan(values)
    sums = np.where(known, values, 0.0).sum(axis=0)
    return np.where(known.any(axis=0), sums / np.maximum(known.sum(axis=0), 1), np.nan)


def table(rows: Sequence[Row], n_seeds: int) -> Iterator[str]:
    """One line for each method; what is known of none has no column."""
    numbers = np.array([(*values, stable) for _, values, stable, *_ in rows])
    shown = np.flatnonzero(~np.isnan(numbers).all(axis=0))
    heads = [(*NAMES, "stability")[k] for k in shown]
    yield f"| method | {' | '.join(heads)} | CPU s | runs |"
    yield "|---|" + "---|" * (len(heads) + 2)
    for (method, _, _, seconds, n_runs), values in zip(rows, numbers, strict=True):
        cells = " | ".join(_cell(value) for value in values[shown])
        name = f"**{method}**" if method.startswith("allrelevant") else method
        runs = str(n_runs) if n_runs == n_seeds else f"{n_runs} of {n_seeds}"
        yield f"| {name} | {cells} | {seconds:.1f} | {runs} |"


def _cell(value: float) -> str:
    return "" if np.isnan(value) else f"{value:.2f}"


def write_page(
    known: dict[str, Any],
    chosen: Sequence[Case],
    seeds: Sequence[int],
    n_halves: int,
    limit: float,
    *,
    write: bool,
) -> None:
    """Print the tables; write them and the picture if asked."""
    lines = [
        f"Seeds {seeds[0]} to {seeds[-1]}; at most {limit:.0f} CPU seconds for a selection; "
        + f"stability over two halves of the rows, of {with_halves(known, seeds)} of the draws.",
        f"Versions: {versions()}.",
        "",
    ]
    found = {case: rows_of(known, case, seeds, n_halves) for case in chosen}
    for case, rows in found.items():
        lines += [
            f"## {case.name[0].upper()}{case.name[1:]}",
            "",
            f"{case.text[0].upper()}{case.text[1:]}.",
            "",
        ]
        lines += [*table(rows, len(seeds)), ""]
        lines += lost(known, case, limit)
    print("\n".join(lines))
    if write:
        write_between("peers.md", "peers", "\n".join(lines).rstrip())
        draw({case: rows for case, rows in found.items() if not np.isnan(rows[0][1][2])})


def lost(known: dict[str, Any], case: Case, limit: float) -> list[str]:
    """Which methods gave no answer by all rows, and why."""
    why = {
        key.split("|")[2]: own["failed"]
        for key, own in known.items()
        if key.startswith(f"{case.name}|") and key.endswith("|0") and "failed" in own
    }
    if not why:
        return []
    told = {"time": f"more than {limit:.0f} CPU seconds"}
    words = (f"{method} ({told.get(reason, reason)})" for method, reason in sorted(why.items()))
    return [f"Without an answer: {', '.join(words)}.", ""]


def draw(found: dict[Case, list[Row]]) -> None:
    """False share against what is found, a panel for each kind of data whose truth is known."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    n_columns = min(3, len(found))
    n_rows = -(-len(found) // n_columns)
    figure, axes = plt.subplots(
        n_rows,
        n_columns,
        figsize=(2.7 * n_columns, 2.5 * n_rows + 1.1),
        squeeze=False,
        sharex=True,
        sharey=True,
    )
    colours = dict(zip(METHODS, plt.get_cmap("tab20").colors, strict=False))
    drawn, few = {}, ""
    for axis, (case, rows) in zip(axes.flat, found.items(), strict=False):
        most = max(n_runs for *_, n_runs in rows)
        for method, values, *_, n_runs in rows:
            is_ours = method.startswith("allrelevant")
            mark = axis.scatter(
                values[1],
                values[3],
                s=90 if is_ours else 32,
                facecolor=colours[method] if n_runs == most else "none",
                marker="*" if is_ours else "o",
                edgecolor="black" if is_ours and n_runs == most else colours[method],
                linewidth=0.8 if n_runs == most else 1.4,
                zorder=3 if is_ours else 2,
                clip_on=False,
            )
            few = few if n_runs == most else "; hollow: fewer seeds than others"
            drawn[method] = mark if n_runs == most else drawn.get(method, mark)
        axis.axvline(0.1, color="0.7", linewidth=0.8, linestyle="--", zorder=1)
        axis.set(xlim=(-0.02, 1.0), ylim=(-0.02, 1.02))
        axis.set_title(case.name, fontsize=10)
        axis.spines[["top", "right"]].set_visible(False)
    for axis in axes.flat[len(found) :]:
        axis.set_axis_off()
    figure.supxlabel(f"false share of what is selected (dashed: 0.1{few})", fontsize=10)
    figure.supylabel("share found of all informative features", fontsize=10)
    figure.legend(
        drawn.values(), drawn, loc="outside upper center", ncols=4, frameon=False, fontsize=8
    )
    figure.set_layout_engine("constrained")
    figure.savefig(PICTURE, dpi=160)
    plt.close(figure)
