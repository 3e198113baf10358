"""Kinds of targets, and which estimator answers for each: what words and options are read from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

_Estimator = TypeVar("_Estimator", bound=type)


@dataclass(frozen=True)
class TargetKind:
    """A kind of target, in words."""

    task: str  # what it is called in options and results
    # What such a target holds.
    values: Literal["classes", "two classes", "ordered classes", "numbers", "times"]
    taken_for: str  # what a column of this kind is taken for
    aim: str  # what models of it do
    aim_at: str = "predict {}"  # the same where the target has a name, which goes into the braces

    @property
    def has_classes(self) -> bool:
        """Whether there are classes, which can be weighed."""
        return self.values.endswith("classes")


_KINDS: dict[str, TargetKind] = {}
_ESTIMATORS: dict[str, type] = {}


def answers_for(kind: TargetKind) -> Callable[[_Estimator], _Estimator]:
    """Register an estimator class as the one for a kind of target."""

    def register(estimator_class: _Estimator) -> _Estimator:
        _KINDS[kind.task], _ESTIMATORS[kind.task] = kind, estimator_class
        return estimator_class

    return register


def target_kinds() -> dict[str, TargetKind]:
    """All kinds, by task, in the order in which they were registered."""
    return dict(_KINDS)


def estimator_class_for(task: str) -> Any:
    """The class that answers for targets of this kind."""
    return _ESTIMATORS[task]
