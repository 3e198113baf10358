"""The result is immutable, survives every kind of storage, and its views tell the truth."""

import copy
import json
import pickle
import xml.etree.ElementTree as ET
from dataclasses import FrozenInstanceError, replace
from unicodedata import east_asian_width

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from allrelevant.results.relevance import CLASS_NAMES, RelevanceResult

ARRAYS = ("intervals", "signed_intervals", "classes", "weights", "thresholds", "probes")
SURE = ("noise_thresholds", "p_values", "q_values", "borderline")
MAPPINGS = ("baseline", "settings", "versions", "counts")


def make(**changes):
    content = {
        "task": "classification",
        "names": ["noise", "weak_b", "must", "weak_a"],
        "intervals": [[0.0, 0.01], [0.0, 0.2], [0.3, 0.4], [0.0, 0.6]],
        "signed_intervals": [[-0.01, 0.005], [-0.1, 0.2], [-0.4, -0.3], [0.0, 0.6]],
        "classes": [0, 1, 2, 1],
        "weights": [0.0, 0.05, -0.35, 0.6],
        "thresholds": [0.02, 0.1],
        "probes": [[0.0, 0.03], [0.0, 0.05]],
        "baseline": {"score": 0.9712, "score_error": 0.01, "score_name": "accuracy", "C": None},
        "settings": {"tolerance": "auto", "grid": [0.1, 1.0]},
        "versions": {"numpy": "2.0"},
        "counts": {"lps_solved": 8},
        "warnings": ["only 2 probes were usable"],
    }
    return RelevanceResult(**(content | changes))


def make_many(n_strong, n_weak, n_irrelevant, **changes):
    classes = [2] * n_strong + [1] * n_weak + [0] * n_irrelevant
    d = len(classes)
    intervals = np.column_stack([np.zeros(d), np.linspace(0.5, 0.1, d)])
    content = {
        "names": [f"x{j}" for j in range(d)],
        "intervals": intervals,
        "signed_intervals": intervals,
        "classes": classes,
        "weights": np.zeros(d),
    }
    return make(**(content | changes))


# -- an immutable value ---------------------------------------------------------------------------


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
        {"counts": {"lps_solved": 9}},
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


# -- JSON -----------------------------------------------------------------------------------------

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
        counts=draw(st.dictionaries(st.text(), st.integers(), max_size=2)),
        warnings=draw(st.lists(st.text(), max_size=2)),
        noise_thresholds=floats(draw(st.sampled_from([0, d]))),
        p_values=floats(draw(st.sampled_from([0, d]))),
        q_values=floats(draw(st.sampled_from([0, d]))),
        borderline=draw(hnp.arrays(np.bool_, draw(st.sampled_from([0, d])))),
    )


def refuse(constant):
    raise AssertionError(f"{constant} is not JSON")


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


# -- derived values and the table -----------------------------------------------------------------


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


# -- text -----------------------------------------------------------------------------------------


def test_repr_states_counts_quality_thresholds_and_warnings():
    lines = repr(make()).splitlines()
    assert lines[0] == "4 features: 1 strong, 2 weak, 1 irrelevant"
    assert lines[1] == "baseline: accuracy 0.971 ± 0.01"
    assert lines[2] == "noise thresholds: min 0.02, max 0.1 (2 probes)"
    assert [line.split()[0] for line in lines[5:9]] == ["must", "weak_a", "weak_b", "noise"]
    assert lines[-1] == "warning: only 2 probes were usable"


def test_repr_bars_cover_their_intervals():
    # The scale ends at 0.6, so 24 cells of 0.025 each; the threshold 0.1 lies in cell 4.
    bars = [line.split()[-1] for line in repr(make()).splitlines()[5:9]]
    assert bars == [
        "····┊·······━━━━········",
        "━" * 24,
        "━━━━━━━━················",
        "━···┊···················",
    ]


def test_repr_shows_a_point_interval_at_the_end_of_the_scale():
    result = make(intervals=[[0, 0], [0, 0], [0.6, 0.6], [0, 0]])
    assert repr(result).splitlines()[5].endswith("·━")


def test_bars_keep_their_width_when_the_numbers_are_absurd():
    result = make(intervals=[[-1e9, 1.0], [2.0, -1e9], [0.5, 0.1], [np.nan, 1.0]])
    assert {len(line.split()[-1]) for line in repr(result).splitlines()[5:9]} == {24}
    bars = ET.fromstring(result._repr_html_()).iter("rect")
    ends = [(float(bar.get("x", 0)), float(bar.get("width"))) for bar in bars]
    assert all(x >= 0 and x + width <= 180 for x, width in ends)


@pytest.mark.parametrize(
    ("counts", "rest"),
    [
        ((0, 5, 195), "... and 180 irrelevant features"),
        ((20, 0, 1), "... and 1 irrelevant feature"),
        ((18, 7, 5), "... and 10 more features: 5 weak, 5 irrelevant"),
    ],
)
def test_repr_counts_what_it_leaves_out(counts, rest):
    lines = repr(make_many(*counts, warnings=[])).splitlines()
    assert lines[-1] == rest
    assert sum("━" in line for line in lines) == 20


def test_repr_leaves_nothing_out_of_twenty():
    text = repr(make_many(5, 5, 10))
    assert "..." not in text
    assert sum("━" in line for line in text.splitlines()) == 20


def test_repr_keeps_both_ends_of_long_names_on_one_line():
    names = ["a\nb", "x" * 40 + "_1", "x" * 40 + "_2", "c"]
    lines = repr(make(names=names)).splitlines()[5:9]
    shown = [line.split("  ")[0] for line in lines]
    assert shown == ["x" * 14 + "…" + "x" * 11 + "_2", "c", "x" * 14 + "…" + "x" * 11 + "_1", "a b"]


# -- HTML -----------------------------------------------------------------------------------------


def test_html_escapes_names_and_warnings():
    result = make(names=["<b>", 'a"b', "x & y", "ok"], warnings=["<script>alert(1)</script>"])
    html = result._repr_html_()
    assert "<b></td>" not in html
    assert "&lt;b&gt;" in html
    assert "<script" not in html
    texts = [cell.text for cell in ET.fromstring(html).iter("td")]
    assert texts[::5] == ["x & y", "ok", 'a"b', "<b>"]


def test_html_bars_show_interval_threshold_and_class():
    tree = ET.fromstring(make()._repr_html_())
    bars = [svg.findall("rect")[1] for svg in tree.iter("svg")]
    assert [bar.get("fill") for bar in bars] == ["#0072B2", "#E69F00", "#E69F00", "#999999"]
    # 180 pixels for 0.6
    assert [(float(bar.get("x")), float(bar.get("width"))) for bar in bars] == [
        (90.0, 30.0),
        (0.0, 180.0),
        (0.0, 60.0),
        (0.0, 3.0),
    ]
    assert {line.get("x1") for line in tree.iter("line")} == {"30.0"}


def test_html_counts_what_it_leaves_out():
    tree = ET.fromstring(make_many(0, 45, 155)._repr_html_())
    assert len(list(tree.iter("svg"))) == 50
    assert "… and 150 irrelevant features" in [div.text for div in tree.iter("div")]


LONG = [f"questionnaire item number {k}: how you felt in the last twelve months" for k in range(4)]


def test_repr_tells_long_names_apart():
    lines = repr(make(names=LONG)).splitlines()[5:9]
    assert {line.split("  ")[0] for line in lines} == {
        f"questionn…number {k}: how you…" for k in range(4)
    }


def test_repr_aligns_wide_names():
    lines = repr(make(names=["身長", "größe", "体重 (kg)", "x"])).splitlines()[4:9]
    widths = {sum(1 + (east_asian_width(c) == "W") for c in line) for line in lines}
    assert len(widths) == 1


# -- how sure an answer is ------------------------------------------------------------------------

KNOWN = {
    "noise_thresholds": [0.08, 0.19, 0.1, 0.12],
    "p_values": [0.4, 0.004, 1e-9, 1e-6],
    "q_values": [0.4, 0.0053, 4e-9, 2e-6],
    "borderline": [False, True, False, False],
}
SCORES = {"accuracy": 0.9712, "balanced accuracy": 0.7, "AUC": 0.85}


def table_of(result):
    lines = repr(result).splitlines()
    first = next(k for k, line in enumerate(lines) if line.startswith("feature"))
    return lines[first : first + 1 + result.n_features]


def test_documents_without_the_newer_fields_still_load():
    document = json.loads(make().to_json())
    newer = [key for key in document if key.removeprefix("privileged_") in SURE]
    assert len(newer) == 8
    old = {key: value for key, value in document.items() if key not in newer}
    result = RelevanceResult.from_json(json.dumps(old))
    assert result == make()
    assert [len(getattr(result, name)) for name in SURE] == [0, 0, 0, 0]
    assert not result.could_be_either.any()


def test_json_has_all_that_is_known():
    document = json.loads(make(**KNOWN).to_json())
    assert {key: document[key] for key in SURE} == KNOWN
    again = RelevanceResult.from_json(json.dumps(document))
    assert again.borderline.dtype == bool
    assert not again.borderline.flags.writeable
    assert again.borderline_names == ("weak_b",)


def test_each_feature_has_its_own_threshold_unless_it_is_named():
    np.testing.assert_array_equal(make().upper_thresholds, [0.1] * 4)
    result = make(**KNOWN, own_thresholds={"must": 0.35})
    np.testing.assert_array_equal(result.upper_thresholds, [0.08, 0.19, 0.35, 0.12])
    np.testing.assert_array_equal(
        result.margins[:, 1], result.intervals[:, 1] - result.upper_thresholds
    )


def test_the_table_says_how_sure_it_is_only_where_that_is_known():
    usual = list(make().to_frame().columns)
    frame = make(**KNOWN).to_frame(sort=True)
    assert list(frame.columns) == [*usual, "p", "q", "borderline"]
    assert frame["p"].tolist() == [1e-9, 1e-6, 0.004, 0.4]
    assert frame["q"].tolist() == [4e-9, 2e-6, 0.0053, 0.4]
    assert frame["borderline"].tolist() == [False, False, True, False]
    assert frame["borderline"].dtype == bool


def test_a_group_of_columns_has_no_p_of_its_own():
    group = {"columns": ["weak_b", "weak_a"], "class": "weak", "min": 0.0, "max": 0.5}
    groups = {"weak": group | {"threshold": 0.2, "is_exact": True}}
    frame = make(**KNOWN, column_groups=groups).to_frame(grouped=True).set_index("feature")
    assert frame.loc["weak", ["p", "q"]].isna().all()
    assert frame["borderline"].tolist() == [False, False, False]
    assert frame["borderline"].dtype == bool
    assert frame.loc["must", "p"] == 1e-9
    usual = make(column_groups=groups).to_frame(grouped=True)
    assert "p" not in usual.columns
    assert usual["margin"].tolist()[1] == pytest.approx(0.3)


@pytest.mark.parametrize("main", [KNOWN, {}])
@pytest.mark.parametrize("known", [True, False])
def test_privileged_features_have_their_own(main, known):
    side = {
        "privileged_names": ["scan", "biopsy"],
        "privileged_intervals": [[0.2, 0.5], [0.0, 0.05]],
        "privileged_classes": [2, 0],
        "privileged_thresholds": [0.0, 0.1],
    }
    if known:
        side |= {
            "privileged_noise_thresholds": [0.1, 0.06],
            "privileged_p_values": [0.001, 0.02],
            "privileged_q_values": [0.002, 0.02],
            "privileged_borderline": [False, True],
        }
    result = make(**main, **side)
    frame = result.to_frame()
    assert ("p" in frame.columns) == bool(main or known)
    assert list(frame.columns)[-1] == "kind"
    if "p" in frame.columns:
        assert frame["borderline"].tolist()[-1] is known
        assert frame["p"].isna().tolist() == [not main] * 4 + [not known] * 2
    if known:
        assert result.privileged.borderline_names == ("biopsy",)
        np.testing.assert_array_equal(result.privileged.upper_thresholds, [0.1, 0.06])
    assert RelevanceResult.from_json(result.to_json()) == result


def test_text_marks_what_could_be_either():
    lines = repr(make(**KNOWN)).splitlines()
    table = table_of(make(**KNOWN))
    assert [line.split()[1:3] for line in table[1:]] == [
        ["strong", "0.300"],
        ["weak", "0.000"],
        ["weak", "?"],
        ["irrelevant", "0.000"],
    ]
    assert len({len(line) for line in table}) == 1
    note = "? could be either: with other probes this feature may pass the noise threshold or not"
    assert note in lines
    assert "either" not in repr(make())
    assert len(table_of(make())[0]) == len(table[0]) - 2


@pytest.mark.parametrize(
    ("positions", "said"),
    [
        ([3, 5], "these 2 features may"),
        ([3, 25], "2 features (1 of them shown) may"),
        ([25], "1 feature (not shown) may"),
    ],
)
def test_text_counts_what_could_be_either_beyond_the_rows(positions, said):
    flags = np.isin(np.arange(30), positions)
    assert f"? could be either: with other probes {said}" in repr(
        make_many(5, 5, 20, borderline=flags)
    )


def test_bars_have_the_tick_of_their_own_threshold():
    result = make(**(KNOWN | {"noise_thresholds": [0.3, 0.45, 0.1, 0.12]}))
    # 24 cells of 0.025 each
    assert [line.split()[-1].find("┊") for line in table_of(result)[1:]] == [4, -1, 18, 12]
    ticks = [line.get("x1") for line in ET.fromstring(result._repr_html_()).iter("line")]
    assert ticks == ["30.0", "36.0", "135.0", "90.0"]
    assert "noise" not in table_of(result)[0]
    assert "max 0.1, by feature 0.1 to 0.45 (2 probes)" in repr(result)
    alike = make(noise_thresholds=[0.1, 0.101, 0.1, 0.1])
    assert "by feature" not in repr(alike)


def test_html_marks_what_could_be_either():
    html = make(**KNOWN)._repr_html_()
    tree = ET.fromstring(html)
    marks = [mark for mark in tree.iter("b") if mark.get("title") == "could be either"]
    assert [mark.text for mark in marks] == ["?"]
    bars = [svg.findall("rect")[1] for svg in tree.iter("svg")]
    assert [bar.get("stroke-dasharray") is not None for bar in bars] == [False, False, True, False]
    assert "could be either: with other probes this feature" in html
    assert "either" not in make()._repr_html_()


@pytest.mark.parametrize("view", [repr, RelevanceResult._repr_html_])
def test_all_scores_and_the_level_are_named(view):
    known = {"score": 0.9712, "score_error": 0.01, "score_name": "accuracy", "scores": SCORES}
    result = make(baseline=known | {"level": 0.004, "fdr": 0.1})
    assert "accuracy 0.971 ± 0.01, balanced accuracy 0.7, AUC 0.85" in view(result)
    assert "relevant where p is at most 0.004: at most 10 % of these are expected to be" in view(
        result
    )
    assert "relevant where" not in view(make(baseline=known | {"level": None, "fdr": 0.1}))
