"""Files whose names are cut to one text on the screen: the page tells which is which."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import memctl
from tests.browsers import needs_browser
from tests.drivers.serving import served

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from memctl.drivers.browser_driver import BrowserDriver
    from memctl.memory import Memory

pytestmark = needs_browser

CSV, MD, TXT = (f"report-2026-november-13.{ending}" for ending in ("csv", "md", "txt"))


def listing(*files: str) -> str:
    items = "".join(f"<li><button>{name}</button>" for name in files)
    return (
        "<!doctype html><title>Files</title><style>button { width: 130px; overflow: hidden;"
        "text-overflow: ellipsis; white-space: nowrap; display: block; margin: 12px }</style>"
        f"<h1>Files of the team</h1><button>Upload</button><button>Refresh</button><ul>{items}</ul>"
    )


@pytest.fixture
def files() -> dict[str, str]:
    return {"/": listing(CSV, MD)}


@pytest.fixture
def url(files: dict[str, str]) -> Iterator[str]:
    with served(files) as root:
        yield root + "/"


@pytest.fixture
def opened(driver: BrowserDriver, url: str) -> BrowserDriver:
    driver.goto(url)
    return driver


@pytest.fixture
def learned(home: Path, opened: BrowserDriver) -> Iterator[Memory]:
    with memctl.open("files", home) as memory:
        assert {CSV, MD} <= {one.label for one in memory.learn(opened).learned}
        yield memory


def test_a_cut_label_is_found_where_the_page_says_it(
    learned: Memory, opened: BrowserDriver
) -> None:
    look = opened.look()
    upper, lower = (learned.locate(name, look) for name in (CSV, MD))
    assert upper.y is not None
    assert lower.y is not None
    assert upper.y < lower.y


def test_files_that_changed_places_are_found_at_their_own(
    learned: Memory, opened: BrowserDriver, files: dict[str, str]
) -> None:
    look = opened.look()
    before = {name: learned.locate(name, look) for name in (CSV, MD)}
    files["/"] = listing(MD, CSV)
    opened.page.reload()
    look = opened.look()
    after = {name: learned.locate(name, look) for name in (CSV, MD)}
    for name, other in ((CSV, MD), (MD, CSV)):
        assert not after[name].found or after[name].y == before[other].y


def test_a_file_that_is_gone_is_not_found_at_another(
    learned: Memory, opened: BrowserDriver, files: dict[str, str]
) -> None:
    files["/"] = listing(TXT, MD)
    opened.page.reload()
    look = opened.look()
    assert not learned.locate(CSV, look).found
    assert learned.locate(MD, look).found
    assert CSV not in {one.name for one in learned.match(look).sightings}
    assert not learned.wait(CSV, opened, timeout=0).found


def test_pixels_alone_settle_no_cut_label(learned: Memory, opened: BrowserDriver) -> None:
    look = opened.look()
    assert not learned.locate(CSV, look.png).found
    assert learned.locate("Upload", look.png).found
