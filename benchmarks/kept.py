"""What a benchmark has measured so far, so that the next run goes on where the last one ended."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def read_kept(path: Path, *, afresh: bool = False) -> dict[str, Any]:
    """What is known; nothing where nothing was kept, or it is to be forgotten."""
    if afresh or not path.exists():
        return {}
    known: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return known


def keep(path: Path, known: dict[str, Any]) -> None:
    """Write what is known, a line for each entry."""
    path.parent.mkdir(exist_ok=True)
    lines = (f"{json.dumps(key, ensure_ascii=False)}: {json.dumps(known[key])}" for key in known)
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
