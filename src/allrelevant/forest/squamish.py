"""The thesis's own algorithm, so that both can be compared.

Three steps (chapter 5, algorithms 1 and 2): Boruta finds all relevant features; the importances of
a forest that may use most columns give a minimal set; and of this set those are strong without
which the training score leaves the prediction interval of α forests with one more, useless
feature. The forests are LightGBM's with the thesis's parameters, or scikit-learn's where LightGBM
is missing.

The program that was published with the thesis does more than the text says, and it is what the
thesis's numbers come from; a :class:`SquamishRecipe` has the differences.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from scipy import stats
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

from allrelevant.base.arrays import Floats, Ints, Mask
from allrelevant.base.three_classes import STRONG, WEAK
from allrelevant.forest.analysis import Findings, nothing_found
from allrelevant.forest.learners import boosted_trees, has_lightgbm
from allrelevant.forest.recipe import LOSS_SHARE, PUBLISHED, SquamishRecipe
from allrelevant.forest.sample import Table, written_out
from allrelevant.forest.work import Work

_ALPHA, _TAU = 50, 1e-6  # samples of the null distributions, and the level of their intervals
_ROUNDS, _BORUTA_LEVEL = 100, 0.01
_BORUTA_SHARE = 0.1  # of the columns a tree may use
_DEPTH, _TREES = 5, 100


def squamish(table: Table, work: Work, recipe: SquamishRecipe = PUBLISHED) -> Findings:
    """Run the thesis's algorithm."""
    # Its forests draw rows and count them in leaves, and know nothing of rows that count twice.
    table, d = written_out(table), table.n_features
    relevant, importances, n_fits = _boruta(table, work, recipe)
    null = _null(table, recipe.minimal_share, work, recipe)
    forest = _forest(table, table.X, recipe.minimal_share, null.seeds[0])
    bounds = null.interval(1)
    minimal = forest.feature_importances_ > bounds[1]
    candidates = minimal if recipe.joined else minimal & relevant
    n_fits += _ALPHA + 1
    # Where Boruta accepts nothing the published program ends.
    relevant = relevant | candidates if relevant.any() else relevant
    classes = np.where(relevant, WEAK, 0)
    if relevant.any():
        strong = _strong(table, relevant, candidates, null, work, recipe)
        classes[strong] = STRONG
        n_fits += int(candidates.sum()) + (0 if recipe.common else _ALPHA)
    share = importances / max(float(importances.sum()), 1e-12)
    return replace(
        nothing_found(table),
        classes=classes,
        intervals=np.column_stack([np.where(classes == STRONG, share, 0.0), share]),
        noise=np.full(d, np.nan),  # it is hits and scores that decide, not importances
        importances=share,
        p_values=np.full(d, np.nan),
        shadows=null.importances,
        minimal=forest.feature_importances_.astype(float),
        minimal_bounds=np.array(bounds),
        learner=boosted_trees(),
        learner_name="squamish",
        loss=np.nan,
        n_fits=n_fits,
    )


# Boruta


def _boruta(table: Table, work: Work, recipe: SquamishRecipe) -> tuple[Mask, Floats, int]:
    """Features whose importance exceeds that of good shadows more often than chance allows."""
    d = table.n_features
    hits, undecided, accepted = np.zeros(d, dtype=int), np.ones(d, bool), np.zeros(d, bool)
    total, n_rounds = np.zeros(d), 0
    work.progress.stage("Boruta", _ROUNDS)
    for n_rounds in range(1, _ROUNDS + 1):
        playing = np.flatnonzero(undecided | accepted)
        sources = np.resize(playing, max(len(playing), 5))
        rng = np.random.default_rng(work.seed())
        shadows = rng.permuted(table.X[:, sources], axis=0)
        X = np.hstack([table.X[:, playing], shadows])
        trees = _trees_for(len(playing)) if recipe.enough_trees else _TREES
        forest = _forest(table, X, _BORUTA_SHARE, int(rng.integers(2**31)), trees)
        found = forest.feature_importances_
        highest = float(np.percentile(found[len(playing) :], recipe.percentile))
        total[playing] += found[: len(playing)]
        hits[playing[found[: len(playing)] > highest]] += 1
        new_accepted, new_rejected = _decide(hits, undecided, n_rounds)
        accepted |= new_accepted
        undecided &= ~(new_accepted | new_rejected)
        work.progress.advance(1)
        if not undecided.any():
            break
    work.progress.advance(_ROUNDS - n_rounds)
    return accepted, total / n_rounds, n_rounds


def _decide(hits: Ints, undecided: Mask, n_rounds: int) -> tuple[Mask, Mask]:
    """Accept or reject by binomial tests, corrected for the features and for the rounds."""

    def significant(p_values: Floats) -> Mask:
        by_round = p_values < _BORUTA_LEVEL / n_rounds
        return by_round & (stats.false_discovery_control(p_values) < _BORUTA_LEVEL)

    accept = significant(stats.binom.sf(hits - 1, n_rounds, 0.5))
    reject = significant(stats.binom.cdf(hits, n_rounds, 0.5))
    return undecided & accept, undecided & reject


def _trees_for(n_features: int) -> int:
    """How many trees BorutaPy takes for so many features and as many shadows."""
    return max(int(_TREES * np.sqrt(2.0 * n_features) / _DEPTH), 1)


# Null distributions, and the comparison of scores


@dataclass(frozen=True, eq=False)
class _Null:
    """Training scores of forests with one more, useless feature, and its importances."""

    seeds: list[int]
    scores: Floats
    importances: Floats
    ddof: int

    def interval(self, which: int) -> tuple[float, float]:
        """Where one more score (0) or importance (1) is to be expected."""
        return _interval((self.scores, self.importances)[which], self.ddof)


def _null(table: Table, share: float, work: Work, recipe: SquamishRecipe) -> _Null:
    shuffles = [work.seed() for _ in range(_ALPHA)]
    own = [shuffles[0]] * _ALPHA if recipe.one_seed else shuffles
    tasks = list(zip(shuffles, own, strict=True))
    scores, importances = np.array(work.stage("noise", partial(_Enlarged, table, share), tasks)).T
    return _Null(own, scores, importances, ddof=0 if recipe.common else 1)


def _strong(
    table: Table,
    relevant: Mask,
    candidates: Mask,
    null: _Null,
    work: Work,
    recipe: SquamishRecipe,
) -> Ints:
    """Candidates without which the training score is not what chance allows."""
    which = np.flatnonzero(relevant)
    if len(which) == 1:
        return which  # nothing could replace it
    inner = table.columns(which)
    if not recipe.common:
        null = _null(inner, LOSS_SHARE, work, recipe)
    lower, upper = null.interval(0)
    another = work.seed()  # all forests that are compared share one, too
    strong = []
    for place in np.flatnonzero(candidates[which]):
        seed = work.seed()
        if recipe.permuted:
            X = inner.X.copy()
            X[:, place] = np.random.default_rng(seed).permutation(X[:, place])
        else:
            X = np.delete(inner.X, place, axis=1)
        forest = _forest(table, X, LOSS_SHARE, another if recipe.one_seed else seed)
        score = _score(forest, X, table)
        if score <= lower or (recipe.common and score >= upper):
            strong.append(which[place])
    return np.array(strong, dtype=int)


@dataclass(frozen=True, eq=False)
class _Enlarged:
    """Fits forests to the table and one shuffled column; one in every process."""

    table: Table
    share: float

    def __call__(self, task: tuple[int, int]) -> tuple[float, float]:
        """Training score, and importance of the shuffled column."""
        shuffle, seed = task
        rng = np.random.default_rng(shuffle)
        X = self.table.X
        noise = rng.permutation(X[:, rng.integers(X.shape[1])])
        X = np.column_stack([X, noise])
        forest = _forest(self.table, X, self.share, seed)
        return _score(forest, X, self.table), float(forest.feature_importances_[-1])


def _interval(values: Floats, ddof: int = 1) -> tuple[float, float]:
    """Prediction interval of one more value, for normal ones."""
    n = len(values)
    reach = stats.t.isf(_TAU, n - 1) * values.std(ddof=ddof) * np.sqrt(1.0 + 1.0 / n)
    return float(values.mean() - reach), float(values.mean() + reach)


def _score(forest: Any, X: Floats, table: Table) -> float:
    """How well a forest knows the rows it has learned."""
    with warnings.catch_warnings():  # LightGBM gives columns names of its own, and asks for them
        warnings.filterwarnings("ignore", "X does not have valid feature names", UserWarning)
        return float(forest.score(X, table.target))


def _forest(table: Table, X: Floats, share: float, seed: int, trees: int = _TREES) -> Any:
    """A fitted forest with the thesis's parameters."""
    classes = table.task.has_probabilities
    seed = seed % 2**31
    if not has_lightgbm():
        kind = RandomForestClassifier if classes else RandomForestRegressor
        forest = kind(trees, max_depth=_DEPTH, max_features=share, n_jobs=1, random_state=seed)
        return forest.fit(X, table.target, sample_weight=table.weight)
    import lightgbm

    kind = lightgbm.LGBMClassifier if classes else lightgbm.LGBMRegressor
    forest = kind(
        boosting_type="rf",
        n_estimators=trees,
        num_leaves=2**_DEPTH,
        max_depth=_DEPTH,
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
