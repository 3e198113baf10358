"""Whether two fits are of the same rows."""

from __future__ import annotations

import numpy as np

from allrelevant.linear.questions.fitted_set import FittedSet


def have_same_rows(one: FittedSet, other: FittedSet) -> bool:
    """Whether both have the same targets, and columns of the same mean, spread and size.

    They may have columns that the other has not; they need one that both have.
    """
    samples = [fitted.analysis.problem.sample for fitted in (one, other)]
    if len(samples[0]) != len(samples[1]):
        return False
    if not all(
        np.array_equal(np.sort(getattr(samples[0], part)), np.sort(getattr(samples[1], part)))
        for part in ("target", "count")
    ):
        return False
    places = {name: k for k, name in enumerate(other.features.columns)}
    common = [(k, places[name]) for k, name in enumerate(one.features.columns) if name in places]
    if not common:
        return False
    first, second = np.array(common).T
    return all(
        np.allclose(own[first], others[second], rtol=1e-12, atol=0.0)
        for own, others in (
            (one.scaling.centre, other.scaling.centre),
            (one.scaling.scale, other.scaling.scale),
            (samples[0].X.sizes, samples[1].X.sizes),
        )
    )
