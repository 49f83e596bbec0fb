"""What is asked: one store, a folder of files, all stores of a home."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import memctl
from memctl.base.errors import NotFoundError, UsageError
from memctl.base.home import usual_home
from memctl.reports.page.page import write_page
from memctl.reports.report import make_report
from memctl.reports.sources import files_in, source_of, store_at, stores_at

if TYPE_CHECKING:
    from pathlib import Path

    from memctl.memory import Memory


def make(home: Path, *addresses: str) -> None:
    for address in addresses:
        with memctl.open(address, home) as memory, memory.store.transaction():
            pass


def test_a_home_is_all_its_stores_by_address(home: Path) -> None:
    make(home, "harbor", "agent", "chromium/united.com")
    found = stores_at(home)
    assert [one.name for one in found] == ["agent", "harbor", "chromium/united.com"]
    assert [one.path.is_file() for one in found] == [True] * 3


def test_a_home_that_was_never_written_to_has_none(home: Path) -> None:
    assert stores_at(home) == ()
    assert not home.exists()


def test_a_url_is_reduced_to_its_site(home: Path) -> None:
    assert store_at("chromium/https://www.united.com/en", home).name == "chromium/united.com"


def test_files_of_a_folder_are_named_by_their_paths(home: Path, tmp_path: Path) -> None:
    make(home, "harbor", "chromium/united.com")
    (tmp_path / "notes.txt").write_text("no store")
    assert [one.name for one in files_in(tmp_path)] == [
        "home/apps/chromium/sites/united.com",
        "home/apps/harbor",
    ]


def test_a_folder_that_is_none_and_one_without_files_are_clear_errors(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is no folder"):
        files_in(tmp_path / "nowhere")
    with pytest.raises(NotFoundError, match=r"holds no \.db file"):
        files_in(tmp_path)


def test_a_command_names_a_home_that_is_not_the_usual_one(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert store_at("harbor", home).command == f"memctl --home {home} --app harbor"
    # It is pasted elsewhere, too: what the environment says here may not hold there.
    monkeypatch.setenv("MEMCTL_HOME", str(home))
    assert store_at("harbor").command == f"memctl --home {home} --app harbor"
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert store_at("harbor", usual_home()).command == "memctl --app harbor"
    assert "'" in store_at("harbor", tmp_path / "my home").command


def test_an_open_store_is_a_source_of_its_home(memory: Memory, home: Path) -> None:
    assert source_of(memory.store) == store_at("harbor", home)
    with memctl.open("chromium/united.com", home) as site:
        assert source_of(site.store) == store_at("chromium/united.com", home)


def test_stores_of_one_name_in_two_homes_are_told_apart(home: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    for folder, facts in ((home, ["Tea", "Milk"]), (other, ["Bread"])):
        with memctl.open("agent", folder) as memory:
            memory.facts.store([f"{fact} is served at noon" for fact in facts])
    make(home, "harbor")
    sources = [store_at("agent", home), store_at("agent", other), store_at("harbor", home)]
    made = make_report("health", sources)
    paths = [sources[0].path, sources[1].path]
    assert made.stores == (f"agent ({paths[0]})", f"agent ({paths[1]})", "harbor")
    facts_of = {row[0]: row for row in made.answer("summary").rows}
    assert len(facts_of) == 3
    page = write_page([made], sources, tmp_path / "page.html").read_text()
    assert all(str(path) in page for path in paths)


def test_a_file_that_is_named_twice_is_read_once(home: Path) -> None:
    make(home, "agent")
    made = make_report("health", [store_at("agent", home), store_at("agent", home)])
    assert made.stores == ("agent",)
