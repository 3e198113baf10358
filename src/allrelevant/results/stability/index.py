"""Numbers about selected sets: how alike they are, and how many selections may be false."""

from __future__ import annotations

import numpy as np
from scipy import stats

from allrelevant.base.arrays import Floats, Mask


def set_stability(selected: Mask, confidence: float = 0.95) -> tuple[float, float, float]:
    """Nogueira, Sechidis and Brown's index of the stability of sets, and its interval.

    The index is 1 where all sets are the same, about 0 where they are drawn at random, whatever
    their sizes, and is not defined (NaN) where every set is empty or holds everything.

    Parameters
    ----------
    selected : mask of shape (n_sets, n_features)
        Which features each set holds; at least two sets.
    confidence : float, default 0.95
        Of the interval, which is the asymptotic one of the paper.

    Returns
    -------
    index, low, high : float

    References
    ----------
    S. Nogueira, K. Sechidis and G. Brown, "On the stability of feature selection algorithms",
    Journal of Machine Learning Research 18 (2018), no. 174.
    """
    sets = np.asarray(selected, dtype=float)
    m = len(sets)
    share = sets.mean(axis=0)
    filled = float(share.mean())  # the mean size of a set, as a share of all features
    by_chance = filled * (1.0 - filled)
    if not by_chance > 0:
        return np.nan, np.nan, np.nan
    variance = m / (m - 1) * share * (1.0 - share)
    index = 1.0 - float(variance.mean()) / by_chance
    size = sets.mean(axis=1)
    part = (sets * share).mean(axis=1) - size * filled
    part += 0.5 * index * (2.0 * size * filled - size - filled + 1.0)
    influence = (part - part.mean()) / by_chance
    error = 2.0 / m * float(np.sqrt((influence**2).sum()))
    reach = float(stats.norm.ppf(0.5 + confidence / 2.0)) * error
    return index, index - reach, min(index + reach, 1.0)


def false_selections(frequencies: Floats, threshold: float) -> float:
    """Bound how many unlikely features are, on average, selected in this share of all halves.

    Meinshausen and Bühlmann's bound, as Shah and Samworth proved it for complementary halves
    without any assumption: a feature is unlikely if a half selects it less often than the average
    feature.

    Parameters
    ----------
    frequencies : array of shape (n_features,)
        The share of all halves in which each feature was selected.
    threshold : float
        The share above which a feature is taken, above a half.

    References
    ----------
    N. Meinshausen and P. Bühlmann, "Stability selection", and R. D. Shah and R. J. Samworth,
    "Variable selection with error control", J. R. Statist. Soc. B 72 (2010) and 75 (2013).
    """
    expected = float(np.sum(frequencies))
    return expected**2 / (len(frequencies) * (2.0 * threshold - 1.0))
