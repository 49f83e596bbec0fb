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
                        "parentId": None,
                        "role": "user",
                        "content": "How heavy is the anchor?",
                        "timestamp": 1760000000,
                        "files": [{"type": "file", "name": "boat.pdf"}],
                    },
                    "b": {"parentId": "a", "role": "assistant", "content": "Lost."},
                    "c": {
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


def _answer(name: str, at: str, **said: Any) -> dict[str, Any]:
    about = {"messageId": name, "isCreatedByUser": False, "sender": "GPT"}
    return {**about, "createdAt": f"2026-10-01T{at}Z", **said}


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
                _answer("b", "10:00:02", text="Nobody knows."),
                _answer("c", "10:05:02", content=[{"type": "text", "text": "40 euros."}]),
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


def _tree(*nodes: tuple[str, str | None, dict[str, Any] | None]) -> dict[str, Any]:
    """Return a mapping of ChatGPT: messages by their names, each with its parent."""
    return {
        name: {
            "id": name,
            "parent": parent,
            "children": [one for one, above, _ in nodes if above == name],
            "message": message and {"id": name, **message},
        }
        for name, parent, message in nodes
    }


def _said(role: str, text: Any, when: float | None, **more: Any) -> dict[str, Any]:
    return {
        "author": {"role": role, "name": None},
        "create_time": when and 1_700_000_000 + when,
        "content": {"content_type": "text", "parts": [text]},
        "metadata": {},
        "recipient": "all",
        **more,
    }


_IMAGE = {"content_type": "image_asset_pointer", "asset_pointer": "file-service://f"}
_PHOTO = {"content_type": "multimodal_text", "parts": [_IMAGE, "Is this done?"]}
_AUDIO = {"content_type": "audio_transcription", "text": "And the crust?"}
_HEARD = {"content_type": "multimodal_text", "parts": [_AUDIO]}
_LOAF = {"attachments": [{"id": "f", "name": "loaf.jpg"}]}
CHATGPT: list[dict[str, Any]] = [
    {
        "title": "Bread",
        "create_time": 1_700_000_000.5,
        "update_time": 1_700_000_100.0,
        "mapping": _tree(
            ("root", None, None),
            ("system", "root", _said("system", "", None)),
            ("ask", "system", _said("user", "How long does it rise?", 1)),
            ("first", "ask", _said("assistant", "One hour.", 2)),
            ("think", "ask", _said("assistant", "", 3, content={"content_type": "thoughts"})),
            ("call", "think", _said("assistant", "search('x')", 4, recipient="browser")),
            ("tool", "call", _said("tool", "pages", 5)),
            ("again", "tool", _said("assistant", "Two hours.", None)),
            ("photo", "again", _said("user", "", 7, content=_PHOTO, metadata=_LOAF)),
            ("heard", "photo", _said("user", "", 8, content=_HEARD)),
        ),
        "current_node": "heard",
        "conversation_id": "g-1",
    },
    {
        "title": "No node named",
        "create_time": 1_700_000_000,
        "mapping": _tree(
            ("a", None, None),
            ("b", "a", _said("user", "old", 1)),
            ("c", "a", _said("user", "new", 2)),
        ),
        "id": "g-2",
    },
]


def _line(kind: str, name: str, content: Any, **more: Any) -> dict[str, Any]:
    message = {"role": kind, "content": content}
    return {"type": kind, "uuid": name, "sessionId": "s-1", "message": message, **more}


TRANSCRIPT: list[dict[str, Any]] = [
    {"type": "summary", "summary": "Ferry timetable", "leafUuid": "u-9"},
    {"type": "file-history-snapshot", "messageId": "x", "snapshot": {}},
    _line("user", "u-0", "Caveat", isMeta=True),
    _line("user", "u-1", "Add a ferry timetable", timestamp="2026-02-01T14:59:02.592Z"),
    _line(
        "assistant",
        "u-2",
        [
            {"type": "thinking", "thinking": "Where is it?"},
            {"type": "text", "text": "I'll write it."},
            {"type": "tool_use", "id": "t-1", "name": "Write", "input": {"file_path": "/a.md"}},
        ],
        timestamp="2026-02-01T14:59:09.100Z",
    ),
    _line(
        "user", "u-3", [{"type": "tool_result", "tool_use_id": "t-1", "content": "File created"}]
    ),
    _line("user", "u-4", "You are an agent that searches", isSidechain=True),
    _line(
        "user",
        "u-5",
        [
            {"type": "text", "text": "<system-reminder>tidy up</system-reminder>Like this"},
            {"type": "image", "source": {"type": "base64", "data": "AAAA"}},
        ],
        timestamp="2026-02-01T15:00:00Z",
    ),
    _line("user", "u-6", "<command-name>/clear</command-name>"),
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
