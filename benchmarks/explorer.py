"""How soon the explorer's bars move, in a real browser.

Run as ``make explorer-bench`` or ``python -m benchmarks.explorer``. Writes
docs/results/benchmarks-explorer.md. The server is a process of its own, as a user has it, and
what is timed is what a user waits for: from the event in the page to the first bar that has its
new ends, and to the last one. Wants a machine that does nothing else.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

PAGE = Path(__file__).parent.parent / "docs" / "results" / "benchmarks-explorer.md"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
ASKED = 100  # milliseconds until the first bar moves
STEPS = 20  # clicks or moves of each kind
SETTLED = 5000  # milliseconds until all bars in the list have their new ends, of 200 features
MANY = {200: (300, 180), 2000: (200, 1980)}  # rows and irrelevant features of made-up tables

# A row is stale from the moment something is asked until its new bar is there.
WATCH = """
() => {
  const clock = (window.clock = { start: null, first: null, last: null });
  const begin = (event) => {
    if (!clock.armed) return;
    Object.assign(clock, { start: event.timeStamp, first: null, last: null, armed: false });
  };
  for (const kind of ["click", "pointermove"]) addEventListener(kind, begin, true);
  new MutationObserver((changes) => {
    if (clock.start === null) return;
    const fresh = changes.some(({ target, oldValue }) =>
      target.matches(".row[data-j]") && /\\bstale\\b/.test(oldValue ?? "")
        && !target.classList.contains("stale"));
    if (!fresh) return;
    clock.last = performance.now() - clock.start;
    clock.first ??= clock.last;
  }).observe(document.body, { subtree: true, attributeFilter: ["class"], attributeOldValue: true });
}
"""


@dataclass(frozen=True)
class Waits:
    """Milliseconds until the first and until the last bar, for each question of a kind."""

    kind: str
    first: list[float]
    last: list[float]

    def row(self) -> str:
        """A line of the table."""
        spread = "{:.0f} | {:.0f} | {:.0f}"
        first = spread.format(np.median(self.first), np.quantile(self.first, 0.9), max(self.first))
        within = sum(wait <= ASKED for wait in self.first)
        return (
            f"| {self.kind} | {first} | {within} of {len(self.first)} "
            f"| {np.median(self.last):.0f} | {max(self.last):.0f} |"
        )


def serve(n_features: int) -> None:
    """Fit the breast cancer data, or made-up data of more features, and serve the explorer."""
    from sklearn.datasets import load_breast_cancer

    from allrelevant import RelevanceClassifier
    from allrelevant.datasets import make_classification
    from allrelevant.views.explorer import Session
    from allrelevant.views.explorer.serve import serve as serve_page

    if n_features in MANY:
        n_rows, n_irrelevant = MANY[n_features]
        kinds = {"n_strong": 4, "n_weak": 16, "n_irrelevant": n_irrelevant}
        X, y, _ = make_classification(n_rows, **kinds, label_noise=0.02, random_state=0)
    else:
        X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    model = RelevanceClassifier(random_state=0).fit(X, y)
    serve_page(Session(model, X), open_browser=False)


@contextmanager
def server(n_features: int = 30) -> Iterator[str]:
    """The address of a server in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.explorer", "--serve", str(n_features)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        try:
            for line in process.stderr:
                if line.startswith("explorer: "):
                    yield line.split()[1]
                    return
            raise RuntimeError("the server has not started")
        finally:
            process.terminate()


@contextmanager
def opened(address: str) -> Iterator[Any]:
    """The page in Chromium, which can reach this machine only."""
    from playwright.sync_api import sync_playwright

    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        raise RuntimeError("Chromium is missing")
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 1000})
        page.route("**/*", lambda route: _local(route, address))
        page.goto(address)
        page.wait_for_selector(".row[data-j]")
        page.evaluate(WATCH)
        yield page
        browser.close()


def _local(route: Any, address: str) -> None:
    if route.request.url.startswith(address):
        route.continue_()
    else:
        route.abort()


def waits(page: Any, kind: str, names: list[str], act: Callable[[Any], None]) -> Waits:
    """Do something to one feature after the other, each time from all equally good models."""
    first, last = [], []
    for name in names:
        settle(page)
        page.evaluate("() => { clock.armed = true; clock.start = null; }")
        act(page.locator(f'.row[data-name="{name}"]'))
        settle(page)
        clock = page.evaluate("() => clock")
        if clock["first"] is not None:
            first.append(clock["first"])
            last.append(clock["last"])
        page.mouse.up()
        page.locator(".reset").click(force=True)
    return Waits(kind, first, last)


def settle(page: Any) -> None:
    """Wait until all bars are there."""
    page.wait_for_function("() => !document.querySelector('.stale, [aria-busy]')", timeout=120_000)


def drag(end: str, by: float) -> Callable[[Any], None]:
    """Begin to drag a handle, by one move; the button is still down afterwards."""

    def act(row: Any) -> None:
        grip = row.locator(f"[data-end={end}] .target").bounding_box()
        x, y = grip["x"] + grip["width"] / 2, grip["y"] + grip["height"] / 2
        row.page.evaluate("() => { clock.armed = false; }")
        row.page.mouse.move(x, y)
        row.page.mouse.down()
        row.page.evaluate("() => { clock.armed = true; }")
        row.page.mouse.move(x + by, y)

    return act


def many(n_features: int) -> str:
    """A line of the second table: the page and its list with many features."""
    with server(n_features) as address, opened(address) as page:
        loaded = page.evaluate("() => performance.now()")
        names = page.eval_on_selector_all(".row[data-j]", "rows => rows.map(r => r.dataset.name)")
        some = names[4:10]  # the first are strong, and cannot be forbidden
        found = waits(page, "forbid", some, lambda row: row.locator(".forbid").click())
        unfolded = page.evaluate(
            """() => { const from = performance.now(); document.querySelector(".fold").click();
                document.body.offsetHeight; return performance.now() - from; }"""
        )
    within = sum(wait <= SETTLED for wait in found.last)
    return (
        f"| {n_features} | {len(names)} | {loaded:.0f} | {np.median(found.first):.0f} "
        f"| {np.median(found.last):.0f} | {max(found.last):.0f} | {within} of {len(found.last)} "
        f"| {unfolded:.0f} |"
    )


def text(found: list[Waits], lines_of_many: list[str]) -> str:
    """The page."""
    load = os.getloadavg()[0]
    busy = "" if load < 2.0 else f" The machine was busy: a load of {load:.0f}."
    lines = [
        "# How soon the explorer's bars move",
        "",
        "Milliseconds in headless Chromium on the machine that also runs the server, from one",
        "run of `make explorer-bench`: from the click or the movement of the pointer to the first",
        "of thirty bars (breast cancer, 569×30) that has its new ends, and to the last. Every",
        "question is asked from the state without constraints, and no two are the same. The target",
        f"is at most {ASKED} ms until the first bar.{busy}",
        "",
        "| question | first bar, median | 90 % | largest | within 100 ms "
        "| last bar, median | largest |",
        "|---|---|---|---|---|---|---|",
        *[part.row() for part in found],
        "",
        "The same with many features (made-up tables: 4 strong, 16 weak, the others noise; 300",
        "rows for 200 features, 200 for 2,000), when one of the first weak features is forbidden.",
        "What is irrelevant is folded away, stays irrelevant whatever is asked, and is solved for",
        "only when it is unfolded, so the list is settled when its own bars are. The target with",
        f"200 features is at most {SETTLED / 1000:.0f} s until then.",
        "",
        "| features | in the list | page is there | first bar, median | list settled, median "
        "| largest | within 5 s | unfolding |",
        "|---|---|---|---|---|---|---|---|",
        *lines_of_many,
        "",
    ]
    return "\n".join(lines)


def main() -> None:
    """Measure, print and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--serve", type=int, metavar="FEATURES", help="be the server")
    asked = parser.parse_args().serve
    if asked is not None:
        serve(asked)
        return
    with server() as address, opened(address) as page:
        names = page.eval_on_selector_all(".row[data-j]", "rows => rows.map(r => r.dataset.name)")
        names = names[:STEPS]
        found = [
            waits(page, "forbid", names, lambda row: row.locator(".forbid").click()),
            waits(page, "keep", names, lambda row: row.locator(".keep").click()),
            waits(page, "drag the upper end", names, drag("high", -25.0)),
            waits(page, "drag the lower end", names, drag("low", 15.0)),
        ]
    written = text(found, [many(n_features) for n_features in MANY])
    PAGE.write_text(written, encoding="utf-8")
    print(written)


if __name__ == "__main__":
    main()
