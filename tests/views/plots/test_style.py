"""One look of all pictures, files of vectors whose letters are letters, and styled tables."""

import re
from pathlib import Path

import matplotlib.pyplot as plt
import pytest
from plots_fakes import make_result

from allrelevant import RelevanceDisplay
from allrelevant.views import plots
from allrelevant.views.plots.style import WIDTH, Picture

MODULES = sorted(Path(plots.__file__).parent.glob("*.py"))


def test_files_of_vectors_have_letters_not_outlines(tmp_path):
    display = RelevanceDisplay.from_result(make_result(1, 2, 1))
    display.save(tmp_path / "bars.svg")
    texts = re.findall(r"<text[^>]*>([^<]*)</text>", (tmp_path / "bars.svg").read_text())
    assert {"x0", "strong", "weak", "irrelevant"} <= set(texts)
    display.save(tmp_path / "bars.pdf")
    content = (tmp_path / "bars.pdf").read_bytes()
    assert b"/FontFile2" in content  # TrueType, as it is
    assert b"/Type3" not in content
    assert display.figure_.get_size_inches()[0] == WIDTH
    plt.close(display.figure_)


def test_every_display_can_be_saved_and_on_axes_of_a_part_of_a_figure(tmp_path):
    assert all(issubclass(getattr(plots, name), Picture) for name in plots.__all__)
    part, _ = plt.figure().subfigures(1, 2)
    display = RelevanceDisplay.from_result(make_result(1, 2, 1), ax=part.subplots())
    display.save(tmp_path / "part.png", dpi=50)
    assert (tmp_path / "part.png").read_bytes()[1:4] == b"PNG"
    plt.close("all")


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_greys_and_widths_are_those_of_the_style(path):
    text = path.read_text(encoding="utf-8")
    assert path.stem == "style" or not re.findall(r'=\s*"(?:black|#([0-9A-F]{2})\1\1)"', text)
    assert not re.findall(r"_WIDTH_INCHES|figsize=\(\d", text)


def test_a_result_is_a_table_that_can_be_styled_further():
    result = make_result(1, 2, 1)
    html = result.style().set_caption("What matters").to_html()
    assert "What matters" in html
    assert html.index("x0") < html.index("irrelevant")
    assert re.search(r"color: #0072B2;\s*font-weight: 600", html)
    assert "linear-gradient" in html
