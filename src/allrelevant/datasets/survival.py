"""Times until an event, some of them censored."""

from __future__ import annotations

import numpy as np
from sklearn.utils import check_random_state

from allrelevant.datasets.linear import make_regression
from allrelevant.datasets.simulated import Simulated, Weights, check_noise


def make_survival(
    n_samples: int = 200,
    *,
    n_strong: int = 3,
    n_weak: int = 4,
    n_irrelevant: int = 3,
    n_groups: int = 1,
    noise: float = 0.0,
    label_noise: float = 0.3,
    censored: float = 0.3,
    weights: Weights = "floor",
    random_state: int | np.random.RandomState | None = None,
) -> Simulated:
    """Times until an event whose logarithm is a weighted sum of the informative features.

    The logarithm of a time is z·p, with z the hidden features of a sample and p weights of size 0.5
    to 1. Some samples are last seen before the event, at a random part of their time.

    Parameters
    ----------
    n_samples, n_strong, n_weak, n_irrelevant, n_groups, noise, weights, random_state
        As in `make_classification`.
    label_noise : float, default=0.3
        Standard deviation of the Gaussian noise on log times, as a multiple of their own standard
        deviation.
    censored : float, default=0.3
        Share of the samples, in [0, 1), whose event is not seen.

    Returns
    -------
    X, truth : ndarray
        As in `make_classification`.
    y : structured array of shape (n_samples,)
        The fields `event` (whether it was seen) and `time`.

    Examples
    --------
    >>> from allrelevant.datasets import make_survival
    >>> X, y, truth = make_survival(100, random_state=0)
    >>> int(y["event"].sum())
    70
    """
    check_noise("censored", censored, 1)
    rng = check_random_state(random_state)
    X, log_time, truth = make_regression(
        n_samples,
        n_strong=n_strong,
        n_weak=n_weak,
        n_irrelevant=n_irrelevant,
        n_groups=n_groups,
        noise=noise,
        label_noise=label_noise,
        weights=weights,
        random_state=rng,
    )
    y = np.empty(n_samples, dtype=[("event", bool), ("time", float)])
    y["event"] = rng.permutation(n_samples) >= round(censored * n_samples)
    seen = np.where(y["event"], 1.0, rng.uniform(0.2, 1.0, n_samples))
    y["time"] = np.exp(log_time) * seen
    return X, y, truth
