"""The commands on live screens: a URL, the desktop, waiting."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.browsers import needs_browser
from tests.drivers.serving import served

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from memctl_cli.demo.bundle import Shot
    from tests.cli.calling import Answer

    Run = Callable[..., Answer]

PAGE = "<!doctype html><title>Orders</title><h1>Orders</h1><button>New order</button>"


@pytest.fixture
def url() -> Iterator[str]:
    with served({"/": PAGE}) as root:
        yield f"{root}/"


@needs_browser
def test_a_url_is_learned_into_the_store_of_its_site(run: Run, url: str) -> None:
    answer = run("--json", "learn", url + "?token=abc")
    assert (answer.code, answer.error) == (0, "")
    port = url.rpartition(":")[2].strip("/")
    assert answer.envelope["app"] == f"chromium/127.0.0.1+{port}"


@needs_browser
def test_in_a_store_that_is_named_waiting_ends_when_it_is_there_and_with_4_when_it_is_not(
    run: Run, url: str, login: Path
) -> None:
    learned = run("--json", "--app", "harbor", "learn", url, "--page", "orders")
    assert learned.envelope["app"] == "harbor"
    assert run("--app", "harbor", "wait", "New_order", url).code == 0
    late = run("--json", "--app", "harbor", "wait", "orders", login, "--timeout", "0")
    assert (late.code, late.data["found"], late.data["looks"]) == (4, False, 1)


def test_waiting_for_what_nobody_knows_is_an_error(run: Run, known: Path, login: Path) -> None:
    assert known.exists()
    answer = run("--app", "harbor", "wait", "nobody", login)
    assert answer.code == 4
    assert 'neither a state nor a component is called "nobody"' in answer.error


def test_options_of_a_page_need_a_url(run: Run, login: Path) -> None:
    answer = run("learn", login, "--viewport", "800x600")
    assert answer.code == 2
    assert "--viewport needs a URL" in answer.error


def test_a_wait_that_is_over_exits_with_4_and_says_what_was_there(
    run: Run, login: Path, tmp_path: Path, harbor: dict[str, Shot]
) -> None:
    reports = tmp_path / "reports.png"
    reports.write_bytes(harbor["reports"].png)
    for page in (login, reports):
        assert run("--app", "harbor", "learn", page, "--page", page.stem).code == 0
    assert run("--app", "harbor", "wait", "login", login).code == 0
    late = run("--app", "harbor", "wait", "reports", login, "--timeout", "0")
    assert late.code == 4
    assert "reports: not there after" in late.out
    assert "found     22 components" in late.out


def test_a_page_that_does_not_answer_exits_with_2_in_one_line(run: Run) -> None:
    answer = run("learn", "ftp://localhost/")
    assert (answer.code, answer.out) == (2, "")
    assert 'a page of the scheme "ftp" is not opened' in answer.error


def test_a_missing_browser_exits_with_4_and_says_what_to_install(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    answer = run("learn", "http://localhost:8000/")
    assert answer.code == 4
    assert "no Chromium, Chrome or Edge is installed" in answer.error
    assert "install Chromium, Chrome or Edge" in answer.error


@needs_browser
def test_an_error_of_a_page_exits_with_2_and_makes_no_store(run: Run, url: str, home: Path) -> None:
    answer = run("learn", url + "nowhere")
    assert answer.code == 2
    assert "answers with an error: HTTP 404" in answer.error
    assert not list(home.rglob("*.db"))
