"""Whether a model gives nearly all samples to one class, though they are not of it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from allrelevant.base.arrays import Floats
from allrelevant.linear.fit.analysis import Analysis
from allrelevant.linear.fit.rows.sample import Sample

_NEARLY_ALL = 0.9
_FEW = 0.5  # of the samples that are of other classes
_LARGER = 1.2  # than classes of equal size would be, for which nothing could be balanced

_FACT = (
    "predictions are {label!r} for {predicted:.0%} of the samples, though {true:.0%} are of that "
    "class: "
)
_UNSEEN = (
    'features that matter for the rarer classes may be missed. class_weight="balanced" (on the '
    "command line --balanced) makes all classes count the same."
)
_OFFSET = (
    "most predictions are right that way, but few samples of the other class are found. Relevances "
    'are not affected, because both classes count the same for them; class_weight="balanced" (on '
    "the command line --balanced) gives the same ones, and predicts the rarer class more often."
)
_HARD = "the features hardly tell the other classes apart, though all classes count the same."


def lopsided_baseline(
    analysis: Analysis, sample: Sample, labels: Sequence[object], is_balanced: bool
) -> str | None:
    """What to tell of the predictions of a fit's baseline."""
    model, baseline = analysis.choice.model, analysis.baseline
    scores = analysis.problem.scores_of(sample, baseline.weights)
    return lopsided(
        model.predict(scores, analysis.placing.of(model, baseline.offsets)),
        sample.target,
        sample.count,
        labels,
        is_balanced=is_balanced,
        is_shifted=analysis.plan.moves_offsets and model.n_offsets == 1,
    )


def lopsided(
    predicted: Floats,
    target: Floats,
    count: Floats,
    labels: Sequence[object],
    *,
    is_balanced: bool = False,
    is_shifted: bool = False,
) -> str | None:
    """What to tell of a model that predicts nearly always the same; None where there is nothing.

    A loss that counts every sample alike hardly gains by telling rare classes, and the sparsest
    model that is as good may then give them up. Where classes weigh the same it is the offset,
    moved for accuracy, that does.

    Parameters
    ----------
    predicted, target : array of shape (n_samples,)
        Classes as the model codes them, in ascending order.
    count : array of shape (n_samples,)
        How often each sample was observed.
    labels : sequence
        What the classes are called, in the same order.
    is_balanced : bool
        Whether all classes weigh the same.
    is_shifted : bool
        Whether the offset was moved for accuracy.
    """
    codes = np.unique(target)
    total = count.sum()
    given = np.array([count[predicted == code].sum() for code in codes]) / total
    most = int(np.argmax(given))
    true = float(count[target == codes[most]].sum() / total)
    if given[most] < _NEARLY_ALL or 1.0 - given[most] > _FEW * (1.0 - true):
        return None
    is_balanced = is_balanced or true < _LARGER / len(codes)
    advice = _OFFSET if is_shifted else _HARD if is_balanced else _UNSEEN
    return (_FACT + advice).format(label=labels[most], predicted=given[most], true=true)
