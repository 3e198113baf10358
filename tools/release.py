"""Build what would be released from a tag, and try it; nothing is uploaded.

``make release`` takes the tag ``v`` and the version, ``make release TAG=HEAD`` any other revision
for a rehearsal. Source and wheel go to dist/. The wheel is installed into a new environment of
every supported Python that is found, as ``python3.12`` or by pyenv, and asked for an answer there.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent
DIST = ROOT / "dist"
PYENV = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
TRIAL = """
import allrelevant, sys
from allrelevant.datasets import make_classification
assert "site-packages" in allrelevant.__file__, allrelevant.__file__
X, y, truth = make_classification(
    100, n_strong=1, n_weak=2, n_irrelevant=2, label_noise=0.05, random_state=0)
model = allrelevant.RelevanceClassifier(random_state=0).fit(X, y)
assert model.relevance_classes_.tolist() == truth.tolist(), model.relevance_classes_
print(f"{allrelevant.__version__} on Python {sys.version.split()[0]}: the answer is right")
"""


def run(*command: str | Path, **options: object) -> str:
    """What a command prints; what it complains of is shown."""
    done = subprocess.run([*map(str, command)], check=True, stdout=subprocess.PIPE, **options)
    return done.stdout.decode().strip()


def supported(project: dict) -> list[str]:
    """Versions of Python that the project says it runs on."""
    last = (one.rpartition(":: ")[2] for one in project["classifiers"] if "Python :: 3." in one)
    return [version for version in last if version.startswith("3.")]


def interpreters(versions: list[str]) -> dict[str, Path]:
    """Where each of them is, as far as it is on this machine."""
    found = {}
    for version in versions:
        named = shutil.which(f"python{version}")
        others = sorted(PYENV.glob(f"{version}.*/bin/python"))
        if named or others:
            found[version] = others[-1] if others else Path(named)
    return found


def build(tag: str, folder: Path) -> tuple[Path, Path]:
    """Source and wheel of a revision, from nothing but what is committed there."""
    run("git", "-C", ROOT, "archive", "--output", folder / "tree.tar", tag)
    with tarfile.open(folder / "tree.tar") as tree:
        tree.extractall(folder / "tree", filter="data")
    committed = run("git", "-C", ROOT, "log", "-1", "--format=%ct", tag)
    same_bytes = {**os.environ, "SOURCE_DATE_EPOCH": committed}
    made = folder / "made"
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", made, folder / "tree",
        env=same_bytes)  # fmt: skip
    (sdist,), (wheel,) = made.glob("*.tar.gz"), made.glob("*.whl")
    run(sys.executable, "-m", "twine", "check", "--strict", sdist, wheel)
    return sdist, wheel


def try_out(package: Path, python: Path, folder: Path) -> str:
    """Install a package into a new environment, and ask it for an answer."""
    run(python, "-m", "venv", folder)
    inside = folder / "bin" / "python"
    run(inside, "-m", "pip", "--disable-pip-version-check", "install", "--quiet", package)
    version = run(folder / "bin" / "allrelevant", "--version", cwd=folder)
    return f"{version}; {run(inside, '-c', TRIAL, cwd=folder)}"


def main() -> None:
    """Build, try, and say where it is."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tag", help="the revision to build; by default v and the version")
    parser.add_argument("--versions", nargs="*", help="versions of Python to try it on")
    options = parser.parse_args()
    version = (ROOT / "src/allrelevant/_version.py").read_text().split('"')[-2]
    tag = options.tag or f"v{version}"
    known = ["git", "-C", ROOT, "rev-parse", "-q", "--verify", tag]
    if subprocess.run(known, capture_output=True).returncode:
        sys.exit(f"there is no tag {tag}: git tag -a {tag}, or a rehearsal: make release TAG=HEAD")
    is_release = tag == f"v{version}"
    changes = run("git", "-C", ROOT, "show", f"{tag}:CHANGELOG.md")
    if f"## {version}" not in changes:
        sys.exit(f"CHANGELOG.md has no section of {version} at {tag}")
    if is_release and "## Unreleased" in changes:
        sys.exit(f"CHANGELOG.md at {tag} has unreleased changes: move them to {version}")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = options.versions or supported(project)
    there = interpreters(wanted)
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        sdist, wheel = build(tag, folder)
        if is_release and version not in wheel.name:
            sys.exit(f"{tag} builds {wheel.name}")
        for number, (name, python) in enumerate(there.items()):
            print(try_out(wheel, python, folder / f"wheel-{name}"), flush=True)
            if not number:
                print("from source:", try_out(sdist, python, folder / "sdist"), flush=True)
        DIST.mkdir(exist_ok=True)
        for package in (sdist, wheel):
            shutil.copy(package, DIST)
    missing = [name for name in wanted if name not in there]
    if missing:
        print(f"!!! not tried, as it is not on this machine: Python {', '.join(missing)}")
    print(f"{tag}: dist/{sdist.name} and dist/{wheel.name}. Nothing was uploaded.")


if __name__ == "__main__":
    main()
