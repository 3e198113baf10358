"""Connections that are not kept for those who do not use them.

Whoever opens connections and sends no whole request must not keep the page's own from being heard.
"""

from __future__ import annotations

from asyncio import TimerHandle
from typing import Any

from uvicorn import Config
from uvicorn.protocols.http.h11_impl import H11Protocol

MOST_WAITING = 64  # connections on which nothing is being answered
MOST_CONNECTIONS = 256  # a browser has six at most
PATIENCE = 10.0  # seconds for the head of a request


class Patient(H11Protocol):
    """HTTP for a while: what brings no request in time, or waits behind too many, is closed."""

    _timer: TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Wait for the first request; the one that waits longest makes room for it."""
        super().connection_made(transport)
        self._wait()
        waiting = {
            other._timer.when(): other
            for other in self.connections
            if isinstance(other, Patient) and other._timer is not None
        }
        if len(waiting) > MOST_WAITING:
            waiting[min(waiting)]._give_up()

    def data_received(self, data: bytes) -> None:
        """Wait no longer where this completes the head of a request."""
        super().data_received(data)
        if self._is_answering:
            self._stop_waiting()

    def on_response_complete(self) -> None:
        """Wait for the next request, unless it is there already."""
        super().on_response_complete()
        if not self._is_answering:
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Nobody is there any more."""
        super().connection_lost(exc)
        self._stop_waiting()

    @property
    def _is_answering(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def _wait(self) -> None:
        self._stop_waiting()
        self._timer = self.loop.call_later(PATIENCE, self._give_up)

    def _stop_waiting(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _give_up(self) -> None:
        self._stop_waiting()
        self.transport.abort()


def config_of(app: Any) -> Config:
    """How the explorer is served."""
    return Config(
        app,
        http=Patient,
        ws="none",
        log_level="critical",
        access_log=False,  # it would hold the token
        server_header=False,
        limit_concurrency=MOST_CONNECTIONS,
        timeout_graceful_shutdown=1,
    )
