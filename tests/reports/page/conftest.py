"""A page about three stores: Harbor with a history, a small graph and a large one."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

import memctl
from memctl.reports.page.page import write_page
from memctl.reports.questions import REPORTS
from memctl.reports.report import make_reports
from memctl.reports.sources import stores_at
from memctl_cli.demo import bundle
from memctl_cli.demo.talking import Calendar, talk
from tests.browsers import chromium
from tests.reports.page.made import Size, fill

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from playwright.sync_api import Browser

    from memctl.reports.sources import Source


def page_about(sources: Sequence[Source], target: Path) -> Path:
    """Write the page with every report about these stores."""
    return write_page(make_reports(REPORTS, sources), sources, target)


@pytest.fixture(scope="session")
def lived_home(rich_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home whose stores have seen something."""
    home = tmp_path_factory.mktemp("lived")
    shutil.copytree(rich_home, home, dirs_exist_ok=True)
    fill(home, "small", Size())
    fill(home, "large", Size(states=60, components=240, links=140))
    return home


@pytest.fixture(scope="session")
def shown(lived_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page about that home."""
    return page_about(stores_at(lived_home), tmp_path_factory.mktemp("page") / "report.html")


@pytest.fixture(scope="session")
def shown_small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page with some of everything, and little of it."""
    folder = tmp_path_factory.mktemp("small")
    calendar = Calendar()
    login = bundle.shot("login")
    with memctl.open("harbor", folder) as memory:
        for share in (0.2, 0.5, 1):
            with calendar.at(share):
                memory.learn(login.png, login.boxes_file())
        talk(memory, calendar)
    fill(folder, "small", Size(components=10, stale=3, forgotten=5))
    (folder / "apps" / "damaged.db").write_bytes(b"no store")
    return page_about(stores_at(folder), folder / "report.html")


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """One Chromium for every test of the page."""
    with chromium() as started:
        yield started
