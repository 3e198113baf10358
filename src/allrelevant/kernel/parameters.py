"""Which parameters of the estimator mean something."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from allrelevant.base.validation import check_choice, check_number, check_running

_LARGEST = 1e30  # number to compute with; the smallest is its inverse


def check_parameters(model: Any) -> None:
    """Refuse parameters that mean nothing."""
    check_choice("graph", model.graph, (None, "input", "kernel", "reduced"))
    check_choice("weights", model.weights, (None, "propagation"))
    check_choice("kernel_learning", model.kernel_learning, (False, True, "semi"))
    check_candidates("gamma", model.gamma, low=0.0, closed=False)
    check_candidates("ridge", model.ridge, low=0.0, closed=False)
    check_candidates("mu", model.mu, low=0.0)
    check_candidates("n_neighbors", model.n_neighbors, low=1, whole=True)
    check_candidates("rank", model.rank, low=0.0, high=1.0, closed="right")
    check_choice("separation", model.separation, ("average", "smallest"))
    check_choice("penalty", model.penalty, ("scaled", "paper"))
    check_choice("thresholds", model.thresholds, ("logistic", "midpoint"))
    check_choice("solver", model.solver, ("auto", "exact", "nystroem", "linear"))
    check_number("n_landmarks", model.n_landmarks, low=1, whole=True)
    check_choice("standardize", model.standardize, (True, False))
    check_number("cv", model.cv, low=2, whole=True)
    if not isinstance(model.n_repeats, str) or model.n_repeats != "auto":
        check_number("n_repeats", model.n_repeats, low=1, high=1000, whole=True, also=("'auto'",))
    check_running(model.n_jobs, model.verbose, model.random_state)


def check_candidates(name: str, value: Any, **limits: Any) -> None:
    """Refuse what is neither "cv" nor a number within the limits nor some of them."""
    if isinstance(value, str) and value == "cv":
        return
    is_array = isinstance(value, np.ndarray) and value.ndim > 0
    is_sequence = is_array or (isinstance(value, Sequence) and not isinstance(value, (str, bytes)))
    for one in value if is_sequence and len(value) else (value,):
        check_number(name, one, also=("'cv'", "a sequence of candidates"), **limits)
        if one and not 1.0 / _LARGEST <= one <= _LARGEST:
            raise ValueError(
                f"{name} must be between {1.0 / _LARGEST:g} and {_LARGEST:g} (or 0, where that is "
                f"allowed), got {one!r}: products with other numbers would overflow."
            )
