"""Machines that learned one app in other fonts, densities and orders become one memory of it."""

from __future__ import annotations

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
