"""What is shown of every feature: numbers off which its class can be read.

A feature is relevant if the most it brings exceeds what noise reaches, and strong if something is
lost without it: ``min > 0``. Each question has a test that decided it; what is shown comes from
there, so that no feature stands on one side of its threshold and in the class of the other.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from allrelevant.base.arrays import Floats, Ints, Mask
from allrelevant.base.three_classes import IRRELEVANT, STRONG
from allrelevant.forest.needed import Needs


@dataclass(frozen=True, eq=False)
class Evidence:
    """Rises of the held-out loss, one row or entry for each feature."""

    # (n_features,): the most a feature brings, and what it has to exceed to be relevant.
    most: Floats
    noise: Floats
    # (n_features, 2): what is lost without it, and what that has to exceed for it to be strong;
    # NaN where that was not asked
    losses: Floats

    @classmethod
    def of_tests(cls, brings: Floats, limits: Floats) -> Evidence:
        """From tests of shape (n_tests, n_features), each with its limits; NaN where not tested.

        The limit shown is that of a test the feature passes, if there is one, and else of the
        test in which it brings most.
        """
        passed = brings > np.maximum(limits, 0.0)
        open_to = passed | ~passed.any(axis=0)
        chosen = np.argmax(np.where(open_to & ~np.isnan(brings), brings, -np.inf), axis=0)
        d = brings.shape[1]
        noise = limits[chosen, np.arange(d)]
        return cls(np.fmax.reduce(brings, axis=0), noise, np.full((d, 2), np.nan))

    def replaced(self, where: Ints | Mask, most: Floats | float, noise: Floats | float) -> Evidence:
        """With the numbers of another test, which had the last word on some features."""
        found = self.most.copy(), self.noise.copy()
        found[0][where], found[1][where] = most, noise
        return Evidence(*found, self.losses)

    def judged(self, which: Ints, told: Needs) -> Evidence:
        """With what is known of the relevant features, of which some may have been none."""
        back = told.classes == IRRELEVANT
        shown = self.replaced(which[back], told.rise[back], told.limits[back])
        decided = np.column_stack([self.most, self.noise])[which]
        decided[told.is_measured] = np.column_stack([told.rise, told.limits])[told.is_measured]
        losses = self.losses.copy()
        losses[which] = decided
        return Evidence(shown.most, shown.noise, losses)

    def intervals(self, classes: Ints) -> Floats:
        """What is lost at least and brought at most; nothing is lost where others stand in."""
        least = np.where(classes == STRONG, self.losses[:, 0], 0.0)
        return np.column_stack([least, np.maximum(np.fmax(self.most, 0.0), least)])
