"""What a fit has to know beside data and model."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from allrelevant.linear.fit.baseline.choosing import Criterion, Rule, Scoring
from allrelevant.linear.fit.baseline.kinds import BaselineKind, Sparsest
from allrelevant.linear.fit.baseline.tolerance import Tolerance
from allrelevant.linear.fit.rows.folds import N_FOLDS, GivenFolds
from allrelevant.linear.models import LinearModel


@dataclass(frozen=True, kw_only=True)
class Plan:
    """Everything a fit has to know beside data and model.

    None stands for what the fit chooses by itself. Columns in `judged_together` are so with
    others of their feature, as the pieces of a curve are: none of them is a close call by itself.
    `blocks` has the columns of every feature of several.
    """

    baseline: BaselineKind = field(default_factory=Sparsest)
    C: float | None = None
    gamma: float | None = None
    cv: int | GivenFolds = N_FOLDS
    rule: Rule | None = None
    scoring: Scoring | None = None
    tolerance: Tolerance = "auto"
    budget: Literal["split", "joint"] = "split"
    n_probes: int | None = None
    probes: Literal["append", "replace"] = "append"
    confidence: float | None = None
    fdr: float | None = 0.1
    moves_offsets: bool = False
    judged_together: tuple[int, ...] = ()
    blocks: tuple[tuple[int, ...], ...] = ()
    n_jobs: int | None = None

    @property
    def rates(self) -> tuple[float | None, float | None]:
        """The share of false discoveries to keep to, or how often noise may pass where asked."""
        return (self.fdr, None) if self.confidence is None else (None, 1.0 - self.confidence)

    def criterion(self, model: LinearModel) -> Criterion:
        """How C is chosen: as asked for, or as suits the model."""
        if self.scoring is None:
            return Criterion(self.rule or model.rule, model.scoring)
        return Criterion(self.rule or "best", self.scoring)
