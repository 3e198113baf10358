"""The recipes of CONTRIBUTING.md, followed to the letter in an empty folder."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = (Path(__file__).parent.parent / "CONTRIBUTING.md").read_text(encoding="utf-8")
RECIPES = re.findall(
    r"^### (.+?)\n.*?^```python\n# (\w+\.py)\n(.*?)^```\n.*?^```pycon\n(.*?)^```\n",
    PAGE.partition("## Recipes")[2],
    flags=re.MULTILINE | re.DOTALL,
)


def test_there_are_three():
    assert [name for name, *_ in RECIPES] == ["A model", "A question", "A backend"]


@pytest.mark.slow
@pytest.mark.parametrize("recipe", RECIPES, ids=[name for name, *_ in RECIPES])
def test_a_recipe_works_as_it_stands(recipe, tmp_path):
    _, file, code, lines = recipe
    (tmp_path / file).write_text(code, encoding="utf-8")
    (tmp_path / "lines.txt").write_text(lines, encoding="utf-8")
    # A process of its own: what a recipe registers must not be seen by other tests.
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "doctest", "lines.txt"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])},
        capture_output=True,
        text=True,
    )
    assert lines.count(">>>") > 5
    assert done.returncode == 0, done.stdout + done.stderr
