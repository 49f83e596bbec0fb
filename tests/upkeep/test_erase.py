"""Erasing: what is chosen, asked for, refused and proven; and what an interrupted one leaves."""

from __future__ import annotations

import os
import pickle
import resource
import signal
import sqlite3
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import memctl
from memctl.base.errors import (
    ConfirmationRequiredError,
    MemctlError,
    MissingParamError,
    NotFoundError,
    ReadOnlyError,
    SubagentBlockedError,
    UsageError,
)
from memctl_cli import main
from tests.each import each

if TYPE_CHECKING:
    from collections.abc import Callable

    from memctl.memory import Memory
    from memctl.upkeep.eraser import Erasure

SAID = "Ann keeps a quokka called Xylotown"


def content(memory: Memory) -> bytes:
    """Return the bytes of all files of a store, in small letters."""
    path = memory.store.path
    return b"".join(p.read_bytes() for p in path.parent.glob(f"{path.name}*")).lower()


def told(memory: Memory, sql: str) -> list[Any]:
    return [row[0] for row in memory.store.rows(sql)]


def proven(receipt: Erasure) -> bool:
    return receipt.proof is not None and receipt.proof.proven


@pytest.fixture
def turn(memory: Memory) -> str:
    memory.log("Tea is served at noon", speaker="Bob")
    return f"turn:{memory.log(SAID, speaker='Ann')}"


def test_a_receipt_holds_ids_and_counts_and_no_text(memory: Memory, turn: str) -> None:
    memory.recall("xylotown")
    receipt = memory.erase(turn, confirm=True)
    assert receipt.items == (turn,)
    assert (receipt.rows["log"], receipt.blanked["recall.question"]) == (1, 1)
    assert proven(receipt)
    assert b"ylotown" not in pickle.dumps(receipt)
    assert b"ylotown" not in content(memory)


@pytest.mark.parametrize("question", ["who is Xylotown?", "who is Xyltown?", "quokka"])
def test_the_question_of_a_recall_that_returned_the_row_goes_typo_or_not(
    memory: Memory, turn: str, question: str
) -> None:
    assert [row.id for row in memory.recall(question)] == [int(turn[5:])]
    memory.recall("when is tea served?")
    memory.erase(turn, confirm=True)
    assert told(memory, "select question from recall order by id") == [
        "(erased)",
        "when is tea served?",
    ]


def test_quotes_elsewhere_are_listed_and_go_by_the_names_that_they_are_listed_by(
    memory: Memory, turn: str
) -> None:
    memory.journal.task("visit Xylotown")
    memory.journal.decide("paint the fence")
    memory.aliases.add("xylotown", "zoo: the old one")
    memory.cache.set("pet", "Xylotown")
    (fact,) = memory.facts.store("Ann's quokka is called Xylotown").ids
    (session,) = told(memory, "select session from cache")
    receipt = memory.erase(turn, confirm=True)
    assert proven(receipt)
    assert sorted(receipt.still_said) == sorted(
        ("alias:xylotown:zoo: the old one", f"cache:{session}:pet", fact, "journal:1")
    )
    assert proven(memory.erase(*receipt.still_said, confirm=True))
    assert b"ylotown" not in content(memory)
    assert told(memory, "select text from journal") == ["paint the fence"]


def test_a_column_that_only_quotes_is_emptied_and_its_row_stays(memory: Memory, turn: str) -> None:
    with memory.store.transaction():
        memory.store.execute(
            "insert into dream_run (id, kind, as_of, status, owner, beat_at, started_at, diary)"
            " values (7, 'dream', '', 'done', '', '', '', 'kept Xylotown')"
        )
    assert memory.erase(turn, confirm=True).still_said == ("dream_run:7",)
    assert memory.erase("dream_run:7", confirm=True).blanked == {"dream_run.diary": 1}
    assert b"ylotown" not in content(memory)


def test_an_older_version_goes_from_the_history_of_the_fact_that_stays(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMCTL_NOW", "2026-11-03T12:00:00Z")
    (fact,) = memory.facts.store("Zebulon lives in Xylotown").ids
    monkeypatch.setenv("MEMCTL_NOW", "2026-11-04T12:00:00Z")
    memory.facts.update(fact, "Zebulon lives in Lisbon")
    memory.recall("where is Xylotown?")
    receipt = memory.erase(query="Xylotown", confirm=True)
    assert proven(receipt)
    assert set(receipt.still_said) == {fact, "recall:1"}  # both name Zebulon, or Xylotown
    assert proven(memory.erase("recall:1", confirm=True))
    assert b"ylotown" not in content(memory)
    assert memory.facts.get(fact).text == "Zebulon lives in Lisbon"
    assert told(memory, "select new_text from fact_history where event = 'UPDATE'") == [
        "Zebulon lives in Lisbon"
    ]


def test_what_others_say_too_is_no_leak(memory: Memory, turn: str) -> None:
    other = memory.log(SAID, speaker="Bob")
    receipt = memory.erase(turn, confirm=True)
    assert receipt.still_said == (f"turn:{other}",)
    assert proven(receipt)


def test_a_dry_run_changes_nothing(memory: Memory, turn: str) -> None:
    memory.recall("xylotown")
    before = list(memory.store.connection().iterdump())
    plan = memory.erase(turn, dry_run=True)
    assert (plan.done, plan.proof, plan.items) == (False, None, (turn,))
    assert list(memory.store.connection().iterdump()) == before


def test_without_confirmation_nothing_goes(memory: Memory, turn: str) -> None:
    with pytest.raises(ConfirmationRequiredError, match="1 rows would be erased"):
        memory.erase(turn)
    assert len(memory.turns) == 2


CHOICES: dict[str, tuple[dict[str, Any], set[str]]] = {
    "query": ({"query": "quokka xylotown"}, {"turn:2"}),
    "participant": ({"participant": "ann"}, {"turn:2", "episode:3", "f_1"}),
    "before": ({"before": "2026-01-02"}, {"turn:4", "recall:1"}),
}


@pytest.mark.parametrize("name", CHOICES)
def test_rows_are_chosen_by(
    memory: Memory, turn: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert turn == "turn:2"
    memory.remember("A walk", participants=["Ann", "Bob"])
    memory.facts.store([{"subject": "Ann", "attribute": "boat", "value": "blue"}])
    with memory.store.transaction():
        memory.store.execute("update fact set id = 'f_1'")
    monkeypatch.setenv("MEMCTL_NOW", "2026-01-01T12:00:00Z")
    memory.log("Long ago")
    memory.recall("ago")
    given, expected = CHOICES[name]
    assert set(memory.erase(**given, dry_run=True).items) == expected


def test_a_query_that_everything_answers_says_how_much(memory: Memory) -> None:
    for number in range(100):
        memory.log(f"the ferry of day {number}")
    with pytest.raises(ConfirmationRequiredError, match="100 rows"):
        memory.erase(query="ferry")


@each(
    ("given", "error"),
    [
        ((("turn:1", "turn:99"), {}), NotFoundError),
        ((("f_000000000000",), {}), NotFoundError),
        ((("s_0",), {}), NotFoundError),
        ((("no_such_component",), {}), NotFoundError),
        (((), {"query": "zebra"}), NotFoundError),
        (((), {"query": "the of"}), UsageError),
        (((), {"before": "soon"}), UsageError),
        ((("turn:1",), {"query": "tea"}), UsageError),
        (((), {}), MissingParamError),
    ],
)
def test_what_is_not_there_or_not_clear_is_refused_whole(
    memory: Memory, turn: str, given: Any, error: type[MemctlError]
) -> None:
    del turn
    ids, chosen = given
    with pytest.raises(error):
        memory.erase(*ids, **chosen, confirm=True)
    assert len(memory.turns) == 2


def test_a_secret_may_be_erased_by_saying_it(memory: Memory, turn: str) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6" * 3
    with memory.store.transaction():
        memory.store.execute("update log set text = 'it is ' || :s where id = 1", {"s": secret})
    assert proven(memory.erase(query=secret, confirm=True))
    assert secret.lower().encode() not in content(memory)
    assert memory.turns.get(int(turn[5:])).text == SAID


@each(
    ("how", "error"),
    [({"readonly": True}, ReadOnlyError), ({"subagent": True}, SubagentBlockedError)],
)
def test_who_may_not_write_erases_nothing(
    memory: Memory, turn: str, home: Path, how: dict[str, Any], error: type[MemctlError]
) -> None:
    with memctl.open("harbor", home, **how) as reader, pytest.raises(error):
        reader.erase(turn, confirm=True)
    assert len(memory.turns) == 2


def test_copies_in_the_home_are_read_too(memory: Memory, turn: str, home: Path) -> None:
    folder = home / "backups" / "harbor"
    folder.mkdir(parents=True)
    with sqlite3.connect(folder / "old.db") as copy:
        memory.store.connection().backup(copy)
    copy.close()
    (folder / "empty.db").write_bytes(b"")
    copies = memory.erase(turn, confirm=True).copies
    assert [(Path(one.path).name, one.holds) for one in copies] == [
        ("empty.db", False),
        ("old.db", True),
    ]


def test_an_open_reader_holds_the_proof_up(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMCTL_BUSY_TIMEOUT_MS", "50")
    with memctl.open("harbor", home) as memory:
        turn = memory.log(SAID)
        reader = sqlite3.connect(memory.store.path, isolation_level=None)
        reader.execute("begin")
        reader.execute("select * from log").fetchall()
        proof = memory.erase(f"turn:{turn}", confirm=True).proof
        assert proof is not None
        assert not proof.proven
        assert "--finish" in proof.unfinished
        reader.execute("rollback")
        reader.close()
        assert proven(memory.erase(finish=True))
        assert b"ylotown" not in content(memory)


def in_a_child(act: Callable[[], object]) -> int:
    """Start a process that does something; return its id."""
    child = os.fork()
    if not child:
        try:
            act()
        finally:
            os._exit(0)
    return child


def test_a_killed_erasure_is_none_or_can_be_finished(home: Path) -> None:
    with memctl.open("harbor", home) as memory:
        for number in range(300):
            memory.log(f"filler number {number} with many plain words")

    def erase_all() -> None:
        with memctl.open("harbor", home) as inside:
            inside.erase(query="xylotown", confirm=True)

    for number in range(4):
        with memctl.open("harbor", home) as memory:
            memory.log(SAID)
        child = in_a_child(erase_all)
        time.sleep(0.01 + number * 0.1)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        with memctl.open("harbor", home) as memory:
            assert proven(memory.erase(finish=True))
            left = told(memory, "select count(*) from log where text glob '*Xylotown*'")[0]
            assert (left > 0) == (b"ylotown" in content(memory))
            assert told(memory, "select count(*) from log where text glob 'filler*'") == [300]


def test_a_full_disk_is_said_and_finished_later(home: Path) -> None:
    with memctl.open("harbor", home) as memory:
        for number in range(300):
            memory.log(f"filler number {number} with many plain words")
        turn = memory.log(SAID)
        size = memory.store.path.stat().st_size

    def erase_without_room() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size // 2, size // 2))
        with memctl.open("harbor", home) as inside:
            proof = inside.erase(f"turn:{turn}", confirm=True).proof
        assert proof is not None
        (home / "said").write_text(proof.unfinished)

    os.waitpid(in_a_child(erase_without_room), 0)
    assert "--finish" in (home / "said").read_text()
    with memctl.open("harbor", home) as memory:
        assert proven(memory.erase(finish=True))
        assert len(memory.turns) == 300
        assert b"ylotown" not in content(memory)


def test_a_screen_goes_with_what_stands_on_no_other(memory: Memory, harbor: Any) -> None:
    for name in ("inbox", "settings") if "inbox" in harbor else list(harbor)[:2]:
        memory.learn(harbor[name].png, harbor[name].boxes_file(), page=name)
    gone, left = (state.id for state in memory.states.list())
    on_left = {one.component_id for one in memory.states.get(left).components}
    receipt = memory.erase(gone, confirm=True)
    assert gone in receipt.items
    assert proven(receipt)
    assert [state.id for state in memory.states.list()] == [left]
    assert {component.id for component in memory.components.list()} >= on_left


def command(home: Path, *words: str) -> int:
    try:
        main(["--home", str(home), "--app", "harbor", "erase", *words])
    except SystemExit as left:
        return int(left.code or 0)
    raise AssertionError("a command leaves with its exit code")


def test_the_command_shows_asks_and_proves(
    memory: Memory, turn: str, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command(home, turn) == 3
    shown = capsys.readouterr()
    assert f"would go: {turn}" in shown.out
    assert "add --yes" in shown.err
    assert command(home, turn, "--yes") == 0
    assert "0 found" in capsys.readouterr().out
    assert command(home, turn, "--yes") == 4
    assert command(home, "--finish", turn) == 2
    assert command(home, "--finish") == 0
    assert len(memory.turns) == 1
