"""No name stands for two things."""

import ast
from collections import Counter
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "src" / "allrelevant"
# Functions that do the same for something else.
ALIKE = {
    "analyse": "a fit, of either method",
    "as_html": "a view of a result, of either kind",
    "as_text": "the same",
    "check_parameters": "of an estimator",
    "cheapest": "the page's answer is that of the question",
    "column_order": "by the columns themselves, in either method",
    "compare": "the command does what the function does",
    "explore": "the same",
    "fit": "the command, and what the kernel method does",
    "groups": "of features: the question, a forest's, the command's and the page's answer",
    "run": "a backend, and the one that is in use; the command line",
    "shuffled": "values in other places, in either method",
}


def public(*kinds):
    """How often each name without an underscore is defined at the top of a module."""
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in SOURCE.rglob("*.py")]
    found = (node.name for tree in trees for node in tree.body if isinstance(node, kinds))
    return Counter(name for name in found if not name.startswith("_"))


def test_every_public_class_has_a_name_of_its_own():
    assert [name for name, count in public(ast.ClassDef).items() if count > 1] == []


def test_functions_of_one_name_do_the_same():
    found = public(ast.FunctionDef, ast.AsyncFunctionDef)
    assert {name for name, count in found.items() if count > 1} == set(ALIKE)
