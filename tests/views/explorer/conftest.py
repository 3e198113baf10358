"""A server on this machine, and a real browser that may talk to it alone."""

import os
import shutil
from urllib.parse import urlsplit

import pytest
from explorer_server import Server

from allrelevant.views.explorer import Session

BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def pytest_collection_modifyitems(items):
    """Whatever needs a browser is slow."""
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.slow)


@pytest.fixture
def serve():
    """Start servers for estimators; they end with the test."""
    servers = []

    def start(estimator, X=None, **kwargs):
        session = Session(estimator, X, **({"processes": False} | kwargs))
        servers.append(Server(session))
        return servers[-1]

    yield start
    for server in servers:
        if server._thread.is_alive():
            server.stop()


@pytest.fixture(scope="session")
def browser():
    """Chromium; where there is none, browser tests are skipped, unless that is forbidden."""
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        sync_playwright = None
    if path is None or sync_playwright is None:
        lacking = "Chromium" if path is None else "playwright"
        if os.environ.get("ALLRELEVANT_NEED_BROWSER"):
            pytest.fail(f"{lacking} is missing, and browser tests must not be skipped")
        pytest.skip(f"{lacking} is missing: the explorer was NOT tested in a browser")
    with sync_playwright() as driver:
        found = driver.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield found
        found.close()


@pytest.fixture
def strays():
    """Requests that tried to leave this machine."""
    return []


@pytest.fixture
def open_page(browser, strays):
    """Open pages that can reach nothing but this machine; errors on them fail the test."""
    contexts, errors = [], []

    def watch(route):
        if urlsplit(route.request.url).hostname in ("127.0.0.1", "localhost"):
            route.continue_()
        else:
            strays.append(route.request.url)
            route.abort()

    def open_(address, **options):
        size = {"width": 1000, "height": 800}
        usual = {"viewport": size, "accept_downloads": True, "reduced_motion": "reduce"}
        context = browser.new_context(**(usual | options))
        context.route("**/*", watch)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.set_default_timeout(10_000)
        page.goto(address)
        page.wait_for_selector(".row[data-j]")
        return page

    yield open_
    for context in contexts:
        context.close()
    assert errors == []
    assert strays == []
