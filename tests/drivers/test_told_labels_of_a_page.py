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
def learned(home: Path, url: str) -> Iterator[Memory]:
    with memctl.open("files", home) as memory:
        assert {CSV, MD} <= {one.label for one in memory.learn(url).learned}
        yield memory


def test_a_cut_label_is_found_where_the_page_says_it(learned: Memory, url: str) -> None:
    upper, lower = (learned.locate(name, url) for name in (CSV, MD))
    assert upper.y is not None
    assert lower.y is not None
    assert upper.y < lower.y


def test_files_that_changed_places_are_found_at_their_own(
    learned: Memory, url: str, files: dict[str, str]
) -> None:
    before = {name: learned.locate(name, url) for name in (CSV, MD)}
    files["/"] = listing(MD, CSV)
    after = {name: learned.locate(name, url) for name in (CSV, MD)}
    for name, other in ((CSV, MD), (MD, CSV)):
        assert not after[name].found or after[name].y == before[other].y


def test_a_file_that_is_gone_is_not_found_at_another(
    learned: Memory, url: str, files: dict[str, str]
) -> None:
    files["/"] = listing(TXT, MD)
    assert not learned.locate(CSV, url).found
    assert learned.locate(MD, url).found
    assert CSV not in {one.name for one in learned.match(url).sightings}
    assert not learned.wait(CSV, url, timeout=0).found


def test_pixels_alone_settle_no_cut_label(learned: Memory, url: str) -> None:
    look = learned.look(url)
    assert look is not None
    assert not learned.locate(CSV, look.png).found
    assert learned.locate("Upload", look.png).found
