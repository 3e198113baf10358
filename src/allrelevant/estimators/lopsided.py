"""Whether a model gives nearly all samples to one class, though they are not of it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from allrelevant.engine.pieces import Floats

_NEARLY_ALL, _NOT_ALL = 0.9, 0.8
_LARGER = 1.2  # than classes of equal size would be, for which nothing could be balanced

_ADVICE = (
    "the baseline predicts {label!r} for {predicted:.0%} of the samples, though {true:.0%} are "
    'of that class: features that tell the rarer classes may go unseen. class_weight="balanced" '
    "(on the command line --balanced) gives all classes the same say."
)


def lopsided(
    predicted: Floats, target: Floats, count: Floats, labels: Sequence[object]
) -> str | None:
    """What to tell of a model that predicts nearly always the same; None where there is nothing.

    A loss that counts every sample alike hardly gains by telling rare classes, and the sparsest
    model within one standard error may then give them up.

    Parameters
    ----------
    predicted, target : array of shape (n_samples,)
        Classes as the model codes them, in ascending order.
    count : array of shape (n_samples,)
        How often each sample was observed.
    labels : sequence
        What the classes are called, in the same order.
    """
    codes = np.unique(target)
    total = count.sum()
    given = np.array([count[predicted == code].sum() for code in codes]) / total
    most = int(np.argmax(given))
    true = float(count[target == codes[most]].sum() / total)
    if given[most] < _NEARLY_ALL or not _LARGER / len(codes) <= true <= _NOT_ALL:
        return None
    return _ADVICE.format(label=labels[most], predicted=given[most], true=true)
