"""The six published methods, as settings of the estimator."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any, Self

from allrelevant.base.validation import check_choice

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


class HasPresets:
    """An estimator that can be made with the settings of a published method."""

    @classmethod
    def preset(cls, name: str, **changes: Any) -> Self:
        """The estimator with the settings of a published method, but for some `changes`.

        "DL", "WS-DL", "S-DL", "CES-DL", "ES-DL" and "KES-DL" are those of Pérez-Ortiz et al.,
        *Semi-supervised learning for ordinal kernel discriminant analysis*.

        Examples
        --------
        >>> from allrelevant import OrdinalKernelClassifier
        >>> OrdinalKernelClassifier.preset("S-DL").mu
        (0.5, 0.25, 0.1, 0.01)
        """
        check_choice("name", name, tuple(PRESETS))
        return cls(**(PRESETS[name] | changes))
