"""What pages of the documentation show at a prompt is what it prints."""

import doctest
import re
from pathlib import Path

import pandas as pd
import pytest

pytestmark = pytest.mark.slow

DOCS = Path(__file__).parent.parent / "docs"
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@pytest.mark.filterwarnings("ignore:no feature is strong:UserWarning")
@pytest.mark.parametrize("page", ["questions.md", "questions-constraints.md"])
def test_pages_print_what_they_show(page):
    text = (DOCS / page).read_text(encoding="utf-8")
    names, complaints = {}, []
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    with pd.option_context("display.width", 200, "display.max_columns", 20):
        for number, code in enumerate(re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL)):
            if ">>>" not in code:
                exec(compile(code, page, "exec"), names)
                continue
            shown = doctest.DocTestParser().get_doctest(code, names, f"block {number}", page, 0)
            runner.run(shown, out=complaints.append, clear_globs=False)
            names = shown.globs
    assert runner.tries > 5
    assert not complaints, "".join(complaints)
