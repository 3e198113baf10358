"""Keeps everybody but the person at this machine away from the explorer.

The page is served to the local machine alone, yet any web site the same person has open can send
requests there. Whoever does not know the token in the path, comes by another name than the
server's own (DNS rebinding) or from another origin is refused before anything is done.
"""

from __future__ import annotations

import hmac
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[MutableMapping[str, Any], Receive, Send], Awaitable[None]]

MAX_BODY = 256 * 1024
_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "connect-src 'self'",
        "img-src 'self' blob: data:",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
_HEADERS = (
    (b"content-security-policy", _POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cache-control", b"no-store"),
)


class Guard:
    """An ASGI application around another that lets only proper requests through.

    Parameters
    ----------
    app : ASGI application
        Sees paths without the token.
    token : str
        What the path has to begin with.
    hosts : set of str
        Names and ports under which the server may be addressed.
    """

    def __init__(self, app: App, token: str, hosts: set[str]) -> None:
        self._app, self._token, self._hosts = app, token, hosts

    async def __call__(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            return  # web sockets are not spoken here; the server closes them
        status = self._refusal(scope)
        if status:
            await _refuse(send, status)
            return
        _, _, rest = scope["path"].lstrip("/").partition("/")
        inner = dict(scope, path=f"/{rest}", raw_path=f"/{rest}".encode())
        await self._app(inner, _limited(receive), _with_headers(send))

    def _refusal(self, scope: MutableMapping[str, Any]) -> int:
        """The status of a refusal, or 0."""
        headers = _headers(scope)
        if headers is None or headers.get("host") not in self._hosts:
            return 421  # misdirected
        origin = headers.get("origin")
        if origin is not None and origin not in {f"http://{host}" for host in self._hosts}:
            return 403
        if headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
            return 403
        given = scope["path"].lstrip("/").partition("/")[0]
        if not hmac.compare_digest(given.encode(), self._token.encode()):
            return 403
        if scope["method"] not in ("GET", "HEAD", "POST"):
            return 405
        if scope["method"] == "POST":
            if headers.get("content-type", "").partition(";")[0] != "application/json":
                return 415  # what a form on another site could send
            length = headers.get("content-length")
            if length is not None and (not length.isdigit() or int(length) > MAX_BODY):
                return 413
        return 0


class TooLargeError(Exception):
    """A body that grew beyond what was announced."""


def _headers(scope: MutableMapping[str, Any]) -> dict[str, str] | None:
    """All headers; None where one of those that count is there twice."""
    found: dict[str, str] = {}
    for key, value in scope["headers"]:
        name = key.decode("latin-1").lower()
        if name in found and name in ("host", "origin", "content-type", "content-length"):
            return None
        found[name] = value.decode("latin-1")
    return found


def _limited(receive: Receive) -> Receive:
    total = 0

    async def limited() -> Message:
        nonlocal total
        message = await receive()
        total += len(message.get("body", b""))
        if total > MAX_BODY:
            raise TooLargeError("too large")
        return message

    return limited


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message.get("headers", []), *_HEADERS]
        await send(message)

    return sending


async def _refuse(send: Send, status: int) -> None:
    words = {421: "wrong host", 403: "not allowed", 405: "no such method", 413: "too large"}
    body = words.get(status, "refused").encode()
    headers = [(b"content-type", b"text/plain"), (b"content-length", str(len(body)).encode())]
    start = {"type": "http.response.start", "status": status, "headers": [*headers, *_HEADERS]}
    await send(start)
    await send({"type": "http.response.body", "body": body})
