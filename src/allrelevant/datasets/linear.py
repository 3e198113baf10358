"""Two classes, more of them, ordered ones, numbers: targets that are linear in what is hidden."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import numpy as np
from sklearn.utils import check_random_state

from allrelevant.base.validation import check_number
from allrelevant.datasets.simulated import (
    Groups,
    SetSpec,
    Simulated,
    Weights,
    check_noise,
    classes_in_order,
    largest_scores,
    move_to_neighbours,
    move_to_others,
    simulate,
)

#: The simulated sets of the papers. "Set 1" to "Set 9" are ordinal with 5 classes (the default of
#: `make_ordinal`); "Sim1" to "Sim5" are binary and meant for `make_classification`.
PAPER_SETS: Mapping[str, SetSpec] = MappingProxyType(
    {
        "Set 1": SetSpec(150, 6, 0, 6),
        "Set 2": SetSpec(150, 0, 6, 6),
        "Set 3": SetSpec(150, 3, 4, 3),
        "Set 4": SetSpec(256, 6, 6, 6),
        "Set 5": SetSpec(512, 1, 2, 11),
        "Set 6": SetSpec(200, 1, 20, 0),
        "Set 7": SetSpec(200, 1, 20, 20),
        "Set 8": SetSpec(1000, 10, 20, 10),
        "Set 9": SetSpec(1000, 10, 20, 200),
        "Sim1": SetSpec(500, 5, 3, 22),
        "Sim2": SetSpec(500, 12, 8, 10),
        "Sim3": SetSpec(500, 4, 0, 26),
        "Sim4": SetSpec(500, 18, 0, 12),
        "Sim5": SetSpec(500, 0, 20, 10),
    }
)


def make_classification(
    n_samples: int = 200,
    *,
    n_strong: int = 3,
    n_weak: int = 4,
    n_irrelevant: int = 3,
    n_groups: Groups = 1,
    n_repeated: int = 0,
    noise: float = 0.0,
    label_noise: float = 0.0,
    n_classes: int = 2,
    class_sizes: Sequence[float] | None = None,
    weights: Weights = "floor",
    random_state: int | np.random.RandomState | None = None,
) -> Simulated:
    """Classes without an order: two on either side of a hyperplane, or more of them.

    The score of a sample is z·p, with z its hidden features and p random weights of size 0.5 to
    1; the class says whether the score is in the upper half. The hyperplane lies at the median
    score, hence near the origin, and without label noise both classes are equally large.

    Three and more classes have a score each. The weights of a feature are evenly spread over the
    classes, in random order and up to a size of 0.5 to 1, so that each feature tells some classes
    apart; the class is that of the largest score. Constants make all classes about equally large.

    Parameters
    ----------
    n_samples : int, default=200
        Number of samples, at least 2.
    n_strong, n_weak, n_irrelevant : int, default=3, 4, 3
        Number of features of each relevance. At least one must be strong or weak.
    n_groups : int or sequence of int, default=1
        Number of hidden features the weak ones are copies of. The weak features are shared out
        evenly, the larger groups first, and each group needs at least 2. Or the sizes of the
        groups, as in ``(5, 2)``. Not used if ``n_weak`` is 0.
    n_repeated : int, default=0
        Number of strong or weak columns that are repeated at the end, as exact copies before noise
        is added. A strong column that is repeated is weak, as its copy is.
    noise : float, default=0.0
        Standard deviation of the Gaussian noise added to every standardised column. Copies are
        then no longer exact, and `truth` speaks of the data before the noise.
    label_noise : float, default=0.0
        Share of the samples, in [0, 1), whose label is flipped.
    n_classes : int, default=2
        Number of classes, at least 2.
    class_sizes : sequence of float, optional
        How large the classes are, in any unit: ``(9, 1)`` for nine in ten samples of class 0. By
        default all are alike.
    weights : {"floor", "unit", "uniform", "normal"}, default="floor"
        Sizes of the weights p: between 0.5 and 1, all 1, between 0 and 1, or normal. The papers'
        generator has small ones, too; such features matter little, and no method finds them all.
    random_state : int, RandomState or None, default=None
        Seed. The same seed gives the same data underneath, whatever the noise.

    Returns
    -------
    X : ndarray of shape (n_samples, n_strong + n_weak + n_irrelevant + n_repeated)
        Strong columns first, then weak ones group by group, then irrelevant ones, then repeated
        ones.
    y : ndarray of shape (n_samples,)
        Classes 0 to ``n_classes - 1``.
    truth : ndarray of shape (n_features,)
        2 for strong, 1 for weak and 0 for irrelevant features.

    Examples
    --------
    >>> from allrelevant.datasets import make_classification
    >>> X, y, truth = make_classification(100, n_strong=1, n_weak=2, random_state=0)
    >>> truth.tolist()
    [2, 1, 1, 0, 0, 0]
    >>> int(y.sum())
    50
    """
    check_number("n_classes", n_classes, low=2, whole=True)
    check_number("n_samples", n_samples, low=n_classes, whole=True)
    check_noise("label_noise", label_noise, 1)
    rng = check_random_state(random_state)
    spec = SetSpec(n_samples, n_strong, n_weak, n_irrelevant)
    n_scores = n_classes if n_classes > 2 else 1
    X, scores, truth = simulate(spec, n_groups, noise, rng, weights, n_scores, n_repeated)
    if n_classes == 2:
        y = classes_in_order(scores, n_classes, class_sizes)
        return X, move_to_neighbours(y, label_noise, n_classes, rng), truth
    y = largest_scores(scores, class_sizes)
    return X, move_to_others(y, label_noise, n_classes, rng), truth


def make_regression(
    n_samples: int = 200,
    *,
    n_strong: int = 3,
    n_weak: int = 4,
    n_irrelevant: int = 3,
    n_groups: Groups = 1,
    n_repeated: int = 0,
    noise: float = 0.0,
    label_noise: float = 0.0,
    weights: Weights = "floor",
    random_state: int | np.random.RandomState | None = None,
) -> Simulated:
    """A target that is a weighted sum of the informative features.

    The target of a sample is z·p, with z its hidden features and p weights of size 0.5 to 1.

    Parameters
    ----------
    n_samples, n_strong, n_weak, n_irrelevant, n_groups, n_repeated, noise, weights, random_state
        As in `make_classification`.
    label_noise : float, default=0.0
        Standard deviation of the Gaussian noise on the target, as a multiple of the target's own
        standard deviation.

    Returns
    -------
    X, truth : ndarray
        As in `make_classification`.
    y : ndarray of shape (n_samples,)
        The target; it is not standardised.

    Examples
    --------
    Strong features and one copy of each hidden one are enough to reproduce the target:

    >>> import numpy as np
    >>> from allrelevant.datasets import make_regression
    >>> X, y, truth = make_regression(50, n_strong=2, n_weak=3, random_state=0)
    >>> weights = np.linalg.lstsq(X[:, :3], y - y.mean(), rcond=None)[0]
    >>> np.allclose(X[:, :3] @ weights, y - y.mean())
    True
    """
    check_noise("label_noise", label_noise, np.inf)
    rng = check_random_state(random_state)
    spec = SetSpec(n_samples, n_strong, n_weak, n_irrelevant)
    X, score, truth = simulate(spec, n_groups, noise, rng, weights, n_repeated=n_repeated)
    y = score + label_noise * score.std() * rng.standard_normal(n_samples)
    return X, y, truth


def make_ordinal(
    n_samples: int = 200,
    *,
    n_strong: int = 3,
    n_weak: int = 4,
    n_irrelevant: int = 3,
    n_groups: Groups = 1,
    n_repeated: int = 0,
    noise: float = 0.0,
    label_noise: float = 0.0,
    n_classes: int = 5,
    class_sizes: Sequence[float] | None = None,
    weights: Weights = "floor",
    random_state: int | np.random.RandomState | None = None,
) -> Simulated:
    """Ordered classes, between parallel hyperplanes.

    The score of a sample is z·p, with z its hidden features and p random weights of size 0.5 to
    1. The samples are put in order of their score and cut into classes of equal size.

    Parameters
    ----------
    n_samples : int, default=200
        Number of samples, at least ``n_classes``.
    n_strong, n_weak, n_irrelevant, n_groups, n_repeated, noise, weights, random_state
        As in `make_classification`.
    label_noise : float, default=0.0
        Share of the samples, in [0, 1), that move to a neighbouring class, up or down at random;
        samples of the lowest and the highest class have only one way to go.
    n_classes : int, default=5
        Number of classes, at least 2.
    class_sizes : sequence of float, optional
        As in `make_classification`.

    Returns
    -------
    X, truth : ndarray
        As in `make_classification`.
    y : ndarray of shape (n_samples,)
        Classes 0 to ``n_classes - 1``; without label noise their sizes differ by at most one.

    Examples
    --------
    >>> import numpy as np
    >>> from allrelevant.datasets import make_ordinal
    >>> X, y, truth = make_ordinal(100, n_classes=3, random_state=0)
    >>> np.bincount(y).tolist()
    [34, 33, 33]
    """
    check_number("n_classes", n_classes, low=2, whole=True)
    check_number("n_samples", n_samples, low=n_classes, whole=True)
    check_noise("label_noise", label_noise, 1)
    rng = check_random_state(random_state)
    spec = SetSpec(n_samples, n_strong, n_weak, n_irrelevant)
    X, score, truth = simulate(spec, n_groups, noise, rng, weights, n_repeated=n_repeated)
    y = classes_in_order(score, n_classes, class_sizes)
    return X, move_to_neighbours(y, label_noise, n_classes, rng), truth
