"""The export of ChatGPT: ``conversations.json``, whole or in numbered parts, in its zip file, or alone.

A conversation is a tree: the way up from ``current_node`` is the thread, and where no such node is
named, the way up from the newest leaf. What is hidden, thought, or said to and by a tool is left out;
what is attached is named.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from memctl.porting.foreign_records import UnreadRecord
from memctl.porting.formats.chats.conversations import (
    Conversation,
    conversations,
    holds,
    turn_of,
    way_up,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from memctl.porting.foreign_records import ForeignRecord, TurnRecord

_SPEAKERS = frozenset({"user", "assistant"})
# Kinds of content that somebody said; the others are thoughts, code for tools, and settings.
_SAID = frozenset({"text", "multimodal_text"})


def recognises(path: Path) -> bool:
    """Return whether a file, a zip file or a folder holds conversations of ChatGPT."""
    return holds(path, "mapping", "create_time")


def read(path: Path, options: Mapping[str, Any]) -> Iterator[ForeignRecord | UnreadRecord]:
    """Yield the turns and titles of its conversations."""
    del options
    return conversations(path, _conversation)


def _conversation(given: dict[str, Any], where: str) -> Conversation:
    name = str(given.get("conversation_id") or given.get("id") or "")
    began_at = _time(given.get("create_time"))
    return Conversation(
        name, str(given.get("title") or ""), began_at, _turns(given, name, began_at, where)
    )


def _turns(
    given: dict[str, Any], name: str, began_at: datetime | None, where: str
) -> Iterator[TurnRecord | UnreadRecord]:
    nodes = given.get("mapping")
    if not isinstance(nodes, dict):
        yield UnreadRecord(where, "no conversation of ChatGPT: it has no mapping")
        return
    now = began_at
    told = {name: node for name, node in nodes.items() if isinstance(node, dict)}
    for node in way_up(told, given.get("current_node"), "parent", _created):
        message = told[node].get("message")
        if not isinstance(message, dict) or not _is_said(message):
            continue
        now = _time(message.get("create_time")) or now
        text, beside = _content(message)
        turn = turn_of(
            text,
            beside,
            where=f"{where}.mapping.{node}",
            key=str(message.get("id") or node),
            role=_author(message).get("role"),
            speaker=_author(message).get("name") or None,
            session=name or None,
            logged_at=now,
        )
        if turn is not None:
            yield turn


def _created(node: dict[str, Any]) -> float:
    when = (node.get("message") or {}).get("create_time")
    return when if isinstance(when, (int, float)) else 0


def _is_said(message: dict[str, Any]) -> bool:
    """Return whether a message is one of the two to the other."""
    content, about = message.get("content"), message.get("metadata")
    return (
        _author(message).get("role") in _SPEAKERS
        and message.get("recipient") in {None, "", "all"}
        and isinstance(content, dict)
        and content.get("content_type") in _SAID
        and not (isinstance(about, dict) and about.get("is_visually_hidden_from_conversation"))
    )


def _author(message: dict[str, Any]) -> dict[str, Any]:
    author = message.get("author")
    return author if isinstance(author, dict) else {}


def _content(message: dict[str, Any]) -> tuple[str, list[str]]:
    """Return what a message says, and what is attached to it."""
    content, about = message["content"], message.get("metadata") or {}
    texts: list[str] = []
    beside = [
        f"attached: {one.get('name') or 'file'}"
        for one in (about.get("attachments") or () if isinstance(about, dict) else ())
        if isinstance(one, dict)
    ]
    parts = content.get("parts")
    for part in parts if isinstance(parts, list) else [content.get("text")]:
        if isinstance(part, str):
            texts.append(part)
        elif isinstance(part, dict) and isinstance(part.get("text"), str):
            texts.append(part["text"])  # what was heard
        elif isinstance(part, dict) and not beside:
            kind = str(part.get("content_type") or "file")
            beside.append(f"attached: {kind.removesuffix('_asset_pointer').replace('_', ' ')}")
    return "\n".join(text for text in texts if text.strip()), beside


def _time(seconds: Any) -> datetime | None:
    """Return a time by its seconds since 1970."""
    try:
        return datetime.fromtimestamp(float(seconds), UTC)
    except (TypeError, ValueError, OverflowError, OSError):
        return None
