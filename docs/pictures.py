"""The pictures of README and docs: those of ``allrelevant demo``, stability, the explorer's page.

Run it with ``make pictures``; the page needs Chromium.
"""

from __future__ import annotations

import shutil
import sys
import threading
from pathlib import Path

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
    RelevancePathDisplay,
    RelevanceRegressor,
    ShapeBandDisplay,
    StabilityDisplay,
)
from allrelevant.views.explorer import Session
from allrelevant.views.explorer.app import create_app

PORT, TOKEN = 8765, "pictures"
IMAGES = Path(__file__).parent / "images"


def explorer(path: Path) -> None:
    """Ask a question on the page, and take a picture of it."""
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    model = RelevanceClassifier(random_state=0).fit(X, y)
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


def stability(path: Path) -> None:
    """Draw what halves of the rows find."""
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    model = RelevanceClassifier(random_state=0).fit(X, y)
    StabilityDisplay.from_estimator(model).figure_.savefig(path, dpi=120)


def path_over_c(path: Path) -> None:
    """Draw how relevances change along C."""
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    model = RelevanceClassifier(random_state=0).fit(X, y)
    figure = RelevancePathDisplay.from_estimator(model, max_features=12).figure_
    figure.savefig(path, dpi=100)


def region(path: Path) -> None:
    """Draw what two weights can be together."""
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    model = RelevanceClassifier(random_state=0).fit(X, y)
    found = PairRegionDisplay.from_estimator(model, "worst radius", "worst area")
    found.figure_.savefig(path, dpi=100)


def explanation(path: Path) -> None:
    """Draw what groups of features add to one patient's score."""
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    model = RelevanceClassifier(random_state=0).fit(X, y)
    found = ExplanationDisplay.from_estimator(model, X, 0, groups=model.groups(), max_features=9)
    found.figure_.savefig(path, dpi=100)


def shape(path: Path) -> None:
    """Draw what features add to a prediction: the example of docs/manual/curves.md."""
    random = np.random.default_rng(0)
    X = pd.DataFrame(random.normal(size=(200, 4)), columns=["age", "dose", "weight", "noise"])
    y = np.sin(2 * X.age) + X.dose**2 / 2 + X.weight + 0.3 * random.normal(size=200)
    model = RelevanceRegressor(basis="spline", random_state=0).fit(X, y)
    ShapeBandDisplay.from_estimator(model, list(X)).figure_.savefig(path, dpi=120)


if __name__ == "__main__":
    for name in ("breast_cancer", "what_if", "groups", "predictions"):
        shutil.copy(Path(sys.argv[1]) / f"{name}.png", IMAGES)
    stability(IMAGES / "stability.png")
    path_over_c(IMAGES / "path.png")
    region(IMAGES / "region.png")
    explanation(IMAGES / "explanation.png")
    shape(IMAGES / "shape.png")
    explorer(IMAGES / "explorer.png")
    for path in IMAGES.glob("*.png"):  # few colours are enough, and small
        Image.open(path).convert("RGB").quantize(96, dither=Image.Dither.NONE).save(
            path, optimize=True
        )
