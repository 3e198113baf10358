"""Print every module below a folder of the package with the first sentence of its docstring.

The one map of all files: it is read off the files themselves, so that it cannot be out of date.
"""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).parent.parent / "src" / "allrelevant"


def rooms(below: str = "") -> Iterator[str]:
    """A line for every module, packages first among their modules."""
    for path in sorted((PACKAGE / below).rglob("*.py"), key=lambda p: (p.parent, p.name)):
        place = path.relative_to(PACKAGE)
        said = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
        name = f"{place.parent}/" if path.name == "__init__.py" else f"  {place.name}"
        yield f"{name:<28}{said.partition(chr(10))[0]}"


if __name__ == "__main__":
    sys.stdout.write("\n".join(rooms(*sys.argv[1:2])) + "\n")
