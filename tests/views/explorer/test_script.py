"""The explorer's script: its own tests, and whether what is shipped is made of its modules."""

import shutil
import subprocess
from pathlib import Path

import pytest

from allrelevant.views import explorer

SCRIPT = Path(__file__).parents[3] / "web"
BUNDLES = sorted((Path(explorer.__file__).parent / "static").glob("*.js"))
NODE = shutil.which("node")

pytestmark = pytest.mark.skipif(
    NODE is None or not SCRIPT.exists(), reason="node or the modules are missing: script NOT tested"
)


def run(*arguments):
    done = subprocess.run([NODE, *arguments], cwd=SCRIPT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.slow
def test_its_own_tests_pass():
    files = sorted(map(str, SCRIPT.glob("tests/*.test.js")))
    said = run("--test", "--test-reporter=tap", *files)
    assert "# fail 0" in said
    assert "# tests 0" not in said


@pytest.mark.skipif(
    not (SCRIPT / "node_modules" / "esbuild").exists(),
    reason="esbuild is missing (make script installs it): the bundle was NOT checked",
)
def test_the_bundle_is_made_of_the_modules():
    run("build.js", "--check")


def test_nothing_of_the_bundle_tells_where_it_was_made():
    assert [bundle.name for bundle in BUNDLES] == ["explorer.js", "forest.js"]
    for bundle in BUNDLES:
        text = bundle.read_text(encoding="utf-8")
        assert str(SCRIPT.parent) not in text
        assert "node_modules" not in text
