"""What is chosen is foreseen, asked about, done to all, and undone by the same choice."""

from __future__ import annotations

import re
import shlex
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import numpy as np
import pytest

import memctl
from memctl.visual.reading.image import encode_png, pixels_digest
from tests.reports.conftest import write_to
from tests.reports.stored import component, fact, insert, state

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from memctl_cli.demo.bundle import Shot
    from tests.cli.calling import Answer

    Run = Callable[..., Answer]

NOW = "2026-11-20T12:00:00Z"
AGO = "2026-11-02T12:00:00Z"
ACT = {"from_state": "s_one", "action": "click", "to_state": "s_one", "status": "pending"}
EPISODE = {"summary": "Ann called", "happened_at": AGO}
STORE = (
    component(1, consecutive_misses=5)
    + component(2, consecutive_misses=3)
    + component(3, consecutive_misses=2)
    + component(4, consecutive_misses=9, pinned=1)
    + component(5)
    + state("s_one", name="inbox")
    + insert(
        "state_component", {"state_id": "s_one", "component_id": 1, "defining": 1, "x": 0, "y": 0}
    )
    + insert("transition", ACT | {"recorded_at": AGO, "last_used_at": AGO})
    + insert("transition", ACT | {"recorded_at": NOW, "last_used_at": NOW})
    + insert("episode", EPISODE) * 3
    + insert("episode", EPISODE | {"summary": "Leo wrote"})
    + "".join(fact(name, equal_key="x") for name in ("one", "two", "three"))
    + fact("four", equal_key="y")
)
# How many rows of the store each command is about.
DONE = {
    "components forget --missed 3": 2,
    "components forget --stale --type button": 3,
    "components forget --stateless": 3,
    "components forget 1 4": 2,
    "components pin --missed 3": 3,
    "components unpin --stale": 4,
    "episodes forget --duplicates": 2,
    "transitions discard --days 7": 1,
    "transitions discard": 2,
    "memory forget --duplicates": 2,
}
UNDONE = {
    "components forget --missed 3": "components restore --missed 3",
    "components forget --stateless": "components restore --stateless",
    "components forget 1 4": "components restore 1 4",
    "episodes forget --duplicates": "episodes restore --duplicates",
    "transitions discard --days 7": "transitions restore --days 7",
}
# What a living row and one that is back have in common.
ALIVE = """
    select 'component', id from component where forgotten_at is null
    union all select 'state', id from state where forgotten_at is null
    union all select 'episode', id from episode where archived_at is null
    union all select 'transition', id from transition where status = 'pending'
"""


@pytest.fixture
def stored(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file of a store "harbor", which holds rows to choose from."""
    monkeypatch.setenv("MEMCTL_NOW", NOW)
    write_to(home, "harbor", STORE)
    return home / "apps" / "harbor.db"


def rows(path: Path, sql: str = "") -> list[object]:
    with closing(sqlite3.connect(path)) as connection:
        return list(connection.execute(sql)) if sql else list(connection.iterdump())


@pytest.mark.parametrize("command", DONE)
def test_a_batch_is_foreseen_asked_about_and_then_done(
    command: str, run: Run, stored: Path
) -> None:
    call = ["--app", "harbor", *command.split()]
    before = rows(stored)
    foreseen = run(*call, "--dry-run", "--json").envelope
    number = foreseen["count"] if "transitions" not in call else foreseen["data"]["discarded"]
    if command.startswith("episodes"):
        number = foreseen["data"]["forgotten"]
    assert (number, foreseen["dry_run"]) == (DONE[command], True)
    named = command[-1].isdigit() and "--" not in command
    assert named or run(*call).code == 3
    assert rows(stored) == before
    said = run(*call, "--yes")
    assert (said.code, f": {DONE[command]} " in said.out) == (0, True)
    assert rows(stored) != before


@pytest.mark.parametrize("command", UNDONE)
def test_what_housekeeping_marks_is_undone_by_the_same_choice(
    command: str, run: Run, stored: Path
) -> None:
    before = rows(stored, ALIVE)
    assert run("--app", "harbor", *command.split(), "--yes").code == 0
    assert rows(stored, ALIVE) != before
    assert run("--app", "harbor", *UNDONE[command].split(), "--yes").code == 0
    assert sorted(map(str, rows(stored, ALIVE))) == sorted(map(str, before))


@pytest.mark.usefixtures("stored")
def test_a_batch_of_nothing_is_done_and_a_choice_of_nothing_is_refused(run: Run) -> None:
    assert run("--app", "harbor", "components", "forget", "--missed", "99").code == 0
    assert run("--app", "harbor", "memory", "forget", "--duplicates", "--yes").code == 0
    # Nobody is asked whether to forget nothing.
    assert run("--app", "harbor", "memory", "forget", "--duplicates").code == 0
    for noun in ("components", "episodes", "memory"):
        assert run("--app", "harbor", noun, "forget").code == 2


def test_the_python_face_chooses_alike(stored: Path, home: Path) -> None:
    with memctl.open("harbor", home) as memory:
        assert {one.id for one in memory.components.list(missed=3)} == {1, 2, 4}
        assert {one.id for one in memory.components.forget(missed=3)} == {1, 2}
        assert [one.id for one in memory.components.forget(keys=[4])] == [4]
        assert {one.id for one in memory.components.restore(stale=True)} == {1, 2, 4}
        assert len(memory.facts.list(duplicates=True)) == 2
        assert len(memory.facts.forget(duplicates=True).forgotten) == 2
        assert [one.id for one in memory.facts.list(duplicates=True)] == []
        assert memory.episodes.forget(duplicates=True) == 2
        assert memory.transitions.discard(days=7) == 1
        assert len(memory.transitions.pending()) == 1
    assert stored.exists()


def test_what_the_doctor_and_the_status_hand_out_runs_as_pasted(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "my home"
    noise = np.random.default_rng(7).integers(0, 256, (16, 16, 3), np.uint8)
    look = {"w": 16, "h": 16, "scale": 1, "learned_at": AGO, "sha256": pixels_digest(noise)}
    look |= {"component_id": 1, "png": encode_png(noise)}
    lost = "pragma foreign_keys = off;" + insert("template", look | {"component_id": 99})
    write_to(home, "harbor", component(1) + insert("template", look) + lost)
    with memctl.open("harbor", home) as memory:
        for text in ("The ferry leaves at noon", "The ferry is blue"):
            memory.log(text)
        memory.settings.set("fallback", "store")
    (home / "apps" / "harbor.db").chmod(0o644)
    monkeypatch.setattr("memctl.search.vectors.embed._LEARN_AT_ONCE", 1)
    where = ("--home", home, "--app", "harbor")
    told = re.search(r"memctl .*? reembed", run(*where, "status", "--json").data["waiting"])
    found = run(*where, "doctor", "--json").data
    commands = {one["check"]: one["mend"] for one in found if one["mend"]}
    assert commands.keys() == {"references", "features", "permissions", "vectors"}
    assert told is not None
    for command in {told[0], *commands.values()}:
        program, *words = shlex.split(command)
        assert (program, run(*words).code) == ("memctl", 0)
    assert not [one for one in run(*where, "doctor", "--json").data if one["mend"]]


def test_screenshots_that_are_no_longer_to_be_kept_go_with_the_next_learn(
    home: Path, harbor: dict[str, Shot]
) -> None:
    shot = harbor["login"]
    with memctl.open("harbor", home, settings={"keep_screenshots": "2"}) as memory:
        memory.learn(shot.png, shot.boxes_file())
        assert memory.store.value("select count(*) from screenshot") == 1
    with memctl.open("harbor", home) as memory:
        memory.learn(shot.png, shot.boxes_file())
        assert memory.store.value("select count(*) from screenshot") == 0


def test_an_act_is_told_with_the_names_of_its_states(run: Run, known: Path) -> None:
    act = ("s_two", "click:Save", "s_one")
    with memctl.open("harbor", known) as memory:
        memory.states.rename("s_one", "orders")
    for words in (("record", *act), ("pending",), ("commit",)):
        told = run("--app", "harbor", "transitions", *words).out
        assert "orders" in told
        assert "s_one" not in told
    late = run("--app", "harbor", "transitions", "record", *act)
    assert late.code == 0
    answer = run("--app", "harbor", "transitions", "discard", "2", "--days", "60")
    assert answer.code == 4
    assert "transition 2 is not pending for 60 days or longer" in answer.error
