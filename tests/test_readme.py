"""The README's Python runs from top to bottom, and prints what it says."""

import re
from pathlib import Path

import pytest

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore:no feature is strong:UserWarning"),
]

README = Path(__file__).parent.parent / "README.md"
BLOCKS = re.findall(r"```(\w*)\n(.*?)```", README.read_text(encoding="utf-8"), flags=re.DOTALL)


@pytest.fixture(scope="module")
def ran(tmp_path_factory):
    """Each block of Python with what it prints; they build on one another."""
    printed = []
    names = {"print": lambda *values: printed.append(" ".join(map(str, values)))}
    outputs = []
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("readme"))  # where it writes files
        for kind, code in BLOCKS:
            if kind == "python":
                exec(compile(code, str(README), "exec"), names)
                outputs.append("\n".join(printed))
                printed.clear()
    return names, outputs


def classes(text):
    """The headline, and the class of each feature in the order of the table."""
    rows = re.findall(r"^(\w+) +(strong|weak|irrelevant) ", text, flags=re.MULTILINE)
    return text.splitlines()[0], rows


def words(text):
    """What stands above the table, whatever the last digits are."""
    return re.sub(r"[\d.]+", "#", text.partition("\n\n")[0])


def test_the_table_is_what_the_code_before_it_prints(ran):
    _, outputs = ran
    tables = [k for k, (_, text) in enumerate(BLOCKS) if re.match(r"\d+ features: ", text)]
    assert tables
    for k in tables:
        number = sum(kind == "python" for kind, _ in BLOCKS[:k])
        headline, rows = classes(outputs[number - 1])
        expected, shown = classes(BLOCKS[k][1])
        assert headline == expected
        assert dict(rows) == dict(shown)
        assert words(outputs[number - 1]) == words(BLOCKS[k][1])


def test_everything_shown_has_run(ran):
    names, outputs = ran
    assert len(outputs) == sum(kind == "python" for kind, _ in BLOCKS) >= 3
    assert names["model"].score(names["X"], names["y"]) > 0.9


def test_it_opens_with_what_it_is_for_a_picture_and_how_to_get_it():
    opening = README.read_text(encoding="utf-8").partition("\n## ")[0]
    question, picture, install = (opening.index(part) for part in ("?", "![", "pip install"))
    assert question < picture < install
