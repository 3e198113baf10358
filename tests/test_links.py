"""Links between pages lead to files, and to headings, that are there."""

import itertools
import re
from pathlib import Path

import pytest

from tools.rooms import PACKAGE, rooms

ROOT = Path(__file__).parent.parent
PAGES = sorted(
    path
    for path in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    if "gallery" not in path.parts
)
BUILT = {"gallery/index.rst"}  # by make docs


def text(path):
    """A page without its code."""
    return re.sub(r"^```.*?^```|`[^`\n]*`", "", path.read_text(encoding="utf-8"), flags=re.M | re.S)


def anchors(path):
    """What headings are called in links: as MyST and other hosts of Markdown have it."""
    whole = path.read_text(encoding="utf-8")
    for included in re.findall(r"^```\{include\} (\S+)", whole, flags=re.MULTILINE):
        whole += (path.parent / included).read_text(encoding="utf-8")
    headings = re.findall(r"^#+ (.+)$", whole, flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", one.lower()).strip().replace(" ", "-") for one in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(page):
    lost = []
    for target in re.findall(r"\]\(([^)\s]+)\)", text(page)):
        if re.match(r"[a-z]+:", target):
            continue
        file, _, anchor = target.partition("#")
        found = (page.parent / file).resolve() if file else page
        there = found.is_file() or str(found).endswith(tuple(BUILT))
        if there and anchor and found.suffix == ".md":
            there = anchor in anchors(found)
        if not there:
            lost.append(target)
    assert not lost


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_headings_go_down_by_one_level(page):
    """Else `make docs` warns, and warnings are errors there."""
    levels = [len(marks) for marks in re.findall(r"^(#+) ", text(page), flags=re.MULTILINE)]
    assert all(after <= before + 1 for before, after in itertools.pairwise(levels))


def test_modules_that_are_spoken_of_are_there():
    pages = [ROOT / "CONTRIBUTING.md", ROOT / "docs" / "notes" / "architecture.md"]
    said = {name for page in pages for name in re.findall(r"\b\w+\.py\b", page.read_text("utf-8"))}
    folders = ("src", "tests", "benchmarks", "tools", "docs")
    there = {path.name for folder in folders for path in (ROOT / folder).rglob("*.py")}
    of_recipes = {"asymmetric.py", "difference.py", "threads.py"}
    assert said <= there | of_recipes


def test_the_map_has_a_sentence_for_every_module_and_contributing_has_every_folder():
    lines = list(rooms())
    assert len(lines) == len(list(PACKAGE.rglob("*.py")))
    assert [line for line in lines if not line.endswith((".", "?"))] == []
    folders = {path.parent.name for path in PACKAGE.rglob("*.py")} - {PACKAGE.name}
    page = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    assert [name for name in folders if f" {name}/" not in page] == []
    assert any("enough_probes.py" in line for line in rooms("linear/fit"))
