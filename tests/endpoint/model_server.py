"""A real HTTP server on this machine that answers as an OpenAI-compatible one, well or badly."""

from __future__ import annotations

import json
import threading
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@dataclass
class ModelServer:
    """A server; `answer` is told the request and returns a chat's text, or acts by itself."""

    url: str = ""
    answer: Callable[[Any, dict[str, Any]], str | None] = lambda _handler, _asked: "yes"
    asked: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    over: threading.Event = field(default_factory=threading.Event)

    def says(self, *texts: str) -> None:
        """Let it answer with these texts, the last one from then on."""
        left = list(texts)
        self.answer = lambda _handler, _asked: left.pop(0) if len(left) > 1 else left[0]


@contextmanager
def model_server() -> Iterator[ModelServer]:
    """Yield a server that listens; its hanging answers end with it."""
    told = ModelServer()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            told.asked.append(asked)
            told.headers.append(dict(self.headers))
            with suppress(OSError):
                if self.path.endswith("/embeddings") and told.answer is _embedded:
                    send(self, {"data": _embedded(self, asked)})
                else:
                    text = told.answer(self, asked)
                    if text is not None:
                        send(self, {"choices": [{"message": {"content": text}}]})

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    told.url = f"http://127.0.0.1:{server.server_port}/v1"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield told
    finally:
        told.over.set()
        server.shutdown()
        server.server_close()
        thread.join()


def send(handler: Any, answer: Any, status: int = 200) -> None:
    """Send an object as JSON."""
    body = json.dumps(answer).encode()
    handler.send_response(status)
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body)


def hanging(server: ModelServer) -> Callable[[Any, dict[str, Any]], None]:
    """Return an answer that never comes."""

    def hang(_handler: Any, _asked: dict[str, Any]) -> None:
        server.over.wait(20)

    return hang


def dripping(server: ModelServer, head: bytes) -> Callable[[Any, dict[str, Any]], None]:
    """Return an answer that comes byte by byte after `head`, and never ends."""

    def drip(handler: Any, _asked: dict[str, Any]) -> None:
        handler.wfile.write(head)
        ends = time.monotonic() + 20
        while time.monotonic() < ends and not server.over.wait(0.05):
            handler.wfile.write(b"x")
            handler.wfile.flush()

    return drip


_COLOURS = ("red", "green", "blue")


def _embedded(_handler: Any, asked: dict[str, Any]) -> Any:
    """Return vectors of three numbers: how often each colour is named."""
    return [
        {"index": at, "embedding": [0.1 + text.lower().count(word) for word in _COLOURS]}
        for at, text in enumerate(asked["input"])
    ]


embedded: Any = _embedded
