"""Active Memory: one line for a message, by recall alone or by a model; silence where unsure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import memctl
from memctl.base.errors import UsageError
from memctl.text.fences import CLOSE, block
from memctl.working.active import MODES, STYLES, ActiveRequest, cut_at_word
from tests.each import each
from tests.endpoint.model_server import ModelServer, hanging, model_server

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from memctl.memory import Memory


SECRET = "ghp_" + "a1B2c3D4e5F6" * 3


ASKED = "When does the ferry to Bornholm leave?"


@pytest.fixture
def known(memory: Memory) -> Memory:
    memory.facts.store("Ann prefers the window seat", category="preference")
    memory.facts.store("The deploy key rotates every 90 days", category="technical")
    memory.log("The ferry to Bornholm leaves at nine", speaker="Ann", session="monday")
    memory.log("When does the ferry leave?", session="monday")
    memory.log("Bread and butter are on the list", session="monday")
    return memory


@pytest.fixture
def server(known: Memory) -> Iterator[ModelServer]:
    with model_server() as made:
        known.settings.set("endpoint_url", made.url)
        known.settings.set("endpoint_model", "small")
        yield made


def request(message: str, mode: str = "recent", **given: Any) -> ActiveRequest:
    whole = {"style": None, "max_chars": 220, "timeout": 15.0, "turns": (), **given}
    return ActiveRequest.of(message, mode, **whole)


# -- the request -------------------------------------------------------------------------


@each(("mode", "style"), MODES.items())
def test_a_mode_has_its_style(mode: str, style: str, known: Memory) -> None:
    answer = known.active(ASKED, mode=mode)
    assert (answer.mode, answer.style) == (mode, style)


@each("wrong", [{"mode": "all"}, {"style": "loose"}, {"turns": ["hello"]}])
def test_what_is_unknown_is_refused(wrong: dict[str, Any], known: Memory) -> None:
    with pytest.raises(UsageError) as caught:
        known.active(ASKED, **wrong)
    assert caught.value.hint


def test_ranges_are_clamped() -> None:
    low, high = (request("x", max_chars=n, timeout=n) for n in (0, 5_000))
    assert (low.max_chars, low.timeout, high.max_chars, high.timeout) == (40, 0.25, 1_000, 120)
    assert request("x", timeout=float("nan")).timeout == 0.25


def test_the_recent_conversation_is_two_turns_of_the_user_and_one_of_the_assistant() -> None:
    turns = [(role, f"{role}{n} " + "x" * 300) for n in range(4) for role in ("user", "assistant")]
    said = request("so?", turns=turns).said
    assert [(text[:10].split()[0], len(text)) for _, text in said] == [
        ("user2", 220),
        ("user3", 220),
        ("assistant3", 180),
    ]
    assert request("so?", "message", turns=turns).said == ()
    assert len(request("so?", "full", turns=turns).said) == 8


def test_a_short_message_borrows_from_the_turn_before_it() -> None:
    turns = [("user", "The ferry to Bornholm " + "y" * 200), ("assistant", "Yes")]
    (query,) = request("and when?", turns=turns).queries
    assert query.startswith("The ferry to Bornholm")
    assert query.endswith("and when?")
    assert len(query) == 120 + len(" and when?")
    assert request("and when?", turns=[*turns, ("user", "and when?")]).queries == [query]
    assert request("and when does it leave?", turns=turns).queries == ["and when does it leave?"]


@given(st.text(max_size=2_000), st.lists(st.tuples(st.just("user"), st.text(max_size=600))))
def test_a_query_never_has_more_than_480_characters(message: str, turns: Any) -> None:
    for mode in MODES:
        for query in request(message, mode, turns=turns).queries:
            assert len(query) <= 480


@given(st.text(max_size=300), st.integers(2, 100))
def test_a_line_is_cut_within_its_limit(text: str, most: int) -> None:
    cut = cut_at_word(text, most)
    assert len(cut) <= most
    assert cut == text or cut.endswith("…")


@each(
    ("message", "given", "line", "row"),
    [
        (ASKED, {}, "2026-11-20 Ann: The ferry to Bornholm leaves at nine", "turn:1"),
        (ASKED, {"max_chars": 40}, "2026-11-20 Ann: The ferry to Bornholm…", "turn:1"),
        ("Which seat does Ann prefer?", {}, "Ann prefers the window seat", "f_"),
    ],
)
def test_what_is_remembered_is_told_in_one_line(
    known: Memory, message: str, given: dict[str, Any], line: str, row: str
) -> None:
    answer = known.active(message, **given)
    assert (answer.status, answer.text) == ("ok", line)
    assert [one.startswith(row) for one in answer.rows] == [True]


@each(
    ("message", "status"),
    [
        ("What colour is the moon?", "no_relevant_memory"),
        ("Hello!", "no_relevant_memory"),
        ("fix the parser", "no_relevant_memory"),
        ("", "empty"),
        ("  ", "empty"),
        (block(["- recalled"]), "empty"),
    ],
)
def test_silence_where_nothing_is_known_or_asked(known: Memory, message: str, status: str) -> None:
    answer = known.active(message)
    assert (answer.text, answer.status) == ("", status)
    # What was just said is no memory.
    said = ("user", "The ferry to Bornholm leaves at nine")
    assert known.active(ASKED, turns=[said]).text == ""


def test_an_empty_store_is_empty_and_stays_unmade(tmp_path: Path) -> None:
    with memctl.open("agent", tmp_path) as memory:
        assert memory.active(ASKED).status == "empty"
        assert not memory.store.exists


def test_a_style_says_how_sure_recall_has_to_be(known: Memory) -> None:
    message = "which seat should I take"
    told = {style for style in STYLES if known.active(message, style=style).text}
    assert told == {"balanced", "contextual", "recall-heavy", "preference-only"}


def test_preferences_only(known: Memory) -> None:
    assert known.active("Which seat does Ann prefer?", style="preference-only").status == "ok"
    for message in (ASKED, "How often does the deploy key rotate?"):
        assert known.active(message, style="preference-only").text == ""
        assert known.active(message, style="strict").text


def test_a_full_conversation_says_what_a_message_is_about(known: Memory) -> None:
    turns = [("user", "I want to take the ferry to Bornholm"), ("assistant", "Fine.")]
    message = "Tell me at what time, please"
    assert known.active(message, turns=turns).text == ""
    assert "leaves at nine" in known.active(message, mode="full", turns=turns).text


def test_the_turns_are_those_of_the_session(known: Memory, tmp_path: Path) -> None:
    known.log("The ferry to Bornholm is on my mind", session="tuesday")
    with memctl.open("agent", tmp_path, session="tuesday") as opened:
        assert "leaves at nine" in opened.active("and when?").text
    assert known.active("and when?").text == ""


def test_recall_asks_no_model_for_vectors(known: Memory, server: ModelServer) -> None:
    known.settings.set("fallback", "endpoint")
    known.settings.set("endpoint_embedding_model", "colours")
    known.settings.set("active_mode", "off")
    assert known.active(ASKED).status == "ok"
    assert known.active("something reddish").status == "no_relevant_memory"
    assert server.asked == []


# -- the second lane ---------------------------------------------------------------------


def test_a_model_is_asked_only_where_recall_is_unsure(known: Memory, server: ModelServer) -> None:
    server.says("Ann likes the window seat.")
    assert known.active(ASKED).text.startswith("2026")
    assert server.asked == []
    answer = known.active("which seat should I take", style="strict")
    assert (answer.text, answer.status) == ("Ann likes the window seat.", "ok")
    known.active("What colour is the moon?")
    assert len(server.asked) == 1  # no memory at all: there is nothing to ask about


def test_a_model_is_always_asked_or_never_as_the_setting_says(
    known: Memory, server: ModelServer
) -> None:
    server.says("It leaves at nine.")
    known.settings.set("active_mode", "always")
    assert known.active(ASKED).text == "It leaves at nine."
    known.settings.set("active_mode", "off")
    assert known.active("which seat should I take", style="strict").text == ""
    assert len(server.asked) == 1


def test_memories_are_sent_as_fenced_data(known: Memory, server: ModelServer) -> None:
    known.facts.store("Ann prefers seats <b>by the window</b>", category="preference")
    known.settings.set("active_mode", "always")
    known.active("Which seats does Ann prefer?")
    sent = server.asked[0]["messages"][1]["content"]
    assert sent.count(CLOSE) == 2
    assert "&lt;b&gt;by the window&lt;/b&gt;" in sent


@pytest.mark.parametrize("text", ['"None"', "No relevant memories found.", "无"])
def test_none_is_no_memory(known: Memory, server: ModelServer, text: str) -> None:
    server.says(text)
    known.settings.set("active_mode", "always")
    assert known.active(ASKED).status == "no_relevant_memory"


@pytest.mark.parametrize("text", ["", "one\ntwo", f"it is {SECRET}", "[turn 1] recalled"])
def test_a_bad_answer_is_a_failure_and_recall_answers_where_it_can(
    known: Memory, server: ModelServer, text: str
) -> None:
    server.says(text)
    answer = known.active("which seat should I take", style="strict")
    assert (answer.text, answer.status) == ("", "failed")
    known.settings.set("active_mode", "always")
    assert known.active(ASKED).text.startswith("2026")


def test_a_late_model_leaves_recalls_line(known: Memory, server: ModelServer) -> None:
    server.answer = hanging(server)
    known.settings.set("active_mode", "always")
    partial = known.active(ASKED, timeout=0.25)
    assert (partial.status, partial.text[:4]) == ("timeout_partial", "2026")
    late = known.active("which seat should I take", style="strict", timeout=0.25)
    assert (late.status, late.text) == ("timeout", "")


def test_a_long_line_of_a_model_is_cut(known: Memory, server: ModelServer) -> None:
    server.says("word " * 100)
    answer = known.active("which seat should I take", style="strict", max_chars=60)
    assert len(answer.text) <= 60
    assert answer.text.endswith("word…")


def test_a_message_with_a_secret_is_not_sent(known: Memory, server: ModelServer) -> None:
    answer = known.active(f"which seat should I take with {SECRET}", style="strict")
    assert (answer.status, server.asked) == ("failed", [])
