"""Columns that are nearly the same up to their scale."""

from __future__ import annotations

import numpy as np
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform
from scipy.stats import rankdata

from allrelevant.base.arrays import Floats, Ints, Mask


def rank_correlations(X: Floats, categorical: Mask) -> Floats:
    """Absolute rank correlation of all pairs of columns.

    Missing values count as middling. Codes of categories have no ranks: they correlate with
    nothing.
    """
    d = X.shape[1]
    ranks = rankdata(X, axis=0, nan_policy="omit")
    missing = np.isnan(X)
    ranks[missing] = 0.0
    ranks -= np.sum(ranks, axis=0) / np.maximum(np.sum(~missing, axis=0), 1)
    ranks[missing] = 0.0
    size = np.sqrt(np.sum(ranks**2, axis=0))
    ranks /= np.where(size > 0, size, np.inf)
    ranks[:, categorical] = 0.0
    correlation = np.clip(np.abs(ranks.T @ ranks), 0.0, 1.0)
    correlation[np.arange(d), np.arange(d)] = 1.0
    return correlation


def clusters(correlation: Floats, threshold: float) -> Ints:
    """Labels 0, 1, … of groups whose members correlate by more than `threshold` on average."""
    d = len(correlation)
    if d < 2:
        return np.zeros(d, dtype=int)
    distance = squareform(1.0 - (correlation + correlation.T) / 2, checks=False)
    found = fcluster(linkage(np.maximum(distance, 0.0), "average"), 1.0 - threshold, "distance")
    _, labels = np.unique(found, return_inverse=True)
    return np.asarray(labels)
