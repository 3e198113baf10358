"""What pages of the documentation show at a prompt, or below a program, is what it prints."""

import contextlib
import doctest
import io
import re
import shlex
from functools import partial
from pathlib import Path

import pandas as pd
import pytest
from shared_fits import made_once
from sklearn.datasets import make_classification
from sklearn.metrics import roc_auc_score

from allrelevant import RelevanceClassifier, datasets
from allrelevant.cli.main import main

pytestmark = pytest.mark.slow

DOCS = Path(__file__).parent.parent / "docs"
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


PAGES = sorted(
    path.relative_to(DOCS).as_posix()
    for path in DOCS.rglob("*.md")
    if "\n>>> " in path.read_text(encoding="utf-8")
)


@pytest.fixture(scope="module")
def one_fit_for_all_pages():
    """Pages begin with the same few fits."""
    with made_once(RelevanceClassifier):
        yield


@pytest.mark.usefixtures("one_fit_for_all_pages")
@pytest.mark.filterwarnings("ignore:no feature is strong:UserWarning")
@pytest.mark.parametrize("page", PAGES)
def test_pages_print_what_they_show(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # where pages write files
    text = (DOCS / page).read_text(encoding="utf-8")
    names, complaints, printed = {}, [], ""
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    blocks = re.findall(r"^```(\w*)\n(.*?)^```$", text, flags=re.DOTALL | re.MULTILINE)
    with pd.option_context("display.width", 200, "display.max_columns", 20):
        for number, (kind, code) in enumerate(blocks):
            if kind == "" and printed:
                assert code.split() == printed.split()
            printed = ""
            if kind != "python":
                continue
            if ">>>" not in code:
                with contextlib.redirect_stdout(io.StringIO()) as out:
                    exec(compile(code, page, "exec"), names)
                printed = out.getvalue()
                continue
            shown = doctest.DocTestParser().get_doctest(code, names, f"block {number}", page, 0)
            runner.run(shown, out=complaints.append, clear_globs=False)
            names = shown.globs
    assert not complaints, "".join(complaints)


def test_the_commands_of_the_first_page_run_on_its_table(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    text = (DOCS / "manual" / "start.md").read_text(encoding="utf-8")
    X, y, _ = datasets.make_classification(
        300, n_strong=2, n_weak=3, n_irrelevant=2, label_noise=0.05, random_state=0
    )
    names = ["age", "dose", "height", "girth", "weight", "room", "weekday"]
    pd.DataFrame(X, columns=names).assign(ill=y).to_csv("patients.csv", index=False)
    commands = re.findall(r"^allrelevant (.+?)(?: +#.*)?$", text, flags=re.MULTILINE)
    assert len(commands) >= 3
    for command in commands:
        assert main(shlex.split(command)) == 0
        out, err = capsys.readouterr()
        assert "age" in out
        assert err.splitlines()[0] in text
    assert Path("report.html").is_file()


def test_the_guides_are_among_them():
    assert {"manual/start.md", "manual/drop.md", "manual/what-if.md", "notes/papers.md"} <= {*PAGES}


def guides():
    """The guides that are listed by their questions."""
    index = (DOCS / "manual" / "index.md").read_text(encoding="utf-8")
    parts = [
        part for part in index.split(":caption: ") if part.startswith(("One guide", "More to"))
    ]
    return [name for part in parts for name in re.findall(r"^([\w-]+)$", part, flags=re.MULTILINE)]


@pytest.mark.parametrize("name", guides())
def test_guides_answer_their_question_before_any_code(name):
    text = (DOCS / "manual" / f"{name}.md").read_text(encoding="utf-8")
    opening = text.partition("```")[0].split("\n\n")
    assert opening[0].startswith("# ")
    assert opening[1].startswith("*")
    assert opening[1].endswith("?*")
    assert re.match(r"[A-Z`]", opening[2])
    assert "\n>>> " in text


@pytest.mark.filterwarnings("ignore:no feature is strong:UserWarning")
def test_the_page_of_rules_shows_probabilities_that_work(two_classes):
    text = (DOCS / "notes" / "rules.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(from sklearn\.calibration.*?)```", text, flags=re.DOTALL)
    X, y = two_classes
    quick = partial(RelevanceClassifier, C=0.1, tolerance=0.1, n_probes=5)  # it is fitted 17 times
    names = {"RelevanceClassifier": quick, "X": X, "y": y}
    exec(compile(code, "rules.md", "exec"), names)
    likely = names["probable"].predict_proba(X)[:, 1]
    assert roc_auc_score(y, likely) > 0.9
    assert abs(likely.mean() - y.mean()) < 0.05


@pytest.fixture
def two_classes():
    return make_classification(n_samples=150, n_features=6, weights=[0.8], random_state=0)
