"""The result survives JSON."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from relevance_results import ARRAYS, SURE, make

from allrelevant.results.relevance import RelevanceResult

any_float = st.floats(allow_nan=True, allow_infinity=True)
plain_values = st.recursive(
    st.none() | st.booleans() | st.integers() | any_float | st.text() | st.just("inf"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)
keys = st.text() | st.sampled_from(["$float", "$$float", "$"])
plain_mappings = st.dictionaries(keys, plain_values, max_size=4)


@st.composite
def results(draw):
    d, m = draw(st.integers(0, 5)), draw(st.integers(0, 3))

    def floats(*shape):
        return draw(hnp.arrays(np.float64, shape, elements=any_float))

    return RelevanceResult(
        task=draw(st.sampled_from(["classification", "regression", "ordinal", "reject"])),
        names=draw(st.lists(st.text(), min_size=d, max_size=d)),
        intervals=floats(d, 2),
        signed_intervals=floats(d, 2),
        classes=draw(st.lists(st.integers(0, 2), min_size=d, max_size=d)),
        weights=floats(d),
        thresholds=floats(2),
        probes=floats(m, 2),
        baseline=draw(plain_mappings),
        settings=draw(plain_mappings),
        versions=draw(st.dictionaries(st.text(), st.text(), max_size=2)),
        work=draw(st.dictionaries(st.text(), st.integers(), max_size=2)),
        warnings=draw(st.lists(st.text(), max_size=2)),
        noise_thresholds=floats(draw(st.sampled_from([0, d]))),
        p_values=floats(draw(st.sampled_from([0, d]))),
        q_values=floats(draw(st.sampled_from([0, d]))),
        borderline=draw(hnp.arrays(np.bool_, draw(st.sampled_from([0, d])))),
    )


def refuse(constant):
    raise AssertionError(f"{constant} is not JSON")


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(results(), st.sampled_from([None, 2]))
def test_json_round_trip_is_exact_and_strict(result, indent):
    text = result.to_json(indent)
    json.loads(text, parse_constant=refuse)
    again = RelevanceResult.from_json(text)
    assert again == result
    assert again.to_json(indent) == text
    for name in (*ARRAYS, *SURE):
        before, after = getattr(result, name), getattr(again, name)
        assert after.dtype == before.dtype
        np.testing.assert_array_equal(after, before, strict=True)
        np.testing.assert_array_equal(np.signbit(after), np.signbit(before) & ~np.isnan(before))


@pytest.mark.slow
@settings(max_examples=30, deadline=None)
@given(results())
def test_every_result_has_text_html_and_a_table(result):
    assert repr(result).startswith(f"{result.n_features} feature")
    assert result._repr_html_().count("<svg") == result.n_features
    assert len(result.to_frame(sort=True)) == result.n_features


def test_json_spells_what_it_lacks():
    result = make(thresholds=[-np.inf, np.nan], baseline={"norm_limit": np.inf, "note": "inf"})
    document = json.loads(result.to_json())
    assert document["format"] == "allrelevant.RelevanceResult/1"
    assert document["thresholds"] == ["-inf", "nan"]
    assert document["baseline"] == {"norm_limit": {"$float": "inf"}, "note": "inf"}
    assert RelevanceResult.from_json(result.to_json()).baseline == result.baseline


@pytest.mark.parametrize("text", ["", "nonsense", make().to_json()[:-1], '{"$float": []}'])
def test_from_json_rejects_broken_text(text):
    with pytest.raises(ValueError, match="not valid JSON"):
        RelevanceResult.from_json(text)


@pytest.mark.parametrize("text", ["[]", "{}", '{"format": "allrelevant.RelevanceResult/2"}'])
def test_from_json_rejects_other_formats(text):
    with pytest.raises(ValueError, match="expected a JSON document of format"):
        RelevanceResult.from_json(text)


def test_from_json_names_missing_and_garbled_fields():
    document = json.loads(make().to_json())
    garbled = json.dumps(document | {"names": None})
    with pytest.raises(ValueError, match="'names'"):
        RelevanceResult.from_json(garbled)
    del document["probes"], document["task"]
    with pytest.raises(ValueError, match="task, probes"):
        RelevanceResult.from_json(json.dumps(document))
