"""Fitted estimators that can be saved, and become again what they were."""

from __future__ import annotations

import os
from abc import abstractmethod
from collections.abc import Mapping
from typing import Any

from allrelevant.linear.estimators.questions import Questions
from allrelevant.linear.questions.fitted_set import FittedSet

# What is known of the data and their columns, rather than of the models.
_OF_DATA = (
    *("n_features_in_", "feature_names_in_", "categories_", "encoded_categories_"),
    "curves_",
    *("classes_", "privileged_names_", "privileged_categories_", "privileged_references_"),
)


class Savable(Questions):
    """Writes a fit to a file, and takes over what a file holds of one."""

    @abstractmethod
    def _store(self, fitted: FittedSet) -> None:
        """Set what people read off a fit."""

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the fitted estimator to a file; :func:`allrelevant.load` reads it.

        The file holds JSON and arrays: all that questions need, including the rows that were
        fitted. An existing file is replaced.

        Parameters
        ----------
        path : str or path
        """
        from allrelevant.linear.estimators.files import save_with  # which knows all estimators

        self._fitted()  # raises where rows are elsewhere
        save_with(self, path)

    def state_beside_set(self) -> dict[str, Any]:
        """What a fit has stored on the estimator but not in the fitted set."""
        return {name: getattr(self, name) for name in _OF_DATA if hasattr(self, name)}

    def restore(self, state: Mapping[str, Any], parts: Mapping[str, Any]) -> None:
        """Take over the state and the parts of a fitted set that a fit has left."""
        for name in _OF_DATA:
            if name in state:
                setattr(self, name, state[name])
        fitted = FittedSet(**parts, columns=self._known_columns())
        if fitted.n_columns != fitted.columns.n_columns:
            raise ValueError(f"{fitted.columns.n_columns} columns, of which {fitted.n_columns}")
        self._store(fitted)
