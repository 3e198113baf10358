"""A server on this machine, and a real browser that may talk to it alone."""

import os
import shutil
import socket
import threading
import time
from urllib.parse import urlsplit

import pytest
import uvicorn

from allrelevant.explorer import Session
from allrelevant.explorer.app import create_app
from allrelevant.explorer.serve import address_of

TOKEN = "a-token-for-tests"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


class Server:
    """The explorer on a port of its own, which it keeps when it is started again."""

    def __init__(self, session):
        self.session, self.port, self.token = session, 0, TOKEN
        self.start()

    def start(self):
        listener = socket.socket()
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", self.port))
        self.port = listener.getsockname()[1]
        app = create_app(self.session, self.token, {f"127.0.0.1:{self.port}"})
        config = uvicorn.Config(app, log_level="error", timeout_graceful_shutdown=1)
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(
            target=self._server.run, kwargs={"sockets": [listener]}, daemon=True
        )
        self._thread.start()
        deadline = time.monotonic() + 20
        while not self._server.started:
            assert time.monotonic() < deadline, "the server does not start"
            time.sleep(0.01)

    def stop(self):
        self._server.should_exit = True
        self._thread.join(20)
        assert not self._thread.is_alive()

    @property
    def address(self):
        return address_of(self.port, self.token)


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
