"""Which features beat noise, and how sure that is.

A feature passes where it reaches farther than noise
(:mod:`~allrelevant.linear.fit.statistics.noise`), or where it goes with residuals of the
others (:mod:`~allrelevant.linear.fit.conditional.comparison`). The first finds all that can
stand in for one another, the second finds small effects: neither finds what both do. They share the
level half and half, by Bonferroni's rule. Where rows are few, the second has to speak for a
feature that passes by its reach at least a little: rare columns, of which probes are few, reach
farther than others. What many features tell together none of them adds to the others, and noise
reaches nearly as far as each: such a feature passes where it goes with the target by itself
(:mod:`~allrelevant.linear.fit.conditional.shared`) and reaches farther than most noise. And nothing
passes unless something would at half the level and half the rate of false discoveries: so noise
alone, where all discoveries are false, passes half as often, also where features are so few that
the level alone decides.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import stats

from allrelevant.base.arrays import Floats, Mask
from allrelevant.linear.fit.statistics.noise import Shapes, Tail

HIGHEST_LEVEL = 0.004  # no feature with a larger p is relevant, however many there are
_SURE = 1.64  # standard errors of log p between a feature and the level
_OF_EACH = 0.5  # of the level, where there are two tests
SUPPORTS = 25.0  # times the level: as small p has to be where it supports another, lower one
_TO_BEGIN = 0.5  # of level and rate of false discoveries: something has to pass, or nothing does


@dataclass(frozen=True, eq=False)
class ConditionalPValues:
    """How well features go with the residuals of models of the others.

    Parameters
    ----------
    speaks : float
        The largest of these at which a reach counts; 1 where every reach does.
    least : array or float
        The smallest p-value that a reach can have.
    shared : array or float
        How well features go with the target where they share what they tell; 1 where that does not
        count.
    """

    p_values: Floats
    speaks: float = 1.0
    least: Floats | float = 0.0
    shared: Floats | float = 1.0

    def by_interval(self, p: Floats, error: Floats) -> tuple[Floats, Floats]:
        """What p-values of reaches say where they count, and the errors of their logarithms."""
        counts = self.p_values <= self.speaks
        return np.where(counts, np.maximum(p, self.least), 1.0), np.where(
            p < self.least, 0.0, error
        )

    def if_shared(self, p: Floats, error: Floats) -> tuple[Floats, Floats]:
        """p-values of features that share what they tell, by reaches; errors of their logarithms.

        The errors are those of the reaches, which could decide with other probes.
        """
        far = p / SUPPORTS
        own = np.maximum(self.shared, far)
        return own, np.where(far * np.exp(_SURE * error) >= own, error, 0.0)

    def limits(self, tail: Tail, shapes: Shapes, level: float) -> Floats:
        """Reaches that pass at a level; infinite where none would do."""
        counts = (self.p_values <= self.speaks) & (self.least <= level)
        limits = np.where(counts, tail.reach_at(level, shapes), np.inf)
        most = min(SUPPORTS * level, 1.0)
        return np.where(
            self.shared <= level, np.minimum(limits, tail.reach_at(most, shapes)), limits
        )


@dataclass(frozen=True, eq=False)
class NoiseVerdict:
    """Which features pass for more than noise.

    Parameters
    ----------
    p_values, q_values : arrays
    level : float
        The largest p that passes.
    borderline : array of bool
        Features that could be on the other side with other probes.
    thresholds : array
        The reach at which each feature would pass; 0 where it does by the conditional test alone.
    """

    p_values: Floats
    q_values: Floats
    level: float
    borderline: Mask
    thresholds: Floats

    @property
    def passed(self) -> Mask:
        """Which features are relevant."""
        return self.p_values <= self.level


def judge(
    tail: Tail,
    reach: Floats,
    shapes: Shapes,
    *,
    fdr: float | None,
    alpha: float | None = None,
    conditional: ConditionalPValues | None = None,
) -> NoiseVerdict:
    """Compare features with noise.

    Parameters
    ----------
    reach : array
        The features' own.
    fdr : float, optional
        The share of false discoveries to keep to, by Benjamini and Hochberg's procedure.
    alpha : float, optional
        The probability with which noise may pass; by default 0.004.
    conditional : ConditionalPValues, optional
        What features explain that others leave, where that counts.
    """
    p, error = p_values(tail, reach, shapes, conditional)
    level = passing_level(p, fdr, alpha, two_tests=conditional is not None)
    limits = limits_at(level, tail, shapes, conditional)
    borderline = could_be_either(p, level, error)
    own_level = level_of_each(level, two_tests=conditional is not None)
    usual = tail.usual_reach_at(own_level, shapes)
    if conditional is not None:
        # No other probes would change what the conditional test decides.
        borderline &= limits > 0
        # Who passes by the reach, too, has shown how far that is; under constraints it may be less.
        far = conditional.limits(tail, shapes, own_level)
        limits = np.where(reach > far, far, limits)
    # Where no reach would do, what noise reaches is still worth showing.
    limits = np.where(np.isinf(limits), np.maximum(usual, reach), limits)
    thresholds = np.where(shapes.scale > 0, limits, np.inf)
    q = stats.false_discovery_control(p)
    return NoiseVerdict(p, q, level, borderline, thresholds)


def p_values(
    tail: Tail, reach: Floats, shapes: Shapes, conditional: ConditionalPValues | None = None
) -> tuple[Floats, Floats]:
    """The probability that noise does as well in one of the tests, and the error of its logarithm.

    The latter is by the number of probes, which say nothing of the conditional test.
    """
    p, error = tail.p_values(reach, shapes)
    if conditional is None:
        return p, error
    both, own_error = of_both(*conditional.by_interval(p, error), conditional.p_values)
    own, error = conditional.if_shared(p, error)
    is_less = own / _OF_EACH < both
    return np.where(is_less, own / _OF_EACH, both), np.where(is_less, error, own_error)


def of_both(by_interval: Floats, error: Floats, by_conditional: Floats) -> tuple[Floats, Floats]:
    """The p-values of two tests that share the level as one, with the error of its logarithm."""
    first, second = by_interval / _OF_EACH, by_conditional / _OF_EACH
    both = np.minimum(np.minimum(first, second), 1.0)
    return both, np.where(second < first, 0.0, error)


def combined(of_each: Floats) -> Floats:
    """One p-value for all questions, which have a row each, however these depend on one another.

    Each becomes a number with Cauchy's distribution, of which the mean has the same tail. Those
    above one half are taken for one half: at 1 a single one would outweigh all others.
    """
    if len(of_each) == 1:
        return np.asarray(of_each[0])
    with np.errstate(divide="ignore"):
        mean = np.mean(1.0 / np.tan(np.pi * np.minimum(of_each, 0.5)), axis=0)
    return np.asarray(np.arctan2(1.0, mean) / np.pi)


def level_of_each(level: float, *, two_tests: bool) -> float:
    """The level of the interval test, and of the conditional test where there is one."""
    return _OF_EACH * level if two_tests else level


def limits_at(
    level: float, tail: Tail, shapes: Shapes, conditional: ConditionalPValues | None = None
) -> Floats:
    """How far features have to reach for a p-value of this level; infinite where none would do."""
    own_level = level_of_each(level, two_tests=conditional is not None)
    if conditional is None:
        return tail.reach_at(own_level, shapes)
    return np.where(
        conditional.p_values <= own_level, 0.0, conditional.limits(tail, shapes, own_level)
    )


def passing_level(
    p: Floats, fdr: float | None, alpha: float | None = None, *, two_tests: bool = False
) -> float:
    """The largest p that passes, or would."""
    level = HIGHEST_LEVEL if alpha is None else alpha
    if fdr is None:
        return level
    if two_tests:
        to_begin = min(_TO_BEGIN * level, _discovery_level(p, _TO_BEGIN * fdr))
        if not (p <= to_begin).any():
            return to_begin
    return min(level, _discovery_level(p, fdr))


def could_be_either(p: Floats, level: float, error: Floats) -> Mask:
    """Which could be on the other side of the level with other probes."""
    with np.errstate(divide="ignore"):
        return np.abs(np.log(p / level)) < _SURE * error


def _discovery_level(p: Floats, fdr: float) -> float:
    """The largest p that Benjamini and Hochberg's procedure lets pass, or would next."""
    ranks = np.arange(1, len(p) + 1)
    passed = np.flatnonzero(np.sort(p) <= fdr * ranks / len(p))
    return fdr * (passed[-1] + 1 if len(passed) else 1) / len(p)
