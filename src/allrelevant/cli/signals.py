"""The command is told to end: by a scheduler, or by a terminal that is closed."""

from __future__ import annotations

import os
import signal
import socket
from threading import Thread
from time import sleep
from typing import Any, NoReturn

_SIGNALS = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
_PATIENCE = 4.0  # seconds to clean up in


heard: list[signal.Signals] = []


class EndedError(BaseException):
    """Ends the command as an interrupt does, so that what it has started ends with it."""


def end_on_signals() -> None:
    """Have signals raise `EndedError`; for programs alone, whose process is their own."""
    for number in _SIGNALS:
        if signal.getsignal(number) is signal.SIG_DFL:  # nohup has closed terminals ignored
            signal.signal(number, _end)
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # in the background it is not
        signal.signal(signal.SIGINT, _interrupt)
    heard, told = socket.socketpair()
    told.setblocking(False)
    signal.set_wakeup_fd(told.fileno(), warn_on_full_buffer=False)
    Thread(target=_insist, args=(heard, told), daemon=True).start()


def _end(number: int, _: Any) -> NoReturn:
    signal.signal(number, signal.SIG_DFL)  # who asks twice does not want to wait
    heard.append(signal.Signals(number))
    raise EndedError


def _interrupt(number: int, frame: Any) -> None:
    """As usual, but remembered: what is cut short may end in another error than this one."""
    heard.append(signal.Signals(number))
    signal.default_int_handler(number, frame)


def _insist(heard: socket.socket, _: socket.socket) -> None:
    """End the process where it does not do so itself: Python hears nothing while a solver runs."""
    numbers = [number for number in _SIGNALS if signal.getsignal(number) is _end]
    while (number := heard.recv(1)[0]) not in numbers:
        continue
    sleep(_PATIENCE)
    os._exit(128 + number)
