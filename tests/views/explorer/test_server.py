"""Only the person at this machine gets an answer; everybody gets the same strict headers."""

import http.client
import json

import pytest
from explorer_fakes import FakeEstimator
from explorer_server import Server

from allrelevant.linear.questions.what_if.what_if import FeatureAnswer
from allrelevant.views.explorer import Session
from allrelevant.views.explorer.guard import MAX_BODY


@pytest.fixture(scope="module")
def server():
    started = Server(Session(FakeEstimator(), processes=False))
    yield started
    started.stop()


def request(server, method="GET", path="", token=None, body=None, **headers):
    """Send a request exactly as given."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
    given = {key.replace("_", "-"): value for key, value in headers.items()}
    target = f"/{server.token if token is None else token}/{path}"
    connection.request(method, target, body=body, headers=given)
    response = connection.getresponse()
    content = response.read()
    connection.close()
    return response, content


JSON = {"Content_Type": "application/json"}


def test_page_module_and_style_are_served(server):
    for path, kind in (
        ("", "text/html"),
        ("explorer.js", "text/javascript"),
        ("explorer.css", "text/css"),
    ):
        response, content = request(server, path=path)
        assert response.status == 200
        assert response.headers["content-type"].startswith(kind)
        assert len(content) > 100


@pytest.mark.parametrize("path", ["", "explorer.js", "api/start", "nowhere"])
def test_every_answer_has_strict_headers(server, path):
    response, _ = request(server, path=path)
    policy = response.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert response.headers["x-content-type-options"] == "nosniff"
    assert response.headers["referrer-policy"] == "no-referrer"
    assert response.headers["cache-control"] == "no-store"


@pytest.mark.parametrize("path", ["", "explorer.js", "api/start", "api/ask"])
@pytest.mark.parametrize("token", ["", "wrong", "a-token-for-test", "a-token-for-testss", "%00"])
def test_a_wrong_token_is_refused(server, path, token):
    response, content = request(server, path=path, token=token)
    assert response.status == 403
    assert b"feature" not in content


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:80", "127.0.0.1", "127.0.0.1:1", ""]
)
def test_a_foreign_host_is_refused(server, host):
    response, content = request(server, path="api/start", Host=host)
    assert response.status in (400, 421)
    assert b"feature" not in content


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "https://127.0.0.1", "http://127.0.0.1:1"]
)
def test_a_foreign_origin_is_refused(server, origin):
    response, _ = request(server, "POST", "api/cheapest", body="{}", Origin=origin, **JSON)
    assert response.status == 403


def test_the_own_origin_is_welcome(server):
    own = f"http://127.0.0.1:{server.port}"
    response, _ = request(server, "POST", "api/cheapest", body="{}", Origin=own, **JSON)
    assert response.status == 200


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_what_another_site_makes_the_browser_ask_is_refused(server, site):
    response, _ = request(server, path="api/start", Sec_Fetch_Site=site)
    assert response.status == 403


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""]
)
def test_what_a_form_could_send_is_refused(server, kind):
    response, _ = request(server, "POST", "api/ask", body="{}", Content_Type=kind)
    assert response.status == 415


def test_oversized_bodies_are_refused(server):
    body = json.dumps({"constraints": {"forbid": ["x" * MAX_BODY]}})
    response, _ = request(server, "POST", "api/ask", body=body, **JSON)
    assert response.status == 413


def test_oversized_bodies_of_unknown_length_are_refused(server):
    chunks = (b"x" * 10_000 for _ in range(100))
    response, _ = request(server, "POST", "api/ask", body=chunks, **JSON)
    assert response.status == 413


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"])
def test_other_methods_are_refused(server, method):
    assert request(server, method, "api/start")[0].status == 405


@pytest.mark.parametrize(
    "body",
    [
        "",
        "not json",
        "[]",
        "1",
        '{"constraints": 5}',
        '{"constraints": {"forbid": ["zz"]}}',
        "[" * 100_000,
    ],
)
def test_nonsense_is_answered_with_400(server, body):
    response, content = request(server, "POST", "api/ask", body=body, **JSON)
    assert response.status == 400
    assert "error" in json.loads(content)


@pytest.mark.parametrize(
    "path", ["../session.py", "%2e%2e/session.py", "static/explorer.js", "api/..%2f"]
)
def test_no_other_file_can_be_had(server, path):
    response, content = request(server, path=path)
    assert response.status in (400, 403, 404)
    assert b"import" not in content


def test_answers_stream_as_server_sent_events(server):
    names = server.session.result.weak[:1]
    body = json.dumps({"constraints": {"forbid": list(names)}})
    response, content = request(server, "POST", "api/ask", body=body, **JSON)
    assert response.headers["content-type"].startswith("text/event-stream")
    parts = content.decode().strip().split("\n\n")
    events = [json.loads(part.removeprefix("data: ")) for part in parts]
    assert [event["kind"] for event in events] == ["bar"] * 8 + ["done"]


def test_a_failure_in_the_middle_reaches_the_page(server, monkeypatch):
    def failing(**_):
        yield FeatureAnswer(0, (0.0, 0.1), (0.0, 0.1), 1, [(0.0, 0.1)])
        raise RuntimeError("the solver is tired")

    monkeypatch.setattr(server.session.estimator, "what_if_stream", failing)
    body = json.dumps({"constraints": {"keep": ["feature 1"]}, "page": "another"})
    _, content = request(server, "POST", "api/ask", body=body, **JSON)
    last = json.loads(content.decode().strip().split("\n\n")[-1].removeprefix("data: "))
    assert last == {"kind": "failed", "message": "the solver is tired"}


def test_web_sockets_are_not_spoken(server):
    headers = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec_WebSocket_Version": "13",
               "Sec_WebSocket_Key": "dGhlIHNhbXBsZSBub25jZQ=="}  # fmt: skip
    response, _ = request(server, path="api/ask", **headers)
    assert response.status != 101
