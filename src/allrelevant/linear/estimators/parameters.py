"""What the parameters of the linear estimators may be, and what a fit makes of them."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from sklearn.metrics import get_scorer

from allrelevant.base.validation import check_choice, check_number
from allrelevant.linear.estimators.scoring import OWN
from allrelevant.linear.fit.baseline.choosing import Scoring
from allrelevant.linear.fit.baseline.plan import Plan
from allrelevant.linear.fit.rows.folds import GivenFolds
from allrelevant.linear.fit.rows.sample import Sample


def is_word(value: Any, word: str) -> bool:
    """Whether a parameter that may be an array is this word."""
    return isinstance(value, str) and value == word


def check_parameters(estimator: Any) -> None:
    """Raise ValueError for parameters of every linear estimator that make no sense."""
    if not any(is_word(estimator.C, word) for word in ("cv", "mean")):
        check_number("C", estimator.C, low=0.0, closed=False, also=("'cv'", "'mean'"))
    check_choice("rule", estimator.rule, ("auto", "paired", "best", "one-se"))
    _check_scoring(estimator.scoring)
    _check_tolerance(estimator.tolerance)
    check_choice("budget", estimator.budget, ("auto", "split", "joint"))
    if not is_word(estimator.n_probes, "auto"):
        check_number("n_probes", estimator.n_probes, low=2, whole=True, also=("'auto'",))
    check_choice("probes", estimator.probes, ("append", "replace"))
    for name, low in (("fdr", 0.0), ("confidence", 0.5)):
        value = getattr(estimator, name)
        if value is not None:
            check_number(name, value, low=low, high=1.0, closed=False, also=("None",))
    check_choice("standardize", estimator.standardize, (True, False))
    _check_basis(estimator.basis)


def _check_tolerance(tolerance: Any) -> None:
    if any(is_word(tolerance, word) for word in ("auto", "bootstrap")):
        return
    others = ("'auto'", "'bootstrap'", "a pair (norm, loss)")
    for part in tolerance if np.shape(tolerance) == (2,) else (tolerance,):
        check_number("tolerance", part, low=0.0, also=others)


def _check_basis(basis: Any) -> None:
    known = basis is None or is_word(basis, "spline") or is_word(basis, "bins")
    is_transformer = hasattr(basis, "fit") and hasattr(basis, "transform")
    if not known and (isinstance(basis, type) or not is_transformer):
        raise ValueError(
            "basis must be None, 'spline', 'bins' or a transformer that makes columns of one, "
            f"such as SplineTransformer(), got {basis!r}."
        )


def _check_scoring(scoring: Any) -> None:
    if scoring is None or callable(scoring):
        return
    if not isinstance(scoring, str):
        raise ValueError(
            "scoring must be None, 'loss', 'deviance', 'score', the name of one of scikit-learn's "
            f"scorers, or a function of (estimator, X, y), got {scoring!r}."
        )
    if scoring not in OWN:
        get_scorer(scoring)  # says which there are


def plan_of(
    estimator: Any, sample: Sample, folds: int | GivenFolds, scoring: Scoring | None
) -> Plan:
    """What a fit has to know, from the parameters of an estimator."""
    tolerance = estimator.tolerance
    if not isinstance(tolerance, str):
        parts = np.broadcast_to(np.asarray(tolerance, dtype=float), 2)
        tolerance = (float(parts[0]), float(parts[1]))
    # Only the joint budget makes a confidence set of the bootstrap's tolerance.
    usual: Literal["split", "joint"] = "joint" if tolerance == "bootstrap" else "split"
    return Plan(
        C=1.0 / sample.whole_weight if estimator.C == "mean" else _number(estimator.C),
        gamma=_number(getattr(estimator, "gamma", None)),
        cv=folds,
        rule=None if estimator.rule == "auto" else estimator.rule,
        scoring=scoring,
        tolerance=tolerance,
        budget=usual if estimator.budget == "auto" else estimator.budget,
        n_probes=None if is_word(estimator.n_probes, "auto") else int(estimator.n_probes),
        probes=estimator.probes,
        confidence=_number(estimator.confidence),
        fdr=_number(estimator.fdr),
        n_jobs=estimator.n_jobs,
    )


def _number(value: Any) -> float | None:
    """A number; None where the fit chooses it, or there is none."""
    return None if value is None or is_word(value, "cv") else float(value)
