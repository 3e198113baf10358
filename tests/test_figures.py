"""docs/figures.md names the command for every picture and every measured page, and no other."""

import csv
import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
LIST = (DOCS / "figures.md").read_text(encoding="utf-8")
PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")),
    *(path for path in DOCS.rglob("*.md") if "gallery" not in path.parts),
]
TEXTS = {path: path.read_text(encoding="utf-8") for path in PAGES}
# As Markdown, or as HTML within it.
PICTURE = re.compile(r"!\[[^\]]*\]\(([^)\s]+)\)|<img[^>]*?src=[\"']?([^\"'\s>]+)")


def pictures(text):
    """Where the pictures of a page are."""
    return [markdown or html for markdown, html in PICTURE.findall(text)]


def cells(heading):
    """Rows of the table below a heading: what is made, and by what."""
    below = LIST.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (.+?) \| (.+?) \|$", below, flags=re.MULTILINE)
    return [row for row in rows if not set(row[0]) <= set("-")][1:]


def test_every_picture_is_named_and_is_there():
    shown = {Path(target).name for text in TEXTS.values() for target in pictures(text)}
    named = {name for made, _ in cells("Pictures") for name in re.findall(r"`(.+?\.\w+)`", made)}
    assert shown - named == set(), "not in docs/figures.md"
    assert {path.name for path in (DOCS / "images").iterdir()} == named


def test_pictures_are_from_nowhere_else():
    linked = [
        (path.name, target)
        for path, text in TEXTS.items()
        for target in pictures(text)
        if not (path.parent / target).is_file()
    ]
    assert not linked


def test_every_measured_page_is_named():
    named = {name for made, _ in cells("Tables") for name in re.findall(r"\[(.+?\.md)\]", made)}
    results = {f"results/{path.name}" for path in (DOCS / "results").glob("*.md")}
    marked = {
        path.relative_to(DOCS).as_posix() for path, text in TEXTS.items() if "<!-- end of " in text
    }
    assert (results | marked) - {"results/index.md"} <= named
    assert all((DOCS / name).is_file() for name in named)


def test_tables_of_numbers_beside_the_text_are_named():
    """A few decimals in a table were measured: the page has to be in the last list."""
    named = {
        name
        for made, _ in cells("Numbers in the text")
        for name in re.findall(r"\(([\w/-]+\.md)\)", made)
    }
    measured = {
        path.relative_to(DOCS).as_posix()
        for path, text in TEXTS.items()
        if path.is_relative_to(DOCS) and path.parent.name not in ("results", "papers")
        for table in re.findall(r"(?:^ *\|.*\|\n)+", text, flags=re.MULTILINE)
        if len(re.findall(r"\| *\**[-−]?\d+\.\d+ ?%?\** *(?=\|)", table)) > 2
    }
    assert {"manual/protected.md", "notes/defaults.md"} <= measured <= named


def test_every_command_exists():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([\w-]+):", makefile, flags=re.MULTILINE))
    for heading in ("Pictures", "Tables", "Numbers in the text"):
        for made, command in cells(heading):
            known = re.findall(
                r"`make ([\w-]+)`|`python -m ([\w.]+)`|`?(examples/\w+\.py)", command
            )
            assert known or "the command of" in command, made
            for target, module, script in known:
                assert not target or target in targets, command
                assert not module or (ROOT / f"{module.replace('.', '/')}.py").is_file(), command
                assert not script or (ROOT / script).is_file(), command


def test_every_table_of_the_papers_is_the_file_beside_it():
    text = TEXTS[DOCS / "papers" / "index.md"]
    shown = re.findall(r"(?:^\|.*\|\n)+", text, flags=re.MULTILINE)
    tables = []
    for path in (DOCS / "papers").glob("*.csv"):
        with path.open(encoding="utf-8", newline="") as file:
            lines = [f"| {' | '.join(row)} |" for row in csv.reader(file)]
        lines.insert(1, re.sub(r"[^|]+", "---", lines[0]))
        tables.append("".join(f"{line}\n" for line in lines))
    assert sorted(tables) == sorted(shown)
