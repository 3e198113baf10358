"""Objects as JSON and arrays: only kinds that are listed, each with the fields it has."""

import json
from dataclasses import dataclass

import numpy as np
import pytest
from scipy.sparse import csr_array

from allrelevant.base.packing import Packer, Unpacker, kinds_of


@dataclass(frozen=True, eq=False)
class Pair:
    left: object
    right: object = None


class Plain:
    pass


KINDS = kinds_of([Pair, Plain])


def there_and_back(value):
    packer = Packer(KINDS)
    packed = json.loads(json.dumps(packer.pack(value), allow_nan=False))
    objects = json.loads(json.dumps(packer.objects, allow_nan=False))
    return Unpacker(KINDS, objects, packer.arrays).unpack(packed)


@pytest.mark.parametrize(
    "value",
    [
        *(None, True, 3, 2**80, "é", 0.1, -0.0, float("inf"), float("-inf")),
        *([1, (2, [3])], (), frozenset({1, 2}), {"a": {1: (2,)}, (1, 2): "b"}, {"float": "inf"}),
    ],
    ids=repr,
)
def test_plain_values_come_back(value):
    found = there_and_back(value)
    assert type(found) is type(value)
    assert repr(found) == repr(value)


def test_arrays_scalars_labels_and_sparse_tables_come_back():
    assert np.isnan(there_and_back(float("nan")))
    number = there_and_back(np.float32(0.1))
    assert type(number) is np.float32
    assert number == np.float32(0.1)
    labels = there_and_back(np.array(["a", 1, None, (1, 2)], dtype=object))
    assert labels.dtype == object
    assert labels.tolist() == ["a", 1, None, (1, 2)]
    table = there_and_back(csr_array([[0.0, 1.0], [2.0, 0.0]]))
    np.testing.assert_array_equal(table.toarray(), [[0.0, 1.0], [2.0, 0.0]])


def test_what_occurs_twice_is_one_object_again():
    array = np.arange(3.0)
    inner = Pair(array)
    found = there_and_back(Pair(inner, [inner, array, Plain()]))
    assert found.right[0] is found.left
    assert found.right[1] is found.left.left
    assert type(found.right[2]) is Plain


@pytest.mark.parametrize("value", [print, object(), {1, 2}, np.random.RandomState(0), [lambda: 0]])
def test_other_objects_are_not_packed(value):
    with pytest.raises(TypeError, match="cannot be saved"):
        Packer(KINDS).pack(value)


@pytest.mark.parametrize(
    ("objects", "value", "said"),
    [
        ([["os.system", {}]], 0, "unknown kind of object 'os.system'"),
        ([["Packer", {"kinds": {}}]], 0, "unknown kind of object"),
        ([["Pair", {"left": 1, "__class__": 2}]], 0, "a Pair has no __class__"),
        ([["Pair", {"left": {"object": -1}}]], 0, "no position"),
        ([], {"object": True}, "no position"),
        ([], {"eval": ["1"]}, "unknown kind of value 'eval'"),
        ([], {"a": 1, "b": 2}, "one key"),
        ([], {"sparse": [[2, 2], 0, 1, 2]}, "column index|indices"),
    ],
)
def test_what_was_never_packed_is_not_unpacked(objects, value, said):
    arrays = [np.ones(2), np.array([0, 7]), np.array([0, 1, 2])]
    with pytest.raises(ValueError, match=said):
        Unpacker(KINDS, objects, arrays).unpack(value)


def test_an_object_has_only_those_before_it():
    with pytest.raises(LookupError):
        Unpacker(KINDS, [["Pair", {"left": {"object": 0}}]], [])
