"""Simulated data with features that are known in training only."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple

import numpy as np
from sklearn.utils import check_random_state

from allrelevant.base.validation import check_choice, check_number
from allrelevant.datasets.simulated import SetSpec, check_noise, classes_in_order, simulate

Task = Literal["ordinal", "classification", "regression"]
Kind = Literal["clean", "random"]
_NOISE = {"ordinal": 0.2, "classification": 0.65, "regression": 0.5}


class PrivilegedSpec(NamedTuple):
    """Size of a simulated data set with privileged features, and of what kind these are.

    Examples
    --------
    >>> from allrelevant.datasets import PRIVILEGED_SETS, make_privileged
    >>> X, X_privileged, y, truth, truth_privileged = make_privileged(
    ...     **PRIVILEGED_SETS["Set 7"]._asdict(), random_state=0)
    >>> X.shape, X_privileged.shape
    ((200, 8), (200, 3))
    """

    n_samples: int
    n_strong: int
    n_weak: int
    n_irrelevant: int
    kind: Kind = "clean"


#: The simulated sets with privileged features of the paper on ordinal regression (its Table 6);
#: three ordered classes. In the last two the privileged features are three columns of noise.
PRIVILEGED_SETS: Mapping[str, PrivilegedSpec] = MappingProxyType(
    {
        "Set 1": PrivilegedSpec(200, 6, 0, 3),
        "Set 2": PrivilegedSpec(200, 0, 12, 3),
        "Set 3": PrivilegedSpec(200, 6, 6, 0),
        "Set 4": PrivilegedSpec(200, 3, 6, 0),
        "Set 5": PrivilegedSpec(200, 1, 4, 0),
        "Set 6": PrivilegedSpec(200, 1, 40, 10),
        "Set 7": PrivilegedSpec(200, 4, 2, 2, "random"),
        "Set 8": PrivilegedSpec(200, 0, 4, 2, "random"),
    }
)


def make_privileged(
    problem: Task = "ordinal",
    n_samples: int = 200,
    *,
    n_strong: int = 3,
    n_weak: int = 4,
    n_irrelevant: int = 3,
    n_groups: int = 1,
    noise: float | None = None,
    kind: Kind = "clean",
    n_privileged: int = 3,
    n_classes: int = 3,
    random_state: int | np.random.RandomState | None = None,
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Features, privileged features that explain the samples' difficulty (or do not), a target.

    With ``kind="clean"`` the privileged features are the ones the target is made of, and the
    others are the same with noise added: what was measured well in the laboratory, and what an
    ordinary measurement will give. Irrelevant columns of the two have nothing to do with one
    another. (An irrelevant feature with a clean twin among the privileged ones is not irrelevant:
    a model can use it, and its slack function takes back what it adds.)

    Parameters
    ----------
    problem : {"ordinal", "classification", "regression"}, default="ordinal"
        What the target is like, as in `make_ordinal`, `make_classification`, `make_regression`.
    n_samples, n_strong, n_weak, n_irrelevant, n_groups, random_state
        As in `make_classification`. Clean privileged features have the same numbers.
    noise : float, optional
        Standard deviation of the Gaussian noise added to the relevant columns of X. By default
        0.2 (ordinal), 0.65 (classification) or 0.5 (regression) for clean privileged features,
        and 0 for random ones. With noise of 0.5 ordered classes leave nothing to learn: slacks
        that have to be functions of the privileged features cost less if no other feature is
        used. The levels of the other two problems are those of the generator behind the papers;
        there clean features explain slacks rarely (regression) or not at all (classification).
    kind : {"clean", "random"}, default="clean"
        Whether the privileged features are the clean ones, or noise.
    n_privileged : int, default=3
        Number of privileged features that are noise. Not used for clean ones.
    n_classes : int, default=3
        Number of ordered classes. Not used for other problems.

    Returns
    -------
    X : ndarray of shape (n_samples, n_strong + n_weak + n_irrelevant)
        Strong columns first, then weak ones group by group, then irrelevant ones.
    X_privileged : ndarray
        Of the same shape if clean, otherwise of shape (n_samples, n_privileged).
    y : ndarray of shape (n_samples,)
        The target.
    truth, truth_privileged : ndarray
        2 for strong, 1 for weak and 0 for irrelevant features.

    Examples
    --------
    >>> from allrelevant.datasets import make_privileged
    >>> X, X_privileged, y, truth, truth_privileged = make_privileged(
    ...     n_strong=1, n_weak=2, n_irrelevant=2, random_state=0)
    >>> truth.tolist(), truth_privileged.tolist()
    ([2, 1, 1, 0, 0], [2, 1, 1, 0, 0])
    >>> float((X - X_privileged)[:, 0].std().round(1))
    0.2
    """
    check_choice("problem", problem, tuple(_NOISE))
    check_choice("kind", kind, ("clean", "random"))
    if noise is None:
        noise = _NOISE[problem] if kind == "clean" else 0.0
    check_noise("noise", noise, np.inf)
    rng = check_random_state(random_state)
    spec = SetSpec(n_samples, n_strong, n_weak, n_irrelevant)
    clean, score, truth = simulate(spec, n_groups, 0.0, rng)
    y = _target(problem, score, n_classes)
    X = clean.copy()
    X[:, truth == 0] = rng.standard_normal((n_samples, n_irrelevant))
    X[:, truth > 0] += noise * rng.standard_normal((n_samples, n_strong + n_weak))
    if kind == "clean":
        return X, clean, y, truth, truth.copy()
    check_number("n_privileged", n_privileged, low=1, whole=True)
    nothing = rng.standard_normal((n_samples, n_privileged))
    return X, nothing, y, truth, np.zeros(n_privileged, dtype=truth.dtype)


def _target(problem: Task, score: np.ndarray, n_classes: int) -> np.ndarray:
    if problem == "regression":
        return score
    if problem == "classification":
        return classes_in_order(score, 2)
    check_number("n_classes", n_classes, low=2, whole=True)
    check_number("n_samples", len(score), low=n_classes, whole=True)
    return classes_in_order(score, n_classes)
