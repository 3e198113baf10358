"""What sets of features have to keep."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from allrelevant.base.arrays import Mask
from allrelevant.base.features import Features
from allrelevant.linear.questions.constraints.requests import listed, read_once


@dataclass(frozen=True, eq=False)
class Rules:
    """What sets have to keep: constraints on their models, and lists of which each has one."""

    constraints: Mapping[str, Any] = field(default_factory=dict)
    one_of: Sequence[list[Any]] = ()

    @classmethod
    def of(cls, constraints: Mapping[str, Any], one_of: Iterable[Any]) -> Rules:
        """Check and keep what was given, which may be iterators."""
        lists = [listed(members, "each part of one_of") for members in listed(one_of, "one_of")]
        return cls(read_once(constraints), lists)

    def masks(self, features: Features) -> list[Mask]:
        """The members of every list."""
        masks = np.zeros((len(self.one_of), len(features)), dtype=bool)
        for mask, members in zip(masks, self.one_of, strict=True):
            mask[[features.position(feature, "one_of") for feature in members]] = True
        return list(masks)
