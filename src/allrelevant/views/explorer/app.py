"""The explorer as a web application for one person on this machine."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Generator
from functools import partial
from pathlib import Path
from typing import Any

import anyio
from anyio import to_thread
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from allrelevant.views.explorer.guard import App, Guard, TooLargeError
from allrelevant.views.explorer.session import Session

__all__ = ["create_app"]

STATIC = Path(__file__).parent / "static"
_FILES = {
    "": ("index.html", "text/html"),
    "explorer.js": ("explorer.js", "text/javascript"),
    "explorer.css": ("explorer.css", "text/css"),
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

    async def answer(request: Request) -> Response:
        try:
            body = await _body(request)
            name = request.path_params["name"]
            found = await to_thread.run_sync(partial(session.answer, name, body))
        except TooLargeError:
            return JSONResponse({"error": "too large"}, status_code=413)
        except (ValueError, ArithmeticError) as error:
            return JSONResponse({"error": str(error)}, status_code=400)
        if isinstance(found, str):
            return Response(found, media_type="text/html; charset=utf-8")
        return JSONResponse(found)

    async def ask(request: Request) -> Response:
        try:
            body = await _body(request)
            session.constraints(body.get("constraints"))
        except TooLargeError:
            return JSONResponse({"error": "too large"}, status_code=413)
        except ValueError as error:
            return JSONResponse({"error": str(error)}, status_code=400)
        return StreamingResponse(_events(session.ask(body)), media_type="text/event-stream")

    routes = [
        *(Route(f"/{path}", file) for path in _FILES),
        Route("/api/ask", ask, methods=["POST"]),
        Route("/api/{name}", answer, methods=["GET", "POST"]),
    ]
    app = Starlette(routes=routes)
    app.router.redirect_slashes = False  # it knows nothing of the token
    return Guard(app, token, hosts)


async def _body(request: Request) -> dict[str, Any]:
    if request.method != "POST":
        return dict(request.query_params)
    try:
        body = json.loads(await request.body())
    except (UnicodeDecodeError, RecursionError, json.JSONDecodeError):
        raise ValueError("the request is not JSON") from None
    if not isinstance(body, dict):
        raise ValueError("the request must be an object")
    return body


async def _events(events: Generator[dict[str, Any]]) -> AsyncIterator[str]:
    """Server-sent events as they are found; whoever goes away ends the work."""
    try:
        while True:
            event = await to_thread.run_sync(partial(next, events, None))
            if event is None:
                return
            yield f"data: {json.dumps(event)}\n\n"
    except anyio.get_cancelled_exc_class():
        raise
    except Exception as error:  # a page must hear of it, whatever it is
        yield f"data: {json.dumps({'kind': 'failed', 'message': str(error)})}\n\n"
    finally:
        events.close()
