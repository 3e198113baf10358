"""Features of several columns compared with noise, by one level."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from allrelevant.base.arrays import Floats, Ints
from allrelevant.base.features import Features
from allrelevant.base.three_classes import ACCURACY
from allrelevant.linear.fit.compared import Compared
from allrelevant.linear.fit.ranges.norm_worker import NormRanges
from allrelevant.linear.fit.ranges.norms import NormRange, larger_of
from allrelevant.linear.fit.ranges.several import Several, tests_of
from allrelevant.linear.fit.statistics.noise import NoiseAlike
from allrelevant.linear.fit.statistics.verdict import Rest, level_of_each, of_both, passing_level


@dataclass(frozen=True, eq=False)
class Norms:
    """Ranges of the norms of features of several columns, and what noise reaches of them."""

    ranges: Mapping[int, NormRanges]
    noise: Mapping[int, NoiseAlike]


def judged_several(
    features: Features, compared: Compared, norms: Norms
) -> tuple[float, dict[int, Several]]:
    """All features compared with noise, by one level; with that level.

    Of many columns a probe's largest norm is found by climbing alone, which ends below it now and
    then; so a feature's own is compared as climbing finds it, and its threshold is so much higher.

    A feature of several columns passes by the norm of all of them or by its slope along a single
    one; so its level is shared, half and half, and the second half among its columns. That is
    Bonferroni's rule. Where there are curves only the norm counts. What it explains that others
    leave is another test, where that is asked.
    """
    of_features, rest = compared.classes.p_values[features.first], compared.rest
    by_reach, own_error = {}, {}
    for j, own in features.several.items():
        by_reach[j], error = _by_reach(features, compared, norms, j)
        of_features[j], own_error[j] = by_both(rest, own, by_reach[j], error)
    level = passing_level(of_features, *compared.plan.rates, two_tests=rest is not None)
    compared = replace(compared, level_of_features=level)
    own_level = level_of_each(level, two_tests=rest is not None)
    found = {}
    for j, own in features.several.items():
        its, noise = norms.ranges[j], norms.noise[j]
        if j in features.by_norm:
            share, limits = own_level, np.full(len(own), np.inf)
        else:
            share = own_level / 2.0
            limits = limits_along(compared, own, own_level / tests_of(own), its.slopes)
        range_ = larger_of(its.by_function)
        found[j] = Several(
            range_,
            (noise.reach_at(share, its.climbed / compared.norm) + ACCURACY)
            * _farther(range_, its.climbed),
            limits,
            float(of_features[j]),
            own_error[j],
            its.by_function,
            by_rest=passes_by_rest_alone(rest, own, by_reach[j], own_level),
        )
    return level, found


def _by_reach(
    features: Features, compared: Compared, norms: Norms, feature: int
) -> tuple[float, float]:
    """The p-value of a feature by its norm or its slopes, and the error of its logarithm."""
    own, its = features.several[feature], norms.ranges[feature]
    # Columns that add up to another one reach all that the norm allows: the last digit tells
    # nothing.
    reach = its.climbed / compared.norm - ACCURACY
    together, own_error = norms.noise[feature].p_value(reach)
    if feature in features.by_norm:
        return together, own_error
    p, error = compared.p_values_of(own, its.slopes / compared.norm)
    best = int(np.argmin(p))
    along = tests_of(own) * float(p[best]), float(error[best])
    return min((2.0 * together, own_error), along)


def by_both(rest: Rest | None, own: Ints, p: float, error: float) -> tuple[float, float]:
    """The p-value of a feature by its reach and what others leave, and the error of its logarithm.

    All its columns go with what others leave as much as they do together.
    """
    if rest is not None:
        both = of_both(np.array([p]), np.array([error]), rest.p_values[own[:1]])
        p, error = (float(one[0]) for one in both)
    return min(p, 1.0), error


def passes_by_rest_alone(rest: Rest | None, own: Ints, by_reach: float, level: float) -> bool:
    """Whether a feature passes by what others leave, and not by its reach."""
    return rest is not None and bool(rest.p_values[own[0]] <= level < by_reach)


def limits_along(compared: Compared, own: Ints, level: float, slopes: Floats) -> Floats:
    """What the weights of columns have to reach: as much farther than noise as they are steep.

    A weight that passes goes with a slope that does.
    """
    reach, share = compared.intervals[own, 1], slopes / compared.norm
    farther = np.divide(reach, share, out=np.ones_like(reach), where=share > 0)
    return compared.limits(own, level) * farther


def _farther(range_: NormRange, reach: float) -> float:
    """How much more the largest norm is than what climbing finds."""
    return max(range_.relevance[1] / reach, 1.0) if reach > 0 else 1.0
