"""The page about the house is true: a fit goes where it says, and what it names is there."""

import re
import sys
from pathlib import Path

import pytest

from allrelevant import RelevanceClassifier
from allrelevant.datasets import make_classification

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "allrelevant"
PAGE = (ROOT / "docs" / "notes" / "architecture.md").read_text(encoding="utf-8")
STEPS = re.findall(r"^\d+\. `([\w/]+\.py): (\w+)`", PAGE, flags=re.MULTILINE)
MAPS = PAGE, (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("## Recipes")[0]


def calls_of_a_fit():
    """Files and functions in the order in which a fit first calls them."""
    X, y, _ = make_classification(80, n_strong=1, n_weak=2, n_irrelevant=1, random_state=0)
    model = RelevanceClassifier(C=0.5, tolerance=0.05, n_probes=30, random_state=0)
    seen, before = {}, sys.getprofile()

    def watch(frame, event, _):
        path = Path(frame.f_code.co_filename)
        if event == "call" and path.is_relative_to(SOURCE):
            name = frame.f_code.co_qualname.split(".")
            made = name[0] if name[-1] == "__init__" else name[-1]
            seen.setdefault((path.relative_to(SOURCE).as_posix(), made))

    sys.setprofile(watch)
    try:
        assert model.fit(X, y).result_.class_names == ("strong", "weak", "weak", "irrelevant")
    finally:
        sys.setprofile(before)
    return list(seen)


@pytest.mark.slow
def test_a_fit_is_twelve_files_in_the_order_of_the_page():
    calls = calls_of_a_fit()
    # A dataclass has no file of its own for the function that makes it.
    *steps, (file, made) = STEPS
    assert len(STEPS) == len({file for file, _ in STEPS}) == 12
    assert [call for call in calls if call in steps] == steps
    assert f"class {made}:" in (SOURCE / file).read_text(encoding="utf-8")
    assert [file for file, _ in calls].index(file) > [file for file, _ in calls].index(steps[-1][0])


@pytest.mark.parametrize("text", MAPS, ids=["architecture.md", "CONTRIBUTING.md"])
def test_files_that_are_named_are_there(text):
    """Some are named by their folder, some by their name alone."""
    known = {path.relative_to(ROOT).as_posix() for path in ROOT.glob("[!.]*/**/*.py")}
    named = re.findall(r"`([\w./]+\.py)[:`]", text)
    assert len(named) > 20
    assert [one for one in named if not any(f"/{path}".endswith(f"/{one}") for path in known)] == []
