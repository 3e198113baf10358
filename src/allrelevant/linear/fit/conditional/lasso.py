"""Least squares with an ℓ1 penalty: a quick model of a number, also of very many columns.

Only columns that the model may use are made into arrays. Which these are is known from the model
before: a column whose pull is well below the penalty stays out, and whether it had to is seen from
the pulls afterwards.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from sklearn import config_context
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import lasso_path

from allrelevant.base.arrays import Floats, Ints, Mask
from allrelevant.data import Matrix
from allrelevant.linear.fit.rows.folds import Split
from allrelevant.linear.fit.rows.sample import Sample

MOST_PENALTIES = 40  # to try
_FEW_COLUMNS = 200  # where there are no more, it takes less time to solve for several penalties
_AT_ONCE = 8
_SMALLEST = 0.05  # of the largest penalty: the least
_PATIENCE = 5  # penalties beyond the best one that are tried
_LIKELY = 0.8  # of the penalty: columns that a model nearby pulls as much may be used
_ACCURACY = 1e-6
_MOST_SWEEPS = 3000
_MOST_ROUNDS = 50  # of taking in columns; each takes in at least one


@dataclass(frozen=True, eq=False)
class LassoModel:
    """The columns that a model uses, their weights, and what it leaves unexplained.

    `pulls` are the products of every column with that, which the penalty bounds.
    """

    penalty: float
    used: Ints
    weights: Floats
    rest: Floats
    pulls: Floats


@dataclass(frozen=True, eq=False)
class Lasso:
    """The minimum of ½ Σ share·(target − Xw − b)² + penalty·Σ scale·|w|.

    Weights are those of columns divided by their scales.
    """

    X: Matrix
    target: Floats
    share: Floats
    scale: Floats
    inverse: Floats = field(init=False)

    def __post_init__(self) -> None:
        nothing = np.zeros_like(self.scale)
        inverse = np.divide(1.0, self.scale, out=nothing, where=self.scale > 0)
        object.__setattr__(self, "inverse", inverse)

    @classmethod
    def of(cls, sample: Sample, scale: Floats) -> Lasso:
        """The lasso of a sample whose targets are numbers."""
        return cls(sample.X, sample.target, sample.weight / sample.weight.sum(), scale)

    @property
    def empty(self) -> LassoModel:
        """The model without columns, which the largest penalty leaves."""
        rest = self.target - self.share @ self.target
        pulls = self.pulls(rest)
        nothing = np.zeros(0, dtype=np.intp)
        largest = float(np.abs(pulls).max(initial=0.0))
        return LassoModel(largest, nothing, np.zeros(0), rest, pulls)

    def solve(self, penalty: float, near: LassoModel, without: Mask | None = None) -> LassoModel:
        """The model at a penalty, from one that is known; some columns may be left out."""
        return self.path([penalty], near, without)[0]

    def path(
        self, penalties: Sequence[float], near: LassoModel, without: Mask | None = None
    ) -> list[LassoModel]:
        """The models at penalties that fall."""
        likely = np.abs(near.pulls) >= _LIKELY * penalties[-1]
        likely[near.used] = True
        weights = np.zeros(len(self.scale))
        weights[near.used] = near.weights
        allowed = np.ones(len(self.scale), dtype=bool) if without is None else ~without
        for _ in range(_MOST_ROUNDS):
            columns = np.flatnonzero(likely & allowed)
            found, rests = self._path_of(columns, penalties, weights[columns])
            pulls = [self.pulls(rest) for rest in rests]
            beyond = [
                np.abs(p) > one * (1.0 + 1e-3) for p, one in zip(pulls, penalties, strict=True)
            ]
            missed = np.logical_or.reduce(beyond) & ~likely & allowed
            if not missed.any():
                break
            weights[columns] = found[0]
            likely |= missed
        return [
            LassoModel(one, columns[own != 0], own[own != 0], rest, pull)
            for one, own, rest, pull in zip(penalties, found, rests, pulls, strict=True)
        ]

    def _path_of(
        self, columns: Ints, penalties: Sequence[float], start: Floats
    ) -> tuple[Floats, Floats]:
        """For every penalty the weights of the columns that may be used, and what they leave."""
        centred_target = self.target - self.share @ self.target
        if not len(columns):
            return np.zeros((len(penalties), 0)), np.tile(centred_target, (len(penalties), 1))
        block = self.X.columns(columns) * self.inverse[columns]
        block = block - self.share @ block
        root = np.sqrt(self.share)
        table, aim = np.asfortranarray(root[:, None] * block), root * centred_target
        # Without its checks an older scikit-learn does not find out itself whether these pay.
        is_tall = len(table) > table.shape[1]
        products = (table.T @ table, table.T @ aim) if is_tall else (False, None)
        with warnings.catch_warnings(), config_context(skip_parameter_validation=True):
            # What others leave may be a little more than the least: no test depends on that.
            warnings.simplefilter("ignore", ConvergenceWarning)
            _, path, _ = lasso_path(
                table,
                aim,
                alphas=np.array(penalties) / len(root),
                coef_init=start,
                precompute=products[0],
                Xy=products[1],
                check_input=False,  # that would take longer than the rest
                max_iter=_MOST_SWEEPS,
                tol=_ACCURACY,
            )
        weights: Floats = path.T
        return weights, centred_target - weights @ block.T

    def pulls(self, rest: Floats) -> Floats:
        """The product of every column, divided by its scale, with values whose mean is 0."""
        return self.X.pull(self.share * rest) * self.inverse


def chosen_penalty(
    sample: Sample,
    scale: Floats,
    splits: Sequence[Split],
    advance: Callable[[int], Any] = lambda n: None,
) -> float:
    """The penalty with the least squared error on the rows that were left out.

    All folds go from large to small penalties side by side, until the error has risen for long.
    """
    largest = Lasso.of(sample, scale).empty.penalty
    penalties = (largest * np.geomspace(1.0, _SMALLEST, MOST_PENALTIES)).tolist()
    inside = [Lasso.of(sample.take(s.train, s.train_times), scale) for s in splits]
    outside = [sample.take(s.test, s.test_times) for s in splits]
    latest = [fold.empty for fold in inside]
    errors: list[float] = []
    step = _AT_ONCE if len(scale) <= _FEW_COLUMNS else 1
    for start in range(0, len(penalties), step):
        some = penalties[start : start + step]
        added = np.zeros(len(some))
        for k, (fold, others) in enumerate(zip(inside, outside, strict=True)):
            models = fold.path(some, latest[k])
            added += [_error(fold, others, model) for model in models]
            latest[k] = models[-1]
        errors += added.tolist()
        advance(len(some))
        if len(errors) - 1 - int(np.argmin(errors)) >= _PATIENCE:
            advance(MOST_PENALTIES - len(errors))
            break
    return penalties[int(np.argmin(errors))]


def _error(fold: Lasso, others: Sample, model: LassoModel) -> float:
    """How far the model of a fold is off on other rows."""
    used, factors = model.used, model.weights * fold.inverse[model.used]
    # Not by `scores_from`, which keeps another copy of the table: folds are many.
    shift = fold.share @ (fold.target - fold.X.columns(used) @ factors)
    away = others.target - others.X.columns(used) @ factors - shift
    return float(others.weight @ away**2)
