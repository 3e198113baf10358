"""The conditional test: what a feature explains that the others do not, a second way to beat noise.

Where rows are few or effects small, noise reaches nearly as far as effects do, and the largest
weight that a model can give to a feature tells little about it. The same can happen with many rows
where columns are rare and models dense: then features that every good model uses reach no farther
than noise. So each feature is also asked whether it goes with residuals of a model of the others.
That model is a lasso, and the features that could stand in for the asked one are left out of it as
well: a feature that is replaceable is relevant all the same. A feature of noise was not there when
the residuals were made, so that its values might stand in any order, and how often they would go
with these as much is known (see :mod:`~allrelevant.linear.fit.statistics.chance`). This is a
conditional randomisation test (Liu, Katsevich, Janson and Ramdas, 2022) in which a column's values
change places.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from allrelevant.base.arrays import Floats, Mask
from allrelevant.base.progress import Progress
from allrelevant.linear.fit.baseline.plan import Plan
from allrelevant.linear.fit.conditional.lasso import MOST_PENALTIES, chosen_penalty
from allrelevant.linear.fit.conditional.p_values import (
    conditional_p_values,
    least_of_upper_ends,
    with_numbers,
)
from allrelevant.linear.fit.conditional.shared import p_values_if_shared
from allrelevant.linear.fit.problem.problem import Problem
from allrelevant.linear.fit.rows.folds import make_splits
from allrelevant.linear.fit.statistics.verdict import ConditionalPValues

_FEW_ROWS = 4  # for each feature: where there are fewer, noise reaches far
_FEWEST_ROWS = 20  # in all: models of fewer leave next to nothing, or everything
_MOST_ROWS = 50_000  # `Chance` keeps some hundred numbers for each
_SPEAKS = 0.05  # where a reach alone tells little: the largest p at which it counts


def can_be_asked(problem: Problem, plan: Plan) -> bool:
    """Whether columns can be compared with residuals of models of the others."""
    sample = problem.sample
    return (
        problem.model.has_numbers
        and problem.n_privileged == 0
        and sample.outside is None
        and sample.group is None
        and plan.probes == "append"
        and plan.confidence is None
        and plan.baseline.is_best
        and _FEWEST_ROWS <= sample.n_groups <= _MOST_ROWS
    )


def rows_are_few(problem: Problem) -> bool:
    """Whether there are so few rows that reaches alone tell little."""
    return problem.sample.n_groups < _FEW_ROWS * problem.n_features


@dataclass(frozen=True, eq=False)
class ConditionalTest:
    """How well features go with the residuals of models of the others.

    Parameters
    ----------
    p_values : array
        For every feature the probability that noise would go with it as much.
    penalty : float or tuple of float
        That of the models of the others; of several classes one for each question.
    speaks : float
        The largest p-value at which a reach counts; 1 where every reach does.
    blocks : tuple of tuples of int
        The columns of each feature that has several: their p-value is that of all together.
    least : array, optional
        The smallest p-value that the reach of each column can have: columns that others make up
        reach farther than noise of their shape.
    found : array of bool, optional
        Columns that pass; `shared` are p-values of the others, where they share what they tell.
    """

    p_values: Floats
    penalty: float | tuple[float, ...]
    speaks: float = 1.0
    blocks: tuple[tuple[int, ...], ...] = ()
    least: Floats | None = None
    found: Mask | None = None
    shared: Floats | None = None

    @property
    def for_verdict(self) -> ConditionalPValues:
        """The p-values as the verdict on all features takes them."""
        least = 0.0 if self.least is None else self.least
        return ConditionalPValues(
            self.p_values, self.speaks, least, 1.0 if self.shared is None else self.shared
        )

    def among(self, problem: Problem) -> ConditionalPValues:
        """The p-values among the rows of another sample, with the same penalties."""
        p = conditional_p_values(problem, self.penalty, Progress(), self.blocks)
        least = least_of_upper_ends(problem, self.penalty, p, self.blocks)
        own = replace(self, p_values=p, least=least)
        return (
            own.for_verdict if self.found is None else own.beside(self.found, problem).for_verdict
        )

    def beside(self, found: Mask, problem: Problem) -> ConditionalTest:
        """The same, with how well columns go with the target beside found ones."""
        shared = p_values_if_shared(with_numbers(problem), problem.shapes.scale, found)
        for own in self.blocks:
            shared[list(own)] = 1.0  # they are asked together
        return replace(self, found=found, shared=shared)


def conditional_test(
    problem: Problem, plan: Plan, progress: Progress, *, predicts: bool = True
) -> ConditionalTest:
    """All features compared with residuals of models of the others, with the best penalty.

    Where rows are few, or a model predicts no better than by chance, this has to speak for a reach.
    Else features that can be made of others reach far and explain nothing that these leave: they
    are asked all together.
    """
    model = problem.model
    splits = make_splits(
        problem.sample, plan.cv, has_classes=model.has_classes, has_order=model.has_order
    )
    samples, scale = with_numbers(problem), problem.shapes.scale
    progress.stage("models of the other features", MOST_PENALTIES * len(samples))
    found = tuple(chosen_penalty(own, scale, splits, progress.advance) for own in samples)
    penalty = found if len(found) > 1 else found[0]
    speaks = _SPEAKS if rows_are_few(problem) or not predicts else 1.0
    p = conditional_p_values(problem, penalty, progress, plan.blocks)
    least = least_of_upper_ends(problem, penalty, p, plan.blocks)
    return ConditionalTest(p, penalty, speaks, plan.blocks, least)
