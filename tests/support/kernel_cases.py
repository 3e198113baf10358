"""Data the kernel tests share."""

import numpy as np
from sklearn.datasets import make_s_curve

from allrelevant.datasets import make_ordinal


def few_labels(n=150, n_classes=4, every=4, seed=0, **kwargs):
    """Ordered classes of which one row in `every` is labelled: X, y with −1, truth."""
    X, truth, _ = make_ordinal(n, n_classes=n_classes, random_state=seed, **kwargs)
    return X, np.where(np.arange(n) % every == 0, truth, -1), truth


def s_curve(n=200, n_classes=4, n_labels=3, seed=0):
    """Classes along an S-curve with a few labels each: X, y with −1, truth."""
    X, position = make_s_curve(n, noise=0.05, random_state=seed)
    cuts = np.quantile(position, np.linspace(0, 1, n_classes + 1)[1:-1])
    truth = np.searchsorted(cuts, position)
    rng = np.random.RandomState(seed)
    y = np.full(n, -1)
    for k in range(n_classes):
        y[rng.permutation(np.flatnonzero(truth == k))[:n_labels]] = k
    return X, y, truth
