"""A real S3 server on loopback, and a way to it on which answers are lost and rights are missing."""

from __future__ import annotations

import http.client
import logging
import threading
from contextlib import contextmanager
from datetime import timedelta
from email.utils import format_datetime, parsedate_to_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Answer = tuple[int, list[tuple[str, str]], bytes]

KEYS = {
    "AWS_ACCESS_KEY_ID": "tester",
    "AWS_SECRET_ACCESS_KEY": "of-no-value",
    "AWS_DEFAULT_REGION": "us-east-1",
}


@pytest.fixture(scope="session")
def s3_server() -> Iterator[str]:
    from moto.server import ThreadedMotoServer

    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    yield f"http://{host}:{port}"
    server.stop()


@pytest.fixture
def s3(s3_server: str, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return boto3's client of the server, with the environment set to it."""
    import boto3  # type: ignore[import-untyped]

    for name, value in (KEYS | {"AWS_ENDPOINT_URL": s3_server}).items():
        monkeypatch.setenv(name, value)
    return boto3.client("s3", endpoint_url=s3_server)


@pytest.fixture
def bucket(s3: Any) -> str:
    """Return the URL of a prefix in a bucket of this test's own."""
    name = f"fleet-{uuid4().hex[:12]}"
    s3.create_bucket(Bucket=name)
    return f"s3://{name}/memory"


class _Proxy(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_behind: str
    shift: timedelta
    way: Callable[[str, str, dict[str, str]], int | str | None]

    def hand_on(self) -> None:
        headers = {name.lower(): value for name, value in self.headers.items()}
        body = self.rfile.read(int(headers.get("content-length", 0)))
        act = self.way(self.command, self.path, headers)
        if act == "refused":
            self.close_connection = True
        elif isinstance(act, int):
            self.answer(act, [], b"<Error><Code>AccessDenied</Code></Error>")
        else:
            answer = self.asked(body, headers)
            if act == "lost":
                self.close_connection = True
            else:
                self.answer(*answer)

    def asked(self, body: bytes, headers: dict[str, str]) -> Answer:
        connection = http.client.HTTPConnection(self.server_behind.removeprefix("http://"))
        connection.request(self.command, self.path, body, headers)
        response = connection.getresponse()
        answer = response.status, response.getheaders(), response.read()
        connection.close()
        return answer

    def answer(self, status: int, fields: list[tuple[str, str]], content: bytes) -> None:
        self.send_response(status)
        for name, value in fields:
            if name.lower() in {"date", "last-modified"}:
                moved = parsedate_to_datetime(value) + self.shift
                self.send_header(name, format_datetime(moved, usegmt=True))
            elif name.lower() not in {"transfer-encoding", "connection", "content-length"}:
                self.send_header(name, value)
        length = dict(fields).get("Content-Length") if self.command == "HEAD" else None
        self.send_header("Content-Length", length or str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    do_GET = do_PUT = do_HEAD = do_POST = do_DELETE = hand_on  # noqa: N815  (http.server's names)

    def log_message(self, *_: object) -> None:
        """Print nothing."""


@contextmanager
def way_to(
    server: str,
    way: Callable[[str, str, dict[str, str]], int | str | None],
    *,
    shift: timedelta = timedelta(),
) -> Iterator[str]:
    """Yield the address of a proxy before a server.

    For each request `way` returns a status to answer instead, ``lost`` to hand it on and give no
    answer, ``refused`` to do neither; else ``None``. It may change the headers. The times in answers
    are moved by `shift`.
    """

    handler = type(
        "Handler", (_Proxy,), {"server_behind": server, "way": staticmethod(way), "shift": shift}
    )
    proxy = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=proxy.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield f"http://127.0.0.1:{proxy.server_address[1]}"
    finally:
        proxy.shutdown()
        proxy.server_close()
        thread.join()
