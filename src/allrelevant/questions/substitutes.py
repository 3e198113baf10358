"""What takes a feature's place when it is forbidden."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import numpy as np
import pandas as pd
from scipy.optimize import Bounds, LinearConstraint, milp

from allrelevant.engine.equivalent import Boxes
from allrelevant.engine.pieces import Ints
from allrelevant.errors import InfeasibleError
from allrelevant.questions.equivalent_model import EquivalentModel
from allrelevant.questions.what_if import Session

_MOST_ROUNDS = 200
_RISES = 1e-6  # as a share: a smallest relevance that rises by less has not


@dataclass(frozen=True, eq=False, repr=False)
class Substitutes:
    """What equivalent models use instead of a feature.

    Attributes
    ----------
    feature : str
        The feature that is forbidden.
    is_replaceable : bool
        Whether there is an equivalent model without it.
    stand_ins : tuple of str
        The shortest list of features of which every equivalent model without the feature uses at
        least one, though models with the feature need none of them.
    is_shortest : bool
        Whether the list is proven to be the shortest; else it is the features that rise.
    table : DataFrame
        All features that become more relevant or are stand-ins.
    models : mapping from str to EquivalentModel
        For each stand-in the model without the feature that makes the most of it.
    """

    feature: str
    is_replaceable: bool
    stand_ins: tuple[str, ...]
    is_shortest: bool
    table: pd.DataFrame
    models: Mapping[str, EquivalentModel] = field(default_factory=dict)

    def to_frame(self) -> pd.DataFrame:
        """A table of the features that take over.

        Returns
        -------
        DataFrame
            Columns *feature, stand_in, necessary* (whether every model without the forbidden
            feature needs it), *min, max, min_before, max_before, rise* (of the minimum).
        """
        return self.table.copy()

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain values."""
        return {
            "feature": self.feature,
            "is_replaceable": self.is_replaceable,
            "stand_ins": list(self.stand_ins),
            "is_shortest": self.is_shortest,
            "table": json.loads(self.table.to_json(orient="records")),
            "models": {name: model.to_dict() for name, model in self.models.items()},
        }

    def to_json(self, indent: int | None = None) -> str:
        """All of it as JSON."""
        return json.dumps(self.to_dict(), indent=indent)

    def __repr__(self) -> str:
        if not self.is_replaceable:
            return f"{self.feature} is irreplaceable: no equivalent model does without it"
        if not self.stand_ins:
            return f"{self.feature} can be left out, and nothing has to take its place"
        listed = " or ".join(self.stand_ins)
        return f"instead of {self.feature} equivalent models use {listed}"


def find_substitutes(estimator: Any, feature: int) -> Substitutes:
    """What takes the place of a feature, given by its position."""
    name = estimator.result_.names[feature]
    try:
        after = estimator.what_if(forbid=[feature])
    except InfeasibleError:
        return Substitutes(name, False, (), True, _table([], set(), None))
    session: Session = estimator._restricted()
    chosen, is_shortest = _stand_ins(session, feature, estimator.n_features_in_)
    risen = np.flatnonzero(after.change[:, 0] > _RISES)
    if chosen is None:
        chosen = risen
    shown = sorted(
        {*risen.tolist(), *chosen.tolist()},
        key=lambda k: (-after.change[k, 0], -after.intervals[k, 1]),
    )
    names = tuple(after.names[k] for k in shown if k in set(chosen.tolist()))
    models = {stand_in: after.witness(stand_in, "max") for stand_in in names}
    table = _table(shown, set(chosen.tolist()), after)
    return Substitutes(name, True, names, is_shortest, table, MappingProxyType(models))


def _table(shown: list[int], chosen: set[int], after: Any) -> pd.DataFrame:
    columns = ["feature", "stand_in", "necessary", "min", "max", "min_before", "max_before", "rise"]
    rows = []
    for k in shown:
        (low, high), (low_before, high_before) = after.intervals[k], after.before.intervals[k]
        necessary = bool(low > _RISES)
        rise = low - low_before
        name = after.names[k]
        rows.append([name, k in chosen, necessary, low, high, low_before, high_before, rise])
    return pd.DataFrame(rows, columns=columns)


def _stand_ins(session: Session, feature: int, n_features: int) -> tuple[Ints | None, bool]:
    """The fewest features that every model without the feature needs one of.

    A set of features that is hit by every such model is looked for among those that hit all
    models seen so far; a model it misses is one more to hit. Features that models need anyway,
    with or without the feature, do not stand in for it: sets that cannot be left out while the
    feature is there are cut off.
    """
    models: list[Ints] = []
    useless: list[Ints] = []
    for _ in range(_MOST_ROUNDS):
        chosen = _fewest(n_features, feature, models, useless)
        if chosen is None:  # whatever models need without the feature they need with it, too
            return np.zeros(0, dtype=np.intp), True
        without = session.ranges.member(_forbidden([feature, *chosen.tolist()]))
        if without.is_member:
            used = np.flatnonzero(without.weights[:n_features])
            models.append(used[used != feature])
        elif session.ranges.member(_forbidden(chosen.tolist())).is_member:
            return chosen, True
        else:
            useless.append(chosen)
    return None, False


def _forbidden(features: list[int]) -> Boxes:
    where = np.array(sorted(features), dtype=np.intp)
    return Boxes(where, np.zeros(len(where)), np.zeros(len(where)))


def _fewest(n_features: int, feature: int, models: list[Ints], useless: list[Ints]) -> Ints | None:
    """The fewest features that hit all models and contain no useless set; None where none do."""
    if not models and not useless:
        return np.zeros(0, dtype=np.intp)
    rows = np.zeros((len(models) + len(useless), n_features))
    for row, members in zip(rows, [*models, *useless], strict=True):
        row[members] = 1.0
    low = np.array([1.0] * len(models) + [-np.inf] * len(useless))
    high = np.array([np.inf] * len(models) + [len(chosen) - 1.0 for chosen in useless])
    upper = np.ones(n_features)
    upper[feature] = 0.0
    found = milp(
        np.ones(n_features),
        integrality=np.ones(n_features, dtype=np.intp),
        bounds=Bounds(0.0, upper),
        constraints=LinearConstraint(rows, low, high),
    )
    return None if found.x is None else np.flatnonzero(found.x > 0.5)
