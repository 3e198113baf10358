"""Records: immutable, comparable, pickled and written as JSON."""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pytest

from allrelevant.results.entries import facts, numbers, words
from allrelevant.results.record import Record


@dataclass(frozen=True, eq=False)
class Measured(Record):
    """A small record."""

    _format: ClassVar[str] = "tests.Measured/1"

    values: Any = numbers(None)
    facts: Mapping[str, Any] = facts()
    notes: tuple[str, ...] = words(default=())


def test_a_record_survives_json_and_pickle_with_numbers_json_lacks() -> None:
    record = Measured([1.0, np.inf, np.nan], {"limit": -np.inf, "word": "inf", "$float": 1})
    for copy in (Measured.from_json(record.to_json()), pickle.loads(pickle.dumps(record))):
        assert copy == record
        np.testing.assert_array_equal(copy.values, record.values)
        assert dict(copy.facts) == {"limit": -np.inf, "word": "inf", "$float": 1}
        assert not copy.values.flags.writeable


def test_records_that_differ_are_not_equal() -> None:
    assert Measured([1.0]) != Measured([2.0])
    assert Measured([1.0]) != Measured([1.0], notes=("late",))
    assert Measured([1.0]) != "a string"


def test_a_field_is_found_when_it_is_first_read() -> None:
    asked: list[str] = []
    record = Measured([0.0], notes=("kept",))
    record.find_later("values", lambda: asked.append("values") or [1.0, 2.0])
    assert record.notes == ("kept",)
    assert not asked
    assert record == Measured([1.0, 2.0], notes=("kept",))
    assert not record.values.flags.writeable
    assert pickle.loads(pickle.dumps(record)) == record
    assert asked == ["values"]
    with pytest.raises(AttributeError, match="'Measured' object has no attribute 'value'"):
        _ = record.value  # type: ignore[attr-defined]


def test_a_document_that_lacks_fields_is_refused() -> None:
    with pytest.raises(ValueError, match="lacks the fields facts, notes"):
        Measured.from_json('{"format": "tests.Measured/1", "values": [1.0]}')


@pytest.mark.parametrize(
    ("text", "message"),
    [("{", "not valid JSON"), ("[]", "found None"), ('{"format": "other"}', "found 'other'")],
)
def test_what_is_no_document_of_the_format_is_refused(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Measured.from_json(text)


def test_a_field_that_is_not_usable_is_named() -> None:
    with pytest.raises(ValueError, match="'values' of a Measured is not usable"):
        Measured([[1.0]])
    with pytest.raises(ValueError, match=r"'notes' of a Measured is not usable: .* single string"):
        Measured([1.0], notes="one")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"'facts' of a Measured is not usable: .* mapping"):
        Measured([1.0], facts=[1])  # type: ignore[arg-type]
