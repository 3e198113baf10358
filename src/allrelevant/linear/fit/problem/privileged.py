"""What the engine is given where slacks are functions of privileged information."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from allrelevant.base.arrays import Floats, Ints, sums_by
from allrelevant.data import Matrix, matrix_of
from allrelevant.linear.engine.program.pieces import Pieces
from allrelevant.linear.engine.program.reach import FREE, MAIN, SIDE
from allrelevant.linear.engine.program.reference import Penalised
from allrelevant.linear.fit.problem.plain import Problem
from allrelevant.linear.fit.rows.sample import Sample

_TINY = 1e-6  # the factor of a loss per unit of weight for which no feature is worth its norm


@dataclass(frozen=True, eq=False)
class PrivilegedProblem(Problem):
    """Slacks that are linear functions of the privileged features.

    Every piece of the model's loss becomes a row that every model keeps,

        sign·x·w + offset_sign·b + p(x*) ≥ target,     p(x*) = w*·x* + d ≥ 0,

    and the loss is the weighted sum of all p. The model's pieces fall into one family or two (too
    low and too high), each with a function of its own. The engine's columns are the features, the
    privileged features once for every function, and the functions' constants d. Its rows are those
    above, one per slack for ``p ≥ 0``, and one for the loss. Slacks are those
    of the pieces, and the model may have others that are paid for though no piece needs them.
    """

    @cached_property
    def functions(self) -> Ints:
        """Which function each piece has."""
        return self.model.slack_functions(self.plain_pieces)

    @cached_property
    def n_functions(self) -> int:
        """How many functions of the privileged features there are."""
        return int(self.functions.max(initial=0)) + 1

    @cached_property
    def paid(self) -> tuple[Ints, Ints, Floats]:
        """Sample, function and weight of every slack: first those of the pieces, in their order."""
        plain = self.plain_pieces
        row, function = self.model.idle_slacks(self.sample.target)
        return (
            np.concatenate([plain.row, row]),
            np.concatenate([self.functions, function]),
            np.concatenate([plain.weight, self.sample.weight[row]]),
        )

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
        plain, weight = self.plain_pieces, self.paid[2]
        n, m = len(plain), len(weight)
        hard = np.arange(n + m + 1) < n + m
        return Pieces(
            row=np.arange(n + m + 1),
            sign=np.where(hard, 1.0, -1.0),
            offset=np.concatenate([plain.offset, np.zeros(m + 1, dtype=np.intp)]),
            offset_sign=np.concatenate([plain.offset_sign, np.zeros(m + 1)]),
            target=np.concatenate([plain.target, np.zeros(m + 1)]),
            weight=np.where(hard, 0.0, weight.sum()),
            n_offsets=plain.n_offsets,
            hard=hard,
            linear=~hard,
        )

    def central(self, fitted: Penalised) -> Penalised:
        """The same model: every row is kept, whatever the offsets."""
        return fitted

    def columns_of(self, values: Floats, privileged: bool) -> list[tuple[Floats, int]]:
        """A column of the samples as the engine sees it, with one of its own that costs the same.

        There is one for every function.
        """
        if not privileged:
            return [(self._main_column(values), 0)]
        return [(self._side_column(values, k), self.n_features) for k in range(self.n_functions)]

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
        row, _, weight = other.paid
        given = np.maximum(other.slacks(fitted.weights), 0.0)
        needed = given[: len(pieces)]
        np.maximum(pieces.residuals(scores, fitted.offsets), needed, out=needed)
        return sums_by(row, weight * given, len(sample))

    def slacks(self, weights: Floats) -> Floats:
        """The slack functions' values, for every slack that is paid."""
        blocks = weights[self.n_features :]
        constants = blocks[self.n_functions * self.n_privileged :]
        factors = blocks[: -self.n_functions].reshape(self.n_functions, self.n_privileged)
        values = self._privileged @ factors.T + constants
        row, function, _ = self.paid
        return values[row, function]

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
        return self.path().solve(_TINY / float(self.paid[2].sum())).loss

    def _main_column(self, values: Floats) -> Floats:
        plain, m = self.plain_pieces, len(self.paid[0])
        return np.concatenate([plain.sign * values[plain.row], np.zeros(m + 1)])

    def _side_column(self, values: Floats, function: int) -> Floats:
        row, functions, weight = self.paid
        own = np.where(functions == function, values[row], 0.0)
        # The loss as a mean, with the sum of all weights before it, is of the size of the data.
        mean = float(weight @ own) / float(weight.sum())
        return np.concatenate([own[: len(self.plain_pieces)], own, [mean]])
