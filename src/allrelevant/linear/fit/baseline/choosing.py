"""Which candidate is taken: by loss or by score, the best one or a sparser one that is as good."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from allrelevant.base.arrays import Floats
from allrelevant.linear.fit.baseline.candidate import Choice
from allrelevant.linear.fit.rows.sample import Sample

Rule = Literal["paired", "best", "one-se", "ordered"]
# Scores of a candidate on all folds, higher is better.
FoldScores = Callable[[Choice], Floats]
Scoring = Literal["loss", "deviance", "score"] | FoldScores

_TELLING_FOLD = 10  # rows: scores of smaller folds say nothing of how far chance goes
_HARDLY_ERRS = 0.95  # a score from which on a model of classes has little left to gain
_HARDLY_LESS = 0.25  # standard errors by which a score may be below the best where losses decide
_MANY_ALIKE = 0.25  # of the rows have one value: then it may be the middle for whatever features
_A_LITTLE = 0.05  # of what privileged features save at best


@dataclass(frozen=True)
class Criterion:
    """How candidates are compared.

    Parameters
    ----------
    rule : {"paired", "best", "one-se", "ordered"}
        The best candidate, or the sparsest whose difference to the best is within one standard
        error: of that difference, or of the best one's own mean. Or of the best one by its loss and
        those of a larger C that are as good, the one of least loss whose score is as good as the
        best of theirs, within a part of a standard error.
    scoring : "loss", "deviance", "score" or callable
        The model's loss on left-out rows, the deviance of a curve through their decision values,
        its own score over all folds together, or scores of the folds.
    """

    rule: Rule
    scoring: Scoring

    @property
    def looks_at_scores(self) -> bool:
        """Whether scores of whole dealings of the folds are compared."""
        return self.by_score or self.rule == "ordered"

    @property
    def by_score(self) -> bool:
        """Whether something else than the loss decides."""
        return self.scoring != "loss"

    def choose(self, found: Sequence[Choice]) -> Choice:
        """The candidate to take."""
        if self.scoring == "score":
            found = _that_learn(found)
        levels = np.array([self.level(choice) for choice in found])
        # Numbers that agree to nine digits are equal; rounding errors must not choose.
        unit = 1e-9 * (float(np.abs(levels).min()) or 1.0)
        least_loss = min(choice.loss for choice in found)
        loss_unit = 1e-9 * (least_loss or 1.0)
        places = range(len(found))

        def rank(k: int) -> tuple[float, float, float]:
            return round(levels[k] / unit), round(found[k].loss / loss_unit), found[k].C

        best = min(places, key=rank)
        if self.rule == "best":
            return found[best]
        near = [k for k in places if k == best or self._is_near(found[k], found[best])]
        if self.rule == "ordered":
            dense = [k for k in near if found[k].C >= found[best].C]
            first = min(dense, key=lambda k: (-round(found[k].score, 9), found[k].C))
            return found[
                min((k for k in dense if _ranks_as_well(found[k], found[first])), key=rank)
            ]
        return found[min(near, key=lambda k: (found[k].n_used, *rank(k)))]

    def level(self, choice: Choice) -> float:
        """What is to be small."""
        if not self._has_rows:
            return -choice.score if self.scoring == "score" else -self._fold_scores(choice).mean()
        return choice.rows.mean_and_error(self._of_rows(choice))[0]

    @property
    def _has_rows(self) -> bool:
        """Whether every row has a value of its own."""
        return self.scoring in ("loss", "deviance")

    def _of_rows(self, choice: Choice) -> Floats:
        return choice.losses if self.scoring == "loss" else choice.deviances

    def _is_near(self, choice: Choice, best: Choice) -> bool:
        """Whether a candidate is as good as the best one, as far as can be told."""
        if self._has_rows:
            worse = self._of_rows(choice) - self._of_rows(best)
            spread = self._of_rows(best) if self.rule == "one-se" else worse
            return best.rows.mean_and_error(worse)[0] <= best.rows.mean_and_error(spread)[1]
        is_close = choice.loss <= best.loss + best.loss_error
        # Scores can be perfect long before the loss is small; then the loss goes on telling.
        if best.rows_per_fold < _TELLING_FOLD or not (is_close or callable(self.scoring)):
            return False
        mine, its = self._fold_scores(choice), self._fold_scores(best)
        spread = its - mine if self.rule == "paired" else its
        error = float(np.std(spread, ddof=1) / np.sqrt(len(spread))) if len(spread) > 1 else 0.0
        return float(np.mean(its - mine)) <= error

    def _fold_scores(self, choice: Choice) -> Floats:
        return self.scoring(choice) if callable(self.scoring) else choice.fold_scores


def _ranks_as_well(choice: Choice, first: Choice) -> bool:
    """Whether the score is the best one, but for much less than chance in the folds."""
    less = first.fold_scores - choice.fold_scores
    error = float(np.std(less, ddof=1)) if len(less) > 1 else 0.0
    n_independent = len(less) / len(first.deals)
    return choice is first or float(less.mean()) <= _HARDLY_LESS * error / np.sqrt(n_independent)


def _that_learn(found: Sequence[Choice]) -> Sequence[Choice]:
    """Without those that hardly use a feature, if by the loss there is something to learn.

    Scores are coarse: always the middle one of ordered classes is hard to beat while little is
    known, and where nothing can be known nothing beats it.
    """
    best = min(found, key=lambda choice: choice.loss)
    idle = [choice for choice in found if choice.n_used < 1]
    lost = [best.rows.mean_and_error(choice.losses - best.losses) for choice in idle]
    if any(mean <= error for mean, error in lost):
        return found
    return [choice for choice in found if choice.n_used >= 1] or found


def best_variant(picked: Sequence[Choice], *, coarsest: bool = False) -> Choice:
    """Of models that differ in what they call a loss, the one that errs least when tested.

    Or the last, which calls least a loss, of those that err no more as far as can be told. One with
    another kind of loss is taken only if it is better by more than a standard error.
    """
    if picked[0].model.curve is not None:
        return _first_as_good(picked)
    kind = picked[0].model.loss_name
    usual = [choice for choice in picked if choice.model.loss_name == kind]
    others = [choice for choice in picked if choice.model.loss_name != kind]
    best = min(usual, key=lambda choice: round(_mean_error(choice, choice.errors)[0], 12))
    if coarsest:
        differences = [_mean_error(best, choice.errors - best.errors) for choice in usual]
        near = [mean <= error for mean, error in differences]
        best = [choice for choice, is_near in zip(usual, near, strict=True) if is_near][-1]
    return _first_as_good([best, *others])


def _first_as_good(picked: Sequence[Choice]) -> Choice:
    """The first, unless another has less deviance on left-out rows, as far as can be told.

    A line through ranks does not know where the thresholds of ordered classes are, and a curve
    through the scores of several classes lets rare ones go. So what predictions are worth must not
    be less than with a first one that uses features.
    """
    best = picked[0]
    for choice in picked[1:]:
        mean, error = _mean_error(best, best.deviances - choice.deviances)
        # Of two classes the deviance tells everything.
        is_free = best.n_used < 1 or choice.model.curve == "logistic"
        is_as_right = is_free or _worth(choice) >= _worth(best)
        best = choice if mean > error and is_as_right else best
    return best


def one_loss_is_enough(picked: Sequence[Choice], sample: Sample) -> bool:
    """Whether no other kind of loss has to be tried.

    By the hinge loss, features that make no class the likeliest gain nothing. Where nearly every
    sample of two or of ordered classes is on the right side, there is little that they could tell.
    By the absolute loss, features gain nothing that do not move the middle of the target. Where no
    value is frequent they do, if predictions explain any of the variance of left-out rows.
    """
    model = picked[0].model
    if model.has_classes:
        return model.curve in ("logistic", "line") and _worth(picked[0]) >= _HARDLY_ERRS
    _, value = np.unique(sample.target, return_inverse=True)
    most = float(np.bincount(value, sample.numbers).max())
    explains = max(choice.score for choice in picked) > 0
    return explains and most < _MANY_ALIKE * float(sample.numbers.sum())


def _worth(choice: Choice) -> float:
    """What predictions are worth, every class alike."""
    if choice.model.curve == "line":
        return choice.score
    return choice.all_scores().get("balanced accuracy", 0.0)


def _mean_error(choice: Choice, errors: Floats) -> tuple[float, float]:
    return choice.rows.mean_and_error(errors)


def choose_privileged(found: Sequence[Choice], without: Mapping[float, float]) -> Choice:
    """The candidate for which privileged features help most.

    `without` has the losses per observation of the models whose slacks are constant, for each C.
    Where C is large and the classes can be told apart nothing is left to explain; where it is
    small no feature is used. Of candidates that save nearly the same the sparsest is taken, and
    of those the one with the largest γ.
    """
    # With a C so large that constant slacks overfit, anything else would look good.
    saved = [
        min(loss for C, loss in without.items() if C <= choice.C) - choice.loss for choice in found
    ]
    least = max(saved) - _A_LITTLE * abs(max(saved))  # where nothing is saved it is below zero
    near = [choice for choice, saves in zip(found, saved, strict=True) if saves >= least]
    return min(near, key=lambda choice: (choice.n_used, -choice.gamma, choice.C))
