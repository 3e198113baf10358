"""Write docs/manual/errors.md: each entry of the catalogue of bad input, and its message."""

import sys
import tempfile
from contextlib import chdir
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "manual" / "errors.md"
sys.path.insert(0, str(ROOT / "tests" / "support"))

INTRODUCTION = """# Error messages

An error says what is wrong, where, and what to do about it. On the command line it is one line on
standard error and exit code 2, in Python a `ValueError` or a relative of it, on the explorer's page
a line above the bars. This page is written by `make errors` from the catalogue in
`tests/support/catalogue`, and a test compares each of them with what is said.

"""
ABOUT = {
    "Files": "What `read_table`, and with it every command, says about files that are not tables.",
    "The command line": "After `allrelevant`; the files are those of `catalogue/commands.py`.",
    "Python": "`X` and `y` are good, `frame` is `X` with the columns age, dose and weight, and "
    "`model` was fitted to it, `towns` to it and a category of ten levels.",
    "The page": "The question, and the JSON that comes with it.",
}


def messages() -> dict[str, dict[str, str | None]]:
    """What is said now to every entry, by section."""
    from catalogue import SECTIONS

    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        return {
            name: {entry: message_of(entry) for entry in entries}
            for name, (entries, message_of) in SECTIONS.items()
        }


def page(found: dict[str, dict[str, str | None]]) -> str:
    """The page as Markdown."""
    parts = [INTRODUCTION]
    for name, entries in found.items():
        rows = [f"| `{_cell(entry)}` | {_cell(said or '')} |" for entry, said in entries.items()]
        parts += [f"## {name}\n\n{ABOUT[name]}\n\n| input | message |\n|---|---|\n"]
        parts += ["\n".join(rows), "\n\n"]
    return "".join(parts).rstrip() + "\n"


def _cell(text: str) -> str:
    """Text that a table of Markdown takes."""
    for sign, instead in (("|", "\\|"), ("\n", " "), ("<", "&lt;"), ("*", "\\*")):
        text = text.replace(sign, instead)
    return text


if __name__ == "__main__":
    PAGE.write_text(page(messages()), encoding="utf-8")
