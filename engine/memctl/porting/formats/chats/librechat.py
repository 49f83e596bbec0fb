"""The export of LibreChat: one conversation a file, its messages as a tree or one after the other.

Of a conversation that was branched, the way to its newest message is the thread; its title is an
episode of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memctl.porting.foreign_records import UnreadRecord
from memctl.porting.formats.chats.conversations import (
    Conversation,
    conversations,
    holds,
    spoken,
    turn_of,
    way_up,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from memctl.porting.foreign_records import ForeignRecord, TurnRecord


def recognises(path: Path) -> bool:
    """Return whether a file holds a conversation of LibreChat."""
    return holds(path, "conversationId", "isCreatedByUser")


def read(path: Path, options: Mapping[str, Any]) -> Iterator[ForeignRecord | UnreadRecord]:
    """Yield the turns and the title of its conversation."""
    del options
    return conversations(path, _conversation)


def _conversation(given: dict[str, Any], where: str) -> Conversation:
    name = str(given.get("conversationId") or "")
    found = given.get("messages") or given.get("messagesTree")
    messages = _by_id(found if isinstance(found, list) else [])
    began_at = next((one.get("createdAt") for one in messages.values()), None)
    title = str(given.get("title") or "")
    return Conversation(name, title, began_at, _turns(messages, name, where))


def _by_id(given: list[Any]) -> dict[str, dict[str, Any]]:
    """Return the messages of a tree or a list by their ids, each with its parent."""
    found: dict[str, dict[str, Any]] = {}
    left: list[tuple[Any, Any]] = [(one, None) for one in reversed(given)]
    while left:
        one, parent = left.pop()
        if not isinstance(one, dict):
            continue
        name = str(one.get("messageId") or f"{len(found)}")
        found[name] = {**one, "parent": parent or one.get("parentMessageId")}
        children = one.get("children")
        left += [
            (child, name) for child in reversed(children if isinstance(children, list) else [])
        ]
    return found


def _turns(
    messages: dict[str, dict[str, Any]], name: str, where: str
) -> Iterator[TurnRecord | UnreadRecord]:
    if not messages:
        yield UnreadRecord(where, "no conversation of LibreChat: it has no messages")
    for key in way_up(messages, None, "parent", lambda one: str(one.get("createdAt") or "")):
        one = messages[key]
        text, beside = spoken(one.get("content") or one.get("text"))
        is_user = one.get("isCreatedByUser")
        turn = turn_of(
            text or str(one.get("text") or ""),
            beside,
            where=f"{where}.{key}",
            key=key,
            role="user" if is_user else "assistant",
            speaker=None if is_user else str(one.get("sender") or "") or None,
            session=name or None,
            logged_at=one.get("createdAt"),
        )
        if turn is not None:
            yield turn
