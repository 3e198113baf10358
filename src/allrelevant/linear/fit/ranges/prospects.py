"""Which pairs of classes noise can set far apart: what a few probes tell about all the others.

With K classes a probe has K·(K − 1) programs, one for every ordered pair, and only the pair that is
set farthest apart counts. Which pairs these are is much the same for all probes, and the baseline's
multipliers tell most of the rest. So a few probes are solved throughout, and of the others only the
pairs that may matter.

Where programs are large, that would take too long. There it is seen on straight lines from the
baseline (`rays`) which pairs promise most, and no others are solved. Now and then the farthest pair
is not among them, and then the reach is a few percent short of the largest.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations

import numpy as np

from allrelevant.base.arrays import Floats

_HARDLY = 2.0  # standard errors above what is expected: one pair in fifty gets farther
MOST_PROBES = 400
_MOST_PAIRS, _FEWEST_PROBES = 2400, 100  # of large programs: pairs of all probes, and probes
_FEW_PAIRS = 10  # of large programs: all of three classes, a ninth of those of ten
_LEAST = 1e-9  # of the farthest reach: less than this is nothing


def n_surveyed(n_classes: int) -> int:
    """How many probes are solved throughout: fewer where each has more pairs."""
    return 2 + 20 // n_classes


def most_probes(n_classes: int, *, are_dear: bool) -> int:
    """How many probes there are at most where close calls are left."""
    if not are_dear:
        return MOST_PROBES
    n_pairs = n_classes * (n_classes - 1)
    return max(_MOST_PAIRS // n_pairs, _FEWEST_PROBES)


def n_promising(n_classes: int) -> int:
    """How many pairs of a probe are solved for where programs are large."""
    return max(_FEW_PAIRS, n_classes)


@dataclass(frozen=True, eq=False)
class Prospects:
    """How far noise sets pairs of classes apart.

    The logarithm of a pair's reach is a constant of its own plus a linear function of what the
    baseline's multipliers pull the two weights by, plus an error.

    Parameters
    ----------
    constants : array of shape (n_pairs,)
    slopes : array of shape (2,)
    error : float
        The standard error of a prediction.
    """

    constants: Floats
    slopes: Floats
    error: float

    @classmethod
    def of(cls, pulls: Floats, reaches: Floats) -> Prospects:
        """Fitted to probes that were solved throughout.

        Parameters
        ----------
        pulls : array of shape (n_probes, n_classes)
        reaches : array of shape (n_probes, n_pairs)
            In the order of `permutations`.
        """
        n_probes, n_pairs = reaches.shape
        least = max(_LEAST * float(reaches.max(initial=0.0)), np.finfo(float).tiny)
        logs = np.log(np.maximum(reaches, least))
        told = np.array([_told(own) for own in pulls])
        usual, middle = logs.mean(axis=0), told.mean(axis=0)
        apart = (told - middle).reshape(-1, 2)
        slopes = np.linalg.lstsq(apart, (logs - usual).ravel(), rcond=1e-9)[0]
        left = (logs - usual).ravel() - apart @ slopes
        freedom = max((n_probes - 1) * n_pairs - 2, 1)
        error = float(np.sqrt(left @ left / freedom * (1.0 + 1.0 / n_probes)))
        return cls(usual - middle @ slopes, slopes, error)

    def most(self, pulls: Floats) -> Floats:
        """What the reach of each pair will hardly exceed, for a probe that is pulled so."""
        return np.exp(self.constants + _told(pulls) @ self.slopes + _HARDLY * self.error)


def _told(pulls: Floats) -> Floats:
    """What is known of every pair beforehand: how both weights are pulled, and the one more."""
    up, down = np.array(list(permutations(pulls, 2))).T
    return np.column_stack([up - down, np.maximum(up, -down)])
