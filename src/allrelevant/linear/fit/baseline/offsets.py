"""Where the offsets of a model belong for predictions.

Relevance is found with weights that give two classes the same say. They move the offset of the
model towards the rarer class, and with it predictions, but hardly the order of the samples.
Thresholds of ordered classes are each found from their two neighbouring classes, if the order is
explicit. Where scores tell these hardly apart, thresholds are too close to one another.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from sklearn.linear_model import LogisticRegression

from allrelevant.linear.fit.baseline.candidate import AS_FITTED, Choice, Placing, Tested
from allrelevant.linear.fit.baseline.curve import LogisticCurve
from allrelevant.linear.models import LinearModel

_STRENGTH = 1e3  # of the data against the penalty: separable classes have a finite slope


def placing_of(choice: Choice, *, is_idle: bool = False) -> Placing:
    """Where predictions have the offsets: for accuracy, or for the order of the classes.

    An idle baseline uses no feature, though models of some folds may.
    """
    if choice.model.n_offsets == 1:
        return Placing(shift=accuracy_shift(choice, is_idle=is_idle))
    return ordered_placing(choice)


def accuracy_shift(choice: Choice, *, is_idle: bool = False) -> float:
    """What to add to decision values so that both classes are as likely where they are zero.

    By Platt's logistic curve through the left-out samples' decision values. Where these tell
    nothing, or where the rarer class is nowhere the likelier one, the more frequent class is
    predicted throughout; or none, by a model that may decline and does better so.
    """
    parts = choice.tested
    target = np.concatenate([part.target for part in parts])
    if np.ptp(target) == 0:
        return 0.0
    decision = np.concatenate([part.scores + part.offsets[0] for part in parts])
    count = np.concatenate([part.count for part in parts])
    farthest = float(np.abs(decision).max(initial=0.0)) + 1.0
    curve = LogisticCurve.through(decision, target, count)
    if is_idle or curve.slope <= 0:
        return choice.model.idle_shift(float(count @ target) / float(count.sum()), farthest)
    return float(np.clip(curve.intercept / curve.slope, -farthest, farthest))


def ordered_placing(choice: Choice) -> Placing:
    """Thresholds as a line of those that were fitted, where left-out rows do better by that.

    Every threshold splits the classes in two. One logistic curve for all of these splits, a
    function of score and threshold, says where the rows on both sides weigh the same. A line with a
    slope above zero keeps the thresholds of every equivalent model in order.
    """
    line = _line(choice.model, choice.tested)
    if line is AS_FITTED or choice.score_of([line] * len(choice.tested)) <= choice.score:
        return AS_FITTED  # rows that the line was not fitted to would gain even less
    tried = [_tried(choice, part) for part in choice.tested]
    return line if choice.score_of(tried) > choice.score else AS_FITTED


def _tried(choice: Choice, part: Tested) -> Placing:
    """The line for one fold, by the other folds of its dealing."""
    others = [each for each in choice.tested if each.deal == part.deal and each is not part]
    return _line(choice.model, others)


def _line(model: LinearModel, parts: Sequence[Tested]) -> Placing:
    """The line by which thresholds move so that both sides weigh the same there."""
    if not parts:
        return AS_FITTED
    target = np.concatenate([part.target for part in parts])
    count = np.concatenate([part.count for part in parts])
    sizes = np.bincount(target.astype(np.intp), count, model.n_offsets + 1)
    weight = count * sizes[target.astype(np.intp)] ** -model.class_power
    scores = np.concatenate([part.scores for part in parts])
    offsets = np.vstack([np.tile(part.offsets, (len(part.scores), 1)) for part in parts])
    above = target[:, None] > np.arange(model.n_offsets)
    unit = float(np.std(scores))
    if unit <= 1e-9 * (np.abs(offsets).max(initial=0.0) + 1.0) or above.all() or not above.any():
        return AS_FITTED
    columns = np.column_stack([np.repeat(scores, model.n_offsets), -offsets.ravel()]) / unit
    curve = LogisticRegression(C=_STRENGTH, solver="newton-cholesky")
    weights = np.repeat(weight / weight.mean(), model.n_offsets)
    curve.fit(columns, above.ravel(), sample_weight=weights)
    (of_score, of_offset), constant = curve.coef_[0] / unit, float(curve.intercept_[0])
    if of_score <= 0 or of_offset <= 0:
        return AS_FITTED
    return Placing(float(of_offset / of_score), constant / float(of_score))
