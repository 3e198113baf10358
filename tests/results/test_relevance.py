"""The result is an immutable value with a table."""

import copy
import pickle
from dataclasses import FrozenInstanceError, replace

import numpy as np
import pytest
from relevance_results import ARRAYS, make, make_many

from allrelevant.base.three_classes import CLASS_NAMES

MAPPINGS = ("baseline", "settings", "versions", "work")


# An immutable value


@pytest.mark.parametrize("name", ARRAYS)
def test_arrays_are_read_only_copies(name):
    source = np.array(getattr(make(), name))
    result = make(**{name: source})
    before = result.to_json()
    source += 1
    assert result.to_json() == before
    with pytest.raises(ValueError, match="read-only"):
        getattr(result, name)[0] = 1


@pytest.mark.parametrize("name", MAPPINGS)
def test_mappings_are_read_only_copies(name):
    source = {"a": 1, "deep": {"b": [1, 2]}}
    result = make(**{name: source})
    source["a"] = 2
    source["deep"]["b"].append(3)
    mapping = getattr(result, name)
    assert mapping["a"] == 1
    assert mapping["deep"]["b"] == (1, 2)
    with pytest.raises(TypeError):
        mapping["a"] = 3
    with pytest.raises(TypeError):
        mapping["deep"]["b"] = 3


def test_fields_cannot_be_assigned():
    with pytest.raises(FrozenInstanceError):
        make().task = "regression"


@pytest.mark.parametrize("clone", [lambda r: pickle.loads(pickle.dumps(r)), copy.deepcopy])
def test_clones_are_equal_and_still_read_only(clone):
    result = make(thresholds=[np.nan, np.inf])
    other = clone(result)
    assert other == result
    assert hash(other) == hash(result)
    assert not any(getattr(other, name).flags.writeable for name in ARRAYS)
    with pytest.raises(TypeError):
        other.settings["tolerance"] = 1


@pytest.mark.parametrize(
    "change",
    [
        {"task": "ordinal"},
        {"names": list("abcd")},
        {"intervals": np.ones((4, 2))},
        {"signed_intervals": np.ones((4, 2))},
        {"classes": [0, 0, 0, 0]},
        {"weights": np.ones(4)},
        {"thresholds": [0.02, np.nan]},
        {"probes": []},
        {"baseline": {"score": np.nan}},
        {"settings": {"tolerance": 0.1}},
        {"versions": {}},
        {"work": {"lps_solved": 9}},
        {"warnings": []},
        {"noise_thresholds": [0.1, 0.1, 0.1, 0.2]},
        {"p_values": [0.5, 0.01, 0.0, np.nan]},
        {"q_values": [0.5, 0.01, 0.0, 0.0]},
        {"borderline": [False, True, False, False]},
    ],
)
def test_equality_sees_every_field(change):
    assert make() == make()
    assert make(**change) == make(**change)
    assert make(**change) != make()


def test_equality_with_other_types_and_replace():
    assert make() != "a result"
    assert replace(make(), task="reject").task == "reject"


def test_values_json_has_no_word_for_become_plain():
    plain = make(
        settings={
            "n": np.int64(3),
            "p": np.float64(0.5),
            "flag": np.bool_(True),
            "grid": np.array([[1, 2]]),
            "kernel": np.linalg.norm,
            "model": complex(1, 2),
            4: None,
        }
    ).settings
    assert plain == {
        "n": 3,
        "p": 0.5,
        "flag": True,
        "grid": ((1, 2),),
        "kernel": "norm",
        "model": "(1+2j)",
        "4": None,
    }
    assert [type(plain[key]) for key in ("n", "p", "flag")] == [int, float, bool]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"names": "abcd"}, "'names'.*single string"),
        ({"intervals": [[0, 1]]}, r"'intervals'.*\(4, 2\), found \(1, 2\)"),
        ({"weights": ["a", "b", "c", "d"]}, "'weights'"),
        ({"thresholds": None}, "'thresholds'"),
        ({"probes": [1.0, 2.0]}, r"'probes'.*\(2, 2\)"),
        ({"classes": [0, 1, 2, 3]}, "'classes'.*strong"),
        ({"classes": [0, 1, 2, 0.5]}, "'classes'.*strong"),
        ({"settings": [1]}, "'settings'.*mapping"),
        ({"noise_thresholds": [0.1]}, r"'noise_thresholds'.*\(4,\), found \(1,\)"),
        ({"p_values": [[0.1] * 4]}, "'p_values'"),
        ({"borderline": [0, 1, 0, 0.5]}, "'borderline'.*True or False"),
        ({"privileged_q_values": [0.1]}, "'privileged_q_values'"),
    ],
)
def test_unusable_content_is_named(change, message):
    with pytest.raises(ValueError, match=message):
        make(**change)


# Derived values and the table


def test_derived_values():
    result = make()
    assert CLASS_NAMES == ("irrelevant", "weak", "strong")
    assert result.n_features == 4
    assert result.class_names == ("irrelevant", "weak", "strong", "weak")
    assert result.support.tolist() == [False, True, True, True]
    assert result.strong == ("must",)
    assert result.weak == ("weak_b", "weak_a")
    assert result.irrelevant == ("noise",)
    np.testing.assert_array_equal(result.margins, result.intervals - np.array([0.02, 0.1]))


def test_margins_of_infinite_thresholds_do_not_warn():
    with np.errstate(all="raise"):
        assert np.isnan(
            make(thresholds=[0, np.inf], intervals=np.full((4, 2), np.inf)).margins
        ).any()


def test_frame_has_one_row_per_feature_in_order():
    result = make()
    frame = result.to_frame()
    assert list(frame.columns) == ["feature", "class", "min", "max", "low", "high", "margin"]
    assert tuple(frame["feature"]) == result.names
    assert tuple(frame["class"]) == result.class_names
    np.testing.assert_array_equal(frame[["min", "max"]], result.intervals)
    np.testing.assert_array_equal(frame[["low", "high"]], result.signed_intervals)
    np.testing.assert_array_equal(frame["margin"], result.intervals[:, 1] - 0.1)


def test_sorted_frame_puts_strong_first_then_the_larger():
    frame = make().to_frame(sort=True)
    assert list(frame["feature"]) == ["must", "weak_a", "weak_b", "noise"]
    assert list(frame.index) == [2, 3, 1, 0]


def test_ties_keep_the_original_order():
    result = make_many(0, 0, 6, intervals=np.zeros((6, 2)))
    assert result.order.tolist() == list(range(6))


def test_counts_are_those_of_the_classes():
    assert make_many(2, 3, 4).counts == {"strong": 2, "weak": 3, "irrelevant": 4}
