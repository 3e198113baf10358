"""What the engine is given for a model and a sample, with and without privileged information."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from allrelevant.base.arrays import Floats, Ints, sums_by
from allrelevant.base.features import Features
from allrelevant.data import ClassMatrix, Matrix, matrix_of
from allrelevant.linear.engine.penalised import Penalised, PenalisedPath
from allrelevant.linear.engine.pieces import Pieces
from allrelevant.linear.engine.reach import FREE, MAIN, SIDE
from allrelevant.linear.fit.central import central_offsets
from allrelevant.linear.fit.keys import column_order
from allrelevant.linear.fit.sample import Sample
from allrelevant.linear.models import LinearModel

_TINY = 1e-6  # the factor of a loss per unit of weight for which no feature is worth its norm


@dataclass(frozen=True, eq=False)
class Problem:
    """A matrix and a loss over its columns, the first of which are the features.

    Parameters
    ----------
    model : LinearModel
    sample : Sample
    """

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
    def kinds(self) -> Ints | None:
        """The kind of each of its columns; None where all are plain features."""
        return None

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
        order = column_order(table, self.sample.target, self.sample.count)
        low, high = table.ends
        varied = order[(high - low)[order] > 0]
        return varied if len(varied) else order

    def path(self, start: Penalised | None = None) -> PenalisedPath:
        """The solver of the reference model, from the beginning or near a known one."""
        return PenalisedPath(self.matrix, self.pieces, start, self.kinds)

    def central(self, fitted: Penalised) -> Penalised:
        """The same model with its offsets in the middle of those that are as good."""
        scores = self.sample.X.scores(fitted.weights)
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
        """A column of the samples as the engine sees it, with its kind; one per function."""
        return [(values, MAIN)]

    def places_of(self, feature: int, privileged: bool) -> list[int]:
        """The engine's columns of a feature: one, or one per function."""
        return [feature]

    def losses_on(self, sample: Sample, fitted: Penalised) -> Floats:
        """The loss that a model fitted here has on each row of another sample."""
        pieces = self.model.pieces(sample.target, sample.weight)
        return pieces.loss_by_row(sample.X.scores(fitted.weights), fitted.offsets)


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
        """Those of the samples' rows."""
        by_sample = duals.reshape(-1, self.model.n_scores - 1)[rows]
        factors = np.broadcast_to(factors, len(rows))
        return (by_sample * factors[:, None]).ravel()

    def columns_of(self, values: Floats, privileged: bool) -> list[tuple[Floats, int]]:
        """One column for each class."""
        return [(column, MAIN) for column in self.matrix.expanded(values).T]

    def places_of(self, feature: int, privileged: bool) -> list[int]:
        """The engine's columns of a feature: one for each class."""
        return [k * self.n_features + feature for k in range(self.model.n_scores)]

    def losses_on(self, sample: Sample, fitted: Penalised) -> Floats:
        """The loss that a model fitted here has on each row of another sample."""
        other = MulticlassProblem(self.model, sample)
        losses = other.pieces.loss_by_row(other.matrix.scores(fitted.weights), fitted.offsets)
        return losses.reshape(len(sample), -1).sum(axis=1)


@dataclass(frozen=True, eq=False)
class PrivilegedProblem(Problem):
    """Slacks that are linear functions of the privileged features.

    Every piece of the model's loss becomes a row that every model keeps,

        sign·x·w + offset_sign·b + p(x*) ≥ target,     p(x*) = w*·x* + d ≥ 0,

    and the loss is the weighted sum of all p. The model's pieces fall into one family or two (too
    low and too high), each with a function of its own. The engine's columns are the features, the
    privileged features once for every function, and the functions' constants d. Its rows are those
    above, one more per piece for ``p ≥ 0``, and one for the loss.
    """

    @cached_property
    def functions(self) -> Ints:
        """Which function each piece has."""
        return self.model.slack_functions(self.plain_pieces)

    @cached_property
    def n_functions(self) -> int:
        """How many functions of the privileged features there are."""
        return int(self.functions.max(initial=0)) + 1

    @property
    def n_privileged(self) -> int:
        """How many features are known in training only."""
        return self._privileged.shape[1]

    @property
    def _privileged(self) -> Floats:
        assert self.sample.privileged is not None
        return self.sample.privileged

    @cached_property
    def kinds(self) -> Ints:
        """Features, privileged features for every function, constants."""
        numbers = (self.n_features, self.n_privileged * self.n_functions, self.n_functions)
        return np.repeat([MAIN, SIDE, FREE], numbers)

    @cached_property
    def matrix(self) -> Matrix:
        """The engine's matrix."""
        main = [self._main_column(column) for column in self.sample.X.dense().T]
        side = [
            self._side_column(column, function)
            for function in range(self.n_functions)
            for column in self._privileged.T
        ]
        one = np.ones(len(self.sample))
        free = [self._side_column(one, function) for function in range(self.n_functions)]
        return matrix_of(np.ascontiguousarray(np.column_stack([*main, *side, *free])))

    @cached_property
    def pieces(self) -> Pieces:
        """Hard pieces, and a linear one that is the loss."""
        plain, n = self.plain_pieces, len(self.plain_pieces)
        hard = np.arange(2 * n + 1) < 2 * n
        return Pieces(
            row=np.arange(2 * n + 1),
            sign=np.where(hard, 1.0, -1.0),
            offset=np.concatenate([plain.offset, np.zeros(n + 1, dtype=np.intp)]),
            offset_sign=np.concatenate([plain.offset_sign, np.zeros(n + 1)]),
            target=np.concatenate([plain.target, np.zeros(n + 1)]),
            weight=np.where(hard, 0.0, plain.weight.sum()),
            n_offsets=plain.n_offsets,
            hard=hard,
            linear=~hard,
        )

    def central(self, fitted: Penalised) -> Penalised:
        """The same model: every row is kept, whatever the offsets."""
        return fitted

    def columns_of(self, values: Floats, privileged: bool) -> list[tuple[Floats, int]]:
        """A column of the samples as the engine sees it, with its kind; one per function."""
        if not privileged:
            return [(self._main_column(values), MAIN)]
        return [(self._side_column(values, k), SIDE) for k in range(self.n_functions)]

    def places_of(self, feature: int, privileged: bool) -> list[int]:
        """The engine's columns of a feature: one, or one per function."""
        if not privileged:
            return [feature]
        return [self.n_features + k * self.n_privileged + feature for k in range(self.n_functions)]

    def losses_on(self, sample: Sample, fitted: Penalised) -> Floats:
        """What the model would have to pay for each row of another sample.

        That is the value of the slack function, or the slack the row needs where that is more.
        """
        other = PrivilegedProblem(self.model, sample)
        pieces = other.plain_pieces
        scores = sample.X.scores(fitted.weights[: self.n_features])
        needed = pieces.residuals(scores, fitted.offsets)
        given = other.slacks(fitted.weights)
        paid = pieces.weight * np.maximum(np.maximum(needed, given), 0.0)
        return sums_by(pieces.row, paid, len(sample))

    def slacks(self, weights: Floats) -> Floats:
        """The slack functions' values, for every piece of the model's loss."""
        blocks = weights[self.n_features :]
        constants = blocks[self.n_functions * self.n_privileged :]
        factors = blocks[: -self.n_functions].reshape(self.n_functions, self.n_privileged)
        values = self._privileged @ factors.T + constants
        return values[self.plain_pieces.row, self.functions]

    def constant_solution(self, C: float) -> Penalised:
        """The best model whose slack functions are constants: one of this problem's models."""
        constant = PrivilegedProblem(self.model, self.sample.without_columns())
        found = constant.path().solve(C)
        weights = np.zeros(len(self.kinds))
        weights[self.kinds != SIDE] = found.weights
        return replace(found, weights=weights)

    def constant_loss(self) -> float:
        """The loss of the model without any feature: each slack function a constant.

        All that the functions can do then is to pay the whole margin.
        """
        return self.path().solve(_TINY / float(self.plain_pieces.weight.sum())).loss

    def _main_column(self, values: Floats) -> Floats:
        plain, n = self.plain_pieces, len(self.plain_pieces)
        return np.concatenate([plain.sign * values[plain.row], np.zeros(n + 1)])

    def _side_column(self, values: Floats, function: int) -> Floats:
        plain = self.plain_pieces
        own = np.where(self.functions == function, values[plain.row], 0.0)
        # The loss as a mean, with the sum of all weights before it, is of the size of the data.
        mean = float(plain.weight @ own) / float(plain.weight.sum())
        return np.concatenate([own, own, [mean]])


def problem_of(model: LinearModel, sample: Sample) -> Problem:
    """The problem of a model on a sample."""
    if model.n_scores > 1:
        return MulticlassProblem(model, sample)
    return (Problem if sample.privileged is None else PrivilegedProblem)(model, sample)
