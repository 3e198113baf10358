"""The answer to a what-if: a result under constraints, and what it was without them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from allrelevant.linear.questions.equivalent_model import EquivalentModel
from allrelevant.results.record import plain_mapping
from allrelevant.results.relevance import RelevanceResult

Find = Callable[[Any, str], EquivalentModel]


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class WhatIfResult(RelevanceResult):
    """Relevance intervals of all features under constraints.

    Parameters
    ----------
    constraints : mapping
        What was asked: ``forbid``, ``keep``, ``bounds``, ``signs``.
    before : RelevanceResult
        The same without the constraints.
    """

    _format: ClassVar[str] = "allrelevant.WhatIfResult/1"

    constraints: Mapping[str, Any] = field(default_factory=dict)
    before: RelevanceResult

    def __post_init__(self) -> None:
        super().__post_init__()
        self._convert("constraints", plain_mapping)

    @property
    def change(self) -> NDArray[np.float64]:
        """By how much both ends of every interval have moved, shape (d, 2)."""
        return self.intervals - self.before.intervals

    @property
    def could_be_either(self) -> NDArray[np.bool_]:
        """Features that could be either in the fit, and are about as near to their thresholds now.

        As near, that is, as the farthest of those that could be either was.
        """
        either = super().could_be_either
        if not self.before.borderline.any():
            return either
        limits = self.before.upper_thresholds
        then, now = (np.abs(one.intervals[:, 1] - limits) for one in (self.before, self))
        return either & (now <= then[self.before.borderline].max())

    @property
    def forbidden(self) -> tuple[str, ...]:
        """Names of the features that the question forbids."""
        barred = set(self.constraints.get("forbid", ()))
        whole = {name for name, own in self.columns.items() if barred.issuperset(own["names"])}
        return tuple(name for name in self.names if name in barred | whole)

    @property
    def privileged(self) -> WhatIfResult | None:
        """The privileged features as an answer of their own; None where there are none."""
        after, before = super().privileged, self.before.privileged
        if after is None or before is None:
            return None
        known = {entry.name: getattr(after, entry.name) for entry in fields(after)}
        return WhatIfResult(**known, constraints=self.constraints, before=before)

    def to_frame(self, sort: bool = False) -> pd.DataFrame:
        """Return the intervals as a table, with columns for what they were before.

        Parameters
        ----------
        sort : bool, default False
            As in :meth:`RelevanceResult.to_frame`.

        Returns
        -------
        DataFrame
            With ``min_before``, ``max_before`` and ``class_before`` at the end. The class of what
            is forbidden is "forbidden".
        """
        frame = super().to_frame(sort)
        before = self.before.to_frame().reindex(frame.index)
        return frame.assign(
            min_before=before["min"], max_before=before["max"], class_before=before["class"]
        )

    def witness(self, feature: Any, bound: str = "max") -> EquivalentModel:
        """Give the model under these constraints that makes the most, or least, of a feature.

        Parameters
        ----------
        feature : str or int
            Its name or its position, or the name of one of its columns.
        bound : {"min", "max"}, default="max"
            Which end of its interval the model attains.

        Returns
        -------
        EquivalentModel
        """
        find: Find | None = getattr(self, "_find", None)
        if find is None:
            raise ValueError("a result that was stored has no models any more: ask what_if again.")
        return find(feature, bound)

    def with_models(self, find: Find) -> Self:
        """The same, with what finds its witnesses."""
        object.__setattr__(self, "_find", find)
        return self

    def _content(self) -> dict[str, Any]:
        return super()._content() | {"before": self.before._content()}

    @classmethod
    def _from_content(cls, document: dict[str, Any]) -> Self:
        before = RelevanceResult._from_content(document["before"])
        return super()._from_content(document | {"before": before})
