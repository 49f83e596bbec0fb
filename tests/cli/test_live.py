"""The commands on live screens: a URL, the desktop, waiting."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.browsers import needs_browser
from tests.drivers.serving import served

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

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
    assert run("--json", "match", url).data["state"]["id"] == answer.data["state"]["id"]
    assert run("locate", "New_order", url).code == 0


@needs_browser
def test_a_store_that_is_named_is_taken(run: Run, url: str) -> None:
    assert run("--json", "--app", "harbor", "learn", url).envelope["app"] == "harbor"


@needs_browser
def test_waiting_ends_when_the_component_is_there_and_with_4_when_it_is_not(
    run: Run, url: str, login: Path
) -> None:
    assert run("learn", url, "--page", "orders").code == 0
    app = "chromium/" + url
    assert run("--app", app, "wait", "New_order", url).code == 0
    assert run("--app", app, "wait", "orders", url).code == 0
    late = run("--json", "--app", app, "wait", "orders", login, "--timeout", "0")
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
