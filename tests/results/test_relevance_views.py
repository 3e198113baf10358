"""Text and HTML views of a result tell the truth."""

import xml.etree.ElementTree as ET
from unicodedata import east_asian_width

import numpy as np
import pytest
from relevance_results import make, make_many

# Text


def test_repr_states_counts_quality_thresholds_and_warnings():
    lines = repr(make()).splitlines()
    assert lines[0] == "4 features: 1 strong, 2 weak, 1 irrelevant"
    assert lines[1] == "baseline: accuracy 0.971 ± 0.01"
    assert lines[2] == "noise thresholds: min 0.02, max 0.1 (2 probes)"
    assert [line.split()[0] for line in lines[5:9]] == ["must", "weak_a", "weak_b", "noise"]
    assert lines[-1] == "warning: only 2 probes were usable"


def test_one_threshold_is_named_where_noise_starts_at_zero():
    lines = repr(make(thresholds=[0.0, 0.1])).splitlines()
    assert lines[2] == "noise threshold: 0.1 (2 probes)"


def test_where_nothing_was_compared_with_noise_there_is_no_threshold():
    lines = repr(make(thresholds=[0.0, 0.0], probes=np.zeros((0, 2)))).splitlines()
    assert lines[2] == "noise threshold: not measured (no probes)"


def test_irrelevant_features_that_every_model_uses_are_explained():
    changed = {"intervals": [[0.05, 0.09], [0.0, 0.2], [0.3, 0.4], [0.0, 0.6]], "warnings": []}
    result = make(**changed, thresholds=[0.0, 0.1], baseline={"norm": 1.0})
    said = "noise: in every good model, but so would noise be: irrelevant"
    assert repr(result).splitlines()[-1] == said
    assert said in result._repr_html_()
    assert said not in repr(make(**changed)), "probes that replace features have such bars, too"


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


# HTML


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
