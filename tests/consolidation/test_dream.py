"""A dream reads the log once, promotes what deserves it, says why, and can be taken back."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest

import memctl
from memctl.base.errors import BusyError, NotFoundError, UsageError
from memctl.consolidation.dream import Dream
from memctl.consolidation.runs import Runs, is_due

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from memctl.memory import Memory

PORTO = "I moved to Porto and I work at Initech as a nurse."
GERMAN = "Always answer me in German, please."
FIRST, LATER = "2026-11-02T03:00:00Z", "2026-11-11T03:00:00Z"
# What a run may leave when it writes nothing: its own record.
RECORDS = {"dream_run", "sqlite_sequence"}


def at(monkeypatch: pytest.MonkeyPatch, time: str) -> None:
    monkeypatch.setenv("MEMCTL_NOW", time)


def dump(memory: Memory) -> dict[str, list[tuple[Any, ...]]]:
    """Return every row of every table but those of the word index and the run's record."""
    with closing(sqlite3.connect(memory.store.path)) as file:
        named = file.execute("select name from sqlite_master where type = 'table'").fetchall()
        tables = [name for (name,) in named if "_fts" not in name and name not in RECORDS]
        return {name: file.execute(f"select * from {name}").fetchall() for name in tables}


@pytest.fixture
def told(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> Memory:
    at(monkeypatch, "2026-11-01T10:00:00Z")
    for text, role in ((PORTO, "user"), ("Nice!", "assistant"), (GERMAN, "user")):
        memory.log(text, role=role, session="s1")
    at(monkeypatch, FIRST)
    return memory


def test_a_run_promotes_a_standing_order_and_makes_an_episode_of_a_session(told: Memory) -> None:
    told.dream.run(apply=True)
    assert [fact.text for fact in told.facts.list()] == ["Always answer User in German, please."]
    (episode,) = told.episodes.list()
    assert (episode.source, episode.thread) == ("dream:s1", "s1")
    assert "Porto" in episode.summary
    assert [turn.text for turn in told.turns.list()] == [GERMAN, "Nice!", PORTO]


def test_a_preview_writes_nothing(told: Memory) -> None:
    before = dump(told)
    shown = told.dream.run()
    assert shown.phases["deep"]["promoted"] == 1
    assert dump(told) == before


def test_a_second_run_writes_nothing(told: Memory) -> None:
    told.dream.run(apply=True)
    before = dump(told)
    again = told.dream.run(apply=True)
    assert (again.run, again.why) == (None, "nothing is new since the last run")
    assert dump(told) == before


def test_what_is_said_again_on_a_later_day_is_promoted(
    told: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    told.dream.run(apply=True)
    at(monkeypatch, "2026-11-10T09:00:00Z")
    told.log("As I said, I work at Initech as a nurse, and I moved to Porto.", session="s2")
    at(monkeypatch, LATER)
    assert told.dream.run(apply=True).phases["deep"]["promoted"] == 1
    assert any("Initech" in fact.text for fact in told.facts.list())


def test_a_run_that_promotes_nothing_names_the_gates_and_the_nearest(memory: Memory) -> None:
    memory.log(PORTO, session="s1")
    deep = memory.dream.run(apply=True).phases["deep"]
    assert deep["stopped"] == {"signals": 1}
    assert [one["gate"] for one in deep["nearest"]] == ["signals"]


def test_a_run_that_is_taken_back_leaves_nothing_that_it_concluded(told: Memory) -> None:
    before = dump(told)
    run = told.dream.run(apply=True).run
    assert run is not None
    assert told.dream.rollback(run).runs == (run,)
    assert (told.facts.list(), told.episodes.list(), told.dream.candidates()) == ([], [], [])
    after = dump(told)
    for table in ("log", "candidate", "candidate_source", "dream_signal", "promotion", "dream_row"):
        assert after[table] == before[table]
    assert told.dream.runs()[0].status == "rolled back"


def test_a_run_that_was_taken_back_can_be_made_again(told: Memory) -> None:
    told.dream.run(apply=True)
    (fact,) = told.facts.list()
    told.dream.rollback(1)
    told.dream.run(apply=True)
    assert [one.text for one in told.facts.list()] == [fact.text]
    assert len(told.episodes.list()) == 1
    with pytest.raises(UsageError, match="was taken back already"):
        told.dream.rollback(1)


def test_a_run_whose_fact_a_later_one_replaced_takes_that_one_along(memory: Memory) -> None:
    runs = []
    for city in ("Porto", "Lisbon"):
        with Runs(memory.store).work("dream") as work, work.step():
            memory.facts.store([{"subject": "User", "attribute": "office", "value": city}])
        runs.append(work.id)
    assert memory.dream.to_roll_back(runs[0]) == runs[::-1]
    memory.dream.rollback(runs[0])
    assert memory.facts.list() == []


def test_what_a_fact_replaced_holds_again(memory: Memory) -> None:
    office = {"subject": "User", "attribute": "office", "value": "Porto"}
    (old,) = memory.facts.store([office]).written
    with Runs(memory.store).work("dream") as work, work.step():
        memory.facts.store([{**office, "value": "Lisbon"}])
    memory.dream.rollback(work.id)
    (fact,) = memory.facts.list()
    assert (fact.id, fact.superseded_by, fact.valid_to) == (old.id, None, None)


def test_what_was_changed_since_is_left_and_named_and_the_rest_taken_back(told: Memory) -> None:
    told.log("Never use tabs in my code, please.", session="s2")
    told.dream.run(apply=True)
    kept, other = told.facts.list()
    told.facts.pin(kept.id)
    pinned, history = told.facts.get(kept.id), told.facts.history(kept.id)
    assert told.dream.rollback(1).left == (f"fact {kept.id}",)
    assert (told.facts.list(), told.facts.history(kept.id)) == ([pinned], history)
    assert told.facts.get(other.id).status == "forgotten"
    assert told.episodes.list() == []


def edit_by_hand(memory: Memory, fact: str) -> None:
    with closing(sqlite3.connect(memory.store.path)) as file, file:
        file.execute("update fact set text = 'Answer in Dutch.' where id = ?", (fact,))


@pytest.mark.parametrize("change", [lambda memory, fact: memory.facts.pin(fact), edit_by_hand])
def test_what_was_left_stays_as_it_is_and_is_no_news_to_the_next_run(
    told: Memory, monkeypatch: pytest.MonkeyPatch, change: Callable[[Memory, str], object]
) -> None:
    told.dream.run(apply=True)
    (fact,) = told.facts.list()
    change(told, fact.id)
    text = told.facts.get(fact.id).text
    assert told.dream.rollback(1).left == (f"fact {fact.id}",)
    at(monkeypatch, LATER)
    told.dream.run(apply=True)
    assert (fact.id, text) in [(one.id, one.text) for one in told.facts.list()]
    assert not [one for one in told.doctor() if not one.ok]


def test_what_a_kept_fact_replaced_stays_replaced(memory: Memory) -> None:
    office = {"subject": "User", "attribute": "office", "value": "Porto"}
    (old,) = memory.facts.store([office]).written
    with Runs(memory.store).work("dream") as work, work.step():
        (new,) = memory.facts.store([{**office, "value": "Lisbon"}]).written
        memory.facts.store("User prefers dark themes")
    memory.facts.pin(str(new.id))
    assert set(memory.dream.rollback(work.id).left) == {f"fact {new.id}", f"fact {old.id}"}
    assert [fact.id for fact in memory.facts.list()] == [new.id]
    assert memory.facts.get(str(old.id)).superseded_by == new.id


def test_an_explanation_names_the_gate_and_a_person_promotes_whatever_the_score(
    told: Memory,
) -> None:
    told.dream.run(apply=True)
    found = told.dream.explain("moved to Porto")
    assert found.stopped_by == "signals"
    assert found.nearest.startswith("signals: 1 of 2, 1 more wanted; ")
    (fact,) = told.facts.list()
    promoted = told.dream.explain(fact.id)
    assert (promoted.status, promoted.nearest) == ("promoted", "promoted: it is a fact already")
    with pytest.raises(NotFoundError, match="no candidate"):
        told.dream.explain("77")
    told.dream.promote(found.candidate)
    assert any("Porto" in fact.text for fact in told.facts.list())


def test_recalls_of_people_are_signals_and_chance_below_the_third_is_none(
    told: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    told.dream.run(apply=True)
    for day, question in ((3, "Where does the nurse work?"), (9, "Who moved to Porto?")):
        at(monkeypatch, f"2026-11-{day:02}T10:00:00Z")
        told.recall(question)
    at(monkeypatch, LATER)
    report = told.dream.run(apply=True)
    assert report.phases["read"]["signals"] >= 2
    assert any("Initech" in fact.text for fact in told.facts.list())


def test_a_schedule_that_opens_every_thread_alike_says_nothing(memory: Memory) -> None:
    for number in range(3):
        memory.log("Check my inbox and always report the five newest mails.", session=f"n{number}")
    report = memory.dream.run(apply=True)
    assert (report.phases["read"]["excluded"], len(memory.facts)) == (3, 0)


def test_what_the_boot_text_says_is_no_news(memory: Memory) -> None:
    memory.log("Always answer in German and keep answers short.", role="system", session="s1")
    memory.log("Always answer in German and keep answers short.", session="s1")
    deep = memory.dream.run(apply=True).phases["deep"]
    assert (deep["promoted"], deep["stopped"]) == (0, {"boot overlap": 1})


def test_a_run_is_due_after_a_night_and_enough_turns(
    told: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    told.settings.set("dream_due_turns", 3)
    assert told.dream.run(apply=True, if_due=True).run == 1
    told.log("I love sailing on the lake", session="s3")
    assert told.dream.run(apply=True, if_due=True).why.startswith("the last run was 0.0 h ago")
    at(monkeypatch, "2026-11-04T03:00:00Z")
    assert "1 turn is not read, 3 are wanted" in told.dream.run(apply=True, if_due=True).why
    told.settings.set("dream_due_turns", 1)
    for time, due in (("01:59:59", False), ("02:00:01", True)):  # a little early
        at(monkeypatch, f"2026-11-03T{time}Z")
        assert told.dream.status().due is due


@pytest.mark.parametrize(
    ("setting", "least", "why"),
    [
        ("dream_due_sessions", 2, "1 session is not read, 2 are wanted"),
        ("dream_due_memories", 1, "0 facts hold, 1 is wanted"),
    ],
)
def test_a_run_may_wait_for_sessions_and_memories(
    told: Memory, setting: str, least: int, why: str
) -> None:
    told.settings.set("dream_due_turns", 1)
    told.settings.set(setting, least)
    assert told.dream.status().why == why
    told.log("I love sailing on the lake", session="s3")
    told.facts.store("Ann drinks green tea")
    assert told.dream.status().due


def test_a_run_that_another_process_did_meanwhile_is_not_done_again(
    told: Memory, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told.settings.set("dream_due_turns", 3)
    here = "memctl.consolidation.dream.is_due"

    def asked_before_the_other(*of: Any) -> tuple[bool, str]:
        answer = is_due(*of)
        monkeypatch.setattr(here, is_due)
        with memctl.open(str(told.address), home) as other:
            other.dream.run(apply=True, if_due=True)
        return answer

    monkeypatch.setattr(here, asked_before_the_other)
    monkeypatch.setattr(Dream, "_anything_to_do", lambda *_, **__: True)
    assert told.dream.run(apply=True, if_due=True).why.startswith("the last run was 0.0 h ago")
    assert [run.id for run in told.dream.status().runs] == [1]


def test_a_session_is_read_again_where_it_is_asked_for(told: Memory) -> None:
    told.dream.run(apply=True)
    facts = len(told.facts)
    report = told.dream.run(apply=True, again="s1")
    assert report.phases["read"]["turns"] == 3
    assert (len(told.episodes), len(told.facts)) == (1, facts)
    with pytest.raises(NotFoundError, match="no thread"):
        told.dream.run(apply=True, again="nowhere")


def begin(memory: Memory, process: int, at: str) -> None:
    """Record a run that another process is at work on."""
    with memory.store.transaction():
        memory.store.connection().execute(
            "insert into dream_run (kind, as_of, status, owner, beat_at, started_at)"
            " values ('dream', ?, 'running', ?, ?, ?)",
            (at, f"{os.uname().nodename} {process}", at, at),
        )


def test_two_runs_at_once_are_one_run(told: Memory) -> None:
    holder = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    try:
        begin(told, holder.pid, FIRST)
        with pytest.raises(BusyError, match=f"run 1 is at work in process {holder.pid}"):
            told.dream.run(apply=True)
    finally:
        holder.communicate(b"\n")
    assert told.dream.run(apply=True).run == 1  # its owner is dead by now


def test_a_sign_of_life_in_the_future_is_none(told: Memory) -> None:
    begin(told, os.getppid(), LATER)
    assert told.dream.run(apply=True).run == 1  # the clock went back by nine days


def test_after_the_clock_went_back_a_candidate_is_taken_up_once_more_and_once_only(
    told: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    at(monkeypatch, "2026-11-02T20:00:00Z")
    told.dream.run(apply=True)
    at(monkeypatch, FIRST)
    told.log(PORTO, session="s2")
    assert told.dream.run(apply=True).phases["light"]["staged"] == 1
    at(monkeypatch, "2026-11-03T03:00:00Z")
    assert told.dream.run(apply=True).run is None


def test_what_a_rule_of_today_takes_for_a_secret_is_read_past(told: Memory) -> None:
    told.settings.set("secret_patterns", "Porto")  # what was logged before the rule was made
    assert told.dream.run(apply=True).phases["read"]["turns"] == 3
    assert "Porto" not in told.episodes.list()[0].summary
    assert not any("Porto" in fact.text for fact in told.facts.list())


def test_what_is_erased_leaves_candidates_and_the_record_of_runs_too(memory: Memory) -> None:
    turn = memory.log("Always greet me with Zanzibarine, please.", speaker="Ann", session="s1")
    memory.dream.run(apply=True)
    (fact,) = memory.facts.list()
    memory.turns.erase([turn])
    memory.facts.erase(fact.id)
    memory.close()
    assert not any(b"anzibar" in file.read_bytes() for file in memory.store.path.parent.iterdir())


def test_a_run_is_taken_back_after_a_part_of_it_was_erased(told: Memory) -> None:
    told.dream.run(apply=True)
    (fact,) = told.facts.list()
    told.facts.erase(fact.id)
    assert told.dream.rollback(1).runs == (1,)
    assert not told.episodes.list()
