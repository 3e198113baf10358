"""The answer for whom the prediction depends on the model: ranges of decisions, and labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pandas as pd

from allrelevant.base.arrays import Floats, Mask
from allrelevant.results.answer import PlainAnswer


@dataclass(frozen=True, eq=False, repr=False)
class PredictionRange(PlainAnswer):
    """Smallest and largest decision value of each sample over all equivalent models.

    Attributes
    ----------
    low, high : array of shape (n_samples,) or (n_samples, n_thresholds)
        The ends. With three or more ordered classes there is one column per threshold: the
        distance of the score to it. With three or more classes without an order there is one per
        class: by how much it is ahead of all others. NaN if only labels were asked for.
    outcomes : tuple
        What can be predicted: the classes, in their order; with a reject option a rejection
        between them. Empty for a regression.
    allowed : array of bool of shape (n_samples, n_outcomes)
        Which outcomes some equivalent model predicts.

    Examples
    --------
    >>> from allrelevant import RelevanceClassifier
    >>> from allrelevant.datasets import make_classification
    >>> X, y, truth = make_classification(
    ...     80, n_strong=1, n_weak=2, n_irrelevant=1, random_state=0)
    >>> model = RelevanceClassifier(C=0.5, tolerance=0.05, n_probes=30, random_state=0).fit(X, y)
    >>> found = model.prediction_range(X)
    >>> found
    PredictionRange of 80 samples: 69 settled, 11 depend on the model
    >>> found.labels[0]
    (1,)
    """

    low: Floats
    high: Floats
    outcomes: tuple[Any, ...]
    allowed: Mask

    def __len__(self) -> int:
        return len(self.low)

    @property
    def width(self) -> Floats:
        """Distance between both ends."""
        return self.high - self.low

    @property
    def settled(self) -> Mask:
        """Samples for which all equivalent models predict the same."""
        self._need_outcomes()
        return self.allowed.sum(axis=1) == 1

    @property
    def ambiguity(self) -> float:
        """The share of samples whose prediction depends on the model."""
        return 1.0 - float(self.settled.mean())

    @property
    def labels(self) -> list[tuple[Any, ...]]:
        """For each sample the outcomes that some equivalent model predicts."""
        self._need_outcomes()
        return [
            tuple(label for label, can in zip(self.outcomes, row, strict=True) if can)
            for row in self.allowed
        ]

    def can_be(self, outcome: Any) -> Mask:
        """Samples for which some equivalent model predicts this outcome."""
        self._need_outcomes()
        if outcome not in self.outcomes:
            known = ", ".join(repr(label) for label in self.outcomes)
            raise ValueError(f"outcome must be one of {known}, got {outcome!r}.")
        return self.allowed[:, self.outcomes.index(outcome)]

    def depends_on(self, outcome: Any) -> Mask:
        """Samples for which some equivalent models predict this outcome and others do not.

        With a reject option ``depends_on("reject")`` are the samples that some equivalent model
        rejects and another does not.
        """
        return self.can_be(outcome) & ~self.settled

    def to_frame(self) -> pd.DataFrame:
        """One row per sample: *low, high*, and for classes *settled* and *labels*."""
        if self.low.ndim == 1:
            frame = pd.DataFrame({"low": self.low, "high": self.high})
        else:
            steps = range(1, self.low.shape[1] + 1)  # people count from 1
            by_class = self.low.shape[1] == len(self.outcomes)
            frame = pd.DataFrame(
                {
                    f"{name}_{label}": end[:, t]
                    for t, label in enumerate(self.outcomes if by_class else steps)
                    for name, end in (("low", self.low), ("high", self.high))
                }
            )
        if self.outcomes:
            frame["settled"] = self.settled
            frame["labels"] = self.labels
        return frame

    def __repr__(self) -> str:
        n = len(self)
        head = f"PredictionRange of {n} sample{'' if n == 1 else 's'}"
        if not self.outcomes:
            return (
                f"{head}: width {self.width.mean():.3g} on average, {self.width.max():.3g} at most"
            )
        settled = int(self.settled.sum())
        return f"{head}: {settled} settled, {n - settled} depend on the model"

    def _need_outcomes(self) -> None:
        if not self.outcomes:
            raise ValueError(
                "a regression predicts numbers, not labels: look at low, high and width instead."
            )
