"""Conversations as assistants leave them: each known shape, made here."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from zipfile import ZIP_DEFLATED, ZipFile

if TYPE_CHECKING:
    from pathlib import Path

__all__ = [
    "CHATGPT",
    "CLAUDE_AI",
    "GRAPH",
    "LIBRECHAT",
    "OPEN_WEBUI",
    "TRANSCRIPT",
    "claude_memory",
    "json_file",
    "lines_file",
    "zip_file",
]

# A question that was asked again: the way up from the current message is the thread.
OPEN_WEBUI: list[dict[str, Any]] = [
    {
        "id": "w-1",
        "title": "Boat",
        "created_at": 1760000000,
        "chat": {
            "title": "Boat",
            "history": {
                "currentId": "c",
                "messages": {
                    "a": {
                        "id": "a",
                        "parentId": None,
                        "role": "user",
                        "content": "How heavy is the anchor?",
                        "timestamp": 1760000000,
                        "files": [{"type": "file", "name": "boat.pdf"}],
                    },
                    "b": {"id": "b", "parentId": "a", "role": "assistant", "content": "Lost."},
                    "c": {
                        "id": "c",
                        "parentId": "a",
                        "role": "assistant",
                        "content": '<details type="reasoning" done="true">Hm.</details>\n15 kg.',
                        "timestamp": 1760000005,
                    },
                },
            },
        },
    }
]
LIBRECHAT: dict[str, Any] = {
    "conversationId": "l-1",
    "title": "Dock",
    "recursive": True,
    "messages": [
        {
            "messageId": "a",
            "text": "What is the dock fee?",
            "isCreatedByUser": True,
            "sender": "User",
            "createdAt": "2026-10-01T10:00:00Z",
            "children": [
                {
                    "messageId": "b",
                    "text": "Nobody knows.",
                    "isCreatedByUser": False,
                    "sender": "GPT",
                    "createdAt": "2026-10-01T10:00:02Z",
                },
                {
                    "messageId": "c",
                    "content": [{"type": "text", "text": "40 euros."}],
                    "isCreatedByUser": False,
                    "sender": "GPT",
                    "createdAt": "2026-10-01T10:05:02Z",
                },
            ],
        }
    ],
}
GRAPH: list[dict[str, Any]] = [
    {
        "type": "entity",
        "name": "Ann_Smith",
        "entityType": "Person",
        "observations": ["Works as a nurse", "Lives in Leeds"],
    },
    {"type": "relation", "from": "Ann_Smith", "to": "Falcon", "relationType": "leads"},
]

CLAUDE_AI: list[dict[str, Any]] = [
    {
        "uuid": "c-1",
        "name": "Trip to Lisbon",
        "created_at": "2026-03-01T09:00:00.000000Z",
        "updated_at": "2026-03-01T09:05:00.000000Z",
        "account": {"uuid": "a-1"},
        "chat_messages": [
            {
                "uuid": "m-1",
                "text": "When does the ferry to Cacilhas run?",
                "content": [{"type": "text", "text": "When does the ferry to Cacilhas run?"}],
                "sender": "human",
                "created_at": "2026-03-01T09:00:00.000000Z",
                "attachments": [{"file_name": "plan.txt", "extracted_content": "Day 1: ferry"}],
                "files": [{"file_name": "map.png"}],
            },
            {
                "uuid": "m-2",
                "text": "",
                "content": [
                    {"type": "thinking", "thinking": "They want a timetable."},
                    {"type": "tool_use", "name": "web_search", "input": {"query": "ferry"}},
                    {"type": "tool_result", "name": "web_search", "content": ["timetable"]},
                    {"type": "text", "text": "Every 20 minutes from Cais do Sodré."},
                ],
                "sender": "assistant",
                "created_at": "2026-03-01T09:00:09.000000Z",
                "attachments": [],
                "files": [],
            },
        ],
    },
    {  # the older shape: text alone
        "uuid": "c-2",
        "name": "",
        "created_at": "2024-01-05T10:00:00.000000Z",
        "chat_messages": [
            {
                "uuid": "m-3",
                "text": "你好 🙂",
                "sender": "human",
                "created_at": "2024-01-05T10:00:00Z",
            }
        ],
    },
    {"uuid": "c-3", "name": "Never begun", "chat_messages": []},
]


def _node(name: str, parent: str | None, message: dict[str, Any] | None = None) -> dict[str, Any]:
    return {"id": name, "message": message, "parent": parent, "children": ["more"]}


def _said(name: str, role: str, text: Any, when: float | None, **more: Any) -> dict[str, Any]:
    content = {"content_type": "text", "parts": [text]}
    return {
        "id": name,
        "author": {"role": role, "name": None},
        "create_time": when,
        "content": content,
        "metadata": {},
        "recipient": "all",
        **more,
    }


CHATGPT: list[dict[str, Any]] = [
    {
        "title": "Bread",
        "create_time": 1_700_000_000.5,
        "update_time": 1_700_000_100.0,
        "mapping": {
            "root": _node("root", None),
            "system": _node("system", "root", _said("system", "system", "", None)),
            "ask": _node(
                "ask", "system", _said("ask", "user", "How long does it rise?", 1_700_000_001)
            ),
            "first": _node("first", "ask", _said("first", "assistant", "One hour.", 1_700_000_002)),
            "think": _node(
                "think",
                "ask",
                _said(
                    "think", "assistant", "", 1_700_000_003, content={"content_type": "thoughts"}
                ),
            ),
            "call": _node(
                "call",
                "think",
                _said("call", "assistant", "search('x')", 1_700_000_004, recipient="browser"),
            ),
            "tool": _node("tool", "call", _said("tool", "tool", "pages", 1_700_000_005)),
            "again": _node("again", "tool", _said("again", "assistant", "Two hours.", None)),
            "photo": _node(
                "photo",
                "again",
                _said(
                    "photo",
                    "user",
                    "",
                    1_700_000_007,
                    content={
                        "content_type": "multimodal_text",
                        "parts": [
                            {
                                "content_type": "image_asset_pointer",
                                "asset_pointer": "file-service://f",
                            },
                            "Is this done?",
                        ],
                    },
                    metadata={"attachments": [{"id": "f", "name": "loaf.jpg"}]},
                ),
            ),
            "heard": _node(
                "heard",
                "photo",
                _said(
                    "heard",
                    "user",
                    "",
                    1_700_000_008,
                    content={
                        "content_type": "multimodal_text",
                        "parts": [
                            {"content_type": "audio_transcription", "text": "And the crust?"}
                        ],
                    },
                ),
            ),
        },
        "current_node": "heard",
        "conversation_id": "g-1",
    },
    {
        "title": "No node named",
        "create_time": 1_700_000_000,
        "mapping": {
            "a": {**_node("a", None), "children": ["b", "c"]},
            "b": {**_node("b", "a", _said("b", "user", "old", 1_700_000_001)), "children": []},
            "c": {**_node("c", "a", _said("c", "user", "new", 1_700_000_002)), "children": []},
        },
        "id": "g-2",
    },
]

TRANSCRIPT: list[dict[str, Any]] = [
    {"type": "summary", "summary": "Ferry timetable", "leafUuid": "u-9"},
    {"type": "file-history-snapshot", "messageId": "x", "snapshot": {}},
    {
        "type": "user",
        "uuid": "u-0",
        "isMeta": True,
        "message": {"role": "user", "content": "Caveat"},
    },
    {
        "type": "user",
        "uuid": "u-1",
        "parentUuid": None,
        "isSidechain": False,
        "sessionId": "s-1",
        "timestamp": "2026-02-01T14:59:02.592Z",
        "message": {"role": "user", "content": "Add a ferry timetable"},
    },
    {
        "type": "assistant",
        "uuid": "u-2",
        "parentUuid": "u-1",
        "sessionId": "s-1",
        "timestamp": "2026-02-01T14:59:09.100Z",
        "message": {
            "role": "assistant",
            "content": [
                {"type": "thinking", "thinking": "Where is it?"},
                {"type": "text", "text": "I'll write it."},
                {"type": "tool_use", "id": "t-1", "name": "Write", "input": {"file_path": "/a.md"}},
            ],
        },
    },
    {
        "type": "user",
        "uuid": "u-3",
        "sessionId": "s-1",
        "timestamp": "2026-02-01T14:59:10Z",
        "message": {
            "role": "user",
            "content": [{"type": "tool_result", "tool_use_id": "t-1", "content": "File created"}],
        },
    },
    {
        "type": "user",
        "uuid": "u-4",
        "isSidechain": True,
        "sessionId": "s-1",
        "message": {"role": "user", "content": "You are an agent that searches"},
    },
    {
        "type": "user",
        "uuid": "u-5",
        "sessionId": "s-1",
        "timestamp": "2026-02-01T15:00:00Z",
        "message": {
            "role": "user",
            "content": [
                {"type": "text", "text": "<system-reminder>tidy up</system-reminder>Like this"},
                {"type": "image", "source": {"type": "base64", "data": "AAAA"}},
            ],
        },
    },
    {
        "type": "user",
        "uuid": "u-6",
        "sessionId": "s-1",
        "message": {"role": "user", "content": "<command-name>/clear</command-name>"},
    },
]


def json_file(path: Path, given: Any) -> Path:
    path.write_text(json.dumps(given, ensure_ascii=False), encoding="utf-8")
    return path


def lines_file(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return path


def zip_file(path: Path, members: dict[str, Any]) -> Path:
    with ZipFile(path, "w", ZIP_DEFLATED) as packed:
        for name, given in members.items():
            packed.writestr(name, json.dumps(given))
    return path


def claude_memory(folder: Path) -> Path:
    """Make a memory folder of Claude Code with a topic of each type."""
    folder.mkdir(parents=True)
    topics = {
        "user_role.md": ("user", "The user is a harbour pilot who writes Go."),
        "feedback_tests.md": (
            "feedback",
            (
                "Integration tests hit a real database.\n\n"
                "**Why:** a mock hid a broken migration.\n\n**How to apply:** never mock the store."
            ),
        ),
        "project_freeze.md": (
            "project",
            "Merge freeze begins on 2026-03-05 for the mobile release.",
        ),
        "reference_bugs.md": ("reference", "Pipeline bugs are tracked in the board INGEST."),
    }
    for name, (kind, body) in topics.items():
        head = f"---\nname: {name[:-3]}\ndescription: about it\ntype: {kind}\n---\n\n"
        (folder / name).write_text(f"{head}{body}\n", encoding="utf-8")
    index = "".join(f"- [{name[:-3]}]({name}) — about it\n" for name in topics)
    (folder / "MEMORY.md").write_text(
        f"# Memory\n\n{index}\n## Build\n- `make all` takes four minutes\n", encoding="utf-8"
    )
    return folder
