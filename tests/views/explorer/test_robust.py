"""What goes wrong around the explorer ends, is answered, or is done again."""

import http.client
import json
import os
import re
import signal
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress

import pandas as pd
import pytest
from explorer_fakes import FakeEstimator
from explorer_server import Server
from processes import needs_proc, processes, processes_of, started, wait_until

from allrelevant import SolverError
from allrelevant.base.errors import WorkerLostError
from allrelevant.views.explorer import Session, answers, connections
from allrelevant.views.explorer.apart import Apart


def post(server, name, body, timeout=20):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=timeout)
    headers = {"Content-Type": "application/json"}
    with closing(connection):
        connection.request("POST", f"/{server.token}/api/{name}", json.dumps(body), headers)
        with connection.getresponse() as response:
            return response.status, response.read().decode()


@pytest.fixture
def serve_fake(serve):
    return lambda **kwargs: serve(FakeEstimator(**kwargs), pd.DataFrame({"a": range(30)}))


# The process that answers what takes long


def pid_of(_):
    return os.getpid()


def kill_itself(_):
    os.kill(os.getpid(), signal.SIGKILL)


def sleep_long(_):
    time.sleep(600)


@pytest.fixture
def apart():
    one = Apart(FakeEstimator())
    yield one
    one.close()


@pytest.mark.slow
def test_a_killed_process_is_started_again(apart):
    first = apart.run(pid_of)
    os.kill(first, signal.SIGKILL)
    assert apart.run(pid_of) != first
    second = apart.run(pid_of)
    with pytest.raises(WorkerLostError, match="was killed"):
        apart.run(kill_itself)
    assert apart.run(pid_of) != second


@pytest.mark.slow
@needs_proc
def test_closing_ends_what_is_under_way_and_starts_nothing_anew(apart):
    pid = apart.run(pid_of)
    raised = []

    def ask():
        try:
            apart.run(sleep_long)
        except RuntimeError as error:
            raised.append(error)

    thread = threading.Thread(target=ask)
    thread.start()
    time.sleep(0.5)
    apart.close()
    thread.join(10)
    assert not thread.is_alive()
    assert raised
    assert wait_until(lambda: pid not in processes(lambda *_: True), 5)
    with pytest.raises(WorkerLostError, match="closed"):
        apart.run(pid_of)


# Questions without an answer


@pytest.mark.parametrize("error", [SolverError("too hard"), ZeroDivisionError("by zero")])
def test_what_cannot_be_solved_is_an_answer_with_a_message(serve_fake, monkeypatch, error):
    server = serve_fake()

    def fail(*_, **__):
        raise error

    monkeypatch.setattr(server.session.estimator, "substitutes", fail)
    status, content = post(server, "substitutes", {"feature": "feature 1"})
    assert (status, json.loads(content)) == (400, {"error": str(error)})


def test_numbers_that_are_none_of_ours_are_refused(serve_fake):
    body = {"constraints": {"bounds": {"feature 1": [0, 10**400]}}}
    status, content = post(serve_fake(), "ask", body)
    assert status == 400
    assert "is not a number" in json.loads(content)["error"]


def test_what_nobody_thought_of_is_told_too(serve_fake, monkeypatch):
    server = serve_fake()
    monkeypatch.setattr(server.session.estimator, "groups", None)
    status, content = post(server, "groups", {})
    assert status == 500
    assert "not callable" in json.loads(content)["error"]


def test_questions_to_another_fit_are_refused(serve_fake):
    server = serve_fake()
    own = server.session.fingerprint
    for name in ("ask", "groups", "samples", "report"):
        assert post(server, name, {"fit": own})[0] == 200
        assert post(server, name, {"fit": "another"})[0] == 409


def test_samples_are_those_under_the_constraints(serve_fake):
    server = serve_fake()
    free = json.loads(post(server, "samples", {})[1])
    bound = json.loads(post(server, "samples", {"constraints": {"forbid": ["feature 1"]}})[1])
    assert free["open"] > 0
    assert bound["open"] == 0
    assert json.loads(post(server, "samples", {})[1]) == free


# Many at once


@pytest.mark.slow
def test_many_questions_of_one_page_leave_others_their_turn(serve_fake):
    server = serve_fake(delay=0.05)
    body = {"constraints": {"forbid": ["feature 1"]}, "page": "one"}
    with ThreadPoolExecutor(60) as pool:
        asked = [pool.submit(post, server, "ask", body, 60) for _ in range(25)]
        time.sleep(0.3)
        status, content = post(server, "ask", body | {"page": "other"})
        assert sum(one.done() for one in asked) < len(asked) / 2
        answers = [one.result() for one in asked]
    assert status == 200
    assert '"done"' in content
    assert all('"done"' in content for _, content in answers)


def test_many_slow_questions_leave_the_bars_their_turn(serve_fake, monkeypatch):
    server, go_on = serve_fake(), threading.Event()

    def wait(*_):
        go_on.wait(20)
        return FakeEstimator().groups()

    monkeypatch.setattr(server.session.estimator, "groups", wait)
    with ThreadPoolExecutor(60) as pool:
        slow = [pool.submit(post, server, "groups", {}, 60) for _ in range(50)]
        time.sleep(0.3)
        body = {"constraints": {"forbid": ["feature 1"]}}
        assert post(server, "ask", body, 5)[0] == 200
        go_on.set()
        assert {one.result()[0] for one in slow} == {200}


def test_half_open_connections_make_room(serve_fake):
    server, idle = serve_fake(), []
    try:
        for _ in range(300):
            idle.append(socket.create_connection(("127.0.0.1", server.port), timeout=5))
            idle[-1].sendall(b"GET / HTTP/1.1\r\nHost: ")
        assert post(server, "ping", {}, 5)[0] == 200
        assert len(server._server.server_state.connections) <= connections.MOST_WAITING + 2
    finally:
        for one in idle:
            one.close()


@pytest.mark.parametrize("sent", [b"", b"GET / HT", b"whole"])
def test_who_sends_no_request_in_time_is_not_waited_for(serve_fake, monkeypatch, sent):
    """Not even after a first request that was whole."""
    monkeypatch.setattr(connections, "PATIENCE", 0.3)
    server = serve_fake()
    with socket.create_connection(("127.0.0.1", server.port), timeout=5) as one:
        if sent == b"whole":
            host = f"127.0.0.1:{server.port}"
            one.sendall(f"GET /wrong/ HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
            said = b""
            while not said.endswith(b"not allowed"):
                said += one.recv(10_000)
            sent = b"GET / HT"
        one.sendall(sent)
        begun = time.monotonic()
        with suppress(ConnectionResetError):
            assert one.recv(10) == b""
        assert time.monotonic() - begun < 3


def test_a_body_that_does_not_come_is_not_waited_for(serve_fake, monkeypatch):
    from allrelevant.views.explorer import app

    monkeypatch.setattr(app, "_PATIENCE", 0.3)
    server = serve_fake()
    head = (
        f"POST /{server.token}/api/ask HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
        "Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"
    )
    with socket.create_connection(("127.0.0.1", server.port), timeout=5) as one:
        one.sendall(head.encode())
        assert b" 408 " in one.recv(10_000).splitlines()[0]


def test_an_answer_may_take_longer_than_a_request(serve_fake, monkeypatch):
    monkeypatch.setattr(connections, "PATIENCE", 0.3)
    body = {"constraints": {"forbid": ["feature 1"]}}
    status, content = post(serve_fake(delay=0.1), "ask", body)
    assert status == 200
    assert '"done"' in content


@pytest.mark.slow
def test_stand_ins_samples_and_the_cheapest_set_do_not_wait_for_one_another():
    session = Session(FakeEstimator())  # with processes
    assert {answers.samples, answers.substitutes, answers.cheapest} <= set(session._apart)
    assert len(set(map(id, session._apart.values()))) == len(session._apart)
    one, other = (session._apart[name].run(pid_of) for name in (answers.samples, None))
    session.close()
    assert one != other


# The end


@pytest.mark.slow
def test_the_end_of_the_server_does_not_wait_for_answers(monkeypatch):
    session = Session(FakeEstimator())  # with a process
    server = Server(session)
    monkeypatch.setattr(session, "_remember", lambda *_: session._apart[None].run(sleep_long))
    session._apart[None].run(pid_of)
    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(post, server, "groups", {}, 30)
        time.sleep(0.5)
        begun = time.monotonic()
        server.stop()
        assert time.monotonic() - begun < 6
        session.close()
        with suppress(OSError, http.client.HTTPException):
            assert asked.result(20)[0] != 200


EXPLORE = ["-m", "allrelevant", "explore", "--target", "ill", "--no-browser", "--quiet"]


@pytest.mark.slow
@needs_proc
@pytest.mark.parametrize("how", ["SIGTERM", "SIGHUP", "SIGINT", "SIGKILL"])
def test_an_explorer_that_ends_leaves_nothing(tmp_path, how):
    frame = pd.DataFrame({"a": range(40), "b": [k % 7 for k in range(40)]})
    table = tmp_path / "table.csv"
    frame.assign(ill=["yes" if k > 20 else "no" for k in range(40)]).to_csv(table, index=False)
    with started(*EXPLORE[:3], str(table), *EXPLORE[3:]) as process:
        line = ""
        while "explorer:" not in line:
            line = process.stderr.readline()
            assert line, "it has ended"
        port, token = re.search(r"127\.0\.0\.1:(\d+)/(\S+)/", line).groups()
        connection = http.client.HTTPConnection("127.0.0.1", int(port), timeout=60)
        with closing(connection):
            connection.request("GET", f"/{token}/api/samples")
            with connection.getresponse() as response:
                assert response.status == 200, response.read()
        assert processes_of(process.pid), "the samples were asked of another process"
        number = getattr(signal, how)
        process.send_signal(number)
        expected = {"SIGINT": 0, "SIGKILL": -number}.get(how, 128 + number)
        assert process.wait(8) == expected
        assert wait_until(lambda: not processes_of(process.pid), 8), processes_of(process.pid)
