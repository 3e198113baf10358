"""How rarely noise would go with residuals as much as each feature does: p-values of that.

The residuals are those of a lasso of the other features. Several classes without an order are asked
one by one, and two by two if that is quick: what tells a class from all others, or two from each
other, and the residuals of models of the other features. The p-values of these questions are
combined by Cauchy's distribution (Liu and Xie, 2020): a single small one counts about as with
Bonferroni's rule, and several small ones count for more.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from typing import NamedTuple

import numpy as np

from allrelevant.base.arrays import Floats, Ints, Mask
from allrelevant.base.progress import Progress
from allrelevant.linear.fit.conditional.lasso import Lasso
from allrelevant.linear.fit.conditional.made_of_others import least_p_values, made_of_others
from allrelevant.linear.fit.conditional.residuals import (
    ALIKE,
    COPIES,
    STANDS_IN,
    Residuals,
    at_least,
    correlations,
)
from allrelevant.linear.fit.conditional.together import p_value_together, widened
from allrelevant.linear.fit.problem.problem import Problem
from allrelevant.linear.fit.rows.sample import Sample
from allrelevant.linear.fit.statistics.verdict import (
    HIGHEST_LEVEL,
    combined,
    level_of_each,
)

_MOST_MODELS = 1000
_FEW_CLASSES = 5  # whose pairs are asked in any case
_MOST_ASKED = 2_000_000  # rows times columns times questions: of more, pairs would take too long


def conditional_p_values(
    problem: Problem,
    penalty: float | tuple[float, ...],
    progress: Progress,
    blocks: Sequence[Sequence[int]] = (),
) -> Floats:
    """For every column the probability that noise would go with the others' residuals as much.

    Columns of one block, which are those of one feature, have one: that of all together.
    """
    samples, scale = with_numbers(problem), problem.shapes.scale
    several = [np.array(own, dtype=np.intp) for own in blocks]
    pairs = zip(samples, np.atleast_1d(penalty).tolist(), strict=True)
    of_each = [_p_values(own, scale, its, several, progress) for own, its in pairs]
    return combined(np.array(of_each))


def least_of_upper_ends(
    problem: Problem,
    penalty: float | tuple[float, ...],
    p: Floats,
    blocks: Sequence[Sequence[int]] = (),
) -> Floats:
    """For every column the smallest p-value that its reach can have.

    It is not looked for where columns pass the conditional test (by their p-values), and of columns
    of one feature, which are not asked one by one.
    """
    samples, scale = with_numbers(problem), problem.shapes.scale
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


def with_numbers(problem: Problem) -> list[Sample]:
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
    """p-values of all columns by the others' residuals of one number."""
    lasso = Lasso.of(sample, scale)
    whole = Residuals(lasso, sample, lasso.solve(penalty, lasso.empty))
    p = _p_values_alone(whole, several, progress)
    if several:
        progress.stage("conditional tests of features of several columns", len(several))
    for own in several:
        p[own] = p_value_together(lasso, sample, whole.model, own, several)
        progress.advance()
    return p


def _p_values_alone(whole: Residuals, several: Sequence[Ints], progress: Progress) -> Floats:
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
    for is_like, columns, residuals in _residuals_without(
        whole, asked.columns, ALIKE, several, progress
    ):
        p[columns] = residuals.p_values(np.array(columns))
        pulls = np.abs(residuals.model.pulls)
        most = float(pulls[is_like].max())
        again += [column for column in columns if pulls[column] < STANDS_IN * most]
    if again:
        progress.stage("conditional tests without near copies", 2 * len(again))
    for _, columns, residuals in _residuals_without(whole, again, COPIES, several, progress):
        p[columns] = residuals.p_values(np.array(columns))
    return p


class _Asked(NamedTuple):
    """Features without which the model leaves something else; `others` are too many to ask."""

    columns: list[int]
    others: list[int]


def _like_used_ones(whole: Residuals, single: Mask) -> _Asked:
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


def _residuals_without(
    whole: Residuals,
    columns: Sequence[int],
    least: float,
    several: Sequence[Ints],
    progress: Progress,
) -> Iterator[tuple[Mask, list[int], Residuals]]:
    """Residuals without the features that are like each column; many have the same alike."""
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
        yield is_like, together, Residuals(lasso, sample, left)
        progress.advance(len(together))
