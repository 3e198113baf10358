"""What the engine is given for a model of several classes without an order."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from allrelevant.base.arrays import Floats, Ints
from allrelevant.data import ClassMatrix
from allrelevant.linear.engine.program.reference import Penalised
from allrelevant.linear.fit.problem.plain import Problem
from allrelevant.linear.fit.rows.sample import Sample


@dataclass(frozen=True, eq=False)
class MulticlassProblem(Problem):
    """A score for each of several classes: a feature has a weight for every class.

    What a feature's weights have in common changes nothing, so they count by their spread.
    """

    @cached_property
    def matrix(self) -> ClassMatrix:
        """By how much the samples' own classes are ahead of the others."""
        codes = self.sample.target.astype(np.intp)
        return ClassMatrix.of(self.sample.X, codes, self.model.n_scores)

    def central(self, fitted: Penalised) -> Penalised:
        """The same model: one offset has no middle while the others stay."""
        return fitted

    def by_feature(self, weights: Floats) -> Floats:
        """The largest difference that a feature makes between two classes."""
        return np.ptp(weights.reshape(self.model.n_scores, -1), axis=0)

    def n_used(self, weights: Floats) -> int:
        """How many features a model uses."""
        return int(np.count_nonzero(self.by_feature(weights)))

    def scores_of(self, sample: Sample, weights: Floats) -> Floats:
        """A column for each class."""
        return sample.X.scores(weights.reshape(self.model.n_scores, -1).T)

    def part_of(self, duals: Floats, rows: Ints, factors: Floats | float) -> Floats:
        """Multipliers of the rows of some samples, times a factor for each sample."""
        by_sample = duals.reshape(-1, self.model.n_scores - 1)[rows]
        factors = np.broadcast_to(factors, len(rows))
        return (by_sample * factors[:, None]).ravel()

    def columns_of(self, values: Floats, privileged: bool) -> list[tuple[Floats, int]]:
        """One column for each class."""
        return [(column, 0) for column in self.matrix.expanded(values).T]

    def places_of(self, feature: int, privileged: bool) -> list[int]:
        """The engine's columns of a feature: one for each class."""
        return [k * self.n_features + feature for k in range(self.model.n_scores)]

    def losses_on(self, sample: Sample, fitted: Penalised) -> Floats:
        """The loss that a model fitted here has on each row of another sample."""
        other = MulticlassProblem(self.model, sample)
        losses = other.pieces.loss_by_row(other.matrix.scores(fitted.weights), fitted.offsets)
        return losses.reshape(len(sample), -1).sum(axis=1)
