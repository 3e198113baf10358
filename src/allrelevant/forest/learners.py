"""The models behind the answers: boosted trees, forests, linear models, or the user's own."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import (
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)

from allrelevant.base.arrays import Floats, Mask
from allrelevant.forest.linear import LinearPart, PartMaker, linear, products
from allrelevant.forest.models import Learner, Model, constant, is_learnable, link
from allrelevant.forest.preparation import indicators
from allrelevant.forest.sample import Table
from allrelevant.forest.task import Task
from allrelevant.forest.trees import Trees

WORDS = ("auto", "lightgbm", "forest", "linear", "products")
_TREES, _LEAVES, _RATE, _COLUMN_SHARE = 60, 15, 0.15, 0.5
FEW_TREES = 15  # where more learn the sample by heart, as with a rare class


def has_lightgbm() -> bool:
    """Whether LightGBM, which is optional, is installed."""
    return find_spec("lightgbm") is not None


def boosted_trees(n_trees: int = _TREES) -> Learner:
    """Gradient boosting by LightGBM where installed, else by scikit-learn."""
    return LightGBM(n_trees) if has_lightgbm() else partial(histogram_boosting, n_trees=n_trees)


def _column_share(d: int) -> float:
    """Share of the columns a tree may use: half of them, but enough to see them act together."""
    return min(1.0, max(_COLUMN_SHARE, 4.0 / d))


def _leaf_size(n: int) -> int:
    return max(3, min(10, n // 20))


# LightGBM


def _grown(table: Table, target: Floats, score: Floats | None, n_trees: int, how: Any) -> Any:
    """Trees by LightGBM, with a score to start from; missing values and categories are its job."""
    import lightgbm

    data = lightgbm.Dataset(
        table.X,
        target,
        weight=table.weight,
        init_score=score,
        categorical_feature=np.flatnonzero(table.categorical).tolist(),
        params={"verbosity": -1, "feature_pre_filter": False, "max_bin": 63},
        free_raw_data=True,
    )
    settings = {
        # More threads, or a layout chosen by a race, would make results depend on the machine.
        "num_threads": 1,
        "deterministic": True,
        "force_col_wise": True,
        "verbosity": -1,
        "cat_smooth": 5.0,
    }
    # The other way it is written to text and read again.
    return lightgbm.train(settings | how, data, n_trees, keep_training_booster=True)


@dataclass(frozen=True)
class LightGBM:
    """Gradient boosted trees by LightGBM."""

    n_trees: int = _TREES  # per class
    below: PartMaker | None = None  # a linear model that the trees only correct

    def __call__(self, table: Table, seed: int) -> Model:
        """Learn."""
        if not is_learnable(table):
            return constant(table)
        linear = None if self.below is None else self.below(table, seed)
        start = None if linear is None else linear.raw(table.X).ravel(order="F")
        booster = _grown(table, table.target, start, self.n_trees, self._settings(table, seed))
        used = booster.feature_importance("split") > 0
        if linear is not None:
            used |= linear.used
        return _Boosted(booster, table.task, used, linear)

    def _settings(self, table: Table, seed: int) -> dict[str, Any]:
        task = table.task
        binary = task.n_classes == 2
        objective = ("binary" if binary else "multiclass") if task.has_probabilities else "l2"
        settings: dict[str, Any] = {
            "objective": objective,
            "learning_rate": _RATE,
            "num_leaves": _LEAVES,
            "min_data_in_leaf": _leaf_size(table.n_samples),
            "feature_fraction": _column_share(table.n_features),
            "seed": seed % 2**31,
            "min_data_per_group": _leaf_size(table.n_samples),
        }
        if objective == "multiclass":
            settings["num_class"] = task.n_classes
        return settings


@dataclass(frozen=True, eq=False)
class _Boosted(Model):
    booster: Any
    task: Task
    used: Mask
    linear: LinearPart | None

    def predict(self, X: Floats) -> Floats:
        return link(self._raw(X), self.task)

    def _raw(self, X: Floats) -> Floats:
        raw = np.asarray(self.booster.predict(X, raw_score=True, num_threads=1))
        return raw if self.linear is None else raw + self.linear.raw(X)

    def exchanged(self, X: Floats, other: Floats) -> Floats:
        trees = Trees.of(self.booster, self.task.n_scores)
        if trees is None:
            return super().exchanged(X, other)
        raw = self._raw(X) + trees.changes(X, other)
        if self.linear is not None:
            raw += self.linear.changes(X, other)
        return link(raw, self.task)


def random_forest(table: Table, seed: int) -> Model:
    """Learn a random forest by LightGBM: means of targets, or of indicators of classes."""
    if not is_learnable(table):
        return constant(table)
    settings = {
        "objective": "l2",  # LightGBM's forests of the logarithmic loss are far too sure
        "boosting": "rf",
        "bagging_fraction": 0.632,
        "bagging_freq": 1,
        "feature_fraction_bynode": _COLUMN_SHARE,
        "num_leaves": 63,
        "min_data_in_leaf": 3,
        "min_data_per_group": 3,
        "seed": seed % 2**31,
    }
    columns = table.task.columns(table.target).T
    forests = [_grown(table, column, None, _TREES, settings) for column in columns]
    used = np.any([forest.feature_importance("split") > 0 for forest in forests], axis=0)
    return _Averaged(forests, table.task, used)


@dataclass(frozen=True, eq=False)
class _Averaged(Model):
    """Forests by LightGBM, one for each class; of two classes one does."""

    forests: list[Any]
    task: Task
    used: Mask

    def predict(self, X: Floats) -> Floats:
        return self._linked(self._means(X))

    def _means(self, X: Floats) -> Floats:
        return np.array([forest.predict(X, num_threads=1) for forest in self.forests])

    def exchanged(self, X: Floats, other: Floats) -> Floats:
        trees = [Trees.of(forest, 1) for forest in self.forests]
        means = []
        for mean, forest, some in zip(self._means(X), self.forests, trees, strict=True):
            if some is None:
                return super().exchanged(X, other)
            means.append(mean + some.changes(X, other) / forest.num_trees())
        return self._linked(np.array(means))

    def _linked(self, means: Floats) -> Floats:
        if not self.task.has_probabilities:
            return np.asarray(means[0])
        shares = np.clip(np.moveaxis(means, 0, -1), 0.0, 1.0)
        if self.task.n_classes == 2:
            return np.concatenate([1.0 - shares, shares], axis=-1)
        return np.asarray((shares + 1e-6) / (shares + 1e-6).sum(axis=-1, keepdims=True))


# scikit-learn's own, and any other estimator


def histogram_boosting(table: Table, seed: int, n_trees: int = _TREES) -> Model:
    """Learn gradient boosted trees by scikit-learn."""
    if not is_learnable(table):
        return constant(table)
    kind = (
        HistGradientBoostingClassifier
        if table.task.has_probabilities
        else HistGradientBoostingRegressor
    )
    model = kind(
        max_iter=n_trees,
        learning_rate=_RATE,
        max_leaf_nodes=_LEAVES,
        min_samples_leaf=_leaf_size(table.n_samples),
        max_features=_column_share(table.n_features),
        categorical_features=_usable_categories(table),
        early_stopping=False,
        random_state=seed % 2**31,
    )
    model.fit(table.X, table.target, sample_weight=table.weight)
    return _Fitted(model, table.task, np.ones(table.n_features, dtype=bool))


def _usable_categories(table: Table) -> Mask | None:
    """Columns with more categories than the histograms have bins are taken as numbers."""
    few = np.array([len(np.unique(column)) < 200 for column in table.X.T])
    few &= np.nanmax(np.where(np.isnan(table.X), 0.0, table.X), axis=0, initial=0.0) < 255
    return table.categorical & few if table.categorical.any() else None


@dataclass(frozen=True)
class Wrapped:
    """Any scikit-learn estimator; categories are replaced by indicators first."""

    estimator: Any

    def __call__(self, table: Table, seed: int) -> Model:
        """Learn."""
        if not is_learnable(table):
            return constant(table)
        model = clone(self.estimator)
        seeds = {k: seed % 2**31 for k in model.get_params() if k.split("__")[-1] == "random_state"}
        model.set_params(**seeds)
        X = table.X
        encoder = None
        if table.categorical.any():
            encoder = ColumnTransformer(
                [("c", indicators(), table.categorical)], remainder="passthrough"
            )
            X = encoder.fit_transform(X)
        weighted = "sample_weight" in inspect.signature(model.fit).parameters
        model.fit(X, table.target, **({"sample_weight": table.weight} if weighted else {}))
        return _Fitted(model, table.task, np.ones(table.n_features, dtype=bool), encoder)


@dataclass(frozen=True, eq=False)
class _Fitted(Model):
    model: Any
    task: Task
    used: Mask
    encoder: Any = None

    def predict(self, X: Floats) -> Floats:
        if self.encoder is not None:
            X = self.encoder.transform(X)
        if not self.task.has_probabilities:
            return np.asarray(self.model.predict(X), dtype=float)
        result = np.zeros((len(X), self.task.n_classes))
        if hasattr(self.model, "predict_proba"):
            result[:, self.model.classes_.astype(int)] = self.model.predict_proba(X)
        else:  # a vote, not quite sure of itself
            result[:] = 0.1 / self.task.n_classes
            result[np.arange(len(X)), self.model.predict(X).astype(int)] += 0.9
        return result


def learner(estimator: Any, task: Task) -> Learner:
    """The learner for one of `WORDS` (but "auto" means trees here) or an estimator."""
    if not isinstance(estimator, str):
        return Wrapped(estimator)
    if estimator == "linear":
        return linear
    if estimator == "products":
        return products
    if estimator == "lightgbm":
        return LightGBM()
    if estimator == "forest":
        kind = RandomForestClassifier if task.has_probabilities else RandomForestRegressor
        return Wrapped(kind(100, min_samples_leaf=3, max_features=_COLUMN_SHARE, n_jobs=1))
    return boosted_trees()
