"""The export of Open WebUI: an array of chats, each a tree of messages.

The way up from ``currentId`` is the thread, its title an episode of it. Reasoning and calls of tools,
which stand in the text as ``<details>``, are left out.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
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

_SPEAKERS = frozenset({"user", "assistant"})
_ASIDE = re.compile(
    r'<details\s+type="(?:reasoning|tool_calls|code_interpreter)".*?(?:</details>\s*|\Z)', re.DOTALL
)


def recognises(path: Path) -> bool:
    """Return whether a file holds chats of Open WebUI."""
    return holds(path, "history", "parentId")  # `currentId` may stand behind a long chat


def read(path: Path, options: Mapping[str, Any]) -> Iterator[ForeignRecord | UnreadRecord]:
    """Yield the turns and titles of its chats."""
    del options
    return conversations(path, _conversation)


def _conversation(given: dict[str, Any], where: str) -> Conversation:
    found = given.get("chat")
    chat = found if isinstance(found, dict) else given
    name = str(given.get("id") or chat.get("id") or "")
    title = str(given.get("title") or chat.get("title") or "")
    began_at = _time(given.get("created_at") or chat.get("timestamp"))
    return Conversation(name, title, began_at, _turns(chat, name, began_at, where))


def _turns(
    chat: dict[str, Any], name: str, began_at: datetime | None, where: str
) -> Iterator[TurnRecord | UnreadRecord]:
    history = chat.get("history")
    messages = history.get("messages") if isinstance(history, dict) else None
    if not isinstance(history, dict) or not isinstance(messages, dict):
        yield UnreadRecord(where, "no chat of Open WebUI: it has no history of messages")
        return
    told = {key: one for key, one in messages.items() if isinstance(one, dict)}
    now = began_at
    for key in way_up(told, history.get("currentId"), "parentId", _created):
        message = told[key]
        now = _time(message.get("timestamp")) or now
        if message.get("role") not in _SPEAKERS:
            continue
        text, beside = spoken(message.get("content"))
        files = message.get("files")
        for file in files if isinstance(files, list) else []:
            beside.append(f"attached: {file.get('name') if isinstance(file, dict) else 'file'}")
        turn = turn_of(
            _ASIDE.sub("", text),
            beside,
            where=f"{where}.{key}",
            key=key,
            role=message["role"],
            session=name or None,
            logged_at=now,
        )
        if turn is not None:
            yield turn


def _created(message: dict[str, Any]) -> float:
    when = message.get("timestamp")
    return when if isinstance(when, (int, float)) else 0


def _time(seconds: Any) -> datetime | None:
    """Return a time by its seconds, or milliseconds, since 1970."""
    try:
        found = float(seconds)
        return datetime.fromtimestamp(found / 1000 if found > 1e11 else found, UTC)  # noqa: PLR2004
    except (TypeError, ValueError, OverflowError, OSError):
        return None
