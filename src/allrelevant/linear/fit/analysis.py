"""What a fit has found: the baseline, the equivalent models, ranges, and noise to compare with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from allrelevant.base.arrays import Floats
from allrelevant.base.errors import told
from allrelevant.data import matrix_of
from allrelevant.linear.engine.program.equivalent import EquivalentModels
from allrelevant.linear.engine.program.reference import Penalised
from allrelevant.linear.engine.ranges.weight_range import WeightRange
from allrelevant.linear.fit.baseline.c_values import is_wide
from allrelevant.linear.fit.baseline.candidate import AS_FITTED, Choice, Placing
from allrelevant.linear.fit.baseline.offsets import placing_of
from allrelevant.linear.fit.baseline.plan import Plan
from allrelevant.linear.fit.compared import Compared
from allrelevant.linear.fit.conditional.comparison import ConditionalTest
from allrelevant.linear.fit.problem.problem import Problem
from allrelevant.linear.fit.ranges.other_ends import open_ends, with_other_ends
from allrelevant.linear.fit.ranges.relevance import Relevances, RelevanceTask
from allrelevant.linear.fit.ranges.several import Several
from allrelevant.linear.fit.ranges.spreads import SpreadRange
from allrelevant.linear.fit.statistics.classes import Classes
from allrelevant.linear.fit.statistics.noise import Shapes, Tail


@dataclass(frozen=True, eq=False)
class Analysis:
    """What a fit has found. Intervals are shares of the baseline's norm.

    Those of privileged features are shares of the norm of their own weights, summed over the
    functions of them; `privileged_several` are those of several columns. `reference` and
    `least_loss` are those of the baseline's
    :class:`~allrelevant.linear.fit.baseline.best.Standing`.
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
    conditional: ConditionalTest | None = None  # where that can be asked
    privileged_level: float | None = None  # the same of privileged ones
    privileged_several: Mapping[int, Several] = field(default_factory=dict)

    @property
    def norm(self) -> float:
        """The baseline's norm, of which relevances are shares; 1 where it uses no feature."""
        return self.baseline.norm or 1.0

    @property
    def largest_possible(self) -> float:
        """What no feature's relevance can exceed, whatever the data: all weight there may be."""
        return np.inf if self.models is None else float(self.models.largest_norm) / self.norm

    @property
    def spare(self) -> float:
        """What models as good as the reference may waste: the norm that it leaves, as a share.

        A joint budget leaves far less than all weight there may be, which would take all its loss.
        """
        own = self.reference
        left = [
            (b.limit - b.norm * own.norm - b.loss * own.loss - b.side * own.side_norm) / b.norm
            for b in (() if self.models is None else self.models.budgets)
            if b.norm > 0
        ]
        return max(min(left, default=0.0), 0.0) / self.norm

    @property
    def intervals(self) -> Floats:
        """Smallest and largest relevance of each feature."""
        return np.array([r.relevance for r in self.found.ranges]).reshape(-1, 2) / self.norm

    @cached_property
    def ranges(self) -> tuple[WeightRange | SpreadRange, ...]:
        """The range of each feature; ends that the fit has left open are solved for here."""
        if self.models is None or not open_ends(self.found.ranges):
            return self.found.ranges
        # No name is told: what cannot be proven is a bound.
        task = RelevanceTask(self.models, self.problem, names=None, n_jobs=self.plan.n_jobs)
        return with_other_ends(task, self.found.ranges)

    @property
    def signed_intervals(self) -> Floats:
        """Smallest and largest weight of each feature, for which ends that are open are solved."""
        return self.signed(self.ranges)

    def signed(self, ranges: Sequence[WeightRange | SpreadRange]) -> Floats:
        """Both ends of ranges of weights."""
        return np.array([one.ends for one in ranges]).reshape(-1, 2) / self.norm

    @cached_property
    def compared(self) -> Compared:
        """The features' columns compared with noise."""
        return Compared(
            self.intervals,
            self.norm,
            self.found.probes.in_shares_of(self.norm).beyond(self.spare),
            self.shapes,
            self.plan,
            is_wide(self.problem.sample),
            self.level_of_features,
            None if self.conditional is None else self.conditional.for_verdict,
            self.problem.sample.least_p_value,
        )

    @property
    def classes(self) -> Classes:
        """The classes of the columns."""
        return self.compared.classes

    @property
    def tail(self) -> Tail | None:
        """How far noise reaches, in shares; None where nothing was compared with."""
        return self.compared.tail

    @property
    def shapes(self) -> Shapes:
        """What of each column decides how far it reaches as noise."""
        return self.problem.shapes

    @property
    def privileged_by_function(self) -> Floats:
        """Smallest and largest relevance of each privileged column in each slack function."""
        bounds = [[r.relevance for r in ranges] for ranges in self.found.privileged]
        n_functions = len(bounds[0]) if bounds else 1
        shape = (len(bounds), n_functions, 2)
        return np.array(bounds).reshape(shape) / (self.baseline.side_norm or 1.0)

    @cached_property
    def privileged(self) -> Compared:
        """The privileged columns compared with noise among them.

        Each has a weight in every function; what counts is the function that needs it most, and the
        one that can make most of it.
        """
        sample, norm = self.problem.sample, self.baseline.side_norm or 1.0
        # Where they are of no use the answer is that of a fit without them, which has no table.
        nothing = np.zeros((len(sample), len(self.found.privileged)))
        table = nothing if sample.privileged is None else sample.privileged
        return Compared(
            self.privileged_by_function.max(axis=1),
            norm,
            self.found.privileged_probes.in_shares_of(norm),
            Shapes.of(matrix_of(table), sample.count),
            self.plan,
            level_of_features=self.privileged_level,
            least=sample.least_p_value,
        )

    @cached_property
    def placing(self) -> Placing:
        """Where predictions have the offsets of the baseline, and of every equivalent model."""
        if not self.plan.moves_offsets:
            return AS_FITTED
        return placing_of(self.choice, is_idle=self.baseline.norm == 0)

    def warning_that(self, *messages: str | None) -> Analysis:
        """The same, with warnings that are told and remembered."""
        warnings = [*self.found.warnings, *told(*messages)]
        return replace(self, found=replace(self.found, warnings=warnings))

    def quality(self) -> dict[str, Any]:
        """The baseline in numbers."""
        scores = self.choice.all_scores(self.placing)
        name = self.choice.model.score_name
        numbers: dict[str, Any] = {
            "score": scores[name],
            "score_error": self.choice.score_error(self.placing),
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
            "second_test": self.conditional is not None,
        }
        if self.choice.model.loss_name is not None:
            numbers["loss_name"] = self.choice.model.loss_name
        n_classes = getattr(self.choice.model, "n_classes", None)  # of ordered and several ones
        if n_classes is not None:
            numbers["n_classes"] = n_classes
        if self.choice.n_rows is not None:
            numbers["cv_rows"] = self.choice.n_rows
        if self.least_loss is not None:
            numbers["kind"] = self.plan.baseline.name
            numbers["least_loss"] = self.least_loss
        if self.problem.n_privileged:
            numbers["gamma"] = self.baseline.side_price
            numbers["privileged_norm"] = self.baseline.side_norm
        return numbers
