"""Answers cannot be changed, also after they were pickled, and are plain values in JSON."""

import json
import pickle
from collections.abc import Mapping
from dataclasses import FrozenInstanceError, dataclass
from typing import NamedTuple

import numpy as np
import pytest

from allrelevant.results.answer import PlainAnswer


class Point(NamedTuple):
    x: float
    y: float


@dataclass(frozen=True, eq=False)
class Inner(PlainAnswer):
    values: np.ndarray


@dataclass(frozen=True, eq=False)
class Outer(PlainAnswer):
    names: tuple[str, ...]
    points: tuple[Point, ...]
    inner: Mapping[str, Inner]
    label: object = None


def outer(label=None):
    return Outer(("a", "b"), (Point(1.0, 2.0),), {"one": Inner(np.array([0.5, 1.5]))}, label)


@pytest.mark.parametrize("again", [lambda one: one, lambda one: pickle.loads(pickle.dumps(one))])
def test_nothing_of_it_can_be_changed(again):
    found = again(outer())
    with pytest.raises(FrozenInstanceError):
        found.names = ()
    with pytest.raises(TypeError, match="does not support item assignment"):
        found.inner["one"] = None
    with pytest.raises(ValueError, match="read-only"):
        found.inner["one"].values[0] = 1.0


def test_as_plain_values():
    assert outer().to_dict() == {
        "names": ["a", "b"],
        "points": [{"x": 1.0, "y": 2.0}],
        "inner": {"one": {"values": [0.5, 1.5]}},
        "label": None,
    }


@pytest.mark.parametrize(("label", "written"), [(np.int64(3), 3), (1 + 2j, "(1+2j)")])
def test_labels_that_json_does_not_know(label, written):
    assert json.loads(outer(label).to_json())["label"] == written
