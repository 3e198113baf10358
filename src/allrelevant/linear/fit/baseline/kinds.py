"""What the baseline is: the best model by the ℓ1 norm or the Euclidean one, or somebody's own."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar, Protocol

import numpy as np

from allrelevant.base.arrays import Floats, sums_by
from allrelevant.data import matrix_of
from allrelevant.data.scaling import Scaling
from allrelevant.linear.engine.baseline.euclidean import EuclideanProgram
from allrelevant.linear.engine.program.reference import Penalised
from allrelevant.linear.fit.baseline.c_values import grid
from allrelevant.linear.fit.problem.problem import Problem
from allrelevant.linear.fit.rows.sample import Sample
from allrelevant.linear.models import LinearModel

_ROUGH = 1e-6  # the relative gap that does for a fold
_STEPS = 17
_DECADES = 6.0
_SMALLEST = 1e-2  # the typical score of the first model that is tried

Learn = Callable[[Sample], tuple[Floats, float]]


class Path(Protocol):
    """Fits one model after the other to the same rows."""

    def solve(self, C: float, side_price: float = 1.0) -> Penalised:
        """The model for this C."""


class BaselineKind(ABC):
    """Where the baseline comes from. It is data: a fit of all rows and one of a fold ask it."""

    name: str
    #: Whether the baseline minimises ‖w‖₁ + C·loss, so that no model of its norm has less loss.
    is_best: ClassVar[bool] = False
    #: Whether it is somebody's own model, which has no C.
    is_given: ClassVar[bool] = False

    @abstractmethod
    def grid(self, model: LinearModel, sample: Sample) -> Floats:
        """The values of C to choose from."""

    @abstractmethod
    def path(self, problem: Problem, start: Penalised | None, *, chosen: bool) -> Path:
        """The solver of one model after the other; `chosen` where C comes from the grid."""

    def central(self, problem: Problem, fitted: Penalised) -> Penalised:
        """The model with its offsets in the middle of those that are as good."""
        return problem.central(fitted)

    def rescaled(self, scaling: Scaling) -> BaselineKind:
        """The baseline for columns that were brought to this scale."""
        return self

    def fit(self, problem: Problem, C: float, gamma: float, *, chosen: bool) -> Penalised:
        """The baseline on all the data, with the C that people see."""
        return self.central(problem, self.path(problem, None, chosen=chosen).solve(C, gamma))


class Sparsest(BaselineKind):
    """The minimum of ``‖w‖₁ + C·loss``."""

    name = "l1"
    is_best = True

    def grid(self, model: LinearModel, sample: Sample) -> Floats:
        """The values of C to choose from."""
        return grid(model, sample)

    def path(self, problem: Problem, start: Penalised | None, *, chosen: bool) -> Path:
        """The engine's own."""
        return problem.path(start)


class Smoothest(BaselineKind):
    """The minimum of ``‖w‖₂ + C·loss``, or of ``‖w‖₂² + C·loss`` where the model says so.

    Folds are fitted with a factor of the squared norm in any case: both problems have the same
    minima, in the same order.
    """

    name = "l2"

    def grid(self, model: LinearModel, sample: Sample) -> Floats:
        """Factors of the squared norm: from one at which scores are small, six decades."""
        weight = sample.weight / sample.weight.sum()
        pieces = model.pieces(sample.target, weight)
        pull = sums_by(pieces.row, pieces.weight * pieces.sign, len(sample.X))
        scores = sample.X.scores(sample.X.pull(pull))
        size = float(np.sqrt(weight @ scores**2)) * float(sample.weight.sum()) or 1.0
        return _SMALLEST / size * np.geomspace(1.0, 10.0**_DECADES, _STEPS)

    def path(self, problem: Problem, start: Penalised | None, *, chosen: bool) -> Path:
        """By an interior point."""
        return _SmoothPath(problem, chosen)

    def fit(self, problem: Problem, C: float, gamma: float, *, chosen: bool) -> Penalised:
        """The baseline; where a factor of the squared norm was chosen, with the C that it means."""
        found = self.central(problem, _SmoothPath(problem, chosen, exact=True).solve(C, gamma))
        if not chosen:
            return found
        norm = float(np.linalg.norm(found.weights)) or 1.0
        return replace(found, C=2.0 * C if problem.model.squared_norm else C / norm)


class Given(BaselineKind):
    """A model that is known, or that somebody else's learner finds for any rows.

    Parameters
    ----------
    learner : callable
        Gives weights and offset for a sample.
    name : str
        What people call it.
    scaling : Scaling, optional
        From the learner's columns to those of the problem.
    """

    is_given = True

    def __init__(self, learner: Learn, name: str, scaling: Scaling | None = None) -> None:
        self.learner, self.name, self.scaling = learner, name, scaling

    def rescaled(self, scaling: Scaling) -> Given:
        """The baseline for columns that were brought to this scale."""
        return Given(self.model_for, self.name, scaling)

    def model_for(self, sample: Sample) -> tuple[Floats, float]:
        """Weights and offset for a sample in the problem's units."""
        if self.scaling is None:
            return self.learner(sample)
        known = self.learner(replace(sample, X=matrix_of(self.scaling.undone(sample.X.dense()))))
        return self.scaling.scaled(*known)

    def grid(self, model: LinearModel, sample: Sample) -> Floats:
        """Nothing to choose: any number will do."""
        return np.ones(1)

    def path(self, problem: Problem, start: Penalised | None, *, chosen: bool) -> Path:
        """The path of a learner, which is the same whatever C."""
        return _GivenPath(problem, self.model_for)

    def central(self, problem: Problem, fitted: Penalised) -> Penalised:
        """The model as it is."""
        return fitted


@dataclass(frozen=True, eq=False)
class _GivenPath:
    problem: Problem
    learner: Learn

    def solve(self, C: float, side_price: float = 1.0) -> Penalised:
        weights, offset = self.learner(self.problem.sample)
        return model_of(self.problem, weights, np.array([offset]), C)


class _SmoothPath:
    def __init__(self, problem: Problem, chosen: bool, *, exact: bool = False) -> None:
        self._problem, self._chosen, self._exact = problem, chosen, exact
        self._program = EuclideanProgram(problem.matrix.dense(), problem.pieces)

    def solve(self, C: float, side_price: float = 1.0) -> Penalised:
        program = self._program
        if self._chosen:
            found = program.solve(C) if self._exact else program.solve(C, _ROUGH)
        elif self._problem.model.squared_norm:
            found = program.solve(C / 2.0)
        else:
            found = program.solve_plain(C)
        return model_of(self._problem, found.weights, found.offsets, C)


def model_of(problem: Problem, weights: Floats, offsets: Floats, C: float) -> Penalised:
    """Any model, with its norm and its loss."""
    scores = problem.sample.X.scores(weights)
    loss = problem.pieces.loss(scores, offsets)
    nothing = np.zeros(len(scores))
    return Penalised(C, weights, offsets, nothing, float(np.abs(weights).sum()), loss)
