"""The stores of a fleet: of a home, of a folder, of a pattern."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import memctl
from memctl.base.errors import NotFoundError
from tests.fleet.homes import a_home

if TYPE_CHECKING:
    from pathlib import Path


def test_a_pattern_names_many_homes_and_each_store_has_a_name_of_its_own(tmp_path: Path) -> None:
    a_home(tmp_path / "a", "harbor", "chromium/united.com")
    a_home(tmp_path / "b", "harbor")
    names = [store.name for store in memctl.fleet.stores(str(tmp_path / "*"))]
    assert names[0] == "chromium/united.com"
    assert [name.split(" ")[0] for name in names[1:]] == ["harbor", "harbor"]
    assert len(set(names)) == 3


def test_a_place_without_stores_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="is not there"):
        memctl.fleet.stores(tmp_path / "nowhere")
    with pytest.raises(NotFoundError, match="holds no store"):
        memctl.fleet.stores(tmp_path)


def test_a_file_that_several_places_name_is_there_once(tmp_path: Path) -> None:
    home = a_home(tmp_path / "a", "harbor")
    a_home(tmp_path / "b", "harbor")
    (tmp_path / "link").symlink_to(home)
    named = (home, f"{home}/.", tmp_path / "link", f"{home}/apps/*.db", tmp_path / "b")
    places = [str(place) for place in named]
    listed = memctl.fleet.stores(places)
    assert [store.where for store in listed] == [
        str(tmp_path / letter / "apps" / "harbor.db") for letter in "ab"
    ]
    assert len({store.name for store in listed}) == 2


def test_a_folder_with_signs_of_patterns_is_no_pattern(tmp_path: Path) -> None:
    home = a_home(tmp_path / "agent [1]", "harbor")
    a_home(tmp_path / "agent 1", "other")
    assert [store.name for store in memctl.fleet.stores(home)] == ["harbor"]


def test_stores_that_were_listed_can_be_chosen_from_and_none_is_not_all(tmp_path: Path) -> None:
    a_home(tmp_path, "harbor", "mail", "office")
    listed = memctl.fleet.stores(tmp_path)
    some = [store for store in listed if store.name != "mail"]
    assert [done.name for done in memctl.fleet.run("doctor", some).outcomes] == ["harbor", "office"]
    assert memctl.fleet.run("doctor", []).outcomes == ()
