"""The server of the pages: it holds the rows, does what it is asked for, and fails as it is told."""

from __future__ import annotations

import html
import json
import re
import socket
import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, quote, urlsplit

from benchmarks.acts.layouts import PAGES, Row

if TYPE_CHECKING:
    from collections.abc import Iterator

FAULTS = ("500", "drop", "drop after", "late", "late 500", "lie")
_WAITS = {"slow": 4.0, "late": 7.0, "late 500": 7.0}
_REFUSAL = "This is locked by the administrator"
_EACH = re.compile(r"<!--each (\w+)-->(.*?)<!--end-->", re.DOTALL)
_FIELD = re.compile(r"\{\{(\w+)\}\}")


@dataclass
class App:
    """What one page shows, and how its server answers.

    Parameters
    ----------
    page
        The page's name, that of its file.
    rows
        What it holds. A change is made here or not at all: this is the truth.
    fault
        How a deed is answered: ``""`` as it should be, ``slow``, ``refused``, ``download``, or
        one of `FAULTS`.
    refusal
        The HTTP status with which it refuses.
    scripts
        Files of ``pages/`` that are added to the page, with the names that they use.
    """

    page: str
    rows: list[Row]
    fault: str = ""
    refusal: int = 409
    scripts: tuple[str, ...] = ()
    names: dict[str, str] = field(default_factory=dict)
    pending: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def settled(self, seconds: float = 15.0) -> list[Row]:
        """Return the rows once no request is under way."""
        until = time.monotonic() + seconds
        while self.pending and time.monotonic() < until:
            time.sleep(0.05)
        return [dict(row) for row in self.rows]

    @contextmanager
    def answering(self) -> Iterator[None]:
        """Count a request as under way."""
        with self.lock:
            self.pending += 1
        try:
            yield
        finally:
            with self.lock:
                self.pending -= 1

    def act(self, do: str, key: str, fields: Row) -> str:
        """Do a deed; return the name of what it was done to, empty where there is no such row."""
        with self.lock:
            if do == "add":
                self.rows.append({"key": max(row["key"] for row in self.rows) + 1, **fields})
                return str(fields.get("name", ""))
            row = next((row for row in self.rows if str(row["key"]) == key), None)
            if row is None:
                return ""
            if do == "remove":
                self.rows.remove(row)
            else:
                row.update(fields)
            return str(row["name"])

    def html(self, page: str, rows: list[Row], **told: str) -> str:
        """Return the page as the server draws it, with blocks for each row and each message."""
        blocks = {"rows": rows, **{name: [{name: text}] for name, text in told.items() if text}}
        text = (PAGES / f"{page}.html").read_text("utf-8")

        def filled(match: re.Match[str]) -> str:
            return "".join(_filled(match[2], row) for row in blocks.get(match[1], []))

        text = _EACH.sub(filled, text)
        world = json.dumps({"rows": rows}, ensure_ascii=False).replace("<", "\\u003c")
        text = text.replace("/*WORLD*/", world)
        names = "".join(f"const {key} = {json.dumps(value)};" for key, value in self.names.items())
        scripts = [(PAGES / name).read_text("utf-8") for name in self.scripts]
        added = "".join(f"<script>(() => {{{names}\n{script}}})()</script>" for script in scripts)
        return text.removesuffix("\n").removesuffix("</html>") + added + "</html>"


def _filled(block: str, row: Row) -> str:
    return _FIELD.sub(lambda match: html.escape(str(row.get(match[1], ""))), block)


class Site(ThreadingHTTPServer):
    """The running server; requests under way stay with the app with which they began.

    Attributes
    ----------
    app
        What is shown now.
    """

    daemon_threads = True
    app = App("", [])

    @property
    def address(self) -> str:
        """Its origin."""
        return f"http://127.0.0.1:{self.server_port}"

    def url(self, page: str) -> str:
        """Return the address of a page."""
        return f"{self.address}/{page}/"


@contextmanager
def served() -> Iterator[Site]:
    """Serve on loopback, at any free port."""
    with Site(("127.0.0.1", 0), _Handler) as site:
        threading.Thread(target=site.serve_forever, daemon=True).start()
        yield site
        site.shutdown()


class _Handler(BaseHTTPRequestHandler):
    server: Site

    def do_GET(self) -> None:
        app, path, asked = self._asked()
        if not path.startswith(f"/{app.page}/"):
            self._send(404, "there is no such page")
        elif path.endswith("/rows"):
            first, count = (int(asked.get(name, 0)) for name in ("from", "count"))
            rows = app.rows[first : first + count if count else None]
            self._send(200, {"rows": rows, "total": len(app.rows)})
        elif path.endswith("/"):
            told = {name: asked.get(name, "") for name in ("said", "error")}
            self._send(200, app.html(app.page, app.rows, **told))
        else:
            rows = [row for row in app.rows if str(row["key"]) == asked.get("key")]
            name = path.rpartition("/")[2]
            there = (PAGES / f"{app.page}-{name}.html").exists() and rows
            self._send(*((200, app.html(f"{app.page}-{name}", rows)) if there else (404, "gone")))

    def do_POST(self) -> None:
        app, path, _ = self._asked()
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
        plain = "json" not in self.headers.get("Content-Type", "")
        given: Row = {k: v[0] for k, v in parse_qs(body).items()} if plain else json.loads(body)
        do, key = str(given.pop("do", "")), str(given.pop("key", ""))
        if path.endswith("/rows"):
            do = "add"
        with app.answering():
            self._deed(app, do, key, given, plain=plain)

    def do_DELETE(self) -> None:
        app, path, _ = self._asked()
        with app.answering():
            self._deed(app, "remove", path.rpartition("/")[2], {}, plain=False)

    def do_PATCH(self) -> None:
        app, path, _ = self._asked()
        given = json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)))
        with app.answering():
            self._deed(app, "set", path.rpartition("/")[2], given, plain=False)

    def _asked(self) -> tuple[App, str, dict[str, str]]:
        url = urlsplit(self.path)
        return self.server.app, url.path, {k: v[0] for k, v in parse_qs(url.query).items()}

    def _deed(self, app: App, do: str, key: str, given: Row, *, plain: bool) -> None:
        """Do what is asked for and answer, unless the app is to fail."""
        fault = app.fault
        time.sleep(_WAITS.get(fault, 0.0))
        if fault in {"500", "late 500"}:
            self._send(500, "Internal Server Error" if plain else {"error": "internal error"})
        elif fault == "drop":
            self._break()
        elif fault == "download":
            self._send(200, "key;name", Content_Disposition='attachment; filename="list.csv"')
        elif fault == "refused":
            self._refuse(app, _REFUSAL, app.refusal, plain=plain)
        else:
            named = next((r["name"] for r in app.rows if str(r["key"]) == key), "")
            name = str(named) if fault == "lie" else app.act(do, key, given)
            if fault == "drop after":
                self._break()
            elif not name and fault != "lie":
                self._refuse(app, "This is not there any more", 404, plain=plain)
            elif plain:
                self._send(303, "", Location=f"./?said={quote(name)}")
            else:
                self._send(200, {"ok": True, "name": name})

    def _refuse(self, app: App, why: str, status: int, *, plain: bool) -> None:
        page = app.html(app.page, app.rows, error=why)
        self._send(status, page if plain else {"ok": False, "error": why})

    def _break(self) -> None:
        """Close the connection without an answer."""
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_RDWR)

    def _send(self, status: int, body: str | dict[str, Any], **headers: str) -> None:
        page = isinstance(body, str)
        told = (body if isinstance(body, str) else json.dumps(body)).encode()
        try:
            self.send_response(status)
            kind = "text/html" if page else "application/json"
            self.send_header("Content-Type", f"{kind}; charset=utf-8")
            self.send_header("Content-Length", str(len(told)))
            self.send_header("Cache-Control", "no-store")
            for name, value in headers.items():
                self.send_header(name.replace("_", "-"), value)
            self.end_headers()
            self.wfile.write(told)
        except OSError:  # the browser did not wait
            self.close_connection = True

    def log_message(self, *_: object) -> None:
        """Say nothing."""
