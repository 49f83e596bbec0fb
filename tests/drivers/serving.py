"""Pages served on loopback, for tests of what looks at them."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    Answer = Callable[[BaseHTTPRequestHandler], None]

__all__ = ["answering", "served"]


def answering(status: int, body: str = "", **headers: str) -> Answer:
    """Return what answers with a status, headers such as `Content_Type`, and a body."""

    def answer(request: BaseHTTPRequestHandler) -> None:
        request.send_response(status)
        for name, value in headers.items():
            request.send_header(name.replace("_", "-"), value)
        request.end_headers()
        request.wfile.write(body.encode())

    return answer


@contextmanager
def served(pages: Mapping[str, str | Answer]) -> Iterator[str]:
    """Serve HTML by path, or what a function answers; yield the root's URL without a slash.

    What is not got is asked for with its method: ``DELETE /orders``. A page may be changed while
    it is served.
    """

    class Handler(BaseHTTPRequestHandler):
        known: ClassVar[Mapping[str, str | Answer]] = pages

        def do_GET(self) -> None:
            path = self.path.partition("?")[0]
            page = self.known.get(path if self.command == "GET" else f"{self.command} {path}")
            if callable(page):
                page(self)
                return
            data = (page or "").encode()
            self.send_response(404 if page is None else 200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        do_POST = do_PUT = do_PATCH = do_DELETE = do_GET  # noqa: N815  (named after methods)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            """Print nothing."""

    class Server(ThreadingHTTPServer):
        def handle_error(self, request: object, client_address: object) -> None:
            """Print nothing: browsers hang up on what they no longer want."""

    server = Server(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
