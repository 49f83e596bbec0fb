"""The doctor: what is wrong with a store is said, and what can be mended is mended."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

import pytest

import memctl
from memctl.upkeep.doctor import examine, mend
from memctl.upkeep.status import status_of
from memctl_cli.demo import bundle

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from memctl.memory import Memory


@pytest.fixture
def learned(tmp_path: Path) -> Iterator[Memory]:
    with memctl.open("harbor", tmp_path) as memory:
        login = bundle.shot("login")
        memory.learn(login.png, login.boxes_file())
        yield memory


def spoil(memory: Memory, sql: str) -> None:
    """Change the file behind memctl's back, as somebody with ``sqlite3`` could."""
    with sqlite3.connect(memory.store.path) as connection:
        connection.execute(sql)
    connection.close()


def wrong(memory: Memory) -> list[str]:
    return [finding.check for finding in examine(memory.store) if not finding.ok]


def test_a_sound_store_has_nothing_wrong(learned: Memory) -> None:
    assert wrong(learned) == []


def test_features_of_another_version_are_named_with_the_command_that_mends_them(
    learned: Memory,
) -> None:
    spoil(learned, "update template set feature_version = 0")
    finding = next(one for one in examine(learned.store) if not one.ok)
    assert (finding.check, finding.mend) == ("features", "memctl --app harbor doctor --fix")


def test_features_of_another_version_are_rebuilt(learned: Memory) -> None:
    spoil(learned, "update template set feature_version = 0, features = null")
    assert all(finding.ok for finding in mend(learned.store))


def test_a_picture_whose_bytes_changed_is_found(learned: Memory) -> None:
    spoil(
        learned,
        "update template set png = (select png from template where id = 2) where id = 1",
    )
    assert wrong(learned) == ["pictures"]


def test_a_picture_that_is_no_picture_is_found(learned: Memory) -> None:
    spoil(learned, "update template set png = x'00' where id = 1")
    assert wrong(learned) == ["pictures"]


def test_a_reference_to_nothing_is_found(learned: Memory) -> None:
    spoil(learned, "update template set component_id = 999999 where id = 1")
    assert wrong(learned) == ["references"]


def test_matching_rebuilds_damaged_features_by_itself(learned: Memory) -> None:
    spoil(learned, "update template set features = substr(features, 1, 20)")
    with memctl.open("harbor", learned.store.path.parent.parent) as anew:
        found = anew.match(bundle.shot("login").png)
    assert len(found.sightings) == len(learned.components.list())


def test_vectors_that_wait_are_named_with_their_command_and_are_no_damage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memctl.search.vectors.embed._LEARN_AT_ONCE", 1)
    with memctl.open("agent", tmp_path) as memory:
        memory.log("The ferry leaves at noon")
        memory.log("The ferry is blue")
        memory.recall("ferry")  # the newest turns reach the index
        assert status_of(memory.store).waiting == ""
        memory.settings.set("fallback", "store")
        finding = examine(memory.store)[-1]
        assert (finding.ok, finding.mend) == (True, "memctl --app agent reembed")
        assert finding.detail == "2 rows have no vectors yet: memctl reembed computes them"
        assert status_of(memory.store).waiting == finding.detail


def test_the_segments_of_the_word_index_are_counted_and_merged(tmp_path: Path) -> None:
    def found() -> str:
        return {finding.check: finding.detail for finding in examine(memory.store)}["word index"]

    with memctl.open("agent", tmp_path) as memory:
        for n in range(3):
            memory.episodic.turns.add_many([{"text": f"turn {n}"}])
        assert found() == "pages: 3, segments: 3"
        mend(memory.store)
        assert found() == "pages: 1, segments: 1"
