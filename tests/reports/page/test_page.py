"""The page as a file: whatever the stores hold, it is small, whole and says what it lacks."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

import pytest

import memctl
from memctl.base.errors import MemctlError, RefusedError
from memctl.reports.page.page import write_page
from memctl.reports.page.stores import MOST_STORES
from memctl.reports.questions import REPORTS
from memctl.reports.report import make_reports
from memctl.reports.sources import Source, stores_at
from tests.processes import python
from tests.reports.page.conftest import page_about
from tests.reports.page.made import Size, fill, png_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


def text_of(sources: Sequence[Source], folder: Path) -> str:
    return page_about(sources, folder / "report.html").read_text(encoding="utf-8")


def words(html: str) -> str:
    """Return what is read, without the elements."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html.partition("<body>")[2]))


def test_a_home_without_a_store_gives_a_page_that_says_so(tmp_path: Path) -> None:
    html = words(text_of(stores_at(tmp_path), tmp_path))
    assert "nothing was learned yet" in html
    assert "Nothing found that needs mending." in html


def test_a_store_with_one_row_of_everything_is_shown(tmp_path: Path) -> None:
    fill(tmp_path, "one", Size(states=1, components=1, links=0))
    html = text_of(stores_at(tmp_path), tmp_path)
    assert html.count('<rect x="14.0"') == 1
    assert html.count('<li id="store-1-c') == 1
    assert "1 screen, 0 transitions, 1 component" in words(html)


def test_a_store_of_facts_alone_has_no_graph(tmp_path: Path) -> None:
    with memctl.open("agent", tmp_path) as memory:
        memory.facts.store(["Ann lives in Lisbon"])
    html = text_of(stores_at(tmp_path), tmp_path)
    assert '<svg class="states' not in html
    assert re.search(r"Facts 1 ", words(html))


def test_of_many_large_stores_the_page_shows_some_and_names_the_rest(tmp_path: Path) -> None:
    fill(tmp_path, "app-00", Size(states=3, components=130, links=3))
    first = tmp_path / "apps" / "app-00.db"
    for number in range(1, MOST_STORES + 4):
        os.link(first, first.with_name(f"app-{number:02}.db"))
    done: list[str] = []
    page = write_page([], stores_at(tmp_path), tmp_path / "report.html", progress=done.append)
    assert len(done) == MOST_STORES + 2
    assert done[-2:] == ["drawing plots and tables", "writing the page"]
    html = page.read_text(encoding="utf-8")
    assert len(html.encode()) < 2_500_000
    assert html.count('<section class="app"') == MOST_STORES
    text = words(html)
    assert "The screens of 4 stores that were looked at less: app-12, app-13" in text
    assert f"20 more components: memctl --home {tmp_path} --app app-00 components list." in text


def test_a_damaged_store_among_good_ones_is_named_once(tmp_path: Path) -> None:
    fill(tmp_path, "good", Size())
    damaged = tmp_path / "apps" / "bad.db"
    damaged.write_bytes(b"SQLite format 3\x00" + b"\x07" * 4000)
    html = text_of(stores_at(tmp_path), tmp_path)
    assert html.count(str(damaged)) == 1
    assert 'id="store-1-title">good<' in html


def test_pictures_that_somebody_broke_are_left_out(tmp_path: Path) -> None:
    fill(tmp_path, "harbor", Size(states=1, components=4, links=0))
    with memctl.open("harbor", tmp_path) as memory, memory.store.transaction():
        memory.store.execute("update template set png = x'8950' where component_id < 3")
        memory.store.execute("update state set words = x'00'")
    html = text_of(stores_at(tmp_path), tmp_path)
    assert html.count('<span class="nothing">no picture</span>') == 2
    assert html.count("<img ") == 2


def test_the_same_stores_give_the_same_page(tmp_path: Path, fixed_clock: str) -> None:
    fill(tmp_path, "harbor", Size())
    reports = make_reports(REPORTS, stores_at(tmp_path))
    pages = [write_page(reports, stores_at(tmp_path), tmp_path / name) for name in ("a", "b")]
    assert pages[0].read_bytes() == pages[1].read_bytes()
    assert fixed_clock[:10].encode() in pages[0].read_bytes()


def test_no_id_is_given_twice(shown: Path) -> None:
    ids = re.findall(r'\sid="([^"]+)"', shown.read_text(encoding="utf-8"))
    assert len(ids) > 100
    assert len(ids) == len(set(ids))


def test_every_link_and_label_leads_to_something(shown: Path) -> None:
    html = shown.read_text(encoding="utf-8")
    ids = set(re.findall(r'\sid="([^"]+)"', html))
    asked = re.findall(r'href="#([^"]+)"|url\(#([^)]+)\)|aria-labelledby="([^"]+)"', html)
    assert {next(filter(None, found)) for found in asked} - ids == set()


def test_the_file_is_readable_by_its_owner_alone(tmp_path: Path) -> None:
    made = write_page([], [], tmp_path / "report.html")
    assert made.stat().st_mode & 0o777 == 0o600


def test_a_file_that_exists_is_kept_unless_it_is_to_be_replaced(tmp_path: Path) -> None:
    target = tmp_path / "report.html"
    target.write_text("mine")
    with pytest.raises(RefusedError, match="exists") as raised:
        write_page([], [], target)
    assert "--force" in raised.value.hint
    assert target.read_text() == "mine"
    write_page([], [], target, force=True)
    assert target.read_text().startswith("<!doctype html>")


def test_a_folder_is_not_replaced(tmp_path: Path) -> None:
    with pytest.raises(RefusedError, match="is a folder"):
        write_page([], [], tmp_path, force=True)


def test_a_file_that_does_not_fit_leaves_what_was_there_and_nothing_else(tmp_path: Path) -> None:
    target = tmp_path / "report.html"
    target.write_text("mine")
    printed = python(
        """
        import resource, signal, sys
        from memctl import MemctlError
        from memctl.reports.page.page import write_page

        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1_000, 1_000))
        try:
            write_page([], [], sys.argv[1], force=True)
        except MemctlError as error:
            print(error.message)
        """,
        target,
    )
    assert "cannot be written: File too large" in printed
    assert [path.name for path in tmp_path.iterdir()] == ["report.html"]
    assert target.read_text() == "mine"


def test_a_path_below_a_file_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(png_of(1))
    with pytest.raises(MemctlError, match="is a file, where a folder has to be"):
        write_page([], [], tmp_path / "file" / "report.html")
