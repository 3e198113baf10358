"""Fitted forests as files: the whole answer, but neither trees nor rows.

Trees are those of other packages, which only a pickle holds, and a pickle is not safe to open. So a
file has what a fit has found: classes, importances, groups, and the shapes of relevant features.
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from allrelevant.base.packing import Packer, Unpacker, kinds_of
from allrelevant.base.saving import (
    NotSaved,
    damage_in,
    known_name,
    packed_parameters,
    remade,
    write_saved,
)
from allrelevant.forest.classifier import ForestRelevanceClassifier
from allrelevant.forest.recipe import SquamishRecipe
from allrelevant.forest.regressor import ForestRelevanceRegressor
from allrelevant.forest.result import ForestRelevanceResult, SubstituteGroup
from allrelevant.forest.shapes import FeatureShape
from allrelevant.tabular.categories import Categories
from allrelevant.tabular.target import Target

ESTIMATORS: dict[str, Any] = {
    one.__name__: one for one in (ForestRelevanceClassifier, ForestRelevanceRegressor)
}
KINDS = kinds_of(
    (
        *(FeatureShape, ForestRelevanceResult, SubstituteGroup, SquamishRecipe, NotSaved),
        *(Categories, Target),
    )
)
_OF_DATA = ("n_features_in_", "feature_names_in_", "classes_")


def save_forest(estimator: Any, path: str | os.PathLike[str], beside: Any = None) -> None:
    """Write what a fitted forest has found, and plain data beside it."""
    name = known_name(estimator, ESTIMATORS)
    packer = Packer(KINDS)
    state = {key: getattr(estimator, key) for key in _OF_DATA if hasattr(estimator, key)}
    content = {
        "parameters": packed_parameters(packer, estimator),
        "state": {key: packer.pack(value) for key, value in state.items()},
        "result": packer.pack(estimator.result_),
        "learner": estimator.learner_,
        "shapes": packer.pack(estimator.shapes()),
        "beside": packer.pack(beside),
    }
    write_saved(path, name, content, packer)


def forest_in(
    path: str | os.PathLike[str], document: dict[str, Any], arrays: list[np.ndarray]
) -> tuple[Any, Any]:
    """The forest that a file holds, and what was written beside it."""
    with damage_in(path):
        unpacker = Unpacker(KINDS, document["objects"], arrays)
        estimator, state = remade(document, unpacker, ESTIMATORS)
        for key in _OF_DATA:
            if key in state:
                setattr(estimator, key, state[key])
        found = (unpacker.unpack(document[key]) for key in ("result", "learner", "shapes"))
        estimator.restore(*found)
        return estimator, unpacker.unpack(document["beside"])
