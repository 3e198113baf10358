"""Which relevant features are needed (strong) and which can be replaced (weak)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from allrelevant.base.arrays import Floats, Ints, Mask
from allrelevant.base.three_classes import IRRELEVANT, STRONG, WEAK
from allrelevant.forest.clusters import rank_correlations
from allrelevant.forest.conditional import Conditional, conditionals
from allrelevant.forest.models import Learner
from allrelevant.forest.sample import Table, folds
from allrelevant.forest.swaps import holm, joint_rises, mean_rises, rises
from allrelevant.forest.work import Work

_FOLDS, _REPEATS, _DRAWS = 5, 2, 3
_REPLACEABLE = 0.5  # R² from which on the others may stand in for a feature
_SEEN = 0.02  # p-value beyond which an irreplaceable feature may have been found by chance
_RESEMBLES = 0.7  # rank correlation from which on features are kin, as each is to itself
# The share of what a feature brings, or brings together with its kin, that is lost without it
# where it is needed; less where its kin are proxies of it.
_NEEDED_SHARE, _NEEDED_SHARE_OF_KIN, _NEEDED_BESIDE_PROXIES = 0.1, 0.5, 0.25
_MUCH_MORE = 4.0  # times what is lost without any of its kin: then these are proxies


@dataclass(frozen=True, eq=False)
class Needs:
    """How much each of some features is needed."""

    classes: Ints  # (k,): 0 irrelevant after all, 1 weak, 2 strong
    rise: Floats  # (k,): rise of the held-out loss without what only this feature knows
    # (k,): what the rise has to exceed for the feature to be strong, or, if it is irrelevant
    # after all, to be seen again
    limits: Floats
    is_measured: Mask  # (k,): whether it was this rise that decided; else it was the contest
    p_values: Floats  # (k,): of that rise, adjusted for the number of features
    r2: Floats  # (k,): how well the others predict it
    n_fits: int


@dataclass(frozen=True, eq=False)
class ForestFold:
    """Rows to learn from and to be judged by."""

    learn: Ints
    judge: Ints
    seed: int


@dataclass(frozen=True, eq=False)
class Candidates:
    """Relevant features: what is known of them before."""

    table: Table  # with these columns only
    brings: Floats  # (n_features,): what each takes off the loss where its substitutes are absent
    most: float  # what the model as a whole takes off the loss
    sure: Mask  # (n_features,): whose relevance is beyond doubt
    tells: Mask  # (n_features,): which tell something about the target by themselves
    n_tested: int  # for how many the test of being seen again is made


def needs(candidates: Candidates, learner: Learner, alpha: float, work: Work) -> Needs:
    """Tell needed features from replaceable ones, at a level for all tests together."""
    table = candidates.table
    given = conditionals(table, work)
    parts = [
        ForestFold(learn, judge, work.seed())
        for _ in range(_REPEATS)
        for learn, judge in folds(table, _FOLDS, work.seed())
    ]
    r2 = np.array([conditional.r2 for conditional in given])
    correlation = rank_correlations(table.X, table.categorical)
    kin = [np.flatnonzero(row >= _RESEMBLES) for row in correlation]
    make = partial(Exchanger, table, given, kin, learner)
    found = by_row(table, parts, work.stage("needed features", make, parts))
    k = table.n_features
    own = mean_rises(found[:k], table.weight)
    together = mean_rises(found[k:], table.weight).mean
    brings = np.minimum(np.maximum(candidates.brings, together), max(candidates.most, 0.0))
    real_part = _needed_shares(own.mean, kin) * brings
    seen = own.p_values * candidates.n_tested < _SEEN
    unseen = np.where(candidates.sure, STRONG, IRRELEVANT)
    unseen[candidates.tells] = WEAK if k > 1 else STRONG  # a single one has no substitute
    p_values = holm(own.p_values)
    is_lost = (p_values < alpha) & (own.mean > real_part)
    classes = _classes(r2, is_lost, np.where(seen, STRONG, unseen))
    is_alone = r2 < _REPLACEABLE
    limits = np.maximum(real_part, own.limits(alpha * _shares(own.p_values, p_values)))
    return Needs(
        classes=classes,
        rise=own.mean,
        limits=np.where(is_alone, own.limits(_SEEN / candidates.n_tested), limits),
        is_measured=~is_alone | seen | (classes != STRONG),
        p_values=p_values,
        r2=r2,
        n_fits=len(parts),
    )


def _needed_shares(lost: Floats, kin: list[Ints]) -> Floats:
    """The share of what it brings that has to be lost without each feature for it to be strong.

    Kin that know something of their own are copies with errors, and a feature among them adds a
    little, as they do. Kin without which next to nothing is lost are proxies.
    """
    shares = np.full(len(kin), _NEEDED_SHARE)
    for j, members in enumerate(kin):
        others = lost[members[members != j]]
        if len(others):
            beside_proxies = lost[j] > _MUCH_MORE * max(float(others.max()), 0.0)
            shares[j] = _NEEDED_BESIDE_PROXIES if beside_proxies else _NEEDED_SHARE_OF_KIN
    return shares


def _shares(raw: Floats, adjusted: Floats) -> Floats:
    """The share of a level that is left to each test by an adjustment for their number."""
    return np.where(raw > 0.0, raw / np.where(adjusted > 0.0, adjusted, 1.0), 1.0 / len(raw))


def _classes(r2: Floats, is_lost: Mask, alone: Ints) -> Ints:
    """The decision.

    A relevant feature the others say little about, and that is seen again beside them, cannot be
    replaced: it is strong. If it is not seen again, others know what it tells about the target by
    itself. If it tells nothing by itself, they know nothing of it either: it acts together with
    others, or was found among many by chance. Of a feature the others say much about, most of what
    it brings has a substitute, and noise in copies makes a little of it its own: it is strong if
    what is lost without it is a real part of what it brings.

    `is_lost` says that of each, `alone` has the classes of features the others say little about.
    """
    return np.where(r2 < _REPLACEABLE, alone, np.where(is_lost, STRONG, WEAK))


def by_row(table: Table, parts: list[ForestFold], found: list[Floats]) -> Floats:
    """Mean of what was found about every row; each is judged once per repeat."""
    total = np.zeros((len(found[0]), table.n_samples))
    times = np.zeros(table.n_samples)
    for part, value in zip(parts, found, strict=True):
        total[:, part.judge] += value
        times[part.judge] += 1
    return total / np.maximum(times, 1)


@dataclass(frozen=True, eq=False)
class Exchanger:
    """Learns, then exchanges one column after the other; one in every process."""

    table: Table
    given: list[Conditional]
    kin: list[Ints]
    learner: Learner

    def __call__(self, part: ForestFold) -> Floats:
        """Rises of the losses of the judged rows: for the columns, then for them and their kin."""
        model = self.learner(self.table.rows(part.learn), part.seed)
        rng = np.random.default_rng(part.seed)
        judged = self.table.rows(part.judge)
        found = np.zeros((2 * len(self.given), len(part.judge)))
        families = {tuple(members): members for members in self.kin if len(members) > 1}
        for _ in range(_DRAWS):
            other = np.column_stack([given.draw(part.judge, rng) for given in self.given])
            donors = rng.permutation(len(part.judge))
            total = joint_rises(model, judged, list(families.values()), donors)
            known = dict(zip(families, total, strict=True))
            alone = rises(model, judged, other)
            together = [known.get(tuple(k), alone[j]) for j, k in enumerate(self.kin)]
            found += np.vstack([alone, together]) / _DRAWS
        return found


@dataclass(frozen=True, eq=False)
class Judge:
    """Learns and judges; one in every process."""

    table: Table
    learner: Learner

    def __call__(self, part: ForestFold) -> Floats:
        """Losses of the judged rows."""
        model = self.learner(self.table.rows(part.learn), part.seed)
        judged = self.table.rows(part.judge)
        return judged.task.losses(model.predict(judged.X), judged.target)
