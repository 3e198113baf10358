"""Forests that can be saved, and become again what they had found."""

from __future__ import annotations

import os
from abc import abstractmethod

from sklearn.utils.validation import check_is_fitted

from allrelevant.forest.result import ForestRelevanceResult
from allrelevant.forest.shapes import FeatureShape, ShapeQuestions


class SavableForest(ShapeQuestions):
    """Writes what a forest has found to a file, and takes over what a file holds of one."""

    n_features_in_: int

    @abstractmethod
    def _show(self, result: ForestRelevanceResult, learner: str) -> None:
        """Set what people read off a fit."""

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write what was found to a file; :func:`allrelevant.load` reads it.

        The file has the result, importances, groups and shapes. It has neither trees, which only
        a pickle holds, nor rows: a loaded forest cannot predict, and can be given to people who
        must not have the data.

        Parameters
        ----------
        path : str or path
        """
        from allrelevant.forest.files import save_forest  # which knows both estimators

        save_forest(self, path)

    def restore(
        self, result: ForestRelevanceResult, learner: str, shapes: list[FeatureShape]
    ) -> None:
        """Take over what a file holds of a fitted forest."""
        if len(result.names) != self.n_features_in_:
            raise ValueError(f"{len(result.names)} features of {self.n_features_in_} columns")
        self._show(result, learner)
        self._kept_shapes = shapes

    def _check_whole(self, asked: str) -> None:
        """Refuse what only trees or rows can answer."""
        check_is_fitted(self)
        if self._kept_shapes is not None:
            raise ValueError(
                f"{asked} needs the forest itself, but a file holds only what it found, without "
                "trees and rows: fit again with the same data and random_state."
            )
