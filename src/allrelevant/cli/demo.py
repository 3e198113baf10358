"""``allrelevant demo``: the breast cancer data of scikit-learn."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

import allrelevant
from allrelevant.base.writing import write_text, written_whole
from allrelevant.cli.echo import echo
from allrelevant.cli.output import write_result

__all__ = ["demo"]

_FORBIDDEN = ["worst radius", "worst area", "worst perimeter", "mean radius", "mean area"]


@click.command()
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=Path("out"),
    show_default=True,
    help="Folder for the files it writes.",
)
@click.option("--quick", is_flag=True, help="Neither groups nor ranges of predictions.")
def demo(out: Path, quick: bool) -> None:
    """Analyse the breast cancer data of scikit-learn: a table, and files in a folder.

    \b
    Example:
      allrelevant demo --out out
    """
    from sklearn.datasets import load_breast_cancer

    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OSError(f"cannot write to {out}: {error.strerror}") from None
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    model = allrelevant.RelevanceClassifier(random_state=0, verbose=1).fit(X, y)
    write_result(model.result_)
    details = {} if quick else _details(model, X)
    written = [out / "breast_cancer.json", out / "breast_cancer.html"]
    write_text(written[0], model.result_.to_json(indent=2))
    facts = {"rows": len(X), "features": X.shape[1]}
    model.result_.report(written[1], target="the diagnosis", data=facts, **details)
    try:
        for name, display in _displays(model, details).items():
            written.append(out / f"{name}.png")
            with written_whole(written[-1]) as file:
                display.save(file, dpi=120)
    except ImportError as error:
        echo(f"no plots: {error}", err=True)
    echo("\nwritten: " + ", ".join(str(path) for path in written))


def _details(model: Any, X: Any) -> dict[str, Any]:
    echo("\nlooking for groups and unsettled predictions …", err=True)
    return {"groups": model.groups(), "predictions": model.prediction_range(X)}


def _displays(model: Any, details: dict[str, Any]) -> dict[str, Any]:
    """Draw everything there is to draw."""
    displays: dict[str, Any] = {
        "breast_cancer": allrelevant.RelevanceDisplay.from_estimator(model),
        "what_if": allrelevant.RelevanceDisplay.from_result(model.what_if(forbid=_FORBIDDEN)),
    }
    if details:
        displays |= {
            "groups": allrelevant.GroupsDisplay.from_result(model.result_, details["groups"]),
            "predictions": allrelevant.PredictionRangeDisplay(
                details["predictions"], (0.0,)
            ).plot(),
        }
    return displays
