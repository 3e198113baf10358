"""A candidate for C: a model, and how it does on rows it was not fitted to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from allrelevant.base.arrays import Floats, Ints
from allrelevant.linear.fit.baseline.curve import LogisticCurve, RankLine, SoftmaxCurve
from allrelevant.linear.fit.rows.sample import Observations
from allrelevant.linear.models import LinearModel
from allrelevant.linear.models.base import Scores


@dataclass(frozen=True)
class Placing:
    """Where predictions have the offsets of a model: times a scale, and then shifted.

    The shift is added to decision values, which is how every model understands it.
    """

    scale: float = 1.0
    shift: float = 0.0

    def of(self, model: LinearModel, offsets: Floats) -> Floats:
        """The offsets to predict with."""
        return model.shifted(self.scale * offsets, self.shift)


AS_FITTED = Placing()
_BEYOND = 4.0  # standard errors: left-out rows are predicted better than by chance


@dataclass(frozen=True, eq=False)
class Tested:
    """What one fit says of the test rows of a fold, what was right, and how much they count.

    `weight` is how much they would count in a fit, where that is something else.
    """

    rows: Ints
    target: Floats
    scores: Floats
    offsets: Floats
    count: Floats
    deal: int = 0
    times: Floats | None = None
    weight: Floats | None = None


@dataclass(frozen=True, eq=False)
class Choice:
    """A model with its C, and how it does in cross-validation.

    `losses` has the loss per observation of every row of `rows` when it was tested (the mean where
    it was so several times). `n_used` is the mean number of features used. `gamma` weighs the norm
    of privileged features, where there are some. `n_missing` folds could not be fitted; `left_out`
    are other values of C that had such folds. `n_rows` is how many rows it was tried on,
    where that was not all of them.
    """

    model: LinearModel
    C: float
    losses: Floats
    rows: Observations
    n_used: float
    tested: tuple[Tested, ...]
    gamma: float = 1.0
    n_missing: int = 0
    left_out: tuple[float, ...] = ()
    n_rows: int | None = None

    @cached_property
    def loss(self) -> float:
        """The mean loss of an observation."""
        return self.rows.mean_and_error(self.losses)[0]

    @cached_property
    def loss_error(self) -> float:
        """The standard error of the loss."""
        return self.rows.mean_and_error(self.losses)[1]

    @cached_property
    def errors(self) -> Floats:
        """How far predictions of each row are off when it was tested, in the target's units."""
        parts, model = self.tested, self.model
        return self._by_row(
            [model.errors(p.target, model.predict(p.scores, p.offsets)) for p in parts]
        )

    @cached_property
    def deviances(self) -> Floats:
        """What each row adds to the deviance of a curve through left-out decision values.

        One curve for all folds, whose models are nearly the same. Where all rows that were tested
        are of one class, no curve tells anything, and the losses have to do. Numbers have no curve:
        it is by how much predictions are off, squared.
        """
        parts, kind = self.tested, self.model.curve
        if kind is None:
            return self.errors**2
        if np.ptp(np.concatenate([part.target for part in parts])) == 0:
            return self.losses
        if kind == "softmax":
            return self._class_deviances()
        # A line through ranks takes back what thresholds would add.
        is_ordered = kind == "line"
        decisions = [part.scores + (0.0 if is_ordered else part.offsets[0]) for part in parts]
        curve = (RankLine if is_ordered else LogisticCurve).through(
            np.concatenate(decisions),
            np.concatenate([part.target for part in parts]),
            np.concatenate([part.count for part in parts]),
        )
        return self._by_row(
            [curve.deviances(d, part.target) for d, part in zip(decisions, parts, strict=True)]
        )

    def _class_deviances(self) -> Floats:
        """Deviances of several classes, by one curve through the scores of all of them."""
        scores = [self.model.decisions(part.scores, part.offsets) for part in self.tested]
        codes = [part.target.astype(np.intp) for part in self.tested]
        count = np.concatenate([part.count for part in self.tested])
        weights = [part.count if part.weight is None else part.weight for part in self.tested]
        weight = np.concatenate(weights)
        curve = SoftmaxCurve.through(np.concatenate(scores), np.concatenate(codes), count, weight)
        return self._by_row([curve.deviances(s, own) for s, own in zip(scores, codes, strict=True)])

    def _by_row(self, values: Sequence[Floats]) -> Floats:
        """Values of the test rows of all folds as one for each row: the mean of its tests."""
        rows = np.concatenate([part.rows for part in self.tested])
        count = np.concatenate([part.count for part in self.tested])
        total = np.bincount(rows, count * np.concatenate(values))
        times = np.bincount(rows, count)
        return total[times > 0] / times[times > 0]

    @cached_property
    def fold_scores(self) -> Floats:
        """The model's own score on each fold."""
        return self._on_folds(AS_FITTED)

    def _on_folds(self, placing: Placing) -> Floats:
        model = self.model
        offsets = [placing.of(model, part.offsets) for part in self.tested]
        pairs = zip(self.tested, offsets, strict=True)
        scores = [model.score(p.target, model.predict(p.scores, b), p.count) for p, b in pairs]
        return np.array(scores)

    @cached_property
    def score(self) -> float:
        """The model's own score over all folds together, as the mean of repeated dealings."""
        return self.score_of([AS_FITTED] * len(self.tested))

    def score_of(self, placings: Sequence[Placing]) -> float:
        """The score if the offsets of each fold are placed elsewhere."""
        deals = [self._pooled(deal, placings) for deal in self.deals]
        return float(np.mean([self.model.score(t, predicted, n) for t, predicted, _, n in deals]))

    def score_error(self, placing: Placing = AS_FITTED) -> float:
        """The standard error of the score, by its spread over the folds, with offsets placed so."""
        folds = self._on_folds(placing)
        if len(folds) < 2:
            return 0.0
        return float(np.std(folds, ddof=1) / np.sqrt(len(folds) / len(self.deals)))

    @property
    def predicts(self) -> bool:
        """Whether left-out scores go with the target more than by chance.

        C is chosen by the same rows, so noise alone comes to a little more than three errors.
        """
        return self.beyond_chance() >= _BEYOND

    @property
    def may_predict(self) -> bool:
        """The same, or nobody knows."""
        return self.predicts or not self.model.has_numbers or self.model.n_scores > 1

    def beyond_chance(self) -> float:
        """By how many standard errors left-out scores go with the numbers that they are to explain.

        The errors are those of permutations: small tables with clear effects have no larger ones.
        0 of several classes, and of quantiles, which have no such numbers.
        """
        model, total, variance = self.model, 0.0, 0.0
        if not model.has_numbers or model.n_scores > 1:
            return 0.0
        for part in self.tested:
            if part.deal == self.deals[0]:
                numbers = model.explained(part.target, part.count)
                away = [v - np.average(v, weights=part.count) for v in (part.scores, numbers)]
                total += float(part.count @ (away[0] * away[1]))
                first, second = (float(part.count @ one**2) for one in away)
                variance += first * second / float(part.count.sum())
        return total / float(np.sqrt(variance)) if variance > 0 else 0.0

    def all_scores(self, placing: Placing = AS_FITTED) -> Scores:
        """All scores of the model over all folds together, with its offsets placed so."""
        everywhere = [placing] * len(self.tested)
        found = [self.model.all_scores(*self._pooled(deal, everywhere)) for deal in self.deals]
        return {name: float(np.mean([scores[name] for scores in found])) for name in found[0]}

    @property
    def rows_per_fold(self) -> float:
        """How many observations a fold tests."""
        sizes = [len(p.rows) if p.times is None else p.times.sum() for p in self.tested]
        return float(np.mean(sizes))

    @property
    def deals(self) -> list[int]:
        """The dealings of folds there were."""
        return sorted({part.deal for part in self.tested})

    def _pooled(
        self, deal: int, placings: Sequence[Placing]
    ) -> tuple[Floats, Floats, Floats, Floats]:
        """Targets, predictions, decision values and counts of all folds of one dealing."""
        parts = [part for part in self.tested if part.deal == deal]
        pairs = [
            (part, placing.of(self.model, part.offsets))
            for part, placing in zip(self.tested, placings, strict=True)
            if part.deal == deal
        ]
        sign = self.model.offset_sign
        return (
            np.concatenate([part.target for part in parts]),
            np.concatenate([self.model.predict(part.scores, b) for part, b in pairs]),
            np.concatenate([part.scores + sign * b[0] for part, b in pairs]),
            np.concatenate([part.count for part in parts]),
        )
