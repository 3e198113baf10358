"""Names that are imported when they are first used are all there, and none is imported before."""

import ast
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

import allrelevant
from allrelevant import tabular

SLOW = ("numpy", "scipy", "pandas", "sklearn", "joblib", "highspy", "matplotlib")


def imported_for_type_checkers(package):
    tree = ast.parse(Path(package.__file__).read_text(encoding="utf-8"))
    branch = next(node for node in tree.body if isinstance(node, ast.If))
    return {node.module: {alias.name for alias in node.names} for node in branch.body}


@pytest.mark.parametrize("package", [allrelevant, tabular], ids=lambda package: package.__name__)
def test_type_checkers_and_programs_see_the_same_names(package):
    homes = {module: set(names.split()) for module, names in package._HOMES.items()}
    assert homes == imported_for_type_checkers(package)
    assert set().union(*homes.values()) == set(package.__all__) - {"__version__"}
    assert set(package.__all__) <= set(dir(package))


def test_every_name_is_found_and_pickles():
    for name in allrelevant.__all__:
        value = getattr(allrelevant, name)
        assert pickle.loads(pickle.dumps(value)) is value or name == "__version__"


def test_parts_are_found_and_others_are_not():
    assert allrelevant.papers.NAMES
    assert "papers" in dir(allrelevant)
    with pytest.raises(AttributeError, match="no attribute 'RelevanceClasifier'"):
        _ = allrelevant.RelevanceClasifier
    with pytest.raises(ImportError, match="RelevanceClasifier"):
        exec("from allrelevant import RelevanceClasifier")


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [["--help"], ["fit", "--help"], ["fit", "none", "-t", "y"]])
def test_what_takes_long_to_import_is_not_imported_by_the_command(arguments):
    program = (
        "import sys; from allrelevant.cli import main; code = main(sys.argv[1:]); "
        f"print(*(name for name in {SLOW} if name in sys.modules), file=sys.stderr); "
        "sys.exit(code)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments], capture_output=True, text=True
    )
    expected = "" if "--help" in arguments else "allrelevant: there is no file none\n"
    assert done.stderr == f"{expected}\n"
    assert done.returncode == (2 if expected else 0)
