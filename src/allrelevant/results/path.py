"""Intervals and classes along C: from models of one feature to models of many."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from allrelevant.base.names import display_width, padded, short_names
from allrelevant.base.three_classes import CLASS_NAMES, STRONG, WEAK
from allrelevant.results.entries import facts, labels, numbers, words
from allrelevant.results.record import Record

_MARKS = "·▒█"  # irrelevant, weak, strong
_TEXT_ROWS, _TEXT_NAME = 30, 28


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class RelevancePath(Record):
    """Relevance intervals and classes of all features at several values of C.

    Made by ``estimator.path_over_c()``. A small C allows models of few features, a large one models
    of many. At each C the intervals are those of a fit with that C.

    Parameters
    ----------
    task : str
        The kind of model.
    names : tuple of str
        The names of the d features.
    C : ndarray of shape (k,)
        The values of C, from small to large.
    intervals : ndarray of shape (k, d, 2)
        Smallest and largest relevance of each feature at each C.
    classes : ndarray of int of shape (k, d)
        0 irrelevant, 1 weakly relevant, 2 strongly relevant.
    n_used : ndarray of shape (k,)
        How many features the baseline uses at each C.
    scores : ndarray of shape (k,)
        Its cross-validated score.
    score_name : str
    chosen : float
        The C of the fit that was asked.
    left_out : mapping, default empty
        Values of C that could not be solved for, and why.

    Examples
    --------
    >>> from allrelevant import RelevancePath
    >>> path = RelevancePath(
    ...     task="classification", names=["age", "dose"], C=[0.1, 1.0],
    ...     intervals=[[[0.9, 1.1], [0, 0.1]], [[0.2, 0.8], [0.3, 0.9]]],
    ...     classes=[[2, 0], [2, 2]], n_used=[1, 2], scores=[0.7, 0.8],
    ...     score_name="accuracy", chosen=1.0)
    >>> path.indispensable
    {'age': 0.1, 'dose': 1.0}
    >>> path
    2 features at 2 values of C; █ strong, ▒ weak, · irrelevant; chosen: C = 1
    <BLANKLINE>
    C            0.1     1
    uses           1     2
    accuracy    0.70  0.80
    age            █     █
    dose           ·     █
    """

    _format: ClassVar[str] = "allrelevant.RelevancePath/1"

    task: str
    names: tuple[str, ...] = words()
    C: NDArray[np.float64] = numbers(None)
    intervals: NDArray[np.float64] = numbers("C", "names", 2)
    classes: NDArray[np.int64] = labels("C", "names")
    n_used: NDArray[np.float64] = numbers("C")
    scores: NDArray[np.float64] = numbers("C")
    score_name: str
    chosen: float
    left_out: Mapping[str, Any] = facts()

    @property
    def indispensable(self) -> dict[str, float]:
        """The smallest C of the path at which each feature is strong; others are not listed.

        From the C before it to this one the feature became indispensable. At a larger C others may
        take its place again: `classes` has all of it.
        """
        is_strong = self.classes == STRONG
        found = [j for j in self.order if is_strong[:, j].any()]
        return {self.names[j]: float(self.C[is_strong[:, j].argmax()]) for j in found}

    @property
    def order(self) -> NDArray[np.intp]:
        """Features by when they become strong, then weak, then by their largest relevance."""
        reach = self.intervals[:, :, 1].max(axis=0, initial=0.0)
        return np.lexsort((-reach, self._first(WEAK), self._first(STRONG)))

    def _first(self, least: int) -> NDArray[np.intp]:
        reached = self.classes >= least
        return np.where(reached.any(axis=0), reached.argmax(axis=0), len(self.C))

    def to_frame(self) -> pd.DataFrame:
        """One row for each C and feature, with ``n_used``, ``class``, ``min`` and ``max``."""
        k, d = self.classes.shape
        frame = pd.DataFrame({"C": np.repeat(self.C, d), "n_used": np.repeat(self.n_used, d)})
        frame["feature"] = list(self.names) * k
        frame["class"] = np.array(CLASS_NAMES)[self.classes.ravel()]
        frame[["min", "max"]] = self.intervals.reshape(-1, 2)
        return frame.astype({"n_used": int})

    def __repr__(self) -> str:
        shown = self.order[:_TEXT_ROWS]
        names = short_names([self.names[j] for j in shown], _TEXT_NAME)
        heads = ["C", "uses", self.score_name]
        width = max(map(display_width, [*heads, *names, ""]))
        columns = [f"{C:.2g}" for C in self.C]
        table = [columns, [f"{n:.0f}" for n in self.n_used], [f"{s:.2f}" for s in self.scores]]
        table += [[_MARKS[self.classes[i, j]] for i in range(len(self.C))] for j in shown]
        wide = max([len(cell) for row in table for cell in row], default=0) + 2
        lines = [
            f"{self.n_features} features at {len(self.C)} values of C; █ strong, ▒ weak, "
            f"· irrelevant; chosen: C = {self.chosen:.3g}",
            "",
            *(
                padded(name, width + 2) + "".join(f"{cell:>{wide}}" for cell in row)
                for name, row in zip([*heads, *names], table, strict=True)
            ),
        ]
        if len(shown) < self.n_features:
            lines.append(f"... and {self.n_features - len(shown)} more features")
        lines += [f"left out: C = {C}: {why}" for C, why in self.left_out.items()]
        return "\n".join(lines)
