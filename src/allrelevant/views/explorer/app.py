"""The explorer as a web application for one person on this machine."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable, Generator
from functools import partial
from pathlib import Path
from typing import Any
from weakref import WeakValueDictionary

import anyio
from anyio import to_thread
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from allrelevant.base.errors import WorkerLostError
from allrelevant.linear.engine.program.optimum import SolverError
from allrelevant.views.explorer.checks import AnotherFitError
from allrelevant.views.explorer.guard import App, Guard, TooLargeError
from allrelevant.views.explorer.session import Session

Handler = Callable[[Request], Awaitable[Response]]

STATIC = Path(__file__).parent / "static"
_FILES = {
    "": ("index.html", "text/html"),
    "explorer.js": ("explorer.js", "text/javascript"),
    "explorer.css": ("explorer.css", "text/css"),
}
_AT_ONCE = ("start", "ping")
_MOST_SLOW = 8  # questions that take long and hold a thread
_PATIENCE = 10.0  # seconds for the body of a request
_STATUS: dict[Any, int] = {
    TooLargeError: 413,
    TimeoutError: 408,
    AnotherFitError: 409,
    (ValueError, ArithmeticError, SolverError): 400,
    WorkerLostError: 503,
}


def create_app(session: Session, token: str, hosts: set[str]) -> App:
    """Return the application.

    Parameters
    ----------
    session : Session
        What answers the questions.
    token : str
        What paths have to begin with.
    hosts : set of str
        Names and ports under which it may be addressed, such as ``{"127.0.0.1:8000"}``.
    """

    async def file(request: Request) -> Response:
        name, kind = _FILES[request.url.path.rpartition("/")[2]]
        return FileResponse(STATIC / name, media_type=kind)

    queues = _Queues()

    async def answer(request: Request) -> Response:
        body, name = await _body(request), request.path_params["name"]
        session.check_fit(body)
        found = await queues.answer(session, name, body)
        if isinstance(found, str):
            return Response(found, media_type="text/html; charset=utf-8")
        return JSONResponse(found)

    async def ask(request: Request) -> Response:
        body = await _body(request)
        session.check_fit(body)
        session.constraints(body.get("constraints"))
        session.factor(body)
        events = _events(session.ask(body), queues.of_page(str(body.get("page", ""))))
        return StreamingResponse(events, media_type="text/event-stream")

    routes = [
        *(Route(f"/{path}", file) for path in _FILES),
        Route("/api/ask", _told(ask), methods=["POST"]),
        Route("/api/{name}", _told(answer), methods=["GET", "POST"]),
    ]
    app = Starlette(routes=routes)
    app.router.redirect_slashes = False  # it knows nothing of the token
    return Guard(app, token, hosts)


class _Queues:
    """Who has to wait waits here, and keeps no thread from those who need not."""

    def __init__(self) -> None:
        self._pages: WeakValueDictionary[str, anyio.Lock] = WeakValueDictionary()
        self._slow: anyio.CapacityLimiter | None = None

    def of_page(self, page: str) -> anyio.Lock:
        """For the questions of one page, which are answered one after the other."""
        return self._pages.setdefault(page, anyio.Lock())

    async def answer(self, session: Session, name: str, body: dict[str, Any]) -> Any:
        """Answer in a thread; some have to be left for what can be answered at once."""
        self._slow = self._slow or anyio.CapacityLimiter(_MOST_SLOW)
        # Whoever ends the server does not wait for an answer that nobody will get.
        return await to_thread.run_sync(
            partial(session.answer, name, body),
            abandon_on_cancel=True,
            limiter=None if name in _AT_ONCE else self._slow,
        )


def _told(handler: Handler) -> Handler:
    """The same, where what goes wrong becomes an answer that a page can show."""

    async def told(request: Request) -> Response:
        try:
            return await handler(request)
        except Exception as error:
            message = str(error) or type(error).__name__
            return JSONResponse({"error": message}, status_code=_status_of(error))

    return told


def _status_of(error: Exception) -> int:
    """What kind of answer an error is; a question without an answer is no fault of the server."""
    for kinds, status in _STATUS.items():
        if isinstance(error, kinds):
            return status
    return 500


async def _body(request: Request) -> dict[str, Any]:
    if request.method != "POST":
        return dict(request.query_params)
    try:
        with anyio.fail_after(_PATIENCE):
            body = json.loads(await request.body())
    except TimeoutError:
        raise TimeoutError("the request did not come to its end") from None
    except (UnicodeDecodeError, RecursionError, json.JSONDecodeError):
        raise ValueError("the request is not JSON") from None
    if not isinstance(body, dict):
        raise ValueError("the request must be an object")
    return body


async def _events(events: Generator[dict[str, Any]], queue: anyio.Lock) -> AsyncIterator[str]:
    """Server-sent events as they are found; whoever goes away ends the work."""
    try:
        async with queue:
            while (event := await to_thread.run_sync(partial(next, events, None))) is not None:
                yield f"data: {json.dumps(event)}\n\n"
    except anyio.get_cancelled_exc_class():
        raise
    except Exception as error:  # a page must hear of it, whatever it is
        yield f"data: {json.dumps({'kind': 'failed', 'message': str(error)})}\n\n"
    finally:
        events.close()
