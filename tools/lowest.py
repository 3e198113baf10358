"""Print the lowest versions that pyproject.toml allows, as constraints for pip.

Of the dependencies and of every extra that users install or tests need: what checks the code or is
measured against says nothing about where the package works.
"""

import re
import sys
import tomllib
from pathlib import Path

PYPROJECT = Path(__file__).parent.parent / "pyproject.toml"
NOT_TRIED = {"check", "bench", "dev", "docs"}


def lowest(project: dict) -> list[str]:
    """One ``name==version`` for each requirement, sorted by name."""
    extras = project["optional-dependencies"]
    wanted = [*project["dependencies"]]
    wanted += [one for name, extra in extras.items() if name not in NOT_TRIED for one in extra]
    pins = {}
    for requirement in wanted:
        name = re.match(r"[\w.-]+", requirement).group().lower()
        if name == project["name"]:
            continue  # an extra made of others
        found = re.search(r">=\s*([\w.]+)", requirement)
        if found is None:
            raise SystemExit(f"{requirement} has no lower bound")
        if pins.setdefault(name, found.group(1)) != found.group(1):
            raise SystemExit(f"{name} has two lower bounds")
    return [f"{name}=={version}" for name, version in sorted(pins.items())]


if __name__ == "__main__":
    project = tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))["project"]
    sys.stdout.write("\n".join(lowest(project)) + "\n")
