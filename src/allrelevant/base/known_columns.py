"""The columns that a fit has seen, and data to predict for that must have them, too."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from allrelevant.base.validation import check_table


@dataclass(frozen=True, eq=False)
class KnownColumns:
    """The columns that a fit has seen, which data to predict for must have, too."""

    owner: type  # the kind of estimator that was fitted; messages name it
    n_features: int
    code: Callable[[Any], Any]  # makes columns of numbers of categories
    names: np.ndarray | None = None  # None where the data had none
    spared: Sequence[Any] | None = None  # columns of data frames that no prediction needs
    curves: Any = None  # the tabular.curves.Curves of them, where one column becomes several

    @property
    def n_columns(self) -> int:
        """How many columns a model is linear in."""
        return self.n_features if self.curves is None else len(self.curves.columns)

    def table(self, X: Any) -> Any:
        """Check data to predict for."""
        checked: Any = object.__new__(self.owner)  # without parameters: it knows columns only
        checked.n_features_in_ = self.n_features
        if self.names is not None:
            checked.feature_names_in_ = self.names
        known = self.code(without_columns(X, self.spared))
        table = check_table(checked, known, reset=False, sparse=True)
        return table if self.curves is None else self.curves.code(table)


def without_columns(X: Any, names: Sequence[Any] | None) -> Any:
    """A data frame without some of its columns; other data as they are."""
    if names is None or not hasattr(X, "columns"):
        return X
    return X[[name for name in X.columns if name not in list(names)]]
