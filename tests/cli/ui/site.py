"""The pages of `memctl ui` as a browser gets them, without one: forms are read out of the HTML."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import TYPE_CHECKING

from starlette.testclient import TestClient

import memctl
from memctl_cli.ui.app import application_of
from memctl_cli.ui.view import Site

if TYPE_CHECKING:
    from pathlib import Path

    from httpx2 import Response
    from starlette.types import ASGIApp

TOKEN, ONCE = "the-token-of-the-tests", "a-token-for-once"
ORIGIN = "http://127.0.0.1:8000"


def application(home: Path, *, readonly: bool = False) -> ASGIApp:
    def opened(address: str) -> memctl.Memory:
        memory = memctl.open(address, home, readonly=readonly)
        memory.store.connection()
        return memory

    return application_of(Site(opened, home, readonly), TOKEN, ONCE)


def browsing(home: Path, *, readonly: bool = False, token: str = TOKEN) -> TestClient:
    """Return a client that has opened the printed address."""
    client = TestClient(application(home, readonly=readonly), ORIGIN, raise_server_exceptions=False)
    client.headers["origin"] = ORIGIN
    if token:
        client.get("/", params={"token": token})
    return client


class _Forms(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.forms: dict[str, dict[str, str]] = {}
        self._fields: dict[str, str] = {}
        self._area = ""

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attributes}
        if tag == "form":
            self._fields = self.forms.setdefault(given["action"], {})
        elif tag == "input" and given.get("type") != "checkbox":
            self._fields[given["name"]] = given.get("value", "")
        elif tag == "textarea":
            self._area = given["name"]
            self._fields[self._area] = ""

    def handle_endtag(self, tag: str) -> None:
        if tag == "textarea":
            self._area = ""

    def handle_data(self, data: str) -> None:
        if self._area:
            self._fields[self._area] += data


def forms_of(page: Response) -> dict[str, dict[str, str]]:
    """The fields of each form of a page, by the path that it is sent to."""
    parser = _Forms()
    parser.feed(page.text)
    return parser.forms


def send(client: TestClient, page: Response, path: str, **typed: str) -> Response:
    """Send a form of a page as a browser does, some of its fields typed anew."""
    return client.post(path, data={**forms_of(page)[path], **typed})
