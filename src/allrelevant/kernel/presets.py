"""The six published methods, as settings of the estimator."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

# Candidates in the order in which the paper has them: with few labels many err alike, and the first
# of them is taken.
_PAPER: dict[str, Any] = {
    "graph": None,
    "gamma": (0.1, 1.0, 10.0),
    "ridge": 1e-8,
    "mu": (0.5, 0.25, 0.1, 0.01),
    "n_neighbors": (3, 5, 7),
    "rank": 0.5,
    "separation": "smallest",
    "penalty": "paper",
    "thresholds": "midpoint",
    "solver": "exact",
    "standardize": True,
    "cv": 5,
    "n_repeats": 1,
}

#: What "DL" and its semi-supervised kin differ in from the default estimator.
PRESETS = MappingProxyType(
    {
        "DL": _PAPER,
        "WS-DL": _PAPER | {"weights": "propagation"},
        "S-DL": _PAPER | {"graph": "input"},
        "CES-DL": _PAPER | {"graph": "kernel"},
        "ES-DL": _PAPER | {"graph": "reduced"},
        "KES-DL": _PAPER | {"graph": "reduced", "kernel_learning": "semi", "gamma": "cv"},
    }
)
