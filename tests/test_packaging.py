"""What the package imports is what it says it needs."""

import ast
import re
import runpy
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "allrelevant"
FILES = sorted(SOURCE.rglob("*.py"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
CALLED_OTHERWISE = {"sklearn": "scikit-learn"}
# What each part of the package may import beyond the dependencies.
PARTS = {
    "cli/elsewhere.py": "dask",
    "data/dask_rows.py": "dask",
    "data/parquet.py": "files",
    "linear/questions/predictions/lazy_ranges.py": "dask",
    "views/explorer/app.py": "explore",
    "views/explorer/connections.py": "explore",
    "views/explorer/serve.py": "explore",
    "views/explorer/widget.py": "widget",
    "forest": "forest",
    "views/plots": "plot",
}


def names(requirements):
    return {re.match(r"[\w.-]+", one).group().lower() for one in requirements}


def imported(path):
    """Other projects that a file imports from, anywhere in it."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            found.add(node.module)
    modules = {name.partition(".")[0] for name in found}
    others = modules - sys.stdlib_module_names - {"allrelevant"}
    return {CALLED_OTHERWISE.get(module, module) for module in others}


def allowed(path):
    extras = PROJECT["optional-dependencies"]
    where = path.relative_to(SOURCE)
    parts = [extra for part, extra in PARTS.items() if where.is_relative_to(part)]
    return names(PROJECT["dependencies"]).union(*(names(extras[extra]) for extra in parts))


@pytest.mark.slow
def test_every_import_is_declared_for_where_it_is():
    undeclared = {path: imported(path) - allowed(path) for path in FILES}
    assert not {str(path): found for path, found in undeclared.items() if found}


@pytest.mark.slow
def test_every_dependency_is_imported():
    assert names(PROJECT["dependencies"]) <= set().union(*map(imported, FILES))


def test_lowest_versions_are_those_of_the_project():
    lowest = runpy.run_path(str(ROOT / "tools" / "lowest.py"))["lowest"](PROJECT)
    assert f"numpy=={bound('numpy')}" in lowest
    assert {pin.partition("==")[0] for pin in lowest} >= names(PROJECT["dependencies"])
    assert "allrelevant" not in " ".join(lowest)


def bound(name):
    """The lower bound of a dependency."""
    return next(one for one in PROJECT["dependencies"] if one.startswith(name)).split(">=")[1]


@pytest.mark.parametrize("wanted", ["numpy", "numpy<3"])
def test_requirements_without_a_lower_bound_are_refused(wanted):
    lowest = runpy.run_path(str(ROOT / "tools" / "lowest.py"))["lowest"]
    with pytest.raises(SystemExit, match="has no lower bound"):
        lowest({"name": "mine", "dependencies": [wanted], "optional-dependencies": {}})


def test_every_supported_python_is_tried():
    supported = runpy.run_path(str(ROOT / "tools" / "release.py"))["supported"](PROJECT)
    assert PROJECT["requires-python"] == f">={supported[0]}"
    matrix = (ROOT / ".github" / "workflows" / "pythons.yml").read_text(encoding="utf-8")
    tried = re.search(r"python: \[(.+)\]", matrix).group(1)
    assert re.findall(r"[\d.]+", tried) == supported


def test_one_version_is_named_everywhere():
    named = runpy.run_path(str(SOURCE / "_version.py"))["__version__"]
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert re.search(r"^version: (.+)$", citation, flags=re.MULTILINE).group(1) == named
    assert f"\n## {named}\n" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
