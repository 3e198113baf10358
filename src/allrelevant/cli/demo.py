"""``allrelevant demo``: the breast cancer data of scikit-learn."""

from __future__ import annotations

from pathlib import Path

import click
from sklearn.datasets import load_breast_cancer

from allrelevant import RelevanceClassifier, RelevanceDisplay

__all__ = ["demo"]


@click.command()
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=Path("out"),
    show_default=True,
    help="Folder for the files it writes.",
)
def demo(out: Path) -> None:
    """Analyse the breast cancer data of scikit-learn: a table, and files in a folder.

    \b
    Example:
      allrelevant demo --out out
    """
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OSError(f"cannot write to {out}: {error.strerror}") from None
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    model = RelevanceClassifier(random_state=0, verbose=1).fit(X, y)
    result = model.result_
    click.echo(str(result))
    written = [out / "breast_cancer.json", out / "breast_cancer.html"]
    written[0].write_text(result.to_json(indent=2), encoding="utf-8")
    facts = {"rows": len(X), "features": X.shape[1]}
    result.report(written[1], target="the diagnosis", data=facts)
    try:
        display = RelevanceDisplay.from_result(result)
    except ImportError as error:
        click.echo(f"no plot: {error}", err=True)
    else:
        written.append(out / "breast_cancer.png")
        display.figure_.savefig(written[-1], dpi=150)  # type: ignore[union-attr]
    click.echo("\nwritten: " + ", ".join(str(path) for path in written))
