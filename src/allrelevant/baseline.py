"""The reference model, and the cross-validated choice of how sparse it is."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from sklearn.model_selection import KFold, StratifiedKFold

from allrelevant.engine.penalised import Penalised, PenalisedPath
from allrelevant.engine.pieces import Floats, Ints, Pieces, sums_by
from allrelevant.models import LinearModel
from allrelevant.problem import Problem, problem_of
from allrelevant.sample import Sample

N_FOLDS = 5
_STEPS = 16
_PRIVILEGED_STEPS = 8
GAMMAS = (0.3, 3.0)  # the values of γ to try
_A_LITTLE = 0.05  # of what privileged features save at best
_DECADES = 4.0
_PATIENCE = 3  # steps for which a fold's error may stay clearly above its best
_VANISHED = 1e-6  # per unit of weight: a loss this small is none
_SETTLED = 0.9999  # a loss that falls by less with the next C has come to its end


@dataclass(frozen=True, eq=False)
class Tested:
    """What was predicted for the test rows of a fold, what was right, and how much they count."""

    target: Floats
    predicted: Floats
    count: Floats


@dataclass(frozen=True, eq=False)
class Choice:
    """A model with its C, and how it does in cross-validation.

    `loss` is per observation and comes with its standard error. `n_used` is the mean number of
    features used. `gamma` weighs the norm of privileged features, where there are some.
    """

    model: LinearModel
    C: float
    loss: float
    loss_error: float
    n_used: float
    tested: tuple[Tested, ...]
    gamma: float = 1.0

    @cached_property
    def scores(self) -> list[float]:
        """The score on each fold; asked of the choice that is taken, not of every candidate."""
        return [self.model.score(part.target, part.predicted, part.count) for part in self.tested]

    @property
    def score(self) -> float:
        """The mean score of the folds."""
        return float(np.mean(self.scores))

    @property
    def score_error(self) -> float:
        """Its standard error."""
        return float(np.std(self.scores, ddof=1) / np.sqrt(len(self.scores)))


@dataclass(frozen=True, eq=False)
class FoldOutcome:
    """Losses and predictions of a fold's test rows, and the number of features used, per C."""

    losses: Floats
    predicted: Floats
    used: Ints


def fit_baseline(problem: Problem, C: float, gamma: float = 1.0) -> Penalised:
    """The minimum of ‖w‖₁ + C·loss on all the data; γ‖w*‖₁ is added where there is a w*."""
    return problem.path().solve(C, gamma)


def grid(model: LinearModel, sample: Sample) -> Floats:
    """The values of C to try: one at which no feature is used, then four decades from there.

    Slacks that are functions of privileged features tell less about C, so fewer do.
    """
    pieces = model.pieces(sample.target, sample.weight)
    size = float(sample.weight.sum()) * (float(np.abs(sample.X).max(initial=0.0)) or 1.0)
    null = PenalisedPath(sample.X, pieces).solve(1e-3 / size)
    multipliers = _null_multipliers(pieces, null.offsets, len(sample.X))
    steepest = float(np.abs(multipliers @ sample.X).max(initial=0.0))
    start = 1.0 / max(steepest, 1e-9 * size)
    steps = _STEPS if sample.privileged is None else _PRIVILEGED_STEPS
    return start * np.concatenate([[0.5], np.geomspace(1.2, 10.0**_DECADES, steps)])


def _null_multipliers(pieces: Pieces, offsets: Floats, n_rows: int) -> Floats:
    """Multipliers of the model without features, summed over each sample with their signs.

    They are not unique; here the pieces at their kink share what balances an offset evenly.
    """
    residuals = pieces.residuals(np.zeros(n_rows), offsets)
    linear, kink = residuals > 1e-9, np.abs(residuals) <= 1e-9
    pull = pieces.weight * pieces.offset_sign
    given = sums_by(pieces.offset[linear], pull[linear], pieces.n_offsets)
    can_give = sums_by(pieces.offset[kink], pull[kink], pieces.n_offsets)
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.clip(np.nan_to_num(-given / can_give), 0.0, 1.0)
    multipliers = pieces.weight * np.where(linear, 1.0, kink * share[pieces.offset])
    return sums_by(pieces.row, multipliers * pieces.sign, n_rows)


def folds(model: LinearModel, sample: Sample) -> list[Ints]:
    """Test rows of each fold: the same for the same data, stratified where there are classes."""
    n = len(sample.X)
    splitter: KFold | StratifiedKFold
    if model.task == "regression":
        splitter = KFold(min(N_FOLDS, n), shuffle=True, random_state=0)
    else:
        _, counts = np.unique(sample.target, return_counts=True)
        n_folds = min(N_FOLDS, int(counts.max()))
        if n_folds >= 2:
            splitter = StratifiedKFold(n_folds, shuffle=True, random_state=0)
        else:
            splitter = KFold(min(N_FOLDS, n), shuffle=True, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # classes rarer than folds are fine here
        return [test for _, test in splitter.split(sample.X, sample.target)]


@dataclass(frozen=True, eq=False)
class Trial:
    """A model, the values of C to try on a sample, and the γ to try them with."""

    model: LinearModel
    sample: Sample
    Cs: Floats
    gamma: float = 1.0


@dataclass(frozen=True, eq=False)
class FoldPath:
    """The path of one trial on one fold: what a worker is given."""

    trial: Trial
    test: Ints

    def run(self) -> FoldOutcome:
        """Fit for each C in turn and try on the test rows.

        The path ends early where the training loss has vanished, for the model changes no more,
        and where the fold's own loss stays clearly above its best; what it does not reach is NaN.
        """
        model, sample, Cs = self.trial.model, self.trial.sample, self.trial.Cs
        train = np.setdiff1d(np.arange(len(sample.X)), self.test)
        inside, outside = sample.take(train), sample.take(self.test)
        problem = problem_of(model, inside)
        path = problem.path()
        scale = float(sample.weight.sum() / inside.weight.sum())
        losses = np.full((len(Cs), len(self.test)), np.nan)
        predicted = losses.copy()
        used = np.zeros(len(Cs), dtype=np.intp)
        best = limit = before = np.inf
        worse = 0
        for k, C in enumerate(Cs):
            fitted = path.solve(C * scale, self.trial.gamma)
            losses[k] = problem.losses_on(outside, fitted)
            scores = outside.X @ fitted.weights[: problem.n_features]
            predicted[k] = model.predict(scores, fitted.offsets)
            used[k] = np.count_nonzero(fitted.weights)
            vanished = fitted.loss <= _VANISHED * inside.weight.sum()
            settled = inside.privileged is not None and fitted.loss > _SETTLED * before
            if vanished or (settled and used[k] > problem.n_functions):
                losses[k:], predicted[k:], used[k:] = losses[k], predicted[k], used[k]
                break
            before = fitted.loss
            loss, spread = mean_loss(losses[k], outside.count)
            if loss < best:
                best, limit = loss, loss + spread
            worse = worse + 1 if loss > limit else 0
            if worse >= _PATIENCE:
                break
        return FoldOutcome(losses, predicted, used)


def mean_loss(losses: Floats, count: Floats) -> tuple[float, float]:
    """Loss per observation and its standard error; a row that counts twice is two."""
    each, n = losses / count, float(count.sum())
    mean = float(count @ each) / n
    return mean, float(np.sqrt(count @ (each - mean) ** 2)) / n


def candidates(
    trial: Trial, tests: Sequence[Ints], outcomes: Sequence[FoldOutcome]
) -> list[Choice]:
    """Put the folds of one trial together: a candidate for every C that all folds reached."""
    model, sample, Cs = trial.model, trial.sample, trial.Cs
    losses = np.empty((len(Cs), len(sample.X)))
    for test, outcome in zip(tests, outcomes, strict=True):
        losses[:, test] = outcome.losses
    used = np.mean([outcome.used for outcome in outcomes], axis=0)
    found = []
    for k in np.flatnonzero(~np.isnan(losses).any(axis=1)):
        loss, loss_error = mean_loss(losses[k], sample.count)
        tested = [
            Tested(sample.target[test], outcome.predicted[k], sample.count[test])
            for test, outcome in zip(tests, outcomes, strict=True)
        ]
        found.append(
            Choice(
                model=model,
                C=float(Cs[k]),
                loss=loss,
                loss_error=loss_error,
                n_used=float(used[k]),
                tested=tuple(tested),
                gamma=trial.gamma,
            )
        )
    return found


def choose(found: Sequence[Choice]) -> Choice:
    """The sparsest candidate whose loss is within one standard error of the least.

    The loss, not the number of wrong answers: it is what equivalent models have in common, it is
    smooth in C, and where classes can be told apart it does not stop at the first C that does.
    """
    best = min(found, key=lambda choice: choice.loss)
    near = [choice for choice in found if choice.loss <= best.loss + best.loss_error]
    # Losses that agree to nine digits are equal; rounding errors must not choose.
    unit = 1e-9 * (best.loss or 1.0)
    return min(near, key=lambda choice: (choice.n_used, round(choice.loss / unit), choice.C))


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
