"""What features add to the score of one sample, over all equivalent models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy import sparse

from allrelevant.base.arrays import Floats, Ints, Mask
from allrelevant.base.names import display_width
from allrelevant.base.progress import Progress
from allrelevant.data import matrix_of
from allrelevant.linear.engine.program.equivalent import EquivalentModels
from allrelevant.linear.engine.ranges.solver import RangeSolver
from allrelevant.linear.engine.ranges.weight_range import WeightRange
from allrelevant.linear.questions.fitted_set import FittedSet
from allrelevant.linear.questions.predictions.offset_room import with_all_offsets
from allrelevant.linear.questions.predictions.ranges import find_prediction_range
from allrelevant.linear.questions.scores.contrast import Contrast, contrast_of
from allrelevant.linear.questions.scores.explanation import Explanation
from allrelevant.linear.questions.scores.linear_range import (
    LinearFunction,
    largest_value,
    of_scores,
    score_at_zero,
)
from allrelevant.results.stability.ask import listed_groups

_WRITTEN = 2  # names of a group that are written out
_LONG = 32  # letters: pictures cut what is longer
_CLOSE = 10.0  # times the accuracy: numbers that differ by less are the same


def contribution_ends(values: Floats, ends: Floats) -> Floats:
    """Both ends of weight times value, of shape (n_samples, n_columns, 2)."""
    return np.sort(values[:, :, None] * ends[None], axis=2)


@dataclass(frozen=True, eq=False)
class Addends:
    """What is added up: features, some of them taken together.

    Parameters
    ----------
    names : tuple of str
    values : tuple
        The sample's values, None where a step has several columns.
    owner : array of int
        The step that each of the engine's columns belongs to.
    """

    names: tuple[str, ...]
    values: tuple[Any, ...]
    owner: Ints

    @classmethod
    def of(cls, fitted: FittedSet, X: Any, row: int, groups: Any) -> Addends:
        """A step for each feature, and for each group of them."""
        features = fitted.features
        together = listed_groups(groups, lambda name: features.position(name, "groups"))
        step = np.arange(len(features))
        for members in together.values():
            taken = [features.names[j] for j in members if step[j] != j]
            if taken:
                raise ValueError(
                    f"groups has {taken[0]!r} twice: what a feature adds counts once only."
                )
            step[list(members)] = -1 - min(members)
        step = np.where(step < 0, -1 - step, step)
        kept, step = np.unique(step, return_inverse=True)
        titles = {
            min(own): name if isinstance(groups, Mapping) else _title(features.names, own)
            for name, own in together.items()
        }
        single = _values(fitted, X, row)
        names = tuple(titles.get(int(j), features.names[j]) for j in kept)
        values = tuple(None if int(j) in titles else single[j] for j in kept)
        return cls(names, values, np.tile(step[features.owner], fitted.model.n_scores))

    @cached_property
    def columns(self) -> list[Ints]:
        """The columns of each step."""
        return [np.flatnonzero(self.owner == j) for j in range(len(self.names))]


def _title(names: Sequence[str], members: Sequence[int]) -> str:
    """What a group is called that has no name of its own."""
    written = " + ".join(names[j] for j in members)
    if len(members) <= _WRITTEN and display_width(written) <= _LONG:
        return written
    n = len(members) - 1
    return f"{names[members[0]]} + {n} other{'' if n == 1 else 's'}"


def _values(fitted: FittedSet, X: Any, row: int) -> tuple[Any, ...]:
    """The features of a sample as they came, None where one is made of several columns."""
    names = fitted.features.names
    if hasattr(X, "columns"):
        known = {str(name): k for k, name in enumerate(X.columns)}
        return tuple(X.iat[row, known[name]] if name in known else None for name in names)
    curves, places = fitted.columns.curves, fitted.features.places
    if curves is not None or sparse.issparse(X):
        return (None,) * len(names)
    one = np.asarray(X)[row]
    return tuple(one[own[0]] if len(own) == 1 else None for own in places)


def find_explanation(
    fitted: FittedSet,
    table: Any,
    row: int,
    steps: Addends,
    classes: Any = None,
    *,
    progress: Progress,
    **asked: Any,
) -> Explanation:
    """What every step adds in one row of a table, and what all models say of it.

    With several classes that is to the difference of two scores: of those that the baseline has
    ahead of all others, unless they are given.
    """
    if classes is None and fitted.model.n_scores > 1:
        classes = _foremost(fitted, table[[row]])
    contrast = contrast_of(fitted, classes, "explain")
    score = of_scores(fitted, table, {row: 1.0}, contrast)
    factors = _factors(fitted, score, contrast)
    mean = LinearFunction(score.weights - factors, score.offsets, score.constant)
    parts = fitted.parts(**asked)
    ask = _Ask(parts, fitted, steps, factors)
    known = () if fitted.constraints(**asked) else fitted.weight_ranges
    low, high = ask.contributions(known if parts else (), progress).T
    predicted = find_prediction_range(
        fitted, table[[row]], n_jobs=None, progress=Progress(), **asked
    )
    labels = predicted.labels[0] if predicted.outcomes else ()
    two = fitted.result.task in ("classification", "reject")
    one, other = contrast.classes or (None, fitted.decoder.outcomes[-1] if two else None)
    return Explanation(
        steps.names,
        steps.values,
        low,
        high,
        ask.of_baseline,
        ask.ends(mean),
        ask.ends(score),
        labels,
        other,
        ask.larger(low, high),
        one,
    )


def _foremost(fitted: FittedSet, sample: Any) -> tuple[Any, Any]:
    """The class with the second largest score of the baseline, and that with the largest."""
    samples = fitted.scaling.of_matrix(matrix_of(sample)).dense()
    known = fitted.analysis.baseline
    by_class = known.weights.reshape(fitted.model.n_scores, -1)
    scores = fitted.model.decisions(samples @ by_class.T, known.offsets)[0]
    second, first = np.argsort(scores, kind="stable")[-2:]
    return fitted.decoder.outcomes[second], fitted.decoder.outcomes[first]


def _factors(fitted: FittedSet, score: LinearFunction, contrast: Contrast) -> Floats:
    """The part of a score's factors that is away from the mean of the data."""
    sample, scale = fitted.analysis.problem.sample, fitted.decoder.units[0]
    mean = sample.X.pull(sample.count / sample.count.sum())[: fitted.n_columns]
    return score.weights - contrast.weights(scale * mean + score_at_zero(fitted))


class _Ask:
    """Asks the parts of the equivalent models about sums of what features add.

    Models that were seen on the way rule out most of what could be true of all.
    """

    def __init__(
        self, parts: Sequence[EquivalentModels], fitted: FittedSet, steps: Addends, factors: Floats
    ) -> None:
        self._steps, self._factors = steps, factors
        self._solvers = [RangeSolver(with_all_offsets(part)) for part in parts]
        baseline = fitted.analysis.baseline
        self._weights, self._offsets = baseline.weights[: len(factors)], baseline.offsets
        if not parts:
            self._weights, self._offsets = fitted.constant
        self._seen = [self._adds(self._weights)]
        self._n_weights = parts[0].n_features if parts else 0
        self._nothing = np.zeros(len(self._offsets))
        size = float(np.abs(factors).max(initial=0.0))
        self._same = _CLOSE * size * max((part.accuracy for part in parts), default=0.0)

    @property
    def of_baseline(self) -> Floats:
        """What features add in the baseline."""
        return self._seen[0]

    def _adds(self, weights: Floats) -> Floats:
        every = weights[: len(self._factors)] * self._factors
        adds: Floats = np.zeros(len(self._steps.names))
        np.add.at(adds, self._steps.owner, every)
        return adds

    def ends(self, function: LinearFunction) -> tuple[float, float, float]:
        """The least and the largest value of a function, and the baseline's."""
        own = float(function.weights @ self._weights + function.offsets @ self._offsets)
        if not self._solvers or not (function.weights.any() or function.offsets.any()):
            return own + function.constant, own + function.constant, own + function.constant
        low, high = (sign * self._most(function, sign) for sign in (-1, 1))
        return low + function.constant, high + function.constant, own + function.constant

    def _most(self, function: LinearFunction, sign: int) -> float:
        """The largest value of a function, or of its negative, in any part."""
        best = -np.inf
        for solver in self._solvers:
            found = largest_value(solver, function, sign)
            self._seen.append(self._adds(found.weights))
            best = max(best, found.value * function.size)
        return best

    def contributions(self, known: Sequence[WeightRange], progress: Progress) -> Floats:
        """Both ends of what each step adds, where the ranges of some weights may be known."""
        columns = self._steps.columns
        found = np.zeros((len(columns), 2))
        progress.stage("contributions", len(columns))
        for j, places in enumerate(columns):
            if len(places) == 1 and known and not known[places[0]].is_bound:
                found[j] = self._of_known(known[places[0]], int(places[0]))
            elif self._factors[places].any():
                found[j] = self.ends(self._sum({j: 1.0}))[:2]
            progress.advance()
        progress.finish()
        found[np.abs(found) <= self._same] = 0.0  # rounding errors have no sign
        return found

    def _of_known(self, weight: WeightRange, column: int) -> Floats:
        n = len(self._factors)
        self._seen += [self._adds(one.weights(self._n_weights)[:n]) for one in weight.witnesses]
        factor = self._factors[[[column]]]
        return contribution_ends(factor, np.array([weight.ends]))[0, 0]

    def _sum(self, factors: dict[int, float]) -> LinearFunction:
        """A sum of what steps add, times factors."""
        by_step = np.zeros(len(self._steps.names))
        for j, factor in factors.items():
            by_step[j] = factor
        by_column: Floats = by_step[self._steps.owner] * self._factors
        return LinearFunction(by_column, self._nothing)

    # What counts more than what

    def larger(self, low: Floats, high: Floats) -> tuple[tuple[int, int], ...]:
        """Pairs of steps of which the first adds or takes away more in every model."""
        signs = (low > 0).astype(float) - (high < 0)
        most = np.maximum(np.abs(low), np.abs(high))
        least = np.where(signs != 0, np.minimum(np.abs(low), np.abs(high)), 0.0)
        pairs: list[tuple[int, int]] = []
        for j in np.flatnonzero(signs):
            surely: Mask = least[j] > most + self._same
            could = (most > self._same) & (np.arange(len(most)) != j) & ~surely
            for k in np.flatnonzero(could):
                surely[k] = self._is_larger(int(j), int(k), signs)
            pairs += [(int(j), int(k)) for k in np.flatnonzero(surely & (most > self._same))]
        return tuple(pairs)

    def _is_larger(self, j: int, k: int, signs: Floats) -> bool:
        seen = np.array(self._seen)
        if (signs[j] * seen[:, j] <= np.abs(seen[:, k]) + self._same).any():
            return False
        # A feature of either sign must not outdo the other in one direction nor in the other.
        sides = (signs[k],) if signs[k] else (1.0, -1.0)
        return all(
            -self._most(self._sum({j: signs[j], k: -side}), -1) > self._same for side in sides
        )
