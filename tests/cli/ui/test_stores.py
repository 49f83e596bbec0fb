"""Stores that cannot be read or written: a page with the error and what to do, and its status."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

import pytest

import memctl
from tests.cli.ui.site import browsing, forms_of, send
from tests.processes import as_another_user

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def home(tmp_path: Path) -> Path:
    with memctl.open(home=tmp_path) as memory:
        memory.facts.store("The backup runs on the Atlas server")
    return tmp_path


def test_a_locked_store_says_so_and_keeps_what_was_typed(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMCTL_BUSY_TIMEOUT_MS", "20")
    with browsing(home) as client, memctl.open(home=home) as other:
        page = client.get(f"/agent/facts/{next(iter(other.facts)).id}")
        (path,) = (path for path in forms_of(page) if path.endswith("/correct"))
        with other.store.transaction():
            busy = send(client, page, path, text="The backup runs on the Comet server")
        assert busy.status_code == 503
        assert "memctl" in busy.text
        assert "Comet" in busy.text
        assert send(client, busy, path).status_code == 200
        assert [fact.text for fact in other.facts] == ["The backup runs on the Comet server"]


def test_a_damaged_a_foreign_and_a_newer_store_are_pages_without_a_traceback(home: Path) -> None:
    file = home / "apps" / "agent.db"

    def answer() -> tuple[int, str]:
        client = browsing(home)
        page = client.get("/agent/facts")
        assert "Traceback" not in page.text
        return page.status_code, page.text

    with sqlite3.connect(file) as connection:
        connection.execute("pragma user_version = 999")
    status, text = answer()
    assert (status, "update memctl" in text) == (500, True)
    whole = file.read_bytes()
    file.write_bytes(whole[:4096] + b"\xff" * (len(whole) - 4096))
    status, text = answer()
    assert (status, "recover" in text) == (500, True)
    file.write_bytes(b"no database at all" * 100)
    assert answer()[0] == 500


def test_a_file_that_may_not_be_written_is_shown_without_forms(shared: Path) -> None:
    with memctl.open(home=shared) as memory:
        memory.facts.store("The backup runs on the Atlas server")
    for each in shared.rglob("*"):
        each.chmod(0o555 if each.is_dir() else 0o444)

    def answer() -> tuple[int, str]:
        client = browsing(shared)
        page = client.get("/agent/facts")
        return page.status_code, page.text

    status, text = as_another_user(answer)
    assert status == 200
    assert "Atlas" in text
    assert "read-only" in text
    assert 'method="post"' not in text


def test_what_is_not_there_is_a_page_that_leads_on(home: Path) -> None:
    client = browsing(home)
    for path in ("/harbor/", "/agent/facts/f_000000000000", "/agent/turns/7", "/agent/turns/x"):
        page = client.get(path)
        assert page.status_code == 404
        assert 'role="alert"' in page.text
    for path in ("/no!name/", "/agent/timeline?kind=x", "/agent/facts?after=x"):
        assert client.get(path).status_code == 400
    stores = client.get("/")
    assert 'href="/agent/"' in stores.text
    assert len([*home.rglob("*.db")]) == 1


def test_a_site_is_chosen_by_its_address(home: Path) -> None:
    with memctl.open("chromium/united.com", home) as memory:
        memory.log("Boarding begins at ten")
    client = browsing(home)
    assert 'href="/chromium~united.com/"' in client.get("/").text
    assert "Boarding begins" in client.get("/chromium~united.com/timeline").text
