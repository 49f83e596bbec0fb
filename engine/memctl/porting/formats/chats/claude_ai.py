"""The export of claude.ai: ``conversations.json``, in its zip file, unpacked, or alone.

A conversation is a thread by its id, and its name an episode of it. Of a conversation that was
branched, the turns on the way to its last message are taken where the export names that, else all in
their order. Tools called and files attached are named in a turn's details; thinking, tools' answers
and the contents of attachments are left out.
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

_ROLES = {"human": "user"}


def recognises(path: Path) -> bool:
    """Return whether a file, a zip file or a folder holds conversations of claude.ai."""
    return holds(path, "chat_messages")


def read(path: Path, options: Mapping[str, Any]) -> Iterator[ForeignRecord | UnreadRecord]:
    """Yield the turns and names of its conversations."""
    del options
    return conversations(path, _conversation)


def _conversation(given: dict[str, Any], where: str) -> Conversation:
    name = str(given.get("uuid") or "")
    return Conversation(
        name, str(given.get("name") or ""), given.get("created_at"), _turns(given, name, where)
    )


def _turns(given: dict[str, Any], name: str, where: str) -> Iterator[TurnRecord | UnreadRecord]:
    messages = given.get("chat_messages")
    if not isinstance(messages, list):
        yield UnreadRecord(where, "no conversation of claude.ai: it has no chat_messages")
        return
    for number, one in enumerate(_thread(messages, given.get("current_leaf_message_uuid"))):
        place = f"{where}.chat_messages[{number}]"
        if not isinstance(one, dict):
            yield UnreadRecord(place, "no message: it is no object")
            continue
        text, beside = spoken(one.get("content") or [])
        sender = str(one.get("sender") or one.get("role") or "user")
        turn = turn_of(
            text or str(one.get("text") or ""),
            [*beside, *_attached(one)],
            where=place,
            key=str(one.get("uuid") or ""),
            role=_ROLES.get(sender, sender),
            session=name or None,
            logged_at=one.get("created_at") or given.get("created_at"),
        )
        if turn is not None:
            yield turn


def _thread(messages: list[Any], last: Any) -> list[Any]:
    """Return the messages on the way to the last one, where that is named; else all."""
    by_id = {one["uuid"]: one for one in messages if isinstance(one, dict) and one.get("uuid")}
    if last not in by_id:
        return messages
    return [by_id[name] for name in way_up(by_id, last, "parent_message_uuid", len)]


def _attached(message: dict[str, Any]) -> list[str]:
    given = [message.get(name) for name in ("attachments", "files", "files_v2")]
    files = [one for part in given if isinstance(part, list) for one in part]
    names = [one.get("file_name") or one.get("file_type") or "file" for one in files if _is(one)]
    return [f"attached: {name}" for name in names]


def _is(one: Any) -> bool:
    return isinstance(one, dict)
