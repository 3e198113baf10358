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
from allrelevant.forest.linear import LinearPart, linear, linear_part
from allrelevant.forest.models import Learner, Model, constant, is_learnable, link
from allrelevant.forest.preparation import indicators
from allrelevant.forest.sample import Table
from allrelevant.forest.task import Task
from allrelevant.forest.trees import Trees

WORDS = ("auto", "lightgbm", "forest", "linear")
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


@dataclass(frozen=True)
class LightGBM:
    """Gradient boosted trees by LightGBM; missing values and categories are its business."""

    n_trees: int = _TREES  # per class
    on_linear: bool = False  # whether the trees only correct a linear model

    def __call__(self, table: Table, seed: int) -> Model:
        """Learn."""
        if not is_learnable(table):
            return constant(table)
        import lightgbm

        linear = linear_part(table) if self.on_linear else None
        data = lightgbm.Dataset(
            table.X,
            table.target,
            weight=table.weight,
            init_score=None if linear is None else linear.raw(table.X).ravel(order="F"),
            categorical_feature=np.flatnonzero(table.categorical).tolist(),
            params={"verbosity": -1, "feature_pre_filter": False, "max_bin": 63},
            free_raw_data=True,
        )
        booster = lightgbm.train(
            self._settings(table, seed),
            data,
            num_boost_round=self.n_trees,
            keep_training_booster=True,  # the other way it is written to text and read again
        )
        used = booster.feature_importance("split") > 0
        return _Boosted(booster, table.task, used if linear is None else used | True, linear)

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
            # More threads, or a layout chosen by a race, would make results depend on the machine.
            "num_threads": 1,
            "deterministic": True,
            "force_col_wise": True,
            "verbosity": -1,
            "min_data_per_group": _leaf_size(table.n_samples),
            "cat_smooth": 5.0,
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
        if trees is None or (self.linear is not None and not self.linear.is_numeric):
            return super().exchanged(X, other)
        raw = self._raw(X) + trees.changes(X, other)
        if self.linear is not None:
            raw += self.linear.changes(X, other)
        return link(raw, self.task)


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
    if estimator == "lightgbm":
        return LightGBM()
    if estimator == "forest":
        kind = RandomForestClassifier if task.has_probabilities else RandomForestRegressor
        return Wrapped(kind(100, min_samples_leaf=3, max_features=_COLUMN_SHARE, n_jobs=1))
    return boosted_trees()
