"""Every public name is in the reference, and shows an example that runs."""

import inspect
import re
from pathlib import Path

import pytest

import allrelevant
from allrelevant import backends, data, datasets, papers, tabular

PAGE = Path(__file__).parent.parent / "docs" / "api" / "index.rst"


def listed():
    """Names by the module that they are listed below."""
    found, module = {}, None
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if line.startswith(".. currentmodule::"):
            module = line.split("::")[1].strip()
        elif name := re.fullmatch(r"   (\w+)", line):
            found.setdefault(module, set()).add(name[1])
    return found


def explained(module):
    """Names that a module's own text has an example of: they have no docstring that is run."""
    return {name for name in module.__all__ if not callable(getattr(module, name))}


def test_every_public_name_is_listed_and_no_other():
    modules = (allrelevant, papers, datasets, tabular, backends)
    assert listed() == {
        **{module.__name__: set(module.__all__) - explained(module) for module in modules},
        data.__name__: {data.open_parquet.__name__},  # all else in there is the engine's
    }


@pytest.mark.parametrize("module", [allrelevant, papers, datasets, tabular, backends])
def test_every_public_name_has_an_example(module):
    without = [
        name
        for name in sorted(set(module.__all__) - explained(module))
        if ">>>" not in (inspect.getdoc(getattr(module, name)) or "")
    ]
    assert not without
    assert ">>>" in data.open_parquet.__doc__
    examples = [line for line in (module.__doc__ or "").splitlines() if ">>>" in line]
    assert not [name for name in explained(module) if not any(name in line for line in examples)]
