"""A program of very many pieces by way of a few of them.

On the way from the reference to the best model in a direction few of the undecided pieces change
their sides. Where these are is seen from a sample of all: undecided pieces have no slack at the
reference, so a sample of them, each counted as often as it is one of so many, leaves the loss there
and its slope as they are. Then the pieces that are far from their kinks where the sample's best
model has them are decided, and only the others have slacks. What they say is what all would say
once no piece has changed its side; those that have are taken in.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from allrelevant.base.arrays import Floats, Ints, Mask
from allrelevant.linear.engine.interior.barrier import DenseProgram

_SAMPLE, _SHARE, _LARGEST = 6000, 12, 20_000  # pieces of a sample: so many, or a share of all
_FEWEST, _TIMES = 4000, 5.0  # near pieces, and times as many as are likely to change sides
_NONE: Ints = np.zeros(0, dtype=np.intp)


@dataclass(frozen=True, eq=False)
class Portion:
    """Some pieces of a program; `linear` are those of the others that are beyond their kinks."""

    program: DenseProgram
    near: Ints
    linear: Mask
    cost: Floats

    @classmethod
    def of(cls, whole: DenseProgram, slack: Floats, most: int, kept: Ints = _NONE) -> Portion:
        """The pieces that are nearest to their kinks, and the others where they are.

        `slack` is what the pieces lack at a model (negative where they have more); those in
        `kept` are among the near ones anyway.
        """
        near = np.arange(len(slack))
        if most < len(slack):
            near = np.union1d(np.argpartition(np.abs(slack), most)[:most], kept)
        linear = slack > 0
        linear[near] = False
        counted = whole.cost * linear
        program = replace(
            whole,
            A=whole.A[near],
            target=whole.target[near],
            cost=whole.cost[near],
            slope=whole.slope + counted @ whole.A,
            constant=whole.constant + float(counted @ whole.target),
        )
        return cls(program, near, linear, whole.cost)

    def of_all(self, multipliers: Floats, loss: float) -> Floats:
        """The multipliers of all pieces, where those that are near have the given ones."""
        every = np.where(self.linear, loss * self.cost, 0.0)
        every[self.near] = multipliers
        return every

    def changed(self, slack: Floats, tolerance: float) -> Ints:
        """Those of the others that have changed their sides, where all pieces lack this much."""
        wrong = np.where(self.linear, -slack, slack) > tolerance
        wrong[self.near] = False
        return np.flatnonzero(wrong)


def sampled(whole: DenseProgram) -> tuple[DenseProgram, Ints]:
    """The program of a sample of the pieces, each of which counts for several, and the sample."""
    n = whole.n_pieces
    size = min(max(_SAMPLE, n // _SHARE), _LARGEST)
    some = np.sort(np.random.default_rng(n).permutation(n)[:size])
    factor = n / len(some)
    program = replace(
        whole, A=whole.A[some], target=whole.target[some], cost=factor * whole.cost[some]
    )
    return program, some


def likely_changes(slack: Floats, n_sampled: int, n_columns: int) -> int:
    """How many pieces near their kinks to look at, around the best model of a sample.

    Of those that have changed sides there, a share that falls as the root of their number in the
    sample does so again on the way to the best model of all.
    """
    n_changed = max(int(np.count_nonzero(slack > 0)), 1)
    in_sample = n_changed * n_sampled / len(slack)
    share = min(np.sqrt(n_columns / max(in_sample, 1.0)), 1.0)
    return max(_FEWEST, int(_TIMES * share * n_changed))
