"""Machines that learned one app in other fonts, densities and orders become one memory of it."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING

import pytest

import memctl
from tests.each import each
from tests.porting.fleet import APP, counted, give, learned, take
from tests.visual.drawn import Drawn, rows

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from memctl.memory import Memory

MACHINES = 5
PAGES = ("invoice", "customers", "general", "delete")
WAYS = each("way", ["pack", "store"])
_numbers = count()


@pytest.fixture(scope="module")
def fleet(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the stores and the packs of some machines."""
    folder = tmp_path_factory.mktemp("fleet")
    for number in range(MACHINES):
        with learned(folder, number, PAGES[: 4 - number % 2]) as memory:
            give(memory, folder, number)
    return folder


def merged(folder: Path, way: str, numbers: Iterable[object]) -> Memory:
    """Return a new store that has taken in what some machines know, one after the other."""
    memory = memctl.open(APP, folder / f"merged-{next(_numbers)}")
    for number in numbers:
        take(memory, folder, way, number)
    return memory


@WAYS
def test_all_machines_become_the_states_of_one_in_any_order(way: str, fleet: Path) -> None:
    found = set()
    for order in ((0, 1, 2, 3, 4), (4, 3, 2, 1, 0), (2, 0, 4, 1, 3)):
        with merged(fleet, way, order) as memory:
            found.add(counted(memory))
    [(_, states, _)] = found
    assert states == len(PAGES)


@WAYS
def test_the_same_once_more_changes_nothing(way: str, fleet: Path) -> None:
    with merged(fleet, way, range(3)) as memory:
        before = counted(memory)
        for number in (1, 0):
            take(memory, fleet, way, number)
        assert counted(memory) == before


@WAYS
def test_each_control_of_each_machine_is_known_once(way: str, fleet: Path) -> None:
    with merged(fleet, way, range(MACHINES)) as memory:
        labels = [component.label for component in memory.components]
        once = ("Save draft", "Send", "Discard", "New customer", "Reset to defaults", "Keep it")
        assert {label: labels.count(label) for label in once} == dict.fromkeys(once, 1)
        assert labels.count("Done") == 2


def test_look_alikes_are_told_apart_by_their_order(tmp_path: Path) -> None:
    """Of two equal check boxes that nothing tells apart, each machine's first is one."""
    for name in ("a", "b"):
        with learned(tmp_path / name, ord(name), ["invoice"]) as memory:
            give(memory, tmp_path, name)
    with merged(tmp_path, "pack", ["a", "b"]) as memory:
        done = [one for one in memory.components if one.label == "Done"]
        assert len(done) == 2
        assert {len(memory.store.rows(f"select 1 from component_share where component_id = {one.id}"))
                for one in done} == {2}  # fmt: skip


def screen(*labels: str) -> Drawn:
    return rows("Overview", "Invoices", "Customers", "Payments", "Reports", "Settings", *labels)


@each(
    ("mine", "theirs"),
    [
        (("Archive the year", "Print it"), ("Pay the tutor", "Call the bank")),
        (("OK", "Cancel"), ("OK", "Abort")),
        (("Weekly report", "Print it", "Share it"), ("Weekly report", "Delete it", "Lock it")),
    ],
)
@WAYS
def test_two_screens_with_one_menu_stay_two(
    way: str, mine: tuple[str, ...], theirs: tuple[str, ...], tmp_path: Path
) -> None:
    for name, labels in (("a", mine), ("b", theirs)):
        with memctl.open(APP, tmp_path / f"{name}-{next(_numbers)}") as memory:
            memory.learn(*screen(*labels).given)
            give(memory, tmp_path, name)
    with merged(tmp_path, way, ["a", "b"]) as memory:
        assert len(memory.states) == 2
        assert {*mine, *theirs} <= {one.label for one in memory.components}


def test_screens_that_one_machine_held_apart_stay_two(tmp_path: Path) -> None:
    with memctl.open(APP, tmp_path / "a") as memory:
        for page in ("draft", "sent"):
            memory.learn(*screen("Open the letter", "Forward it", "Print it").given, page=page)
        assert len(memory.states) == 2
        give(memory, tmp_path, "a")
    with merged(tmp_path, "pack", ["a", "a"]) as memory:
        assert {state.page for state in memory.states} == {"draft", "sent"}


MENU = rows("Orders", "Bills", "Letters")
LETTERS = MENU.plus(*rows("Write a letter", "Forward it", "Print it", top=90).widgets)
BILLS = MENU.plus(*rows("New bill", "Send a reminder", "Book it", top=90).widgets)


def dressed(screen: Drawn, look: str) -> Drawn:
    """Return a screen as another machine draws it."""
    return replace(screen, widgets=tuple(replace(w, look=w.label + look) for w in screen.widgets))


def taught(folder: Path, name: str, look: str, *screens: Drawn) -> Memory:
    """Return the store of a machine that has learned some screens, given away as `name`."""
    memory = memctl.open(APP, folder / f"{name}-{next(_numbers)}")
    for one in screens:
        memory.learn(*dressed(one, look).given)
    if len(screens) > 1:
        ids = [state.id for state in memory.states]
        memory.transitions.record(ids[0], "click:Orders", ids[1], elapsed_ms=100)
        memory.transitions.commit()
    give(memory, folder, name)
    return memory


def test_what_a_third_machine_joins_is_joined_with_what_belongs_to_it(tmp_path: Path) -> None:
    for name, look, screens in (
        ("a", " thin", (LETTERS,)), ("b", " bold", (BILLS,)), ("c", " wide", (LETTERS, BILLS)),
    ):  # fmt: skip
        taught(tmp_path, name, look, *screens).close()
    with merged(tmp_path, "store", ["a", "b"]) as memory:
        orders = [one for one in memory.components if one.label == "Orders"]
        assert len(orders) == 2
        for one, state in zip(orders, sorted(s.id for s in memory.states), strict=True):
            memory.transitions.record(state, f"click:{one.name}", state)
        memory.transitions.commit()
        take(memory, tmp_path, "store", "c")
        [left] = [one for one in memory.components if one.label == "Orders"]
        assert {way.component_id for way in memory.transitions} == {left.id}
        assert left.seen_count == 4
        gone = [one for one in memory.components.list(forgotten=True) if one.label == "Orders"]
        assert [one.forgotten_why for one in gone] == [f"the same as {left.name}"]
        before = counted(memory)
        for name in ("c", "b", "a"):
            take(memory, tmp_path, "store", name)
        assert counted(memory) == before


@WAYS
def test_what_was_forgotten_does_not_come_back_in_another_dress(way: str, tmp_path: Path) -> None:
    taught(tmp_path, "a", " thin", LETTERS, BILLS).close()
    with taught(tmp_path, "b", " bold", LETTERS, BILLS) as memory:
        memory.components.forget("Print it")
        memory.components.erase("Forward it")
        take(memory, tmp_path, way, "a")
        assert {"Print it", "Forward it"} & {one.label for one in memory.components} == set()


def test_controls_without_a_label_leave_with_one_of_them(tmp_path: Path) -> None:
    """Others could not tell which of them stayed."""
    icons = [replace(one, label="", look=one.label) for one in rows("x", "y", top=150).widgets]
    with taught(tmp_path, "a", "", LETTERS.plus(*icons)) as memory:
        unlabelled = [one.name for one in memory.components if not one.label]
        assert len(unlabelled) == 2
        left_out = memory.packs.contents(without=unlabelled[:1]).left_out
        assert left_out["left out by name"] == 1
        assert left_out["without a label, beside what stays out"] == 1
