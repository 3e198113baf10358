"""The command ``allrelevant``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from sklearn.datasets import load_breast_cancer

from allrelevant import RelevanceClassifier, RelevanceDisplay, __version__


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; gives its exit code."""
    parser = argparse.ArgumentParser(
        prog="allrelevant",
        description="Which features must, can and need not be used by the models that fit your "
        "data equally well.",
    )
    parser.add_argument("--version", action="version", version=f"allrelevant {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    demo = commands.add_parser("demo", help="analyse the breast cancer data of scikit-learn")
    demo.add_argument(
        "--out", type=Path, default=Path("out"), help="folder for the files it writes (out)"
    )
    given = parser.parse_args(arguments)
    return run_demo(given.out)


def run_demo(folder: Path) -> int:
    """Analyse the breast cancer data: the table on screen, result and plot as files."""
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    result = RelevanceClassifier(random_state=0, verbose=1).fit(X, y).result_
    print(result)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        written = [folder / "breast_cancer.json"]
        written[0].write_text(result.to_json(indent=2), encoding="utf-8")
        try:
            display = RelevanceDisplay.from_result(result)
        except ImportError as error:
            print(f"no plot: {error}", file=sys.stderr)
        else:
            written.append(folder / "breast_cancer.png")
            display.figure_.savefig(written[-1], dpi=150)  # type: ignore[union-attr]
    except OSError as error:
        print(f"allrelevant: cannot write to {folder}: {error.strerror}", file=sys.stderr)
        return 2
    print("\nwritten: " + ", ".join(str(path) for path in written))
    return 0


if __name__ == "__main__":
    sys.exit(main())
