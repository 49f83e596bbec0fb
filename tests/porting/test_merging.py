"""Packs are merged: in any order, and with what a person erased, named or counted."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

import pytest

import memctl
from tests.each import each
from tests.porting.small_stores import SCREENS, made, said

if TYPE_CHECKING:
    from pathlib import Path

    from memctl.memory import Memory

PACKS = sorted(SCREENS)


@pytest.fixture(scope="module")
def packs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a pack of each small store."""
    folder = tmp_path_factory.mktemp("packs")
    for name in PACKS:
        with made(folder, name) as memory:
            memory.packs.export_pack(folder / f"{name}.pack")
    return folder


_numbers = count()


def merged(folder: Path, names: list[str]) -> Memory:
    """Return a new store that has taken some packs in, one after the other."""
    memory = memctl.open("harbor", folder / f"merged-{next(_numbers)}")
    for name in names:
        memory.packs.import_pack(folder / f"{name}.pack", unsigned=True)
    return memory


@each("order", [("c", "a", "b"), ("b", "c", "a", "c")])
def test_packs_say_the_same_in_any_order_and_however_often(order: list[str], packs: Path) -> None:
    with merged(packs, PACKS) as one, merged(packs, order) as other:
        assert said(one.store) == said(other.store)


def test_a_pack_of_merged_packs_says_what_they_say(packs: Path) -> None:
    with merged(packs, ["c", "a"]) as between:
        between.packs.export_pack(packs / "between.pack")
    with merged(packs, ["b", "between"]) as one, merged(packs, PACKS) as other:
        assert said(one.store) == said(other.store)


def test_two_stores_that_take_each_other_in_say_the_same(tmp_path: Path) -> None:
    with made(tmp_path, "a") as one, made(tmp_path, "b") as other:
        for memory in (one, other):
            memory.packs.export_pack(tmp_path / f"{memory.store.path.parts[-3]}.pack")
        one.packs.import_pack(tmp_path / "b.pack", unsigned=True)
        other.packs.import_pack(tmp_path / "a.pack", unsigned=True)
        assert said(one.store, "pack") == said(other.store, "pack")


def test_counts_are_the_larger_of_each_origin_and_added_up(tmp_path: Path) -> None:
    with made(tmp_path, "a") as one, made(tmp_path, "b") as other:
        one.packs.export_pack(tmp_path / "early.pack")
        alone = {name: one.components.get(name).seen_count for name in ("Orders", "Print")}
        seen = other.components.get("Orders").seen_count
        for _ in range(2):
            one.match(SCREENS["a"][0][1].image)
        one.packs.export_pack(tmp_path / "late.pack")
        for name in ("late", "early", "late"):
            other.packs.import_pack(tmp_path / f"{name}.pack", unsigned=True)
        assert other.components.get("Orders").seen_count == seen + alone["Orders"] + 2
        assert other.components.get("Print").seen_count == alone["Print"] + 2
        [way] = [way for way in other.transitions if way.action == "click:Orders"]
        assert (way.count, way.mean_ms) == (2, 200)


def test_the_same_name_on_another_look_stays_two_and_is_said(packs: Path) -> None:
    with merged(packs, ["b"]) as memory:
        told = memory.packs.import_pack(packs / "c.pack", unsigned=True)
        assert [(one.kind, one.name) for one in told.conflicts] == [("component", "Save")]
        assert {"Save", "Save_2"} <= {one.name for one in memory.components}


def test_what_is_known_is_known_again_on_the_other_machine(packs: Path) -> None:
    with merged(packs, ["a"]) as memory:
        for page, screen in SCREENS["a"]:
            answer = memory.match(screen.image)
            assert answer.state is not None
            assert memory.states.get(answer.state.id).page == page
            assert len(answer.sightings) == len(screen.widgets)
        assert [step.action for step in memory.transitions.path("home", "orders").steps] == [
            "click:Orders"
        ]


def test_what_was_erased_does_not_come_back(packs: Path) -> None:
    with merged(packs, ["a"]) as memory:
        memory.components.erase("Print")
        told = memory.packs.import_pack(packs / "a.pack", unsigned=True)
        assert "Print" not in {one.name for one in memory.components}
        assert told.refused["components that were erased here"] == 1


def test_what_was_erased_does_not_come_from_others_either(tmp_path: Path) -> None:
    with made(tmp_path, "a") as one, made(tmp_path, "c") as other:
        other.packs.export_pack(tmp_path / "c.pack")
        one.components.erase("Print")
        one.packs.import_pack(tmp_path / "c.pack", unsigned=True)
        assert "Print" not in {component.name for component in one.components}


def test_a_name_that_somebody_gave_comes_along_and_takes_no_other(tmp_path: Path) -> None:
    with made(tmp_path, "a") as one, made(tmp_path, "b") as other:
        one.components.rename("Orders", "go_to_orders")
        one.states.rename("home", "start")
        one.packs.export_pack(tmp_path / "a.pack")
        other.components.rename("Settings", "preferences")
        other.packs.import_pack(tmp_path / "a.pack", unsigned=True)
        names = {component.name for component in other.components}
        assert {"go_to_orders", "preferences"} <= names
        assert other.states.get("start").page == "home"
