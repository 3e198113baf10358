"""What it costs to have features: one by one, or as groups of columns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from allrelevant.base.arrays import Floats, Ints, Mask
from allrelevant.base.validation import check_number
from allrelevant.linear.questions.fitted_set import FittedSet


@dataclass(frozen=True, eq=False)
class Costs:
    """Costs of items: of features, and of groups of columns that are paid for once.

    Parameters
    ----------
    item : array of int, of shape (n_features,)
        The item that each feature belongs to.
    of_item : array of float, of shape (n_features,)
        The cost of each item; no feature need belong to it.
    """

    item: Ints
    of_item: Floats

    @classmethod
    def alike(cls, n_features: int, cost: float = 1.0) -> Costs:
        """The same cost for every feature."""
        return cls(np.arange(n_features), np.full(n_features, float(cost)))

    def total(self, chosen: Mask) -> float:
        """What some features cost together."""
        return float(self.of_item[np.unique(self.item[chosen])].sum())


def check_costs(fitted: FittedSet, costs: Mapping[Any, float] | None, default_cost: float) -> Costs:
    """The costs of all features.

    A group of columns is one item, unless one of its columns has a cost of its own.
    """
    if costs is not None and not isinstance(costs, Mapping):
        raise ValueError(f"costs must map features to numbers, got {costs!r}.")
    found = Costs.alike(fitted.n_features, default_cost)
    named: dict[int, Any] = {}
    for feature, cost in (costs or {}).items():
        check_number(f"the cost of {feature!r}", cost, low=0.0)
        for k in fitted.places(feature, "costs"):
            if k in named:
                raise ValueError(
                    f"costs names one feature twice: {named[k]!r} and {feature!r} share a column, "
                    "so leave out one of them."
                )
            named[k] = feature
            found.of_item[k] = cost
    for name, group in fitted.column_groups.items():
        if all(named.get(k, name) == name for k in group.places):
            found.item[list(group.places)] = group.places[0]
    return found
