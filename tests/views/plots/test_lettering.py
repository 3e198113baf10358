"""Names in any script are drawn, or boxes in their place, and nobody is warned."""

import io
import warnings

import matplotlib as mpl
import pytest
from plots_fakes import make_groups, make_result

from allrelevant import GroupsDisplay, RelevanceDisplay
from allrelevant.views.plots import lettering
from allrelevant.views.plots.lettering import drawable

mpl.use("Agg")

import matplotlib.pyplot as plt

NOWHERE = "\U0010fffd"  # of the private use area: no font has it


@pytest.fixture(autouse=True)
def close_figures():
    yield
    plt.close("all")


@pytest.mark.parametrize("names", [["size", "age"], ["größe", "Δt"], []])
def test_what_the_usual_font_has_is_left_alone(names):
    assert drawable(names) == (names, {})


def test_a_minus_stays_before_its_number_whichever_way_the_name_is_written():
    names = ["العمر = -0.5", "גיל = -3 to -2", "größe = -0.5", "גיל-3"]
    texts = drawable(names)[0]
    assert texts == ["العمر = \u200e-0.5", "גיל = \u200e-3 to \u200e-2", *names[2:]]


def test_what_no_font_has_becomes_a_box():
    assert drawable([f"a{NOWHERE}b", "größe"])[0] == ["a□b", "größe"]


def test_another_font_at_hand_helps_out(monkeypatch):
    monkeypatch.setattr(lettering, "_FALLBACKS", ("no such font", "DejaVu Sans"))
    with mpl.rc_context({"font.family": ["cmr10"]}):
        assert drawable(["größe"]) == (["größe"], {"fontfamily": ["cmr10", "DejaVu Sans"]})


@pytest.mark.slow
def test_pictures_are_saved_without_warnings_and_names_differ():
    result = make_result(0, 3, 0, names=["größe 身長", f"x{NOWHERE}", "x\U0010fffc"])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        bars = RelevanceDisplay.from_result(result)
        tree = GroupsDisplay.from_result(result, make_groups(result))
        for display in (bars, tree):
            display.figure_.savefig(io.BytesIO(), format="png")
    labels = {label.get_text() for label in bars.ax_.get_yticklabels()}
    assert {"x□", "x□~2"} < labels
