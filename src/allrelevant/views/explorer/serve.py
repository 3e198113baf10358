"""Start the explorer's server and open its page."""

from __future__ import annotations

import os
import secrets
import socket
import sys
import webbrowser
from typing import TextIO

from allrelevant.views.explorer.session import Session

HOST = "127.0.0.1"
_TOKEN_VARIABLE = "ALLRELEVANT_EXPLORE_TOKEN"


def new_token() -> str:
    """A random token; the environment can fix it, so that an open page outlives a restart."""
    return os.environ.get(_TOKEN_VARIABLE) or secrets.token_urlsafe(24)


def check_installed() -> None:
    """Say what to install where the server's packages are missing."""
    try:
        import starlette  # noqa: F401
        import uvicorn  # noqa: F401
    except ImportError as error:
        raise ImportError(
            f'the explorer needs {error.name}; install it with: pip install "allrelevant[explore]"'
        ) from error


def address_of(port: int, token: str) -> str:
    """The page's address."""
    return f"http://{HOST}:{port}/{token}/"


def serve(
    session: Session,
    *,
    port: int = 0,
    token: str | None = None,
    open_browser: bool = True,
    stream: TextIO | None = None,
) -> None:
    """Serve the explorer until interrupted, which raises KeyboardInterrupt as always.

    Parameters
    ----------
    session : Session
        What answers the questions.
    port : int, default 0
        Where to listen on 127.0.0.1; 0 takes any free port.
    token : str, optional
        Secret part of the address; by default random.
    open_browser : bool, default True
        Whether to open the page.
    stream : text file, optional
        Where to say the address; by default standard error.
    """
    check_installed()
    import uvicorn

    from allrelevant.views.explorer.app import create_app
    from allrelevant.views.explorer.connections import config_of

    token = token or new_token()
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((HOST, port))
            listener.listen()  # so that who reads the address at once is not refused
        except OSError as error:
            raise OSError(f"cannot listen on port {port}: {error.strerror}") from None
        port = listener.getsockname()[1]
        app = create_app(session, token, {f"{HOST}:{port}", f"localhost:{port}"})
        address = address_of(port, token)
        (stream or sys.stderr).write(f"explorer: {address}  (Ctrl-C ends it)\n")
        if open_browser:
            webbrowser.open(address)
        try:
            uvicorn.Server(config_of(app)).run(sockets=[listener])
        finally:
            session.close()
