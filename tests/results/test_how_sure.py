"""Results say how sure they are, in every view."""

import json
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from relevance_results import SURE, make, make_many

from allrelevant.results.relevance import RelevanceResult

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


def test_what_is_not_known_is_empty():
    result = RelevanceResult.from_json(make().to_json())
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


def test_each_feature_has_its_own_threshold():
    np.testing.assert_array_equal(make().upper_thresholds, [0.1] * 4)
    result = make(**KNOWN)
    np.testing.assert_array_equal(result.upper_thresholds, KNOWN["noise_thresholds"])
    assert result.single_thresholds.tolist() == KNOWN["noise_thresholds"]
    several = make(**KNOWN, columns={"must": {"names": ["x", "y"]}})
    assert several.single_thresholds.tolist() == [
        limit
        for name, limit in zip(result.names, KNOWN["noise_thresholds"], strict=True)
        if name != "must"
    ]
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
    said = "relevant where p is at most 0.004: at most 10 % of the relevant features are expected"
    assert said in view(result)
    assert "relevant where" not in view(make(baseline=known | {"level": None, "fdr": 0.1}))


def test_tables_mark_what_explains_what_others_leave():
    """Its threshold is zero; borderline features have their own mark."""
    result = make(**KNOWN | {"noise_thresholds": [0.08, 0.0, 0.0, 0.12]})
    starred = [result.names[j] for j in range(4) if result.relevant_by_conditional[j]]
    assert len(starred) == 2
    rows = {line.split()[0]: line for line in table_of(result)[1:]}
    marks = {name: [m for m in "?∗" if m in line.split()] for name, line in rows.items()}
    both = {name: ["?"] if name in result.borderline_names else ["∗"] for name in starred}
    assert {name: own for name, own in marks.items() if own} == both
    said = [line for line in repr(result).splitlines() if "conditional test" in line]
    assert said[0].startswith("∗ ")
    assert result._repr_html_().count(">∗</b>") == len(
        [own for own in both.values() if own == ["∗"]]
    )
