"""What a feature explains that the others leave unexplained: a second way to beat noise.

Where rows are few or effects small, noise reaches nearly as far as effects do, and the largest
weight that a model can give to a feature tells little about it. The same can happen with many rows
where columns are rare and models dense: then features that every good model uses reach no farther
than noise. So each feature is also asked whether it goes with what a model of the others leaves.
That model is a lasso, and the features that could stand in for the asked one are left out of it as
well: a feature that is replaceable is relevant all the same. A feature of noise was not there when
the rest was made, so that its values might stand in any order, and how often they would go with the
rest as much is known (see :mod:`~allrelevant.linear.fit.statistics.chance`). This is a conditional
randomisation test (Liu, Katsevich, Janson and Ramdas, 2022) in which a column's values change
places.

Several classes without an order are asked one by one, and two by two if that is quick: what tells
a class from all others, or two from each other, and what models of the other features leave of it.
The p-values of these questions are combined by Cauchy's distribution (Liu and Xie, 2020): a single
small one counts about as with Bonferroni's rule, and several small ones count for more.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import NamedTuple

import numpy as np

from allrelevant.base.arrays import Floats, Ints, Mask
from allrelevant.base.progress import Progress
from allrelevant.linear.fit.baseline.plan import Plan
from allrelevant.linear.fit.conditional.lasso import MOST_PENALTIES, Lasso, chosen_penalty
from allrelevant.linear.fit.conditional.leftover import (
    ALIKE,
    COPIES,
    STANDS_IN,
    Leftover,
    at_least,
    correlations,
)
from allrelevant.linear.fit.conditional.made_of_others import least_p_values, made_of_others
from allrelevant.linear.fit.conditional.shared import p_values_if_shared
from allrelevant.linear.fit.conditional.together import p_value_together, widened
from allrelevant.linear.fit.problem.problem import Problem
from allrelevant.linear.fit.rows.folds import make_splits
from allrelevant.linear.fit.rows.sample import Sample
from allrelevant.linear.fit.statistics.verdict import HIGHEST_LEVEL, Rest, combined, level_of_each

_FEW_ROWS = 4  # for each feature: where there are fewer, noise reaches far
_FEWEST_ROWS = 20  # in all: models of fewer leave next to nothing, or everything
_MOST_ROWS = 50_000  # `Chance` keeps some hundred numbers for each
_MOST_MODELS = 1000
_FEW_CLASSES = 5  # whose pairs are asked in any case
_MOST_ASKED = 2_000_000  # rows times columns times questions: of more, pairs would take too long
_SPEAKS = 0.05  # where a reach alone tells little: the largest p at which it counts


def can_be_asked(problem: Problem, plan: Plan) -> bool:
    """Whether columns can be compared with what models of the others leave."""
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
class Unexplained:
    """How well features go with what others leave.

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
    def rest(self) -> Rest:
        """The p-values as the verdict on all features takes them."""
        least = 0.0 if self.least is None else self.least
        return Rest(self.p_values, self.speaks, least, 1.0 if self.shared is None else self.shared)

    def rest_of(self, problem: Problem) -> Rest:
        """The p-values among the rows of another sample, with the same penalties."""
        p = p_values_of_rest(problem, self.penalty, Progress(), self.blocks)
        least = least_of_reaches(problem, self.penalty, p, self.blocks)
        own = replace(self, p_values=p, least=least)
        return own.rest if self.found is None else own.beside(self.found, problem).rest

    def beside(self, found: Mask, problem: Problem) -> Unexplained:
        """The same, with how well columns go with the target beside found ones."""
        shared = p_values_if_shared(_with_numbers(problem), problem.shapes.scale, found)
        for own in self.blocks:
            shared[list(own)] = 1.0  # they are asked together
        return replace(self, found=found, shared=shared)


def what_others_leave(
    problem: Problem, plan: Plan, progress: Progress, *, predicts: bool = True
) -> Unexplained:
    """All features compared with what models of the others leave, with the best penalty.

    Where rows are few, or a model predicts no better than by chance, this has to speak for a reach.
    Else features that can be made of others reach far and explain nothing that these leave: they
    are asked all together.
    """
    model = problem.model
    splits = make_splits(
        problem.sample, plan.cv, has_classes=model.has_classes, has_order=model.has_order
    )
    samples, scale = _with_numbers(problem), problem.shapes.scale
    progress.stage("models of the other features", MOST_PENALTIES * len(samples))
    found = tuple(chosen_penalty(own, scale, splits, progress.advance) for own in samples)
    penalty = found if len(found) > 1 else found[0]
    speaks = _SPEAKS if rows_are_few(problem) or not predicts else 1.0
    p = p_values_of_rest(problem, penalty, progress, plan.blocks)
    least = least_of_reaches(problem, penalty, p, plan.blocks)
    return Unexplained(p, penalty, speaks, plan.blocks, least)


def p_values_of_rest(
    problem: Problem,
    penalty: float | tuple[float, ...],
    progress: Progress,
    blocks: Sequence[Sequence[int]] = (),
) -> Floats:
    """For every column the probability that noise would go with what others leave as much.

    Columns of one block, which are those of one feature, have one: that of all together.
    """
    samples, scale = _with_numbers(problem), problem.shapes.scale
    several = [np.array(own, dtype=np.intp) for own in blocks]
    pairs = zip(samples, np.atleast_1d(penalty).tolist(), strict=True)
    of_each = [_p_values(own, scale, its, several, progress) for own, its in pairs]
    return combined(np.array(of_each))


def least_of_reaches(
    problem: Problem,
    penalty: float | tuple[float, ...],
    p: Floats,
    blocks: Sequence[Sequence[int]] = (),
) -> Floats:
    """For every column the smallest p-value that its reach can have.

    It is not looked for where columns pass by what others leave (by their p-values), and of columns
    of one feature, which are not asked one by one.
    """
    samples, scale = _with_numbers(problem), problem.shapes.scale
    several = [np.array(own, dtype=np.intp) for own in blocks]
    asked = p > level_of_each(HIGHEST_LEVEL, two_tests=True)
    for own in several:
        asked[own] = False
    sets = made_of_others(Lasso.of(samples[0], scale), samples[0])
    sets = {k: own for k, own in sets.items() if asked[k]}
    if not sets:
        return np.zeros(len(p))
    of_each = []
    for sample, its in zip(samples, np.atleast_1d(penalty).tolist(), strict=True):
        lasso = Lasso.of(sample, scale)
        model = lasso.solve(its, lasso.empty)
        of_each.append(least_p_values(lasso, sample, model, sets, several))
    return np.minimum(len(of_each) * np.min(of_each, axis=0), 1.0)


def _with_numbers(problem: Problem) -> list[Sample]:
    """The sample with numbers to explain; of several classes one for each question.

    A class is told from the others, and each from each if that is quick. What tells two of them
    apart and says nothing of a third goes with that difference more than with either class.
    """
    sample, n_scores = problem.sample, problem.model.n_scores
    if n_scores == 1:
        return [replace(sample, target=problem.model.explained(sample.target, sample.count))]
    is_class = [(sample.target == k).astype(float) for k in range(n_scores)]
    targets = [2.0 * own - 1.0 for own in is_class]
    n_asked = n_scores * (n_scores + 1) // 2
    if n_scores <= _FEW_CLASSES or len(sample) * problem.n_features * n_asked <= _MOST_ASKED:
        targets += [one - other for one, other in combinations(is_class, 2)]
    return [replace(sample, target=target) for target in targets]


def _p_values(
    sample: Sample, scale: Floats, penalty: float, several: Sequence[Ints], progress: Progress
) -> Floats:
    """p-values of all columns by what the others leave of one number."""
    lasso = Lasso.of(sample, scale)
    whole = Leftover(lasso, sample, lasso.solve(penalty, lasso.empty))
    p = _p_values_alone(whole, several, progress)
    if several:
        progress.stage("conditional tests of features of several columns", len(several))
    for own in several:
        p[own] = p_value_together(lasso, sample, whole.model, own, several)
        progress.advance()
    return p


def _p_values_alone(whole: Leftover, several: Sequence[Ints], progress: Progress) -> Floats:
    """p-values of features of one column; those of several columns stay 1.

    A feature that goes with what is left much less than one of those that are left out as well
    could not stand in for that one. It is asked once more, with only its near copies left out.
    """
    p, single = np.ones(len(whole.lasso.scale)), np.ones(len(whole.lasso.scale), dtype=bool)
    for own in several:
        single[own] = False
    p[single] = whole.p_values(np.flatnonzero(single))
    asked = _like_used_ones(whole, single)
    p[asked.others] = 1.0
    again: list[int] = []
    if asked.columns:
        progress.stage("conditional tests", 2 * len(asked.columns))
    for is_like, columns, rest in _rests(whole, asked.columns, ALIKE, several, progress):
        p[columns] = rest.p_values(np.array(columns))
        pulls = np.abs(rest.model.pulls)
        most = float(pulls[is_like].max())
        again += [column for column in columns if pulls[column] < STANDS_IN * most]
    if again:
        progress.stage("conditional tests without near copies", 2 * len(again))
    for _, columns, rest in _rests(whole, again, COPIES, several, progress):
        p[columns] = rest.p_values(np.array(columns))
    return p


class _Asked(NamedTuple):
    """Features without which the model leaves something else; `others` are too many to ask."""

    columns: list[int]
    others: list[int]


def _like_used_ones(whole: Leftover, single: Mask) -> _Asked:
    """Features that are like one that the model uses.

    Of very many those are asked that go most with what the model leaves without the ones alike.
    """
    model = whole.model
    near = np.zeros(len(single), dtype=bool)
    share = np.zeros(len(single))  # of what the model explains, by the features alike
    for column, weight in zip(model.used.tolist(), model.weights, strict=True):
        correlation = correlations(whole.lasso, whole.sample, column)
        is_like = np.abs(correlation) >= at_least(whole.lasso, ALIKE)
        near |= is_like
        share += np.where(is_like, weight * correlation, 0.0)
    near[model.used] = True
    near &= single
    order = np.argsort(-np.abs(model.pulls + share)[near], kind="stable")
    columns = np.flatnonzero(near)[order].tolist()
    return _Asked(columns[:_MOST_MODELS], columns[_MOST_MODELS:])


def _rests(
    whole: Leftover,
    columns: Sequence[int],
    least: float,
    several: Sequence[Ints],
    progress: Progress,
) -> Iterator[tuple[Mask, list[int], Leftover]]:
    """What is left without the features that are like each column; many have the same alike."""
    lasso, sample, model = whole.lasso, whole.sample, whole.model
    sets: dict[bytes, list[int]] = {}
    for column in columns:
        is_like = np.abs(correlations(lasso, sample, column)) >= at_least(lasso, least)
        is_like[column] = True
        is_like = widened(is_like, several)
        sets.setdefault(is_like.tobytes(), []).append(column)
        progress.advance()
    for key, together in sets.items():
        is_like = np.frombuffer(key, dtype=bool)
        left = lasso.solve(model.penalty, model, is_like)
        yield is_like, together, Leftover(lasso, sample, left)
        progress.advance(len(together))
