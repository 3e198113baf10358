"""The explorer on a port of this machine."""

import socket
import threading
import time

import uvicorn

from allrelevant.views.explorer.app import create_app
from allrelevant.views.explorer.connections import config_of
from allrelevant.views.explorer.serve import address_of

TOKEN = "a-token-for-tests"


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
        self._server = uvicorn.Server(config_of(app))
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
