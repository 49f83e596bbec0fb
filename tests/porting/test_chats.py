"""Conversations of assistants become threads of turns, in each shape they come in."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from memctl.base.errors import UnusableInputError
from tests.porting.foreign_chats import (
    CHATGPT,
    CLAUDE_AI,
    GRAPH,
    LIBRECHAT,
    OPEN_WEBUI,
    TRANSCRIPT,
    claude_memory,
    json_file,
    lines_file,
    zip_file,
)

if TYPE_CHECKING:
    from pathlib import Path

    from memctl.memory import Memory


def _said(memory: Memory, session: str) -> list[tuple[str, str, str]]:
    turns = reversed(memory.turns.list(session=session, limit=-1))
    return [(turn.role, turn.text, turn.details) for turn in turns]


FERRY = [
    (
        "user",
        "When does the ferry to Cacilhas run?",
        "attached: plan.txt\nattached: map.png",
    ),
    ("assistant", "Every 20 minutes from Cais do Sodré.", "called: web_search"),
]
BREAD = [
    ("user", "How long does it rise?", ""),
    ("assistant", "Two hours.", ""),
    ("user", "Is this done?", "attached: loaf.jpg"),
    ("user", "And the crust?", ""),
]


@pytest.mark.parametrize("shape", ["array", "zip", "folder", "object", "single"])
def test_conversations_of_claude_ai_are_threads(memory: Memory, tmp_path: Path, shape: str) -> None:
    name = tmp_path / "conversations.json"
    given: Path
    match shape:
        case "zip":
            given = zip_file(
                tmp_path / "data.zip", {"users.json": [], "conversations.json": CLAUDE_AI}
            )
        case "folder":
            given = json_file(name, CLAUDE_AI).parent
        case "object":
            given = json_file(name, {"account": {}, "conversations": CLAUDE_AI})
        case _:
            given = json_file(name, CLAUDE_AI[0] if shape == "single" else CLAUDE_AI)
    imported = memory.import_from(given)
    assert imported.source == "claude-ai"
    assert _said(memory, "c-1") == FERRY
    titles = [(one.summary, one.thread, one.happened_at) for one in memory.episodes.list()]
    assert titles == [("Trip to Lisbon", "c-1", "2026-03-01T09:00:00Z")]
    if shape != "single":
        assert _said(memory, "c-2") == [("user", "你好 🙂", "")]
        assert imported.remarks == [f"{name.name}[2]: nothing was said in it"]


def test_of_a_branched_conversation_the_way_to_its_last_message_is_taken(
    memory: Memory, tmp_path: Path
) -> None:
    def message(name: str, parent: str) -> dict[str, str]:
        return {"uuid": name, "parent_message_uuid": parent, "text": name, "sender": "human"}

    messages = [message("m-1", "root"), message("m-2", "m-1"), message("m-3", "m-1")]
    one = {"uuid": "c", "chat_messages": messages, "current_leaf_message_uuid": "m-3"}
    memory.import_from(json_file(tmp_path / "c.json", one))
    assert [text for _, text, _ in _said(memory, "c")] == ["m-1", "m-3"]


@pytest.mark.parametrize("shape", ["array", "zip", "parts"])
def test_of_the_tree_of_chatgpt_the_way_to_the_current_node_is_taken(
    memory: Memory, tmp_path: Path, shape: str
) -> None:
    match shape:
        case "zip":
            given = zip_file(
                tmp_path / "e.zip", {"e/user.json": {}, "e/conversations.json": CHATGPT}
            )
        case "parts":
            parts = {f"conversations-00{at}.json": [one] for at, one in enumerate(CHATGPT)}
            given = zip_file(tmp_path / "e.zip", parts)
        case _:
            given = json_file(tmp_path / "conversations.json", CHATGPT)
    imported = memory.import_from(given)
    assert imported.source == "chatgpt"
    assert _said(memory, "g-1") == BREAD
    assert _said(memory, "g-2") == [("user", "new", "")]
    times = [turn.logged_at for turn in memory.turns.list(session="g-1")]
    assert times[-2:] == ["2023-11-14T22:13:21Z", "2023-11-14T22:13:21Z"]  # as the one before it
    assert imported.taken == {"turn": 5, "episode": 2}


def test_a_circle_in_a_conversation_ends(memory: Memory, tmp_path: Path) -> None:
    one = json.loads(json.dumps(CHATGPT[0]))
    one["mapping"]["ask"]["parent"] = "heard"
    memory.import_from(json_file(tmp_path / "conversations.json", [one]))
    assert _said(memory, "g-1") == BREAD


def test_an_export_that_grew_and_was_renamed_brings_what_is_new(
    memory: Memory, tmp_path: Path
) -> None:
    memory.import_from(json_file(tmp_path / "conversations.json", CLAUDE_AI))
    grown = json.loads(json.dumps(CLAUDE_AI))
    grown[0]["name"] = "Lisbon in March"
    grown[0]["chat_messages"].append({"uuid": "m-9", "text": "Thanks", "sender": "human"})
    again = memory.import_from(zip_file(tmp_path / "new.zip", {"conversations.json": grown}))
    assert (again.taken, again.known) == ({"turn": 1}, 4)
    assert len(_said(memory, "c-1")) == 3


def test_a_transcript_is_what_two_said(memory: Memory, tmp_path: Path) -> None:
    imported = memory.import_from(lines_file(tmp_path / "s-1.jsonl", TRANSCRIPT))
    assert imported.source == "claude-code"
    assert _said(memory, "s-1") == [
        ("user", "Add a ferry timetable", ""),
        ("assistant", "I'll write it.", "called: Write"),
        ("user", "Like this", "attached: image"),
    ]
    assert imported.remarks == ["s-1.jsonl: 1 lines of agents among themselves left out"]
    assert memory.turns.list()[-1].logged_at == "2026-02-01T14:59:02Z"


def test_of_a_transcript_that_has_grown_only_the_new_lines_are_taken(
    memory: Memory, tmp_path: Path
) -> None:
    path = lines_file(tmp_path / "s-1.jsonl", TRANSCRIPT)
    with path.open("a", encoding="utf-8") as file:
        file.write('{"type": "user", "uuid": "u-7", "mess')  # it is being written
    first = memory.import_from(path)
    assert [one.where for one in first.refused] == ["s-1.jsonl:10"]
    more: dict[str, Any] = {**TRANSCRIPT[7], "uuid": "u-7", "message": {"content": "And buses"}}
    second = memory.import_from(lines_file(path, [*TRANSCRIPT, more]))
    assert (second.taken, second.known) == ({"turn": 1}, 3)
    assert [text for _, text, _ in _said(memory, "s-1")][-1] == "And buses"


def test_a_line_that_a_resumed_session_copied_is_taken_once(memory: Memory, tmp_path: Path) -> None:
    copied = [{**row, "sessionId": "s-2"} for row in TRANSCRIPT]
    lines_file(tmp_path / "-home-ann-ferry" / "s-1.jsonl", TRANSCRIPT)
    lines_file(tmp_path / "-home-ann-ferry" / "s-2.jsonl", copied)
    imported = memory.import_from(tmp_path)
    assert (imported.taken, imported.known) == ({"turn": 3}, 3)


def test_a_folder_of_projects_brings_its_memories(memory: Memory, tmp_path: Path) -> None:
    lines_file(tmp_path / "projects" / "-home-ann" / "s-1.jsonl", TRANSCRIPT)
    claude_memory(tmp_path / "projects" / "-home-ann" / "memory")
    imported = memory.import_from(tmp_path / "projects")
    assert imported.taken == {"turn": 3, "fact": 5}


def test_a_type_of_memory_decides_the_category(memory: Memory, tmp_path: Path) -> None:
    imported = memory.import_from(claude_memory(tmp_path / "memory"))
    assert imported.source == "claude-memory"
    facts = {fact.text.split("\n")[0]: fact for fact in memory.facts.list()}
    assert {text: fact.category for text, fact in facts.items()} == {
        "The user is a harbour pilot who writes Go.": "preference",
        "Integration tests hit a real database.": "rule",
        "Merge freeze begins on 2026-03-05 for the mobile release.": "project",
        "Pipeline bugs are tracked in the board INGEST.": "technical",
        "Build: `make all` takes four minutes": None,
    }
    rule = facts["Integration tests hit a real database."].text
    assert "Why: a mock hid a broken migration." in rule
    assert "How to apply: never mock the store." in rule


@pytest.mark.parametrize("end", [b"", b'[{"uuid": "c", "chat_messages": [{"uuid": "m", "te'])
def test_a_truncated_export_is_an_error_and_an_empty_one_none(
    memory: Memory, tmp_path: Path, end: bytes
) -> None:
    path = tmp_path / "conversations.json"
    path.write_bytes(end)
    if end:
        with pytest.raises(UnusableInputError, match="no JSON"):
            memory.import_from(path, "claude-ai")
    else:
        assert memory.import_from(path, "claude-ai").met == 0


def test_a_zip_file_that_would_burst_or_is_broken_is_refused(
    memory: Memory, tmp_path: Path
) -> None:
    bomb = zip_file(tmp_path / "bomb.zip", {"conversations.json": " " * 21_000_000})
    with pytest.raises(UnusableInputError, match="burst"):
        memory.import_from(bomb, "chatgpt")
    (tmp_path / "half.zip").write_bytes(bomb.read_bytes()[:2_000])
    with pytest.raises(UnusableInputError, match="broken zip"):
        memory.import_from(tmp_path / "half.zip")


def test_a_secret_that_was_said_is_refused_and_the_rest_taken(
    memory: Memory, tmp_path: Path
) -> None:
    secret = {"content": "the key is AKIA" + "IOSFODNN7EXAMPLF"}
    rows = [{**TRANSCRIPT[3], "uuid": "u-8", "message": secret}, *TRANSCRIPT]
    imported = memory.import_from(lines_file(tmp_path / "s.jsonl", rows))
    assert imported.taken == {"turn": 3}
    (refused,) = imported.refused
    assert refused.where == "s.jsonl:1"
    assert refused.why.startswith('"turn" looks like a secret')


def test_a_chat_of_open_webui_is_the_way_to_its_current_message(
    memory: Memory, tmp_path: Path
) -> None:
    imported = memory.import_from(json_file(tmp_path / "export.json", OPEN_WEBUI))
    assert imported.source == "open-webui"
    assert _said(memory, "w-1") == [
        ("user", "How heavy is the anchor?", "attached: boat.pdf"),
        ("assistant", "15 kg.", ""),
    ]
    assert [one.summary for one in memory.episodes.list()] == ["Boat"]


@pytest.mark.parametrize("shape", ["tree", "list"])
def test_a_conversation_of_librechat_is_the_way_to_its_newest_message(
    memory: Memory, tmp_path: Path, shape: str
) -> None:
    given = LIBRECHAT
    if shape == "list":
        first = LIBRECHAT["messages"][0]
        answers = [{**one, "parentMessageId": "a"} for one in first["children"]]
        given = {**LIBRECHAT, "messages": [{**first, "children": []}, *answers]}
    imported = memory.import_from(json_file(tmp_path / "export.json", given))
    assert imported.source == "librechat"
    assert _said(memory, "l-1") == [
        ("user", "What is the dock fee?", ""),
        ("assistant", "40 euros.", ""),
    ]
    assert memory.import_from(tmp_path / "export.json").written == 0


@pytest.mark.parametrize("shape", ["lines", "graph"])
def test_a_graph_of_the_memory_server_becomes_facts(
    memory: Memory, tmp_path: Path, shape: str
) -> None:
    given = lines_file(tmp_path / "memory.json", GRAPH)
    if shape == "graph":
        json_file(given, {"entities": GRAPH[:1], "relations": GRAPH[1:]})
    imported = memory.import_from(given)
    assert imported.source == "memory-graph"
    assert {fact.text for fact in memory.facts.list()} == {
        "Ann Smith: Works as a nurse",
        "Ann Smith: Lives in Leeds",
        "Ann Smith leads Falcon",
    }


def test_a_long_chat_of_open_webui_is_recognised_before_its_current_message(
    memory: Memory, tmp_path: Path
) -> None:
    given = json.loads(json.dumps(OPEN_WEBUI))
    given[0]["chat"]["history"]["messages"]["a"]["content"] = "The dock is wet. " * 6_000
    history = given[0]["chat"]["history"]
    given[0]["chat"]["history"] = {name: history[name] for name in ("messages", "currentId")}
    imported = memory.import_from(json_file(tmp_path / "chat-export.json", given))
    assert (imported.source, imported.taken["turn"]) == ("open-webui", 2)


def test_an_assistant_s_text_in_librechat_is_its_value(memory: Memory, tmp_path: Path) -> None:
    block = {"type": "text", "text": {"value": "The fee is 40 euros.", "annotations": []}}
    message = {"messageId": "a", "text": "", "isCreatedByUser": False, "content": [block]}
    given = {"conversationId": "l-1", "messages": [message]}
    memory.import_from(json_file(tmp_path / "dock.json", given))
    assert [turn.text for turn in memory.turns.list()] == ["The fee is 40 euros."]
