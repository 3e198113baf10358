"""The explorer in a notebook, through anywidget."""

from __future__ import annotations

from pathlib import Path
from threading import Event, Thread
from typing import Any

try:
    import anywidget
    import traitlets
except ImportError as error:
    raise ImportError(
        'the widget needs anywidget; install it with: pip install "allrelevant[widget]"'
    ) from error

from allrelevant.views.explorer.session import Session

_STATIC = Path(__file__).parent / "static"


class ExplorerWidget(anywidget.AnyWidget):
    """The bars of a fitted estimator, live.

    Parameters
    ----------
    estimator : object
        A fitted linear relevance estimator.
    X : array-like, optional
        Samples whose predictions to show.
    **kwargs
        Passed on to `Session`.

    Examples
    --------
    In a notebook, ``ExplorerWidget(model, X)`` as the last line of a cell shows it.
    """

    _esm = _STATIC / "explorer.js"
    _css = _STATIC / "explorer.css"
    start = traitlets.Dict().tag(sync=True)

    def __init__(self, estimator: Any, X: Any = None, **kwargs: Any) -> None:
        self._session = Session(estimator, X, **kwargs)
        self._running: dict[str, Event] = {}
        super().__init__(start=self._session.start())
        self.on_msg(self._receive)

    def _receive(self, _: Any, message: dict[str, Any], __: Any) -> None:
        """Take a question; answers come from a thread, so that the notebook stays usable."""
        key = str(message.get("id"))
        if message.get("name") == "cancel":
            if key in self._running:
                self._running[key].set()
            return
        stop = self._running.setdefault(key, Event())
        Thread(target=self._answer, args=(key, message, stop), daemon=True).start()

    def close(self) -> None:
        """Take the widget away, and end what works for it."""
        self._session.close()
        super().close()

    def _answer(self, key: str, message: dict[str, Any], stop: Event) -> None:
        name, body = str(message.get("name")), message.get("body") or {}
        try:
            if name == "ask":
                self._stream(key, body, stop)
                answer = None
            else:
                answer = self._session.answer(name, body)
            self.send({"id": key, "answer": answer})
        except Exception as error:  # the page must hear of it, whatever it is
            self.send({"id": key, "error": str(error)})
        finally:
            self._running.pop(key, None)

    def _stream(self, key: str, body: dict[str, Any], stop: Event) -> None:
        events = self._session.ask(body)
        for event in events:
            if stop.is_set():
                events.close()
                return
            self.send({"id": key, "event": event})
