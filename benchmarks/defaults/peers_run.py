"""Other methods on one data set; run by a Python that has them, which need not have ours.

``python peers_run.py METHOD DATA.npz TARGET SEED`` prints which columns are selected, and CPU time.
"""

from __future__ import annotations

import json
import os
import sys

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

import time
import warnings
from contextlib import redirect_stdout

import numpy as np


def run_ipss(X: np.ndarray, y: np.ndarray, level: float, selector: str) -> np.ndarray:
    """Integrated path stability selection."""
    from ipss import ipss

    # Its argument `target_fdr` changed its meaning between versions; q-values did not.
    q_values = ipss(X, y, selector=selector)["q_values"]
    return np.array([q_values[j] <= level for j in range(X.shape[1])])


def run_knockpy(X: np.ndarray, y: np.ndarray, level: float) -> np.ndarray:
    """Gaussian knockoffs as knockpy makes them unless told otherwise ("mvr")."""
    from knockpy.knockoff_filter import KnockoffFilter

    knockpy = KnockoffFilter(ksampler="gaussian", fstat="lasso")
    with redirect_stdout(sys.stderr):  # it talks
        return np.asarray(knockpy.forward(X=X, y=y, fdr=level, shrinkage="ledoitwolf")) > 0


def run_equicorrelated(X: np.ndarray, y: np.ndarray, level: float) -> np.ndarray:
    """Its other kind of Gaussian knockoffs, and its statistic; quick enough for 10,000 columns."""
    from knockpy.knockoff_stats import LassoStatistic, data_dependent_threshhold

    spread = X.std(axis=0)
    X = (X - X.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    gain = LassoStatistic().fit(X, knockoffs(X), y)
    return gain >= data_dependent_threshhold(gain, fdr=level)


def knockoffs(X: np.ndarray) -> np.ndarray:
    """Equicorrelated knockoffs with Ledoit and Wolf's covariance Σ = a·I + low rank.

    X̃ = X − s·X·Σ⁻¹ + noise of covariance 2s·I − s²·Σ⁻¹, as knockpy's own sampler has it; but that
    one factorises Σ, which takes many minutes where there are 10,000 columns, and X has but few
    singular vectors.
    """
    from sklearn.covariance import ledoit_wolf_shrinkage

    n, d = X.shape
    a = max(float(ledoit_wolf_shrinkage(X)), 1e-3)
    _, singular, axes = np.linalg.svd(X, full_matrices=False)
    eigenvalues = (1.0 - a) * singular**2 / n + a
    smallest = a if d > n else float(eigenvalues.min())
    s = min(1.0, 2.0 * smallest)

    def times(Z: np.ndarray, within: np.ndarray, beyond: float) -> np.ndarray:
        return beyond * Z + ((Z @ axes.T) * (within - beyond)) @ axes

    def root(inverse: np.ndarray) -> np.ndarray:
        return np.sqrt(np.maximum(2.0 * s - s**2 * inverse, 0.0))

    noise = np.random.standard_normal(X.shape)  # noqa: NPY002
    noise = times(noise, root(1.0 / eigenvalues), float(root(np.array(1.0 / a))))
    return X - s * times(X, 1.0 / eigenvalues, 1.0 / a) + noise


METHODS = {
    "ipss": lambda X, y, level: run_ipss(X, y, level, "l1"),
    "ipss, boosting": lambda X, y, level: run_ipss(X, y, level, "gb"),
    "knockpy": run_knockpy,
    "knockpy, equicorrelated": run_equicorrelated,
}

if __name__ == "__main__":
    name, path, level, seed = sys.argv[1:]
    data = np.load(path)
    np.random.seed(int(seed))  # noqa: NPY002 - what they draw from
    warnings.simplefilter("ignore")
    start = time.process_time()
    chosen = METHODS[name](data["X"], data["y"].astype(float), float(level))
    seconds = time.process_time() - start
    print(json.dumps({"selected": np.flatnonzero(chosen).tolist(), "seconds": seconds}))
