"""Starting the explorer from a program."""

import io
import re
import socket
import sys
import threading
import urllib.request
from types import SimpleNamespace

import pytest
from explorer_fakes import FakeEstimator
from sklearn.exceptions import NotFittedError

from allrelevant import RelevanceClassifier
from allrelevant.views import explorer as exploring
from allrelevant.views.explorer import Session, explore
from allrelevant.views.explorer import serve as serving


def test_tokens_are_random_long_and_can_be_fixed(monkeypatch):
    monkeypatch.delenv("ALLRELEVANT_EXPLORE_TOKEN", raising=False)
    one, other = serving.new_token(), serving.new_token()
    assert one != other
    assert len(one) >= 32
    monkeypatch.setenv("ALLRELEVANT_EXPLORE_TOKEN", "fixed")
    assert serving.new_token() == "fixed"


def test_it_says_where_it_is_and_listens_on_this_machine_alone(monkeypatch):
    import uvicorn

    servers, said, opened = [], io.StringIO(), []
    genuine = uvicorn.Server.run

    def run(self, sockets):
        servers.append(self)
        assert sockets[0].getsockname()[0] == "127.0.0.1"
        genuine(self, sockets=sockets)

    monkeypatch.setattr(uvicorn.Server, "run", run)
    monkeypatch.setattr(serving.webbrowser, "open", opened.append)
    thread = threading.Thread(
        target=serving.serve, args=(Session(FakeEstimator()),), kwargs={"stream": said}, daemon=True
    )
    thread.start()
    while not (servers and servers[0].started):
        thread.join(0.01)
        assert thread.is_alive()
    address = re.search(r"http://127\.0\.0\.1:\d+/\S+/", said.getvalue()).group()
    assert opened == [address]
    assert b"data-explorer" in urllib.request.urlopen(address).read()
    servers[0].should_exit = True
    thread.join(20)
    assert not thread.is_alive()


def test_a_taken_port_is_said():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(OSError, match=f"cannot listen on port {port}"):
            serving.serve(Session(FakeEstimator()), port=port, open_browser=False)


def test_missing_packages_name_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    with pytest.raises(ImportError, match=r'pip install "allrelevant\[explore\]"'):
        serving.serve(Session(FakeEstimator()), open_browser=False)


# -- from an estimator ----------------------------------------------------------------------------


def test_explore_serves_a_page_or_gives_a_widget(monkeypatch):
    served = []
    monkeypatch.setattr(serving, "serve", lambda session, port: served.append((session, port)))
    assert explore(FakeEstimator(), port=5, title="Mine") is None
    assert (served[0][0].title, served[0][1]) == ("Mine", 5)
    widget = explore(FakeEstimator(), widget=True)
    assert len(widget.start["features"]) == 8
    kernel = SimpleNamespace(get_ipython=lambda: SimpleNamespace(kernel=object()))
    monkeypatch.setitem(sys.modules, "IPython", kernel)
    assert type(explore(FakeEstimator())).__name__ == "ExplorerWidget"


def test_every_linear_estimator_can_be_explored(monkeypatch):
    asked = []
    monkeypatch.setattr(exploring, "explore", lambda *args, **kwargs: asked.append((args, kwargs)))
    model = RelevanceClassifier()
    model.explore("X", port=7)
    assert asked == [((model, "X"), {"port": 7})]


def test_only_a_fitted_estimator_can_be_explored():
    with pytest.raises(NotFittedError):
        RelevanceClassifier().explore()
