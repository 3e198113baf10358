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

import numpy as np


def run_ipss(X: np.ndarray, y: np.ndarray, level: float, selector: str) -> np.ndarray:
    """Integrated path stability selection."""
    from ipss import ipss

    # Its argument `target_fdr` changed its meaning between versions; q-values did not.
    q_values = ipss(X, y, selector=selector)["q_values"]
    return np.array([q_values[j] <= level for j in range(X.shape[1])])


def run_knockpy(X: np.ndarray, y: np.ndarray, level: float) -> np.ndarray:
    """Gaussian knockoffs with the lasso's coefficients; few rows make it shrink covariances."""
    from knockpy.knockoff_filter import KnockoffFilter

    # "mvr", its default, takes ten times as long here and finds no more.
    how = {"method": "equicorrelated"}
    knockoffs = KnockoffFilter(ksampler="gaussian", fstat="lasso", knockoff_kwargs=how)
    return knockoffs.forward(X=X, y=y, fdr=level, shrinkage="ledoitwolf") > 0


METHODS = {
    "ipss": lambda X, y, level: run_ipss(X, y, level, "l1"),
    "ipss, boosting": lambda X, y, level: run_ipss(X, y, level, "gb"),
    "knockpy": run_knockpy,
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
