"""What is private stays at home: no module reads private names of objects made elsewhere."""

import ast
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "allrelevant"
MODULES = sorted(SOURCE.rglob("*.py"))
OWN = ("self", "cls")
ALLOWED = {
    "_asdict": "public in spite of its name: of named tuples",
    "_fields": "the same",
    "_replace": "the same",
    "_exit": "of os: how a process ends without cleaning up",
    "_getframe": "of sys: who is to be told of a warning",
    "_init_callback_context": "of scikit-learn: callbacks have no other way in yet",
    "_skl_callbacks": "of scikit-learn: whether there are any callbacks",
}


def is_private(name):
    return name.startswith("_") and not name.startswith("__")


def is_own(value):
    """Whether it is the object or the class itself, by whatever name its parents know it."""
    if isinstance(value, ast.Call):
        return isinstance(value.func, ast.Name) and value.func.id == "super"
    return isinstance(value, ast.Name) and value.id in OWN


def defined(tree):
    """Names that the classes of a module have; private ones are for all of the module."""
    found = set()
    for each in (node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)):
        functions = (ast.FunctionDef, ast.AsyncFunctionDef)
        found |= {node.name for node in each.body if isinstance(node, functions)}
        for node in ast.walk(each):
            if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
                found |= {node.attr} if is_own(node.value) else set()
    return found


def taken(tree):
    """Private names that are read off, or imported from, something else, with their lines."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and not is_own(node.value):
            yield node.attr, node.lineno
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("allrelevant"):
            yield from ((alias.name, node.lineno) for alias in node.names)
        if isinstance(node, ast.Call) and getattr(node.func, "id", None) in ("getattr", "setattr"):
            owner, name = node.args[:2]
            if isinstance(name, ast.Constant) and not is_own(owner):
                yield str(name.value), node.lineno


def offences(text):
    tree = ast.parse(text)
    home = defined(tree)
    return [
        (line, name)
        for name, line in taken(tree)
        if is_private(name) and name not in ALLOWED and name not in home
    ]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_no_module_reads_what_is_private_elsewhere(path):
    assert offences(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("estimator._analysis.problem", ["_analysis"]),
        ("fitted.result._content()", ["_content"]),
        ("getattr(model, '_session', None)", ["_session"]),
        ("from allrelevant.base.labels import _order", ["_order"]),
        ("def f(self): return self._own + super()._own + self.__dict__", []),
        ("class A:\n def _key(self): ...\n def __eq__(self, o): return o._key()", []),
        ("point._replace(x=1)", []),
    ],
)
def test_the_test_sees_them(text, names):
    assert [name for _, name in offences(text)] == names


def test_all_that_is_allowed_is_needed():
    texts = [path.read_text(encoding="utf-8") for path in MODULES]
    assert [name for name in ALLOWED if not any(name in text for text in texts)] == []
