"""The thesis's own algorithm, so that both can be compared.

Three steps (chapter 5, algorithms 1 and 2): Boruta finds all relevant features; the importances of
a forest that may use all columns give a minimal set; and of this set those are strong whose
absence moves the training score out of the prediction interval of α forests with one more, useless
feature. The forests are LightGBM's with the thesis's parameters, or scikit-learn's where LightGBM
is missing.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from scipy import stats
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

from allrelevant.backends import run
from allrelevant.base.arrays import Floats, Ints, Mask
from allrelevant.base.progress import Progress
from allrelevant.base.three_classes import STRONG, WEAK
from allrelevant.forest.analysis import Findings, nothing_found
from allrelevant.forest.learners import boosted_trees, has_lightgbm
from allrelevant.forest.sample import Table

_ALPHA, _TAU = 50, 1e-6  # samples of the null distributions, and the level of their intervals
_ROUNDS, _BORUTA_LEVEL = 100, 0.01
_BORUTA_SHARE, _LOSS_SHARE, _MINIMAL_SHARE = 0.1, 0.8, 1.0  # of the columns a tree may use


def squamish(
    table: Table, seeds: np.random.RandomState, n_jobs: int | None, progress: Progress
) -> Findings:
    """Run the thesis's algorithm."""
    d = table.n_features
    relevant, importances, n_fits = _boruta(table, seeds, progress)
    minimal, null = _minimal(table, seeds, n_jobs, progress)
    classes = np.where(relevant, WEAK, 0)
    n_fits += _ALPHA + 1
    if relevant.any():
        strong = _strong(table, relevant, minimal & relevant, seeds, n_jobs, progress)
        classes[strong] = STRONG
        n_fits += _ALPHA + int((minimal & relevant).sum())
    share = importances / max(float(importances.sum()), 1e-12)
    return replace(
        nothing_found(table),
        classes=classes,
        intervals=np.column_stack([np.where(classes == STRONG, share, 0.0), share]),
        noise=np.full(d, np.nan),  # it is hits and scores that decide, not importances
        importances=share,
        p_values=np.full(d, np.nan),
        shadows=null,
        learner=boosted_trees(),
        learner_name="squamish",
        loss=np.nan,
        n_fits=n_fits,
    )


# Boruta


def _boruta(
    table: Table, seeds: np.random.RandomState, progress: Progress
) -> tuple[Mask, Floats, int]:
    """Features whose importance exceeds that of the best shadow more often than chance allows."""
    d = table.n_features
    hits, undecided, accepted = np.zeros(d, dtype=int), np.ones(d, bool), np.zeros(d, bool)
    total, n_rounds = np.zeros(d), 0
    progress.stage("Boruta", _ROUNDS)
    for n_rounds in range(1, _ROUNDS + 1):
        playing = np.flatnonzero(undecided | accepted)
        sources = np.resize(playing, max(len(playing), 5))
        rng = np.random.default_rng(seeds.randint(2**31 - 1))
        shadows = rng.permuted(table.X[:, sources], axis=0)
        X = np.hstack([table.X[:, playing], shadows])
        forest = _forest(table, X, _BORUTA_SHARE, int(rng.integers(2**31)))
        found = forest.feature_importances_
        highest = float(found[len(playing) :].max())
        total[playing] += found[: len(playing)]
        hits[playing[found[: len(playing)] > highest]] += 1
        new_accepted, new_rejected = _decide(hits, undecided, n_rounds)
        accepted |= new_accepted
        undecided &= ~(new_accepted | new_rejected)
        progress.advance(1)
        if not undecided.any():
            break
    progress.advance(_ROUNDS - n_rounds)
    return accepted, total / n_rounds, n_rounds


def _decide(hits: Ints, undecided: Mask, n_rounds: int) -> tuple[Mask, Mask]:
    """Accept or reject by binomial tests, corrected for the features and for the rounds."""

    def significant(p_values: Floats) -> Mask:
        by_round = p_values < _BORUTA_LEVEL / n_rounds
        return by_round & (stats.false_discovery_control(p_values) < _BORUTA_LEVEL)

    accept = significant(stats.binom.sf(hits - 1, n_rounds, 0.5))
    reject = significant(stats.binom.cdf(hits, n_rounds, 0.5))
    return undecided & accept, undecided & reject


# The minimal set and the comparison of losses


def _minimal(
    table: Table, seeds: np.random.RandomState, n_jobs: int | None, progress: Progress
) -> tuple[Mask, Floats]:
    """Features that a forest that may use all columns gives more weight than noise."""
    tasks = [int(seeds.randint(2**31 - 1)) for _ in range(_ALPHA)]
    progress.stage("importance of noise", _ALPHA)
    null = run(partial(_Enlarged, table, _MINIMAL_SHARE), tasks, n_jobs, progress.advance)
    importance_of_noise = np.array([importance for _, importance in null])
    _, upper = _interval(importance_of_noise)
    forest = _forest(table, table.X, _MINIMAL_SHARE, tasks[0])
    return forest.feature_importances_ > upper, importance_of_noise


def _strong(
    table: Table,
    relevant: Mask,
    minimal: Mask,
    seeds: np.random.RandomState,
    n_jobs: int | None,
    progress: Progress,
) -> Ints:
    """Features of the minimal set without which the training score is lower than chance allows."""
    which = np.flatnonzero(relevant)
    candidates = np.flatnonzero(minimal)
    if len(which) == 1:
        return which  # nothing could replace it
    inner = table.columns(which)
    tasks = [int(seeds.randint(2**31 - 1)) for _ in range(_ALPHA)]
    progress.stage("score with noise", _ALPHA)
    null = run(partial(_Enlarged, inner, _LOSS_SHARE), tasks, n_jobs, progress.advance)
    lower, _ = _interval(np.array([score for score, _ in null]))
    strong = []
    for j in candidates:
        X = table.X[:, which[which != j]]
        forest = _forest(table, X, _LOSS_SHARE, int(seeds.randint(2**31 - 1)))
        if forest.score(X, table.target) < lower:
            strong.append(j)
    return np.array(strong, dtype=int)


@dataclass(frozen=True, eq=False)
class _Enlarged:
    """Fits forests to the table and one shuffled column; one in every process."""

    table: Table
    share: float

    def __call__(self, seed: int) -> tuple[float, float]:
        """Training score, and importance of the shuffled column."""
        rng = np.random.default_rng(seed)
        X = self.table.X
        noise = rng.permutation(X[:, rng.integers(X.shape[1])])
        X = np.column_stack([X, noise])
        forest = _forest(self.table, X, self.share, seed)
        return forest.score(X, self.table.target), float(forest.feature_importances_[-1])


def _interval(values: Floats) -> tuple[float, float]:
    """Prediction interval of one more value, for normal ones."""
    n = len(values)
    reach = stats.t.isf(_TAU, n - 1) * values.std(ddof=1) * np.sqrt(1.0 + 1.0 / n)
    return float(values.mean() - reach), float(values.mean() + reach)


def _forest(table: Table, X: Floats, share: float, seed: int) -> Any:
    """A fitted forest with the thesis's parameters."""
    classes = table.task.has_probabilities
    seed = seed % 2**31
    if not has_lightgbm():
        kind = RandomForestClassifier if classes else RandomForestRegressor
        forest = kind(100, max_depth=5, max_features=share, n_jobs=1, random_state=seed)
        return forest.fit(X, table.target, sample_weight=table.weight)
    import lightgbm

    kind = lightgbm.LGBMClassifier if classes else lightgbm.LGBMRegressor
    forest = kind(
        boosting_type="rf",
        num_leaves=32,
        max_depth=5,
        subsample=0.632,
        subsample_freq=1,
        colsample_bytree=share,
        importance_type="gain",
        n_jobs=1,
        random_state=seed,
        deterministic=True,
        force_col_wise=True,
        verbose=-1,
    )
    return forest.fit(X, table.target, sample_weight=table.weight)
