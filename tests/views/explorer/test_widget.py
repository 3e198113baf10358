"""The widget answers messages the way the server answers requests."""

import re
import time

import pytest
from explorer_fakes import FakeEstimator

from allrelevant.views.explorer.widget import ExplorerWidget


class Notebook:
    """A widget whose messages are kept instead of sent to a browser."""

    def __init__(self, estimator, monkeypatch):
        self.sent = []
        monkeypatch.setattr(ExplorerWidget, "send", lambda _, content: self.sent.append(content))
        self.widget = ExplorerWidget(estimator)

    def ask(self, **message):
        self.widget._receive(self.widget, message, [])

    def replies(self, key):
        """All messages to one question, once it is answered."""
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline:
            found = [one for one in list(self.sent) if one["id"] == key]
            if found and "event" not in found[-1]:
                return found
            time.sleep(0.005)
        raise AssertionError("no answer")


@pytest.fixture
def notebook(monkeypatch):
    return Notebook(FakeEstimator(), monkeypatch)


def test_it_brings_module_style_and_start(notebook):
    assert re.search(r"export \{[^}]* as default\W", str(notebook.widget._esm))
    assert ".allrelevant-explorer" in str(notebook.widget._css)
    assert len(notebook.widget.start["features"]) == 8


def test_a_question_is_answered(notebook):
    notebook.ask(id="1", name="ping")
    assert notebook.replies("1")[-1]["answer"] == {
        "fingerprint": notebook.widget.start["fingerprint"]
    }


def test_bars_stream(notebook):
    weak = notebook.widget._session.result.weak[0]
    notebook.ask(id="2", name="ask", body={"constraints": {"forbid": [weak]}})
    kinds = [one["event"]["kind"] for one in notebook.replies("2")[:-1]]
    assert kinds == ["bar"] * 8 + ["done"]


def test_errors_come_back(notebook):
    notebook.ask(id="3", name="secrets")
    assert "unknown question" in notebook.replies("3")[-1]["error"]


def test_a_cancelled_question_ends_its_work(monkeypatch):
    estimator = FakeEstimator(1, 30, 30, delay=0.01)
    notebook = Notebook(estimator, monkeypatch)
    weak = estimator.result_.weak[0]
    notebook.ask(id="4", name="ask", body={"constraints": {"forbid": [weak]}})
    while not notebook.sent:
        time.sleep(0.001)
    notebook.ask(id="4", name="cancel")
    notebook.replies("4")
    assert estimator.work.closed >= 1
    assert estimator.work.steps < 61, "it was not answered to its end"
