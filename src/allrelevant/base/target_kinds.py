"""Kinds of targets, and which estimator answers for each: what words and options are read from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
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


CLASSIFICATION = TargetKind(
    "classification", "classes", taken_for="classes", aim="tell the classes apart"
)
ORDINAL = TargetKind(
    "ordinal", "ordered classes", taken_for="ordered classes", aim="predict the ordered classes"
)
REGRESSION = TargetKind(
    "regression", "numbers", taken_for="a number to predict", aim="predict the target"
)
REJECT = TargetKind(
    "reject",
    "two classes",
    taken_for="two classes, with the option not to answer",
    aim="tell the two classes apart, or decline to answer,",
    aim_at="predict {}, or decline to answer,",
)
SURVIVAL = TargetKind(
    "survival",
    "times",
    taken_for="times until an event",
    aim="predict the time until the event",
    aim_at="predict the time {}",
)
# Those that stand here are known before the estimators, which take long to import.
_KINDS = {kind.task: kind for kind in (CLASSIFICATION, ORDINAL, REGRESSION, REJECT, SURVIVAL)}
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
    if task not in _ESTIMATORS:
        import_module("allrelevant.linear.estimators")  # whose classes register themselves
    return _ESTIMATORS[task]
