"""Who may ask: the token, its cookie, forms of other sites, other hosts, and what is read-only."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import memctl
from tests.cli.ui.site import ONCE, TOKEN, browsing, forms_of, send
from tests.each import each

if TYPE_CHECKING:
    from pathlib import Path

    from starlette.testclient import TestClient


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("door")
    with memctl.open(home=home) as memory:
        memory.facts.store("The backup runs on the Atlas server")
    return home


@pytest.fixture
def client(home: Path) -> TestClient:
    return browsing(home)


def texts(home: Path) -> list[str]:
    with memctl.open(home=home, readonly=True) as memory:
        return [fact.text for fact in memory.facts]


def test_the_token_leaves_the_address_for_a_cookie_of_this_port(home: Path) -> None:
    client = browsing(home, token="")
    assert client.get("/agent/").status_code == 401
    entered = client.get(f"/agent/facts?q=x&token={TOKEN}", follow_redirects=False)
    assert (entered.status_code, entered.headers["location"]) == (303, "/agent/facts?q=x")
    cookie = entered.headers["set-cookie"].lower()
    assert cookie.startswith("memctl_ui_8000=")
    assert {"httponly", "samesite=strict", "path=/"} <= {*cookie.split("; ")}
    assert TOKEN not in cookie
    assert client.get("/agent/").status_code == 200


@each("query", ["token=wrong", "token=", "token=%ED%A0%80", "token=a&token=b"])
def test_a_wrong_token_is_told_what_to_open(home: Path, query: str) -> None:
    client = browsing(home, token="")
    refused = client.get(f"/agent/?{query}")
    assert refused.status_code == 401
    assert "memctl ui" in refused.text
    assert "set-cookie" not in refused.headers


def test_the_address_that_a_browser_is_started_with_opens_once(home: Path) -> None:
    client = browsing(home, token="")
    assert client.get("/", params={"token": ONCE}).status_code == 200
    client.cookies.clear()
    assert client.get("/", params={"token": ONCE}).status_code == 401
    assert client.get("/", params={"token": TOKEN}).status_code == 200


@each(
    ("header", "status"),
    [
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": "http://127.0.0.1:9999"}, 403),
        ({"host": "evil.example:8000"}, 421),
        ({"host": "127.0.0.1:8000/static/ui.js"}, 421),
        ({"host": "127.0.0.1:8000?"}, 421),
    ],
)
def test_a_form_of_another_origin_or_host_writes_nothing(
    client: TestClient, home: Path, header: dict[str, str], status: int
) -> None:
    page = client.get("/agent/facts")
    (path,) = (path for path in forms_of(page) if path.endswith("/forget"))
    refused = client.post(path, data=forms_of(page)[path], headers=header)
    assert refused.status_code == status
    assert len(texts(home)) == 1


def test_a_form_without_an_origin_or_its_own_token_writes_nothing(
    client: TestClient, home: Path
) -> None:
    page = client.get("/agent/facts")
    (path,) = (path for path in forms_of(page) if path.endswith("/forget"))
    for token in ("", "ü", client.cookies["memctl_ui_8000"]):
        assert send(client, page, path, form_token=token).status_code == 403
    del client.headers["origin"]
    assert send(client, page, path).status_code == 403
    assert len(texts(home)) == 1


def test_a_store_called_static_is_shown_to_nobody_without_the_token(tmp_path: Path) -> None:
    with memctl.open("static", home=tmp_path) as memory:
        memory.facts.store("The backup runs on the Atlas server")
    client = browsing(tmp_path, token="")
    assert [client.get(f"/static/{page}").status_code for page in ("", "facts")] == [401, 401]
    assert client.get("/static/ui.css").status_code == 200
    client = browsing(tmp_path)
    assert "Atlas" in client.get("/static/facts").text


@each("where", ["//evil.example/", "/\\evil.example", "https://evil.example/", "/agent/\nx"])
def test_an_act_leads_to_no_other_site(client: TestClient, where: str) -> None:
    page = client.get("/agent/facts")
    for act in ("/pin", "/unpin"):
        (path,) = (path for path in forms_of(page) if path.endswith(act))
        done = client.post(
            path, data={**forms_of(page)[path], "back": where}, follow_redirects=False
        )
        assert done.headers["location"].startswith("/agent/facts/f_")
        page = client.get("/agent/facts")


@each("path", ["/", "/agent/", "/agent/facts", "/nowhere", "/static/ui.js", "/agent/?token=wrong"])
def test_every_answer_forbids_what_is_not_its_own(client: TestClient, path: str) -> None:
    headers = client.get(path).headers
    policy = headers["content-security-policy"]
    assert {"default-src 'none'", "script-src 'self'", "frame-ancestors 'none'"} <= {
        *policy.split("; ")
    }
    assert "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert headers["cache-control"] == "no-store"


def test_a_name_of_html_is_a_text(home: Path, client: TestClient) -> None:
    name = '<img src=x onerror="alert(1)">\'&'
    with memctl.open(home=home) as memory:
        stored = memory.facts.store(f"Its name is {name}", user_id=name, about=name).ids[0]
        memory.log(f"{name} said so", speaker=name, session=name)
        episode = memory.remember(f"{name} happened", tags=[name], thread=name)
    pages = ["", "facts", f"facts/{stored}", "timeline", f"episodes/{episode}", f"recall?q={name}"]
    for path in pages:
        page = client.get(f"/agent/{path}")
        assert page.status_code == 200
        assert "<img" not in page.text
        assert "&lt;img" in page.text
    with memctl.open(home=home) as memory:
        memory.facts.erase(stored)


def test_read_only_pages_draw_no_form_and_take_none(home: Path, client: TestClient) -> None:
    page = client.get("/agent/facts")
    (path,) = (path for path in forms_of(page) if path.endswith("/forget"))
    reader = browsing(home, readonly=True)
    fact = next(iter(texts(home)))
    shown = reader.get("/agent/facts")
    assert fact in shown.text
    assert "read-only" in shown.text
    for kind in (
        "facts",
        path.removeprefix("/agent/").removesuffix("/forget"),
        "settings/timezone",
    ):
        assert 'method="post"' not in reader.get(f"/agent/{kind}").text
    assert reader.post(path, data=forms_of(page)[path]).status_code == 403
    assert len(texts(home)) == 1
