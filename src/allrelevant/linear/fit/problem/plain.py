"""What the engine is given for a model and a sample."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from allrelevant.base.arrays import Floats, Ints
from allrelevant.base.features import Features
from allrelevant.data import Matrix, matrix_of
from allrelevant.linear.engine.baseline.central import central_offsets
from allrelevant.linear.engine.baseline.penalised import PenalisedPath
from allrelevant.linear.engine.program.equivalent import EquivalentModels
from allrelevant.linear.engine.program.pieces import Pieces
from allrelevant.linear.engine.program.reach import MAIN
from allrelevant.linear.engine.program.reference import Penalised
from allrelevant.linear.fit.rows.keys import column_order
from allrelevant.linear.fit.rows.resampling import shuffled
from allrelevant.linear.fit.rows.sample import Sample
from allrelevant.linear.fit.statistics.noise import Shapes
from allrelevant.linear.models import LinearModel

Noise = tuple[int, int]  # a feature, and the seed by which its values change places
Run = Callable[..., list[Any]]  # of tasks, a problem and models; `quietly` tells no progress


@dataclass(frozen=True, eq=False)
class Problem:
    """A matrix and a loss over its columns, the first of which are the features."""

    model: LinearModel
    sample: Sample

    @cached_property
    def plain_pieces(self) -> Pieces:
        """The model's loss on the samples, as if nothing was privileged."""
        return self.model.pieces(self.sample.target, self.sample.weight)

    @property
    def matrix(self) -> Matrix:
        """The engine's matrix."""
        return self.sample.X

    @property
    def pieces(self) -> Pieces:
        """The engine's loss on the rows of that matrix."""
        return self.plain_pieces

    @property
    def kinds(self) -> Ints:
        """Which norm each of its columns counts in."""
        return np.full(self.matrix.shape[1], MAIN)

    @property
    def n_features(self) -> int:
        """How many features a prediction needs."""
        return self.sample.X.shape[1]

    @property
    def n_privileged(self) -> int:
        """How many features are known in training only."""
        return 0

    @property
    def n_functions(self) -> int:
        """How many functions of the privileged features there are."""
        return 0

    def table(self, privileged: bool) -> Matrix:
        """The samples' features, or those that are known in training only."""
        if not privileged:
            return self.sample.X
        assert self.sample.privileged is not None
        return matrix_of(self.sample.privileged)

    def useful_columns(self, privileged: bool) -> Ints:
        """Columns that are not constant, in an order of their own; all where none is."""
        table = self.table(privileged)
        target, count = self.sample.target, self.sample.count
        order = column_order(table, target, count, has_order=self.model.has_order)
        low, high = table.ends
        varied = order[(high - low)[order] > 0]
        return varied if len(varied) else order

    @cached_property
    def shapes(self) -> Shapes:
        """What of each column decides how far it reaches as noise."""
        return Shapes.of(self.sample.X, self.sample.count)

    def noise(self, feature: int, seed: int, privileged: bool, by: int | None = None) -> Floats:
        """A column whose values have changed places; standardised anew where rows differ.

        Columns that have a seed, and the column `by` which they go, in common stay together.
        """
        sample, table = self.sample, self.table(privileged)
        before, leading = table.column(feature), None if by is None else table.column(by)
        column = shuffled(before, sample, np.random.default_rng(seed), leading)
        if sample.group is not None or (np.ptp(sample.count) > 0 and (sample.numbers == 1).all()):
            share = sample.count / sample.count.sum()
            spread = float(np.sqrt(share @ (before - share @ before) ** 2))
            column = column - share @ column
            scale = float(np.sqrt(share @ column**2))
            column = column * (spread / scale) if scale > 0 else column
        return column

    def mean_loss(self, fitted: Penalised) -> tuple[float, float]:
        """The mean loss of an observation, and its standard error."""
        losses = self.losses_on(self.sample, fitted)
        return self.sample.mean_and_error(losses / self.sample.count)

    def solved(
        self,
        tasks: Sequence[Any],
        guests: Sequence[Noise | None],
        models: EquivalentModels,
        run: Run,
    ) -> list[Any]:
        """The answers to tasks about models of this problem, some of which have noise as a guest.

        They are those of ``run(tasks, problem, models)``.
        """
        return run(tasks, self, models)

    def present(self, models: EquivalentModels) -> EquivalentModels:
        """A set of models with all that is known of them by now."""
        return models

    def path(self, start: Penalised | None = None) -> PenalisedPath:
        """The solver of the reference model, from the beginning or near a known one."""
        return PenalisedPath(self.matrix, self.pieces, start, self.kinds)

    def central(self, fitted: Penalised) -> Penalised:
        """The same model with its offsets in the middle of those that are as good."""
        scores = self.matrix.scores(fitted.weights)
        return replace(fitted, offsets=central_offsets(self.pieces, scores, fitted.offsets))

    def in_columns(self, features: Features) -> Features:
        """Features by their places among the engine's columns."""
        own = [[k for c in one for k in self.places_of(c, False)] for one in features.places]
        return replace(features, places=tuple(map(tuple, own)))

    def by_feature(self, weights: Floats) -> Floats:
        """A model's weight of each feature."""
        return weights[: self.n_features]

    def n_used(self, weights: Floats) -> int:
        """How many columns, or features, a model uses."""
        return int(np.count_nonzero(weights))

    def predicting_offsets(self, fitted: Penalised) -> Floats:
        """The offsets to predict with, where a model uses no feature as well."""
        if self.by_feature(fitted.weights).any():
            return fitted.offsets
        return self.model.without_features(fitted.offsets, self.sample.target, self.sample.weight)

    def scores_of(self, sample: Sample, weights: Floats) -> Floats:
        """The scores that a model gives to each row of another sample."""
        return sample.X.scores(weights[: self.n_features])

    def part_of(self, duals: Floats, rows: Ints, factors: Floats | float) -> Floats:
        """Multipliers of the engine's rows, as those of some samples, times a factor for each."""
        return duals[rows] * factors

    def columns_of(self, values: Floats, privileged: bool) -> list[tuple[Floats, int]]:
        """A column of the samples as the engine sees it, with one of its own that costs the same.

        There is one for every function.
        """
        return [(values, 0)]

    def places_of(self, feature: int, privileged: bool) -> list[int]:
        """The engine's columns of a feature: one, or one per function."""
        return [feature]

    def losses_on(self, sample: Sample, fitted: Penalised) -> Floats:
        """The loss that a model fitted here has on each row of another sample."""
        pieces = self.model.pieces(sample.target, sample.weight)
        return pieces.loss_by_row(sample.X.scores(fitted.weights), fitted.offsets)
