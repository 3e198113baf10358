"""What a fit has found: the baseline, the equivalent models, ranges, and noise to compare with."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from allrelevant.base.arrays import Floats, Ints
from allrelevant.base.errors import warn_user
from allrelevant.data import matrix_of
from allrelevant.linear.engine.equivalent import EquivalentModels
from allrelevant.linear.engine.penalised import Penalised
from allrelevant.linear.fit.baseline import is_wide
from allrelevant.linear.fit.candidate import AS_FITTED, Choice, Placing
from allrelevant.linear.fit.classes import (
    Classes,
    compare,
    noise_tail,
)
from allrelevant.linear.fit.noise import Shapes, Tail
from allrelevant.linear.fit.offsets import placing_of
from allrelevant.linear.fit.plan import Plan
from allrelevant.linear.fit.problem import Problem
from allrelevant.linear.fit.relevance import (
    Relevances,
)
from allrelevant.linear.fit.unexplained import Unexplained
from allrelevant.linear.fit.verdict import HIGHEST_LEVEL, limits_at, p_values


@dataclass(frozen=True, eq=False)
class Analysis:
    """What a fit has found. Intervals are shares of the baseline's norm.

    Those of privileged features are shares of the norm of their own weights, summed over the
    functions of them. `reference` and `least_loss` are those of the baseline's
    :class:`~allrelevant.linear.fit.best.Standing`.
    """

    choice: Choice
    problem: Problem
    baseline: Penalised
    tolerance: tuple[float, float]
    models: EquivalentModels | None
    found: Relevances
    plan: Plan
    reference: Penalised
    least_loss: float | None = None
    level_of_features: float | None = None  # where some have several columns
    unexplained: Unexplained | None = None  # where rows are few

    @property
    def norm(self) -> float:
        """The baseline's norm, of which relevances are shares; 1 where it uses no feature."""
        return self.baseline.norm or 1.0

    @property
    def largest_possible(self) -> float:
        """What no feature's relevance can exceed, whatever the data: all weight there may be."""
        return np.inf if self.models is None else float(self.models.largest_norm) / self.norm

    @property
    def intervals(self) -> Floats:
        """Smallest and largest relevance of each feature."""
        return np.array([r.relevance for r in self.found.ranges]).reshape(-1, 2) / self.norm

    @property
    def signed_intervals(self) -> Floats:
        """Smallest and largest weight of each feature."""
        ends = np.array([r.ends for r in self.found.ranges])
        return ends.reshape(-1, 2) / self.norm

    @cached_property
    def classes(self) -> Classes:
        """The features compared with noise."""
        probes = self.found.probes.in_shares_of(self.norm)
        return compare(
            self.intervals,
            probes,
            self.tail,
            self.shapes,
            self.plan,
            self.level_of_features,
            self._rest,
        )

    @cached_property
    def tail(self) -> Tail | None:
        """How far noise reaches, in shares; None where nothing was compared with."""
        probes = self.found.probes.in_shares_of(self.norm)
        reach, is_sparse = self.intervals[:, 1], is_wide(self.problem.sample)
        return noise_tail(reach, probes, self.shapes, mostly_noise=is_sparse)

    def p_errors(self) -> Floats:
        """Standard errors of the logarithms of the columns' p-values, by the number of probes."""
        reach = self.intervals[:, 1]
        if self.tail is None:
            return np.zeros_like(reach)
        return p_values(self.tail, reach, self.shapes, self._rest)[1]

    @property
    def _rest(self) -> Floats | None:
        """The p-values of what features explain that others leave, where they count."""
        return None if self.unexplained is None else self.unexplained.p_values

    @property
    def shapes(self) -> Shapes:
        """What of each column decides how far it reaches as noise."""
        return self.problem.shapes

    @property
    def privileged_by_function(self) -> Floats:
        """Smallest and largest relevance of each privileged feature in each slack function."""
        bounds = [[r.relevance for r in ranges] for ranges in self.found.privileged]
        n_functions = len(bounds[0]) if bounds else 1
        shape = (len(bounds), n_functions, 2)
        return np.array(bounds).reshape(shape) / (self.baseline.side_norm or 1.0)

    @property
    def privileged_intervals(self) -> Floats:
        """Smallest and largest relevance of each privileged feature.

        It has a weight in every function; what counts is the function that needs it most, and the
        one that can make most of it.
        """
        return self.privileged_by_function.max(axis=1)

    @cached_property
    def privileged_classes(self) -> Classes:
        """The privileged features compared with noise among them."""
        sample = self.problem.sample
        probes = self.found.privileged_probes.in_shares_of(self.baseline.side_norm or 1.0)
        table = np.zeros((len(sample), 0)) if sample.privileged is None else sample.privileged
        # Where they are of no use the answer is that of a fit without them, which has no table.
        if table.shape[1] != len(self.found.privileged):
            return Classes.without_noise(self.privileged_intervals)
        shapes = Shapes.of(matrix_of(table), sample.count)
        intervals = self.privileged_intervals
        tail = noise_tail(intervals[:, 1], probes, shapes)
        return compare(intervals, probes, tail, shapes, self.plan)

    def limits(self, columns: Ints, level: float) -> Floats:
        """What some columns have to reach for a p-value of this level."""
        if self.tail is None or self.classes.level is None:
            return self.classes.upper[columns]
        shapes, rest = self.shapes.take(columns), self._rest
        rest = None if rest is None else rest[columns]
        limits = limits_at(level, self.tail, shapes, rest)
        return np.where(shapes.scale > 0, limits, self.classes.upper[columns])

    @property
    def level(self) -> float:
        """The probability with which noise is let pass."""
        asked = self.plan.rates[1] or HIGHEST_LEVEL
        return asked if self.classes.level is None else self.classes.level

    @cached_property
    def placing(self) -> Placing:
        """Where predictions have the offsets of the baseline, and of every equivalent model."""
        return placing_of(self.choice) if self.plan.moves_offsets else AS_FITTED

    def warning_that(self, message: str) -> Analysis:
        """The same, with a warning that is told and remembered."""
        warn_user(message)
        warnings = [*self.found.warnings, message]
        return replace(self, found=replace(self.found, warnings=warnings))

    def quality(self) -> dict[str, Any]:
        """The baseline in numbers."""
        scores = self.choice.all_scores(self.placing)
        name = self.choice.model.score_name
        numbers: dict[str, Any] = {
            "score": scores[name],
            "score_error": self.choice.score_error,
            "score_name": name,
            "scores": scores,
            "C": self.baseline.C,
            "n_used": int(np.count_nonzero(self.problem.by_feature(self.baseline.weights))),
            "norm": self.baseline.norm,
            "loss": self.baseline.loss,
            "tolerance_norm": self.tolerance[0],
            "tolerance_loss": self.tolerance[1],
            "largest_possible": None if self.models is None else self.largest_possible,
            "level": self.classes.level,
            "fdr": self.plan.rates[0],
        }
        if self.choice.n_rows is not None:
            numbers["cv_rows"] = self.choice.n_rows
        if self.least_loss is not None:
            numbers["kind"] = self.plan.baseline.name
            numbers["least_loss"] = self.least_loss
        if self.problem.n_privileged:
            numbers["gamma"] = self.baseline.side_price
            numbers["privileged_norm"] = self.baseline.side_norm
        return numbers
