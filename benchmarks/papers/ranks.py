"""Ranks of methods over data sets: Friedman's test, and Holm's procedure against one method."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.stats import f, friedmanchisquare, norm, rankdata


class Friedman(NamedTuple):
    """Iman and Davenport's form of Friedman's statistic, with its p-value and the mean ranks."""

    ranks: np.ndarray
    statistic: float
    p: float


def friedman(errors: np.ndarray) -> Friedman:
    """Are these methods (columns) alike on these sets (rows)? The least error has rank 1."""
    n_sets, n_methods = errors.shape
    ranks = np.apply_along_axis(rankdata, 1, errors).mean(axis=0)
    chi = float(friedmanchisquare(*errors.T).statistic)
    statistic = (n_sets - 1) * chi / (n_sets * (n_methods - 1) - chi)
    degrees = n_methods - 1, (n_methods - 1) * (n_sets - 1)
    return Friedman(ranks, statistic, float(f.sf(statistic, *degrees)))


def p_values(ranks: np.ndarray, control: int, n_sets: int) -> np.ndarray:
    """Two-sided p-values of each method's mean rank against that of the control."""
    n_methods = len(ranks)
    error = np.sqrt(n_methods * (n_methods + 1) / (6.0 * n_sets))
    return np.asarray(2.0 * norm.sf(np.abs(ranks - ranks[control]) / error))


def holm(p: np.ndarray, alpha: float = 0.05) -> np.ndarray:
    """Which hypotheses Holm's procedure rejects: the least p first, until one is too large."""
    order = np.argsort(p)
    is_small = np.sort(p) <= alpha / np.arange(len(p), 0, -1)
    rejected = np.zeros(len(p), dtype=bool)
    rejected[order] = np.logical_and.accumulate(is_small)
    return rejected
