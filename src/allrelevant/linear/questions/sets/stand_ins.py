"""The fewest features that every model without a feature needs one of."""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np

from allrelevant.base.arrays import Ints, Mask
from allrelevant.base.progress import Progress
from allrelevant.linear.engine.program.equivalent import EquivalentModels
from allrelevant.linear.questions.fitted_set import FittedSet
from allrelevant.linear.questions.sets.choice import cheapest_choice
from allrelevant.linear.questions.sets.subsets import PartsSolver, Verdict, never_used
from allrelevant.results.relevance import RelevanceResult

RISES = 1e-6  # as a share: a smallest relevance that rises by less has not
_MOST_ROUNDS = 100
_LONGEST = 5  # stand-ins; nobody asks for a list of six that only matter together


class StandInSearch:
    """Looks for the fewest features that every model without a feature needs one of.

    A list that every such model hits is looked for among those that all models seen so far hit;
    a model that it misses is one more to hit. Features that models need anyway, with or without
    the feature, do not stand in for it: lists that cannot be left out even while the feature is
    there are cut off.
    """

    def __init__(
        self,
        fitted: FittedSet,
        parts: Sequence[EquivalentModels],
        columns: Sequence[int],
        before: RelevanceResult,
        after: RelevanceResult,
        time_limit: float,
        progress: Progress,
    ) -> None:
        self._deadline = time.monotonic() + time_limit
        self._progress = progress
        # Of several classes a column has a weight for each.
        n_scores, n_weights = fitted.model.n_scores, len(fitted.by_weight.columns)
        self._possible: Mask = np.zeros(parts[0].n_features, dtype=bool)
        self._possible[:n_weights] = np.tile(fitted.analysis.intervals[:, 1] > 0, n_scores)
        self._possible &= ~never_used(parts)
        self._solver = PartsSolver(parts, self._possible, fitted.witnesses)
        self._columns = [k * fitted.n_columns + c for k in range(n_scores) for c in columns]
        self._features = fitted.by_weight
        # What is forbidden wholly is left with nothing that could rise.
        most = after.intervals[:, 1]
        self._eligible: Mask = (most > RISES) & (before.intervals[:, 0] <= RISES)
        # Of lists equally short the one whose features can be given more weight, for sure.
        most = np.where(after.only_bounded, 0.0, most)
        self._costs = 1.0 - 0.5 * most / (most.sum() or 1.0)
        self._models: list[Ints] = []
        self._needed: list[Ints] = []

    def run(self, name: str) -> Ints | None:
        """The list; None where it is long or takes long to find."""
        # Most lists are found in a few rounds; at most there are this many.
        for _ in self._progress.each(f"stand-ins of {name}, rounds at most", range(_MOST_ROUNDS)):
            chosen = self._fewest()
            if time.monotonic() > self._deadline:
                return None
            if chosen is None:  # whatever models need without the feature they need with it, too
                return np.zeros(0, dtype=np.intp)
            if len(chosen) > _LONGEST:  # nothing shorter hits the models seen so far
                return None
            without = self._without(chosen, self._columns)
            if without.holds:
                self._models.append(self._smallest_support(without))
            elif self._without(chosen).holds:
                return chosen
            else:
                self._needed.append(self._fewest_needed(chosen))
        return None

    def _without(self, features: Ints, columns: Sequence[int] = ()) -> Verdict:
        allowed = self._possible.copy()
        allowed[: len(self._features.owner)] &= ~np.isin(self._features.owner, features)
        allowed[list(columns)] = False
        self._progress.show(f"programs solved: {self._solver.solved}")
        return self._solver.some(allowed)

    def _smallest_support(self, found: Verdict) -> Ints:
        """The features of a model without the feature of which none can be spared."""
        every = np.arange(len(self._eligible))
        sizes = self._features.largest(np.abs(found.weights[: len(self._features.owner)]))
        used = np.flatnonzero(sizes)
        for j in used[np.argsort(sizes[used], kind="stable")]:
            fewer = used[used != j]
            if self._without(np.setdiff1d(every, fewer), self._columns).holds:
                used = fewer
        return used

    def _fewest_needed(self, chosen: Ints) -> Ints:
        """The part of a list that models cannot do without in any case."""
        for k in chosen:
            fewer = chosen[chosen != k]
            if not self._without(fewer).holds:
                chosen = fewer
        return chosen

    def _fewest(self) -> Ints | None:
        """The fewest features that hit all models and contain no needed list, if there are any."""
        nothing = np.zeros(len(self._eligible), dtype=bool)
        found = cheapest_choice(
            self._costs,
            self._eligible,
            nothing,
            [_mask(members, nothing) for members in self._models],
            [_mask(members, nothing) for members in self._needed],
        )
        return None if found is None else np.flatnonzero(found)


def _mask(members: Ints, nothing: Mask) -> Mask:
    mask = nothing.copy()
    mask[members] = True
    return mask
