"""Bad input to a dream: clocks, dates, huge and repeated texts, older versions, full disks."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import memctl
from memctl.base.errors import DiskFullError, ReadOnlyError, RecalledTextError

if TYPE_CHECKING:
    from pathlib import Path

    from memctl.memory import Memory

ORDER = "Always answer me in German, please."
NURSE = "I work at Initech as a nurse, and I like it."


def at(monkeypatch: pytest.MonkeyPatch, moment: str) -> None:
    monkeypatch.setenv("MEMCTL_NOW", moment)


def candidates(memory: Memory) -> list[str]:
    return [row[0] for row in memory.store.rows("select text from candidate order by id")]


def test_a_clock_that_goes_backwards_loses_nothing(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    at(monkeypatch, "2026-03-10T10:00:00Z")
    memory.log(ORDER, session="a")
    memory.dream.run(apply=True)
    at(monkeypatch, "2026-03-01T10:00:00Z")
    memory.log("Never call me before nine, please.", session="b")
    memory.dream.run(apply=True)
    assert len(memory.facts.list()) == 2
    assert memory.dream.status().unread_turns == 0
    assert memory.dream.verify().checked == 2
    assert not memory.dream.decay().fading


def test_what_is_dated_in_the_future_counts_when_its_day_has_come(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    at(monkeypatch, "2026-03-01T10:00:00Z")
    for day in ("2027-01-05", "2027-01-20"):
        memory.log(NURSE, session=day, logged_at=f"{day}T10:00:00Z")
    memory.dream.run(apply=True)
    assert memory.facts.list() == []
    at(monkeypatch, "2027-01-21T10:00:00Z")
    memory.log("Good morning!", session="later")
    memory.dream.run(apply=True)
    assert len(memory.facts.list()) == 1


@pytest.mark.parametrize(
    "text",
    [
        "I live in Porto with my dog. " * 1_000,
        "word " * 6_000,
        "    total = add(total, row)\n" * 300,
        "我喜欢在波尔图喝茶。" * 600,
        '"(' * 7_000,
    ],
    ids=["one sentence", "no full stop", "code", "chinese", "brackets"],
)
def test_a_huge_message_is_read_once_and_stays(memory: Memory, text: str) -> None:
    memory.log(text, session="s")
    memory.dream.run(apply=True)
    assert len(candidates(memory)) <= 1
    assert memory.turns.list()[0].text == text
    assert memory.dream.status().unread_turns == 0


def test_equal_notes_are_one_candidate(memory: Memory) -> None:
    text = "I buy oats for the week each Monday, I like them."
    days = [f"2026-{month:02}-{day:02}" for month in (1, 2, 3, 4) for day in range(1, 29)]
    memory.turns.add_many([{"text": text, "session": "s", "logged_at": day} for day in days])
    memory.dream.run(apply=True)
    assert len(candidates(memory)) == 1


def test_a_read_only_store_shows_and_refuses_to_apply(memory: Memory, home: Path) -> None:
    memory.log(ORDER, session="a")
    address = str(memory.address)
    memory.close()
    before = memory.store.path.read_bytes()
    with memctl.open(address, home, readonly=True) as reader:
        assert reader.dream.run().phases["deep"]["promoted"] == 1
        assert reader.dream.status().unread_turns == 1
        assert not reader.dream.decay().fading
        with pytest.raises(ReadOnlyError):
            reader.dream.run(apply=True)
    assert memory.store.path.read_bytes() == before


def test_a_half_finished_run_of_another_version_is_completed(memory: Memory) -> None:
    memory.log(ORDER, session="a")
    memory.dream.run(apply=True)
    memory.log("Never call me before nine, please.", session="b")
    report = json.dumps({"read": {"turns": 1, "words of then": 3}, "phase of then": {}})
    with memory.store.transaction():
        memory.store.execute(
            "insert into dream_run (kind, as_of, status, owner, beat_at, report, started_at)"
            " values ('dream', '2026-03-01T03:00:00Z', 'running', 'elsewhere 99', '2026-03-01T03:00:00Z',"
            " :report, '2026-03-01T03:00:00Z')",
            {"report": report},
        )
    for _ in range(2):  # the first completes what another version began
        memory.dream.run(apply=True)
    assert len(memory.facts.list()) == 2
    assert memory.store.value("select count(*) from dream_run where status = 'running'") == 0


def test_a_full_disk_stops_a_run_and_the_next_one_completes_it(memory: Memory) -> None:
    for number in range(60):
        memory.log(
            f"I have a friend called Ann{number}, and she lives in Porto{number}.",
            session=f"s{number}",
        )
    pages = memory.store.value("pragma page_count")
    memory.store.connection().execute(f"pragma max_page_count = {pages + 2}")
    with pytest.raises(DiskFullError):
        memory.dream.run(apply=True)
    memory.store.connection().execute("pragma max_page_count = 1000000")
    memory.dream.run(apply=True)
    assert memory.dream.status().unread_turns == 0
    assert len(candidates(memory)) == 60


def test_own_output_fed_back_changes_nothing(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    at(monkeypatch, "2026-03-01T10:00:00Z")
    memory.log(ORDER, session="a")
    diary = memory.dream.run(apply=True).diary
    facts = [one.text for one in memory.facts.list()]
    for day in range(2, 20, 3):
        at(monkeypatch, f"2026-03-{day:02}T10:00:00Z")
        memory.log(diary, role="assistant", session=f"s{day}")
        with pytest.raises(RecalledTextError):
            memory.log(memory.context(ORDER).text, role="system", session=f"s{day}")
        memory.log(facts[0], role="tool", session=f"s{day}")
        memory.dream.run(apply=True)
    assert [one.text for one in memory.facts.list()] == facts
    assert len(candidates(memory)) == 1
