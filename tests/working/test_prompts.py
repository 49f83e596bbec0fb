"""What a prompt is told: the few rows that it asks for, none twice, and nothing where it asks nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import memctl
from memctl.base.errors import RecalledTextError, UsageError
from memctl.text.fences import CLOSE, OPEN
from memctl.working.prompt_rows import COMPACTION
from tests.each import each

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from memctl.memory import Memory


@pytest.fixture
def working(tmp_path: Path) -> Iterator[Memory]:
    """A memory in its second session; the first one told it a port and ran tests."""
    with memctl.open("agent", tmp_path, session="monday") as memory:
        turn = memory.log("The gateway listens on 7410 in staging", session="monday")
        memory.facts.store("The gateway listens on 7410 in staging", source=f"turn:{turn}")
        memory.log("run the gateway tests again", session="monday")
        memory.log("ok, thanks, bye", session="monday")
    with memctl.open("agent", tmp_path, session="tuesday") as memory:
        yield memory


def told(memory: Memory, prompt: str, **given: Any) -> list[str]:
    text = memory.context(prompt, occasion="prompt", **given).text
    return [line for line in text.splitlines() if line.startswith("- ")]


def test_a_prompt_that_asks_is_told_the_fact_with_its_day_and_not_its_turn_too(
    working: Memory,
) -> None:
    (line,) = told(working, "which port does the gateway have in staging?")
    assert "7410" in line
    assert working.facts.list()[0].id in line
    assert working.store.zone.day(working.facts.list()[0].valid_from) in line


@each(
    "prompt",
    [
        "run the tests again",
        "ok, thanks",
        "fix the typo in the gateway's readme and commit it",
        "yes",
        "🎉",
        "",
        "Read HEARTBEAT.md",
        "What colour is the moon?",
    ],
)
def test_a_prompt_that_asks_for_nothing_is_told_nothing(working: Memory, prompt: str) -> None:
    assert told(working, prompt) == []


def test_an_order_that_names_a_known_thing_is_told_of_it(working: Memory) -> None:
    assert len(told(working, "restart the staging gateway")) == 1


def test_a_session_is_not_told_its_own_words_until_it_was_compacted(working: Memory) -> None:
    turn = working.log("The ledger rounds half up", session="tuesday")
    working.facts.store("The ledger rounds half up", source=f"turn:{turn}")
    asked = "how does the ledger round, which rule do we use?"
    assert told(working, asked) == []
    working.journal.snapshot(COMPACTION)
    assert len(told(working, asked)) == 1


def test_what_replaced_a_fact_is_told_in_its_place_even_in_other_words(tmp_path: Path) -> None:
    said = ("For the greenhouse: Falcon's port is 7410", "Falcon's port is 7500")
    with memctl.open("agent", tmp_path) as memory:
        for text in said:
            turn = memory.log(text, session="monday")
            memory.facts.store(text.rpartition(": ")[2], source=f"turn:{turn}")
        (line,) = told(memory, "which one does the greenhouse have?")
    assert "7500" in line


def test_a_turn_does_not_stand_for_a_fact_that_a_newer_one_may_replace(tmp_path: Path) -> None:
    said = (
        "nightpress ships to production on Wednesday 11 March. put it into the release line",
        "the auditors moved their call to Friday (2026-03-13), so we ship on Thursday the 12th instead",
    )
    with memctl.open("agent", tmp_path) as memory:
        for text in said:
            turn = memory.log(text, session="monday")
            memory.facts.store(text.partition(". ")[0], source=f"turn:{turn}")
        assert memory.facts.undecided()
        lines = told(memory, "is the release today?")
    assert ["the 12th" in line and "may replace" in line for line in lines] == [True]


@pytest.mark.parametrize("strategy", ["manual", "off"])
def test_nothing_is_told_unasked_where_recall_is_manual_or_off(
    working: Memory, strategy: str
) -> None:
    working.settings.set("recall_strategy", strategy)
    made = working.context("which port does the gateway have?", occasion="prompt")
    assert (made.text, len(made.left_out)) == ("", 1)


def test_always_takes_each_prompt_for_a_question(working: Memory) -> None:
    assert told(working, "haha, the staging gateway again") == []
    working.settings.set("recall_strategy", "always")
    assert "7410" in "".join(told(working, "haha, the staging gateway again"))


@each("trigger", ["cron", "agent:main:cron:x", "heartbeat"])
def test_what_no_person_started_is_told_nothing(working: Memory, trigger: str) -> None:
    assert told(working, "which port does the gateway have?", trigger=trigger) == []


def test_five_rows_at_most_or_as_many_as_the_setting_says(working: Memory) -> None:
    for number in range(20):
        working.facts.store(f"Sensor {number} of the greenhouse measures zone {number}")
    assert len(told(working, "which sensors measure the greenhouse?")) == 5
    working.settings.set("context_rows", "2")
    assert len(told(working, "which sensors measure the greenhouse?")) == 2


def test_a_start_brings_what_holds_what_is_open_and_what_was_told_lately(working: Memory) -> None:
    working.facts.store("The user prefers short commit messages", category="preference")
    working.journal.of("monday").pending("rotate the key")
    text = working.context(occasion="start").text
    for part in ("short commit messages", "pending: rotate the key", "listens on 7410"):
        assert part in text


def test_an_occasion_that_does_not_exist_is_refused(working: Memory) -> None:
    with pytest.raises(UsageError, match="occasion"):
        working.context("which port?", occasion="party")  # type: ignore[arg-type]


def test_a_row_is_told_once_in_a_session_and_again_after_a_compaction(working: Memory) -> None:
    asked = "which port does the gateway have in staging?"
    working.injected(working.context(asked, occasion="prompt"), "prompt")
    assert told(working, asked) == []
    working.compacted()
    assert len(told(working, asked)) == 1


def test_what_a_repaired_word_alone_found_is_a_guess_and_not_told(memory: Memory) -> None:
    memory.facts.store(["Osprey flies in May", "Falcon's deadline is 1 May"])
    assert told(memory, "when does ospry fly away?") == []
    assert len(told(memory, "which falcn deadline is there?")) == 1


@pytest.mark.parametrize("prompt", ["狗的名字是什么?", "猫の名前は何?"])
def test_a_short_question_of_characters_is_long_enough(memory: Memory, prompt: str) -> None:
    memory.facts.store(["用户的狗的名字叫小白", "ユーザーの猫の名前はタマ"])
    memory.settings.set("recall_strategy", "always")
    assert told(memory, prompt)


@settings(
    max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.text(alphabet="<>/&;\n\u2028abc memctl-memory\"'", min_size=1, max_size=60))
def test_no_text_writes_a_tag_or_a_line(memory: Memory, text: str) -> None:
    if text.strip():
        try:
            memory.facts.store("zebra " + text)
        except RecalledTextError:
            return
    made = memory.context("what about the zebra?", occasion="prompt").text
    inside = made.removeprefix(OPEN).removesuffix(CLOSE)
    assert "<" not in inside
    assert ">" not in inside
    lines = inside.strip().splitlines()
    assert lines[:1] == ["Recalled:"]
    assert all(line.startswith("- [f_") for line in lines[1:])


def test_what_was_told_is_refused_where_it_comes_back(working: Memory) -> None:
    made = working.context("which port does the gateway have?", occasion="prompt").text
    row = made.splitlines()[2]
    for text in (made, row, f"As I know: {made}"):
        with pytest.raises(RecalledTextError):
            working.facts.store(text)
    assert len(working.facts.list()) == 1
