"""The pictures of README and docs; ``docs/figures.md`` says which of them are made here.

Run it with ``make pictures``. The explorer's page needs Chromium. The two pictures of the COMPAS
data are drawn where ALLRELEVANT_COMPAS names the table.
"""

from __future__ import annotations

import os
import runpy
import shutil
import sys
import threading
from pathlib import Path
from tempfile import TemporaryDirectory

import matplotlib as mpl

mpl.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import uvicorn
from PIL import Image
from playwright.sync_api import sync_playwright
from sklearn.datasets import load_breast_cancer

from allrelevant import (
    ExplanationDisplay,
    PairRegionDisplay,
    RelevanceClassifier,
    RelevanceDisplay,
    RelevancePathDisplay,
    RelevanceRegressor,
    ShapeBandDisplay,
    StabilityDisplay,
)
from allrelevant.datasets import make_classification
from allrelevant.views.explorer import Session
from allrelevant.views.explorer.app import create_app

PORT, TOKEN = 8765, "pictures"
IMAGES = Path(__file__).parent / "images"
EXAMPLES = Path(__file__).parent.parent / "examples"


def explorer(model: RelevanceClassifier, X: pd.DataFrame, path: Path) -> None:
    """Ask a question on the page, and take a picture of it."""
    session = Session(model, X, target="the diagnosis")
    app = create_app(session, TOKEN, {f"127.0.0.1:{PORT}"})
    server = uvicorn.Server(uvicorn.Config(app, port=PORT, log_level="critical"))
    threading.Thread(target=server.run, daemon=True).start()
    with sync_playwright() as driver:
        browser = driver.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        page = browser.new_page(viewport={"width": 1200, "height": 760})
        while not server.started:
            page.wait_for_timeout(50)
        page.goto(f"http://127.0.0.1:{PORT}/{TOKEN}/")
        for name in ("worst radius", "worst area", "worst perimeter", "mean area", "mean radius"):
            page.locator(f'.row[data-name="{name}"] .forbid').click()
            page.wait_for_function("() => !document.querySelector('.stale')", timeout=60_000)
        page.locator('.row[data-name="mean perimeter"] .name').click()
        page.wait_for_selector(".row.grouped", timeout=300_000)
        page.mouse.move(600, 5)
        page.wait_for_timeout(300)
        page.screenshot(path=path)
        browser.close()
    session.close()
    server.should_exit = True


def about_tumours(model: RelevanceClassifier, X: pd.DataFrame) -> None:
    """Halves of the rows, the path over C, two weights together, and one patient's score."""
    groups = model.groups()
    for name, figure, dpi in (
        ("stability", StabilityDisplay.from_estimator(model).figure_, 120),
        ("path", RelevancePathDisplay.from_estimator(model, max_features=12).figure_, 100),
        (
            "region",
            PairRegionDisplay.from_estimator(model, "worst radius", "worst area").figure_,
            100,
        ),
        (
            "explanation",
            ExplanationDisplay.from_estimator(model, X, 0, groups=groups, max_features=9).figure_,
            100,
        ),
    ):
        figure.savefig(IMAGES / f"{name}.png", dpi=dpi)


def shape(path: Path) -> None:
    """Draw what features add to a prediction: the example of docs/manual/curves.md."""
    random = np.random.default_rng(0)
    X = pd.DataFrame(random.normal(size=(200, 4)), columns=["age", "dose", "weight", "noise"])
    y = np.sin(2 * X.age) + X.dose**2 / 2 + X.weight + 0.3 * random.normal(size=200)
    model = RelevanceRegressor(basis="spline", random_state=0).fit(X, y)
    ShapeBandDisplay.from_estimator(model, list(X)).save(path, dpi=120)


def idea() -> None:
    """Models that are equally good, the set of all of them, and what is told of it.

    The table is that of README.md and of docs/manual/idea.md.
    """
    X, y, _ = make_classification(
        300, n_strong=2, n_weak=3, n_irrelevant=2, label_noise=0.05, random_state=0
    )
    names = ["age", "dose", "height", "girth", "weight", "room", "weekday"]
    X = pd.DataFrame(X, columns=names)
    model = RelevanceClassifier(random_state=0).fit(X, y)

    figure, axes = plt.subplots(
        1, 4, figsize=(10, 2.6), layout="constrained", sharex=True, sharey=True
    )
    weights = {"the best model": model.result_.weights}
    for name in names[2:5]:
        most = model.witness(name, "max").to_frame().set_index("feature")
        weights[f"as much {name} as possible"] = most.weight.reindex(names)
    for ax, (title, shares) in zip(axes, weights.items(), strict=True):
        ax.barh(names, np.abs(np.nan_to_num(np.asarray(shares, dtype=float))), color="#0072B2")
        ax.set_title(title, fontsize="medium", loc="left")
        ax.spines[["top", "right", "left"]].set_visible(False)
        ax.tick_params(axis="y", length=0)
    axes[0].invert_yaxis()
    figure.supxlabel("share of the weight", fontsize="medium")
    figure.savefig(IMAGES / "idea_models.png", dpi=120)

    figure, axes = plt.subplots(1, 2, figsize=(9, 4), layout="constrained")
    PairRegionDisplay.from_estimator(model, "height", "girth", ax=axes[0])
    PairRegionDisplay.from_estimator(model, "age", "room", ax=axes[1])
    figure.savefig(IMAGES / "idea_set.png", dpi=120)

    RelevanceDisplay.from_estimator(model).save(IMAGES / "idea_bars.png", dpi=120)


ROOMS = (  # name, what it holds, left end, storey, width
    ("tabular/", "what a table holds: targets, categories, gaps", 0.0, 4, 7.0),
    ("linear/", "the set of equivalent\nlinear models", 0.0, 3, 2.2),
    ("forest/", "non-linear\nrelations", 2.4, 3, 2.2),
    ("kernel/", "ordered classes\nfrom few labels", 4.8, 3, 2.2),
    ("results/", "plain answers that know no method: text, JSON, tables", 0.0, 2, 7.0),
    ("views/", "what people see of them: plots, report, explorer", 0.0, 1, 7.0),
    ("cli/", "one file for each kind of command", 0.0, 0, 7.0),
    ("base/", "what all of them share", 7.8, 4, 2.2),
    ("data/", "where rows live", 7.8, 3, 2.2),
    ("backends/", "where tasks are run", 7.8, 2, 2.2),
    ("datasets/", "data with known truth", 7.8, 1, 2.2),
)


def house(path: Path) -> None:
    """Draw the rooms of docs/notes/architecture.md, and which way data go."""
    figure, ax = plt.subplots(figsize=(9, 5), layout="constrained")
    ax.set(xlim=(-0.05, 10.05), ylim=(-0.05, 5.5))
    ax.set_axis_off()
    for name, text, left, storey, width in ROOMS:
        colour = "#cfe6f5" if name in ("linear/", "forest/", "kernel/") else "0.95"
        room = plt.Rectangle((left, storey), width, 0.72, facecolor=colour, edgecolor="0.4")
        ax.add_patch(room)
        middle = {"x": left + width / 2, "ha": "center"}
        ax.text(**middle, y=storey + 0.66, s=name, va="top", weight="bold")
        ax.text(**middle, y=storey + 0.41, s=text, va="top", fontsize="small", linespacing=1)
    arrow = {"arrowstyle": "-|>", "color": "0.3"}
    for storey, places in enumerate(((3.5,), (3.5,), (1.1, 3.5), (1.1, 3.5, 5.9), (3.5,))):
        for x in places:
            ax.annotate("", (x, storey + 0.73), (x, storey + 1.01), arrowprops=arrow)
    ax.text(3.5, 5.05, "files, frames", ha="center", va="bottom")
    ax.text(8.9, 5.05, "used by the others", ha="center", va="bottom")
    figure.savefig(path, dpi=110)
    plt.close(figure)


def of_example(name: str, dpi: int) -> None:
    """Run an example, and keep its last picture."""
    plt.close("all")
    runpy.run_path(str(EXAMPLES / f"plot_{name}.py"), run_name="__main__")
    plt.gcf().savefig(IMAGES / f"{name}.png", dpi=dpi)


def compas() -> None:
    """Run the example of risk scores, and keep two of its pictures."""
    with TemporaryDirectory() as folder:
        sys.argv = ["plot_compas.py", "--save", f"{folder}/compas"]
        runpy.run_path(str(EXAMPLES / "plot_compas.py"), run_name="__main__")
        shutil.copy(f"{folder}/compas-predictions.png", IMAGES / "compas.png")
        shutil.copy(f"{folder}/compas-without-race.png", IMAGES / "compas_without_race.png")


if __name__ == "__main__":
    for name in ("breast_cancer", "what_if", "groups", "predictions"):
        shutil.copy(Path(sys.argv[1]) / f"{name}.png", IMAGES)
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    model = RelevanceClassifier(random_state=0).fit(X, y)
    house(IMAGES / "house.png")
    idea()
    about_tumours(model, X)
    shape(IMAGES / "shape.png")
    for name, dpi in (
        ("few_labels", 100),
        ("importances", 100),
        ("privileged", 120),
        ("reject", 100),
    ):
        of_example(name, dpi)
    explorer(model, X, IMAGES / "explorer.png")
    if "ALLRELEVANT_COMPAS" in os.environ:
        compas()
    for path in IMAGES.glob("*.png"):  # few colours are enough, and small
        Image.open(path).convert("RGB").quantize(96, dither=Image.Dither.NONE).save(
            path, optimize=True
        )
