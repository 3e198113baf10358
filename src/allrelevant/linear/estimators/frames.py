"""From what users hand over to columns of numbers, and to the features these belong to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from scipy.sparse import issparse
from sklearn.utils.validation import check_is_fitted

from allrelevant.base.arrays import Floats, Ints
from allrelevant.base.features import NO_FEATURES, Features
from allrelevant.base.known_columns import KnownColumns, without_columns
from allrelevant.base.selector import RelevanceSelector
from allrelevant.base.three_classes import STRONG, WEAK
from allrelevant.base.validation import check_privileged, check_table, column_names, refuse_both
from allrelevant.linear.questions.fitted_set import FittedSet
from allrelevant.tabular.categories import Categories
from allrelevant.tabular.curves import Basis, Curves
from allrelevant.tabular.transformers import encoded_categories

ColumnGroups = Mapping[str, Sequence[Any]] | None


class FrameSelector(RelevanceSelector):
    """Takes data frames with categories, and knows which columns are one feature."""

    basis: Basis | None
    column_groups: ColumnGroups
    curves_: Curves | None
    privileged_names_: Sequence[str]
    privileged_categories_: Mapping[str, Sequence[str]]
    privileged_references_: tuple[int, ...]
    fitted_set_: FittedSet
    n_features_in_: int

    def _understood(self, X: Any) -> Any:
        """The columns of data to fit; categories have one for each level."""
        self.categories_ = Categories.of(X)
        table = check_table(self, self.categories_.code(X), sparse=True)
        names = () if issparse(table) else getattr(self, "feature_names_in_", ())
        self.encoded_categories_ = encoded_categories([str(name) for name in names], table)
        return table

    def _understood_privileged(self, X_privileged: Any, X: Any) -> Floats:
        """The columns of privileged features, whose categories have one for each level, too."""
        categories = Categories.of(X_privileged)
        names, table = check_privileged(categories.code(X_privileged), X)
        own, others = categories.groups, self.categories_.groups
        refuse_both([*names, *own], [*self._columns(), *others])
        if self.column_groups is None:
            own = encoded_categories(names, table) | own
        self.privileged_names_, self.privileged_categories_ = names, own
        return table

    def _with_curves(self, table: Any, count: Floats) -> Any:
        """The columns that models are linear in: several for one of which they have a curve."""
        self.curves_ = None
        if self.basis is None:
            return table
        if issparse(table):
            raise ValueError(
                "basis is for dense data, and X is sparse: give X.toarray(), or leave basis out."
            )
        names = column_names(self, table.shape[1])
        self.curves_ = Curves.of(table, names, count, self.basis)
        return self.curves_.code(table)

    def _columns(self) -> list[str]:
        """The names of these columns."""
        names = column_names(self, self.n_features_in_)
        return names if self.curves_ is None else self.curves_.columns

    def _privileged_features(self) -> Features:
        """The features that are known in training only."""
        if not hasattr(self, "privileged_names_"):
            return NO_FEATURES
        names, categories = self.privileged_names_, self.privileged_categories_
        given = self.column_groups if isinstance(self.column_groups, Mapping) else {}
        own = {name: listed for name, listed in given.items() if self._is_privileged(listed)}
        features = Features.of(names, with_categories(own, categories), self._columns())
        references = getattr(self, "privileged_references_", ())  # known once they are scaled
        return replace(features, references=references)

    def _is_privileged(self, listed: Any) -> bool:
        """Whether a group of columns is one of privileged ones."""
        if not hasattr(self, "privileged_names_") or isinstance(listed, str):
            return False
        if not np.iterable(listed):
            return False
        known = {*self.privileged_names_, *self.privileged_categories_}
        return any(isinstance(one, str) and one in known for one in listed)

    def _features(self, others: Sequence[str]) -> Features:
        """Categories of the table, curves, and what the user says belongs together."""
        given = self.encoded_categories_ if self.column_groups is None else self.column_groups
        if isinstance(given, Mapping):
            plain = {name: own for name, own in given.items() if not self._is_privileged(own)}
            given = with_categories(plain, self.categories_.groups)
            if self.curves_ is not None:
                given = self.curves_.with_groups(given)
        features = Features.of(self._columns(), given, others)
        if self.curves_ is None:
            return features
        owners = features.owner[self.curves_.is_piece]
        return replace(features, curves=tuple(np.unique(owners).tolist()))

    def _belonging(self) -> list[Ints]:
        """Columns that belong together: those of a feature, and levels of a category within one."""
        return belonging(self._features(()), self.categories_.groups)

    def _belonging_privileged(self) -> list[Ints]:
        """The privileged columns that belong together."""
        return belonging(self._privileged_features(), self.privileged_categories_)

    def _table(self, X: Any) -> Any:
        """Check data to predict for."""
        check_is_fitted(self)
        return self._known_columns().table(X)

    def _known_columns(self) -> KnownColumns:
        """What data to predict for must look like."""
        names = getattr(self, "feature_names_in_", None)
        return KnownColumns(
            type(self), self.n_features_in_, self.categories_.code, names, curves=self.curves_
        )

    def transform(self, X: Any) -> Any:
        """Reduce X to the columns of the selected features, as they are without `basis`.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Categories of a data frame become columns of 0 and 1, as in `fit`.

        Returns
        -------
        array of shape (n_samples, n_selected), or a sparse matrix where X is one
        """
        check_is_fitted(self)
        known = self._known_columns()
        return super().transform(known.code(without_columns(X, known.spared)))

    def _get_support_mask(self) -> np.ndarray:
        """Columns of one feature are kept together."""
        check_is_fitted(self)
        least = STRONG if self.select == "strong" else WEAK
        kept: np.ndarray = self.fitted_set_.result.classes >= least
        columns = kept[self.fitted_set_.features.owner]
        return columns if self.curves_ is None else self.curves_.of_table(columns)


def belonging(features: Features, categories: Mapping[str, Sequence[str]]) -> list[Ints]:
    """The columns of features that have several, and of categories, by their positions."""
    place = {name: k for k, name in enumerate(features.columns)}
    levels = [np.array([place[one] for one in own], dtype=np.intp) for own in categories.values()]
    return [*features.several.values(), *levels]


def with_categories(
    given: Mapping[str, Sequence[Any]], own: Mapping[str, Sequence[str]]
) -> dict[str, Any]:
    """Groups of columns and categories; a category can be a member of a group."""
    found: dict[str, Any] = {}
    taken: list[str] = []
    for name, members in given.items():
        listed: Any = members
        if np.iterable(members) and not isinstance(members, str):
            named = [one for one in members if isinstance(one, str) and one in own]
            taken += named
            listed = [k for one in members for k in (own[one] if one in named else [one])]
        if name in own and listed != own[name]:
            raise ValueError(
                f"column_groups calls a group {name!r}, which is the name of a category: "
                "give the group another one."
            )
        found[name] = listed
    return {name: parts for name, parts in own.items() if name not in taken} | found
