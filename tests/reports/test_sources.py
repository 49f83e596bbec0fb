"""What is asked: one store, a folder of files, all stores of a home."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import memctl
from memctl.errors import NotFoundError, UsageError
from memctl.reports import files_in, source_of, store_at, stores_at

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
    monkeypatch.setenv("MEMCTL_HOME", str(home))
    assert store_at("harbor", home).command == "memctl --app harbor"
    assert "'" in store_at("harbor", tmp_path / "my home").command


def test_an_open_store_is_a_source_of_its_home(memory: Memory, home: Path) -> None:
    assert source_of(memory.store) == store_at("harbor", home)
    with memctl.open("chromium/united.com", home) as site:
        assert source_of(site.store) == store_at("chromium/united.com", home)
